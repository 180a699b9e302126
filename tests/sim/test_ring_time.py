"""When the simulator takes a table for stuck: where nothing is settled, not where it takes long."""

import pytest

from tests.peer.test_ring import SHORT
from unop2p.sim import ring as module
from unop2p.sim.ring import Network, Ring, StuckError
from unop2p.sim.toy import in_toy_group


def test_a_table_on_a_bad_network_that_goes_on_is_not_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "STUCK_MS", 100_000)
    with in_toy_group():
        ring = Ring(2, SHORT, seed=1, network=Network(loss=30))
        ring.run_round()
    assert ring.now_ms > 100_000, "a quicker run shows nothing: take a worse network"


def test_a_table_in_which_nothing_is_settled_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STUCK_MS", 100_000)
    with in_toy_group(), pytest.raises(StuckError, match="nothing has happened"):
        Ring(2, SHORT, seed=1, network=Network(loss=100)).run_round()
