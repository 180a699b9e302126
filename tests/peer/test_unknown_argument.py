"""A table that is dealt in another way than usual: who sits down is told, or goes if it cannot."""

from collections.abc import Iterator

import pytest

from tests.peer.test_ring import SHORT
from unop2p.deal.proved import ProvedShuffle
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.sim.ring import Ring
from unop2p.table import genesis, notices
from unop2p.table.genesis import UnknownArgumentError
from unop2p.table.work import ARGUMENTS


@pytest.fixture
def own() -> Iterator[str]:
    ARGUMENTS["our-own"] = ProvedShuffle()
    yield "our-own"
    del ARGUMENTS["our-own"]


def test_a_joiner_that_lacks_the_tables_argument_says_so_and_goes(
    own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lacks(Peer):
        def _receive(self, event: events.Received) -> bool:
            known = {name: made for name, made in ARGUMENTS.items() if name != own}
            with monkeypatch.context() as patch:
                patch.setattr(genesis, "ARGUMENTS", known)
                return super()._receive(event)

    ring = Ring(2, SHORT, argument=own, peers={1: Lacks})
    ring.run(lambda r: r.places[1].stop is not None)
    stop = ring.places[1].stop
    assert stop is not None
    assert stop.exit_code == UnknownArgumentError.exit_code == 23
    assert "`our-own`" in stop.reason
    assert "--deal" in stop.reason
    assert ring.places[0].stop is None


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("proved", []),
        ("commit-reveal", ["a cheat may choose and know every card"]),
        ("our-own", ["`our-own`, which is not part of this program"]),
    ],
)
def test_who_sits_down_is_told_what_another_deal_means(
    own: str, argument: str, said: list[str]
) -> None:
    ring = Ring(2, SHORT, argument=argument)
    ring.run(lambda r: all(place.peer.chain is not None for place in r.places))
    for place in ring.places:
        told = [n.text for n in place.notices if isinstance(n, notices.Warned)]
        assert len(told) == len(said)
        assert all(part in text for part, text in zip(said, told, strict=True))
