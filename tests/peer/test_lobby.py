"""Sitting down: names at one table."""

from typing import Any

import pytest

from unop2p.log.messages import Signed
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.peer.lobby import TRIES_MAX, Lobby
from unop2p.rules.options import preset
from unop2p.sim.ring import Ring
from unop2p.table import notices
from unop2p.table.commands import Say
from unop2p.table.genesis import Join
from unop2p.table.lookalike import skeleton


def called(name: str) -> type[Peer]:
    """Return a peer that wants to be called so."""

    class Called(Peer):
        def __init__(self, **rest: Any) -> None:
            super().__init__(**{**rest, "name": name})

    return Called


def begun(*names: str) -> Ring:
    """Return a table at which peers with these names have sat down."""
    peers = {index: called(name) for index, name in enumerate(names)}
    ring = Ring(len(names), preset("official"), peers=peers)
    ring.run(lambda ring: all(place.peer.lobby.table is not None for place in ring.places))
    return ring


def seated(*names: str) -> tuple[str, ...]:
    """Return the names at a table at which peers with these names have sat down."""
    ring = begun(*names)
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


def test_who_is_given_another_name_is_told_and_says_things_under_it() -> None:
    ring = begun("mia", "MIA")
    place = ring.places[1]
    told = [n.text for n in place.notices if isinstance(n, notices.Warned)]
    assert told == ["Somebody here has that name, or one that looks like it: you are MIA2."]
    effects = place.peer.handle(events.Asked(command=Say(text="hello")), now_ms=ring.now_ms)
    said = [e.notice for e in effects if isinstance(e, events.Notify)]
    assert said == [notices.ChatSaid(name="MIA2", text="hello")]


def test_an_opener_that_refuses_every_name_is_not_asked_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(lobby: Lobby, signed: Signed, _join: Join) -> bool:
        lobby.refuse(signed.author, "name")
        return True

    monkeypatch.setattr(Lobby, "_refused", refuse)
    ring = Ring(2, preset("official"))
    ring.run(lambda ring: ring.now_ms > 5_000)
    assert ring.places[1].peer.lobby.tries == TRIES_MAX
