"""Rare turns of the game, forced through the real protocol by a stacked deck."""

import pytest

from tests.sim.cases import CASES, ONE_ROUND, Case
from tests.sim.rigged import NAME, arranged, rigged, stacked
from unop2p.rules.cards import Face
from unop2p.sim.ring import Ring
from unop2p.wire.audit import Finding, audit


def check_end(ring: Ring) -> None:
    assert len(ring.heads()) == 1
    for place in ring.places:
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        report = audit(place.record)
        assert report.finding is Finding.COMPLETE, report.reason


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_forced_turn_comes_out_as_the_rules_say_and_is_audited(case: Case) -> None:
    with rigged(case.deck, *case.more):
        ring = Ring(2, ONE_ROUND, seed=9, player=case.player(), argument=NAME)
        ring.run()
        check_end(ring)
    for place in ring.places:
        case.check(place.notices)


@pytest.mark.slow
def test_a_deck_that_is_arranged_with_real_proofs_passes_the_audit_of_anybody() -> None:
    case = next(case for case in CASES if case.name == "first card WH")
    with arranged(case.deck) as argument:
        ring = Ring(2, ONE_ROUND, seed=9, player=case.player())
        ring.run()
    assert len(argument.steps) == 2
    check_end(ring)  # the argument of the program itself is back
    case.check(ring.places[0].notices)


def test_a_stacked_deck_deals_these_hands() -> None:
    deck = stacked(("R1 R2 R3 R4 R5 R6 R7", "B1 B2 B3 B4 B5 B6 B7"), "W")
    assert deck[:4] == [Face.R1, Face.B1, Face.R2, Face.B2]
    assert deck[14:] == [Face.W]
