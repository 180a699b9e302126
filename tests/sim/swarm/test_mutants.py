"""The checkers bite: of peers with a fault each is found within a few seeds, by the right checker."""

from dataclasses import replace

import pytest

from tests.sim.swarm.mutants import MUTANTS, Mutant
from unop2p.sim.swarm.plan import Plan, draw
from unop2p.sim.swarm.run import run

pytestmark = pytest.mark.slow


def plan_of(mutant: Mutant, seed: int) -> Plan:
    return replace(draw(seed, mutant.mode, seats=mutant.seats), read=mutant.read)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_peer_with_a_fault_is_found(mutant: Mutant) -> None:
    found: set[str] = set()
    for seed in range(mutant.within):
        with mutant.on():
            outcome = run(plan_of(mutant, seed), mutant.make)
        found |= {f"{violation.promise} {violation.check}" for violation in outcome.violations}
        if found.intersection(mutant.found_by):
            return
    pytest.fail(f"found in {mutant.within} seeds: {sorted(found)}")


def test_every_promise_has_a_peer_that_breaks_it() -> None:
    found = {promise.split()[0] for mutant in MUTANTS for promise in mutant.found_by}
    assert found == {"P1", "P2", "P3", "P4", "P5", "P6"}
