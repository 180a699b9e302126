"""When the simulator takes a table for stuck: where nothing is settled, not where it takes long."""

import pytest

from tests.peer.test_ring import SHORT
from unop2p.peer import events
from unop2p.sim import ring as module
from unop2p.sim.ring import Network, Ring, StuckError
from unop2p.sim.toy import in_toy_group
from unop2p.table.phases import Phase


def test_a_table_on_a_bad_network_that_goes_on_is_not_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "STUCK_MS", 100_000)
    with in_toy_group():
        ring = Ring(2, SHORT, seed=2, network=Network(loss=40))
        ring.run_round()
    assert ring.now_ms > 100_000, "a quicker run shows nothing: take a worse network"


def test_a_table_in_which_nothing_is_settled_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STUCK_MS", 100_000)
    with in_toy_group(), pytest.raises(StuckError, match="nothing has happened"):
        Ring(2, SHORT, seed=1, network=Network(loss=100)).run_round()


def test_while_a_person_thinks_nobody_is_awake_more_than_a_few_times_a_second() -> None:
    thinking_ms = 40_000
    with in_toy_group():
        ring = Ring(3, SHORT, seed=2, player=lambda *_: None)
        ring.run(lambda ring: ring.now_ms >= thinking_ms)
        ticks = [0] * 3
        handle = ring._handle

        def counted(index: int, event: events.Event) -> None:
            ticks[index] += isinstance(event, events.Tick)
            handle(index, event)

        ring._handle = counted  # type: ignore[method-assign]
        until_ms = ring.now_ms + thinking_ms / 4
        ring.run(lambda ring: ring.now_ms >= until_ms)
    chains = [place.peer.chain for place in ring.places]
    assert [chain and chain.state.plan.phase for chain in chains] == [Phase.TURN] * 3
    assert max(ticks) < 100
