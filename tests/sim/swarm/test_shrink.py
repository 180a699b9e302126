"""A seed that fails becomes a short script that fails in the same way, and replays from its file."""

import pytest

from tests.sim.swarm.mutants import MUTANTS
from unop2p.sim.swarm.faults import Fault, Kind
from unop2p.sim.swarm.plan import Plan, Setup, draw, dump, load
from unop2p.sim.swarm.run import Outcome, run
from unop2p.sim.swarm.shrink import Shrinker


@pytest.mark.slow
def test_a_failing_seed_shrinks_to_a_short_script_that_still_fails() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "forgets its journal")

    def play(plan: Plan) -> Outcome:
        return run(plan, mutant.make)

    outcome = next(
        outcome
        for outcome in (play(draw(seed, "swarm", seats=3)) for seed in range(60))
        if outcome.violations and len(outcome.plan.faults) > 5
    )
    shrunk = Shrinker(outcome, play, runs_max=80).shrink()
    assert 1 <= len(shrunk.plan.faults) <= 2
    assert all(fault.kind in {Kind.CRASH, Kind.GONE} for fault in shrunk.plan.faults)
    again = play(load(dump(shrunk.plan)))
    assert again.digest == shrunk.outcome.digest
    first, kept = outcome.violations[0], again.violations[0]
    assert (kept.promise, kept.check) == (first.promise, first.check)
    assert run(shrunk.plan).violations == (), "without the mutant the script is borne"


def test_shrinking_ends_where_it_may_play_no_more() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "says before it keeps")
    faults = tuple(Fault(kind=Kind.LOSS, step=30 + n, for_ms=100, percent=1) for n in range(9))
    plan = Plan(seed=1, tables=(Setup(seats=2),), faults=faults)
    with mutant.on():
        shrunk = Shrinker(run(plan), run, runs_max=1).shrink()
    assert shrunk.runs == 1
    assert shrunk.plan.faults == ()
