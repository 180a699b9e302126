"""A table whose last seat plays two games: one with each half, which hear nothing of each other."""

import itertools

from unop2p.peer import events
from unop2p.peer.chain import Chain
from unop2p.rules.options import Options, preset, with_overrides
from unop2p.sim.ring import Network, Place, Ring

SHORT = with_overrides(preset("official"), {"match_end": "rounds", "target": 1})


def chain_of(ring: Ring, index: int) -> Chain:
    chain = ring.places[index].peer.chain
    assert chain is not None
    return chain


def honest_of(ring: Ring) -> list[int]:
    """Return the places of who plays one game: the last two are the one that plays two."""
    return list(range(len(ring.places) - 2))


def two_worlds(
    seats: int,
    depth: int,
    *,
    seed: int = 3,
    options: Options = SHORT,
    apart_at: int = 6,
    resilience: int = 0,
) -> Ring:
    """Return a ring in which each half has gone on alone for so many steps, and hears the other now.

    Args:
        seats: odd: half of the others and the cheat are a majority.
        depth: steps that each half settles without the other.
        seed: of the ring.
        options: what is played.
        apart_at: the step at which they part.
        resilience: for how many seats others can stand in.
    """
    cheat = seats - 1
    ring = Ring(seats, options, seed=seed, think_ms=500, resilience=resilience)
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.open.step >= apart_at for p in r.places))
    place = ring.places[cheat]
    twin = Place(peer=ring._new_peer(cheat, place.key, 99), key=place.key)
    twin.entries, twin.secrets = list(place.entries), dict(place.secrets)
    ring.places.append(twin)
    halves = [{i for i in range(cheat) if i % 2 == half} | {cheat + half} for half in (0, 1)]

    def blocked(sender: int, receiver: int, _data: bytes) -> bool:
        return not any({sender, receiver} <= half for half in halves)

    ring.network = Network(blocked=blocked)
    ring._handle(cheat + 1, events.Started(entries=tuple(twin.entries), secrets=dict(twin.secrets)))
    start = max(chain_of(ring, index).open.step for index in range(cheat))
    for half, other in (halves, halves[::-1]):
        # One after the other: the ring's clock stands while there is anything to hear.
        for index in sorted(other):
            ring.stop(index)
        mine = sorted(half - {cheat, cheat + 1})
        ring.run(lambda r, mine=mine: all(chain_of(r, i).open.step >= start + depth for i in mine))  # type: ignore[misc]
        for index in sorted(other):
            ring.wake(index)
    heads = {chain_of(ring, index).state.head for index in range(cheat)}
    assert len(heads) >= 2
    for index in (cheat, cheat + 1):
        ring.stop(index)
    ring.network = Network()
    return ring


def talk_about(ring: Ring, kind: str) -> int:
    """Return how many messages of a kind were said."""
    name = f'"kind":"{kind}"'.encode()
    said = itertools.chain.from_iterable(place.said for place in ring.places)
    return sum(signed.payload.endswith(name + b"}") for signed in said)
