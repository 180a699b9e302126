"""What the laboratory's commands read and return."""

import pytest

from unop2p.cli.common import UsageError
from unop2p.cli.lab_commands import (
    THROUGH_EXIT_CODE,
    UNTRIED_EXIT_CODE,
    exit_code,
    read_cheats,
    report_json,
    report_lines,
)
from unop2p.ids import Seat
from unop2p.sim.lab.registry import CHEATS
from unop2p.sim.lab.run import BAD, Cost, Outcome, Plan, Report


def report(outcome: Outcome) -> Report:
    return Report(
        plan=Plan(cheats=((CHEATS["swap-cards"], Seat(2)),), without=("share-proofs",)),
        outcome=outcome,
        seed=9,
        tried_step=2,
        caught_step=5,
        phase="shuffle",
        blamed=(Seat(2),),
        reason="why",
        evidence=("seat 2: statement `shuffled`",),
        waits_for=(Seat(3),),
        learned={},
        cards_looked_at=0,
        audited=("fault p2",),
        cost=Cost(wall_ms=1.26, bytes=2, messages=3, steps=4, table_ms=5),
    )


def test_the_worst_outcome_makes_the_exit_code() -> None:
    good = [report(outcome) for outcome in (Outcome.CAUGHT, Outcome.HARMLESS, Outcome.WAITS)]
    assert exit_code(good) == 0
    assert exit_code([*good, report(Outcome.UNTRIED)]) == UNTRIED_EXIT_CODE
    for outcome in BAD:
        assert exit_code([*good, report(Outcome.UNTRIED), report(outcome)]) == THROUGH_EXIT_CODE


def test_a_report_is_told_to_people_and_programs_alike() -> None:
    lines = report_lines(report(Outcome.CAUGHT))
    assert lines[:3] == [
        "table    4 peers, deal proved, seed 9, without share-proofs",
        "cheat    swap-cards@2",
        "outcome  caught: why",
    ]
    assert "caught   at step 5, 3 steps later" in lines
    told = report_json(report(Outcome.CAUGHT))
    assert (told["outcome"], told["steps_late"], told["blamed"]) == ("caught", 3, [2])


def test_cheats_are_read_with_their_seats() -> None:
    assert read_cheats(("swap-cards@1", "short-deck@0"), 3) == (
        (CHEATS["swap-cards"], Seat(1)),
        (CHEATS["short-deck"], Seat(0)),
    )
    with pytest.raises(UsageError):
        read_cheats(("swap-cards@²",), 3)
