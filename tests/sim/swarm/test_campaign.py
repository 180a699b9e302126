"""Many seeds: the same outcomes on one core and on two; totals add up, and a report goes on."""

import json

import pytest

from tests.sim.swarm.mutants import MUTANTS
from unop2p.sim.swarm.campaign import Campaign, Totals, play, play_seed
from unop2p.sim.swarm.faults import Kind, ScriptError
from unop2p.sim.swarm.report import (
    Report,
    outcome_lines,
    ranges,
    read_report,
    report_json,
    totals_lines,
)
from unop2p.sim.swarm.run import Outcome

CAMPAIGN = Campaign(mode="loss", seats=2)


def digests(workers: int) -> dict[int, str]:
    seeds = list(range(6))
    outcomes = [outcome for piece in play(CAMPAIGN, seeds, workers) for outcome in piece]
    return {outcome.plan.seed: outcome.digest for outcome in outcomes}


@pytest.mark.slow
def test_one_process_and_two_play_the_same() -> None:
    assert digests(1) == digests(2)
    assert len(digests(1)) == 6


def failing() -> Outcome:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "says before it keeps")
    with mutant.on():
        return play_seed(CAMPAIGN, 0)


def test_totals_add_up() -> None:
    totals = Totals()
    first, second = play_seed(CAMPAIGN, 1), failing()
    totals.add(first)
    totals.add(second)
    assert (totals.seeds, totals.failed) == (2, 1)
    assert totals.steps == first.steps + second.steps
    assert totals.peers == 2 * totals.tables
    assert totals.acted["loss"] == first.acted.get(Kind.LOSS, 0) + second.acted.get(Kind.LOSS, 0)
    assert totals.broken == {"P3 kept": 1}
    text = "\n".join(totals_lines(totals))
    assert "1 seeds failed: P3 kept (1)." in text


def test_a_report_is_read_back_and_goes_on() -> None:
    report = Report(campaign=CAMPAIGN, commit="abc")
    report.add(failing())
    report.add(play_seed(CAMPAIGN, 1))
    data = json.loads(json.dumps(report_json(report)))
    again = read_report(data)
    assert again.done == {0, 1}
    assert again.totals.seeds == 2
    assert again.totals.acted == report.totals.acted
    assert again.campaign == CAMPAIGN
    assert json.loads(json.dumps(report_json(again))) == data
    assert data["failures"][0]["seed"] == 0
    again.add(play_seed(CAMPAIGN, 2))
    assert ranges(again.done) == [(0, 2)]


@pytest.mark.parametrize("data", [None, [], {}, {"format": "unop2p-sim-report-1"}])
def test_what_is_no_report_is_refused(data: object) -> None:
    with pytest.raises(ScriptError, match="no report"):
        read_report(data)


def test_ranges_say_which_seeds_are_done() -> None:
    assert ranges([5, 1, 2, 9, 3]) == [(1, 3), (5, 5), (9, 9)]
    assert ranges([]) == []


def test_one_run_is_told_with_its_faults_by_number_and_what_it_found() -> None:
    lines = list(outcome_lines(failing()))
    assert lines[0].startswith("table 0: 2 seats")
    assert lines[1].startswith("fault 0: ")
    assert lines[-1].startswith("FAILED  P3 kept: it said a word of step 0 before it was kept")
    assert list(outcome_lines(play_seed(CAMPAIGN, 1)))[-1] == "well"
