"""The matrix, and the page made of it."""

import pytest

from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.matrix import Cell, matrix, plan_for, worst
from unop2p.sim.lab.registry import CHEATS
from unop2p.sim.lab.report import matrix_json, matrix_lines, page, summary
from unop2p.sim.lab.run import Outcome, Plan
from unop2p.sim.lab.trick import Trick


def test_the_worst_outcome_counts() -> None:
    assert worst(iter([Outcome.CAUGHT, Outcome.FRAMED, Outcome.THROUGH])) is Outcome.FRAMED
    assert worst(iter([Outcome.HARMLESS, Outcome.UNTRIED])) is Outcome.UNTRIED


def test_a_cheat_of_two_sits_on_two_seats_and_a_brokers_on_none() -> None:
    assert [s for _, s in plan_for(CHEATS["opposite-keys"], Plan(peers=4)).cheats] == [2, 3]
    assert [s for _, s in plan_for(CHEATS["swap-cards"], Plan(peers=4)).cheats] == [3]
    assert [s for _, s in plan_for(CHEATS["broker-drops"], Plan(peers=4)).cheats] == [None]


@pytest.mark.slow
def test_a_matrix_shows_what_is_caught_what_gets_through_and_what_does_not_apply() -> None:
    cheats = [CHEATS["late-seed"], CHEATS["leave-at-seeds"]]
    seen: list[Cell] = []
    cells = matrix(cheats, ["proved"], Plan(peers=2, group="toy"), told=seen.append)
    assert seen == cells
    assert [cell.outcome for cell in cells] == ["caught", "-"]
    assert cells[0].bare is not None
    assert cells[0].bare.outcome is Outcome.THROUGH
    lines = matrix_lines(cells)
    assert "got through without seed-commitments" in lines[0]
    assert lines[-1].startswith("1 runs of 2 cheats: 0 got through, 0 blamed an honest seat")
    assert matrix_json(cells)[0]["outcome_without"] == "got through"
    shown = page("A matrix", cells, None)
    assert "chosen itself as the dealer" in shown
    assert "<script" not in shown


@pytest.mark.slow
def test_a_test_that_does_not_bite_makes_a_bad_cell() -> None:
    toothless = Cheat(
        name="nothing",
        family="none",
        sentence="Nothing.",
        attacks=Promise.BLAME,
        make=type("Nothing", (Trick,), {"first_step": 0, "lawful": True}),
        stopped_by=("share-proofs",),
    )
    (cell,) = matrix([toothless], ["proved"], Plan(peers=2, group="toy", read=False))
    assert cell.outcome == "harmless"
    assert not cell.bites
    assert cell.is_bad
    assert "1 of them stopped all the same (nothing)" in summary([cell])
