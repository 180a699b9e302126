"""Sitting down: names at one table."""

from typing import Any

from unop2p.peer.core import Peer
from unop2p.rules.options import preset
from unop2p.sim.ring import Ring
from unop2p.table.lookalike import skeleton


def called(name: str) -> type[Peer]:
    """Return a peer that wants to be called so."""

    class Called(Peer):
        def __init__(self, **rest: Any) -> None:
            super().__init__(**{**rest, "name": name})

    return Called


def seated(*names: str) -> tuple[str, ...]:
    """Return the names at a table at which peers with these names have sat down."""
    peers = {index: called(name) for index, name in enumerate(names)}
    ring = Ring(len(names), preset("official"), peers=peers)
    ring.run(lambda ring: all(place.peer.lobby.table is not None for place in ring.places))
    tables = {place.peer.lobby.table.names for place in ring.places if place.peer.lobby.table}
    (table,) = tables
    return table


def test_who_comes_with_a_name_that_looks_like_anothers_gets_a_number() -> None:
    double = "mi" + chr(0x430)
    names = seated("mia", double, "MIA")
    assert set(names) == {"mia", f"{double}2", "MIA3"} or set(names) == {
        "mia",
        f"{double}3",
        "MIA2",
    }
    assert len({skeleton(name) for name in names}) == 3


def test_names_that_differ_are_kept() -> None:
    assert set(seated("mia", "ben", "eva")) == {"mia", "ben", "eva"}
