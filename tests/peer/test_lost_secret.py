"""A seat that is bound by a commitment whose secret is lost says nothing more, instead of lying."""

import pytest

from tests.peer.test_ring import SHORT
from unop2p.peer.pieces import LOST_KEY_EXIT_CODE
from unop2p.sim.ring import Ring
from unop2p.table.phases import Phase


def broken_at(phase: Phase, secrets: dict[int, bytes]) -> Ring:
    """Kill a seat in a phase and bring it back with other secrets; run until it has stopped."""
    ring = Ring(2, SHORT, seed=4)
    ring.run(
        lambda r: (chain := r.places[1].peer.chain) is not None and chain.state.plan.phase is phase
    )
    assert all(place.stop is None for place in ring.places)
    ring.places[1].secrets = dict(secrets)
    ring.crash(1)
    ring.run(lambda r: r.places[1].stop is not None)
    return ring


@pytest.mark.slow
@pytest.mark.parametrize("phase", [Phase.REVEAL, Phase.DEAL, Phase.TURN])
@pytest.mark.parametrize("secrets", [{}, {0: bytes(32)}], ids=["lost", "another"])
def test_it_stops_with_a_sentence_and_nobody_is_blamed(
    phase: Phase, secrets: dict[int, bytes]
) -> None:
    ring = broken_at(phase, secrets)
    stop = ring.places[1].stop
    assert stop is not None
    assert stop.exit_code == LOST_KEY_EXIT_CODE
    assert "secret" in stop.reason
    for place in ring.places:
        assert place.peer.chain is not None
        assert place.peer.chain.fault is None
    assert all(len(said) == 1 for said in ring.statements(1).values())
