"""Who has joined and missed that the table began is told so by anybody who is there."""

from collections.abc import Iterator

import pytest

from tests.peer.test_ring import SHORT
from unop2p.sim.ring import SEALING_KEY, Network, Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table.genesis import Genesis
from unop2p.wire import codec
from unop2p.wire.sealing import Sealer


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with in_toy_group():
        yield


def genesis_for_the_last(_sender: int, receiver: int, data: bytes) -> bool:
    message = codec.decode(codec.unpack(Sealer(SEALING_KEY).open(data)).payload)
    return receiver == 3 and isinstance(message, Genesis)


def test_who_missed_the_beginning_comes_in_though_the_opener_is_gone() -> None:
    ring = Ring(4, SHORT, seed=1, network=Network(blocked=genesis_for_the_last))
    ring.run(lambda r: all(p.peer.chain is not None for p in r.places[:3]))
    ring.stop(0)
    ring.network = Network()
    ring.run(lambda r: r.places[3].peer.chain is not None or r.now_ms > 60_000)
    assert ring.places[3].peer.chain is not None
