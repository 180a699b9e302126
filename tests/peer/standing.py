"""A ring that stands somewhere, in the toy group: for tests of one peer's parts."""

from collections.abc import Iterator
from contextlib import contextmanager

from unop2p.ids import Seat
from unop2p.peer.chain import Chain
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table.phases import Phase

SHORT = with_overrides(preset("official"), {"match_end": "rounds", "target": 1})


@contextmanager
def standing_in(phase: Phase, seats: int = 3, *, argument: str = "proved") -> Iterator[Ring]:
    """Yield a ring in which all stand in the first step of a phase, with what waits for them."""
    with in_toy_group():
        ring = Ring(seats, SHORT, seed=4, argument=argument, think_ms=500)
        ring.run(lambda r: all(_phase(place.peer.chain) is phase for place in r.places))
        yield ring


def _phase(chain: Chain | None) -> Phase | None:
    return chain.state.plan.phase if chain is not None else None


def chain_of(ring: Ring, seat: int) -> Chain:
    """Return the chain of a seat."""
    chain = ring.places[seat].peer.chain
    assert chain is not None
    return chain


def seats_of(*numbers: int) -> tuple[Seat, ...]:
    """Return numbers as seats."""
    return tuple(Seat(number) for number in numbers)
