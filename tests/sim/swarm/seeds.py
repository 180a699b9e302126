"""Seeds that are played at each change."""

from collections import Counter

from unop2p.sim.swarm.faults import Kind
from unop2p.sim.swarm.plan import draw
from unop2p.sim.swarm.run import run


def assert_well(seeds: range) -> None:
    """Play seeds of the swarm; a failure says how it is played again."""
    acted: Counter[str] = Counter()
    for seed in seeds:
        outcome = run(draw(seed))
        again = f"unop2p sim --seeds {seed}: {[str(found) for found in outcome.violations]}"
        assert not outcome.violations, again
        acted.update(outcome.acted)
    assert sum(1 for kind in Kind if acted[kind]) > 10, "most kinds of faults have acted"
