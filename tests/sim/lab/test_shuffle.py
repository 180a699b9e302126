"""Cheats in the shuffle."""

import pytest

from tests.sim.lab.support import try_cheat
from unop2p.ids import Seat
from unop2p.sim.lab.run import Outcome

CAUGHT_AT_ONCE = ("duplicate-card", "remask-zero", "forge-copies", "old-proof-seat", "short-deck")


@pytest.mark.slow
@pytest.mark.parametrize("name", CAUGHT_AT_ONCE)
def test_a_false_shuffle_is_caught_in_its_own_step(name: str) -> None:
    report = try_cheat(name)
    assert report.outcome is Outcome.CAUGHT, report.reason
    assert report.blamed == (Seat(2),)
    assert report.steps_late == 0
    assert report.phase == "shuffle"


@pytest.mark.slow
def test_the_first_forgery_passes_weights_without_the_commitments_and_changes_the_deck() -> None:
    report = try_cheat("forge-copies", without=("fs-commitments",))
    assert report.outcome is Outcome.THROUGH
    assert "+1 W4" in report.reason


@pytest.mark.slow
def test_the_second_forgery_needs_known_logarithms_too() -> None:
    both = try_cheat("forge-any-card", without=("fs-commitments", "hashed-faces"))
    assert both.outcome is Outcome.THROUGH
    assert "+1 W4" in both.reason
    assert try_cheat("forge-any-card", without=("fs-commitments",)).outcome is Outcome.CAUGHT
