"""Costs: what is counted does not depend on the machine."""

from unop2p.deal import group
from unop2p.sim.lab.cost import Prices, counting, deal_cost, piece_costs
from unop2p.sim.lab.report import cost_json, cost_lines, cost_plots, page

UNIT = Prices(mul_us=40.0, base=0.35, add=0.25)


def test_a_proved_shuffle_costs_what_its_formula_says() -> None:
    # The verifier's multiplications: 8N + 7 and N + 4 by the base point, as the paper counts.
    costs = {(c.argument, c.what): c for c in piece_costs(["proved"], [20], UNIT)}
    verify = costs["proved", "verify"].counted
    assert (verify.mul, verify.base) == (8 * 20 + 7, 20 + 4)
    assert costs["proved", "shuffle"].bytes == 20 * 64 + 32 * (4 * 20 + 5)


def test_where_shuffles_are_replayed_the_replay_is_counted_and_verifying_costs_nothing() -> None:
    costs = {(c.argument, c.what): c for c in piece_costs(["commit-reveal"], [20], UNIT)}
    assert costs["commit-reveal", "verify"].units == 0
    assert costs["commit-reveal", "replay"].counted.mul == 20


def test_counting_ends() -> None:
    real = group.backend
    with counting() as counted:
        group.base_mul(5)
    group.base_mul(6)
    assert counted.base == 1
    assert group.backend is real


def test_a_deal_is_counted_and_shown() -> None:
    cost = deal_cost("commit-reveal", 2, UNIT)
    assert cost.steps >= 4
    assert cost.cards == 112
    pieces = piece_costs(["commit-reveal"], [5], UNIT)
    lines = cost_lines(UNIT, pieces, [cost])
    assert any("replay" in line for line in lines)
    assert cost_json(UNIT, pieces, [cost])["deals"]
    shown = page("Costs", (), (UNIT, pieces, [cost]))
    assert shown.count("<svg") == len(cost_plots(pieces, [cost])) == 6
    assert "src=" not in shown
