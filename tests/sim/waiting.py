"""Rounds in which seats go away, come back, wait for each other and leave: for tests and records."""

from unop2p.peer.chain import Chain
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import SEALING_KEY, Network, Ring
from unop2p.table import notices
from unop2p.table.commands import GiveUpRound, LeaveTable
from unop2p.table.phases import Phase
from unop2p.table.riders import Back
from unop2p.wire import codec
from unop2p.wire.sealing import Sealer

SHORT = with_overrides(preset("official"), {"match_end": "rounds", "target": 1})


def chain_of(ring: Ring, index: int) -> Chain:
    chain = ring.places[index].peer.chain
    assert chain is not None
    return chain


def moves(ring: Ring) -> int:
    return sum(isinstance(notice, notices.MoveMade) for notice in ring.places[0].notices)


def has_gone(ring: Ring, seat: int) -> bool:
    chain = ring.places[0].peer.chain
    return chain is not None and seat in chain.state.away


def is_back(data: bytes) -> bool:
    message = codec.decode(codec.unpack(Sealer(SEALING_KEY).open(data)).payload)
    return isinstance(message, Back)


def waiting_round() -> Ring:
    """Return a ring of three in which one player is there, and a second seat only votes.

    That seat's word that it is back reaches nobody.
    """
    ring = Ring(3, SHORT, seed=2, think_ms=500)
    ring.run(lambda r: moves(r) > 3)
    ring.stop(2)
    ring.run(lambda r: has_gone(r, 2))
    ring.network = Network(blocked=lambda _from, _to, data: is_back(data))
    ring.crash(2)
    ring.run(lambda r: chain_of(r, 2).open.step == chain_of(r, 0).open.step)
    ring.stop(1)
    ring.run(lambda r: chain_of(r, 0).state.plan.phase is Phase.WAIT)
    return ring


def played_on() -> Ring:
    """Play it to its end: it waits, is given up by one of three, and goes on when they are back."""
    ring = waiting_round()
    step = chain_of(ring, 0).open.step
    ring.run(lambda r: chain_of(r, 0).open.step > step)
    ring.submit(0, GiveUpRound())
    ring.run(lambda r: chain_of(r, 0).open.step > step + 1)
    ring.network = Network()
    ring.crash(1)
    ring.run(lambda r: not chain_of(r, 0).state.away)
    ring.submit(2, LeaveTable())
    ring.run()
    return ring
