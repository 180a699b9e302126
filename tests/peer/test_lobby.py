"""Sitting down: names at one table."""

from dataclasses import replace
from typing import Any, cast

import pytest

from unop2p.errors import IllegalMoveError, MalformedError
from unop2p.log.messages import Signed
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.peer.lobby import TRIES_MAX, Lobby
from unop2p.rules.options import preset
from unop2p.sim.ring import Network, Ring
from unop2p.table import notices
from unop2p.table.commands import Begin, Say, SetReady
from unop2p.table.genesis import Genesis, Join, NotSeatedError, TableFullError
from unop2p.table.lookalike import skeleton
from unop2p.table.talk import Ready
from unop2p.wire import codec


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


def for_two(**rest: Any) -> Peer:
    """Return an opener whose table has two seats, however many come."""
    terms = rest["terms"]
    return Peer(**{**rest, "terms": terms and replace(terms, seats_wanted=2)})


def stop_of(ring: Ring, index: int) -> events.Stop | None:
    return ring.places[index].stop


def test_who_comes_third_to_a_table_of_two_is_told_that_it_is_full_and_the_two_play() -> None:
    ring = Ring(3, preset("official"), peers={0: cast("type[Peer]", for_two)})
    ring.run(lambda ring: sum(place.peer.chain is not None for place in ring.places) == 2)
    ring.run(lambda ring: any(place.stop is not None for place in ring.places))
    late = [index for index in (1, 2) if stop_of(ring, index) is not None]
    assert len(late) == 1
    stop = stop_of(ring, late[0])
    assert stop == events.Stop(reason=TableFullError().sentence(), exit_code=20)
    assert stop_of(ring, 0) is None
    tables = [place.peer.lobby.table for place in ring.places]
    assert [table is None for table in tables] == [index in late for index in range(3)]


def test_who_hears_of_a_table_only_after_it_has_begun_is_told_so() -> None:
    deaf = True
    network = Network(blocked=lambda _sender, receiver, _data: deaf and receiver == 2)
    # Nobody plays: bots would be done, and gone, before the third has asked.
    ring = Ring(3, preset("official"), network=network, bots=False)
    ring.run(lambda ring: len(ring.places[0].peer.lobby.joins) == 2)
    ring.submit(0, Begin())
    ring.run(lambda ring: ring.places[1].peer.lobby.table is not None)
    deaf = False
    ring.run(lambda ring: stop_of(ring, 2) is not None)
    assert stop_of(ring, 2) == events.Stop(reason=NotSeatedError().sentence(), exit_code=21)
    assert (stop_of(ring, 0), stop_of(ring, 1)) == (None, None)


def test_a_table_is_begun_by_who_opened_it_and_not_alone_and_not_twice() -> None:
    ring = Ring(3, preset("official"))
    ring.start()
    with pytest.raises(IllegalMoveError, match="nobody else is here yet"):
        ring.submit(0, Begin())
    assert ring.places[0].peer.lobby.table is None
    ring.run(lambda ring: len(ring.places[0].peer.lobby.joins) == 2)
    with pytest.raises(IllegalMoveError, match="only who opened the table"):
        ring.submit(1, Begin())
    ring.submit(0, Begin())
    table = ring.places[0].peer.lobby.table
    assert table is not None
    assert len(table.keys) == 2
    said = len(ring.places[0].said)
    with pytest.raises(IllegalMoveError, match="only once"):
        ring.submit(0, Begin())
    assert len(ring.places[0].said) == said
    assert ring.places[0].peer.lobby.table is table


def test_an_offer_of_rules_that_cannot_be_played_is_passed_over_for_a_good_one() -> None:
    ring = begun("mia", "ben")
    opener = ring.places[0].peer
    good, offer = opener.lobby.offer, opener.lobby.offered
    assert good is not None
    assert offer is not None
    unplayable = replace(offer, rules={"deck": "113"}, table=bytes(16))
    fresh = Ring(2, preset("official")).places[1].peer
    fresh.handle(events.Started(), now_ms=0)
    fresh.lobby.on_offer(opener.desk.sign(unplayable), unplayable)
    assert fresh.lobby.offer is None
    fresh.lobby.on_offer(good, offer)
    assert fresh.lobby.offer == good
    assert fresh.lobby.own_join is not None


def test_joins_for_another_offer_are_nobody_here() -> None:
    other = begun("eva", "dan").places[1].peer.lobby.own_join
    assert other is not None
    opener = Ring(2, preset("official"), seed=9).places[0].peer
    opener.handle(events.Started(), now_ms=0)
    before = dict(opener.lobby.joins)
    join = codec.decode(other.payload)
    assert isinstance(join, Join)
    opener.lobby.on_join(other, join)
    assert opener.lobby.joins == before


def test_a_genesis_for_another_offer_than_the_one_we_took_is_refused() -> None:
    signed, other = begun("eva", "dan"), Ring(2, preset("official"), seed=9)
    table = signed.places[0].peer.lobby.table
    assert table is not None
    genesis = codec.decode(table.genesis.payload)
    assert isinstance(genesis, Genesis)
    joiner = other.places[1].peer
    other.run(lambda ring: ring.places[1].peer.lobby.offer is not None)
    with pytest.raises(MalformedError, match="a genesis for another offer"):
        joiner.lobby.on_genesis(table.genesis, genesis)
    assert joiner.lobby.table is None


# -- ready marks -----------------------------------------------------------------------------------


class Slow(Peer):
    """Sits down, and is not ready."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**{**rest, "ready": False})


def lobby_of(ring: Ring, index: int = 0) -> Lobby:
    return ring.places[index].peer.lobby


def marks(ring: Ring, index: int) -> list[bool]:
    """Return who is ready, as a peer sees it."""
    return [seat.ready for seat in ring.places[index].peer.view().seats]


def waiting(seed: int = 1, network: Network | None = None) -> Ring:
    """Return a full lobby in which the second seat is not ready."""
    ring = Ring(3, preset("official"), peers={1: Slow}, seed=seed, network=network)
    ring.run(lambda ring: ring.now_ms > 20_000)
    return ring


def test_a_full_table_waits_for_who_is_not_ready_and_everybody_sees_whom() -> None:
    ring = waiting()
    for index in range(3):
        assert lobby_of(ring, index).table is None
        assert sorted(marks(ring, index)) == [False, True, True]
    ring.submit(1, SetReady(ready=True))
    ring.run(lambda ring: all(place.peer.lobby.table for place in ring.places))
    for place in ring.places:
        assert notices.SeatReady(name="p1", ready=True) in place.notices


def test_marks_come_through_a_network_that_loses_and_reorders() -> None:
    for seed in (2, 3, 4):
        ring = waiting(seed, Network(loss=30, repeat=20, reorder=30))
        assert lobby_of(ring).table is None
        ring.submit(1, SetReady(ready=True))
        ring.run(lambda ring: all(place.peer.lobby.table for place in ring.places))


def test_who_opened_the_table_may_begin_all_the_same() -> None:
    ring = waiting()
    ring.submit(0, Begin())
    ring.run(lambda ring: all(place.peer.lobby.table for place in ring.places))


def test_who_opened_the_table_can_have_it_wait_too() -> None:
    ring = Ring(2, preset("official"), peers={0: Slow})
    ring.run(lambda ring: ring.now_ms > 5_000)
    assert lobby_of(ring).table is None
    ring.submit(0, SetReady(ready=True))
    ring.run(lambda ring: all(place.peer.lobby.table for place in ring.places))


def test_a_mark_that_changes_nothing_is_told_to_nobody() -> None:
    ring = waiting()
    ring.submit(1, SetReady(ready=False))
    ring.run(lambda ring: ring.now_ms > 30_000)
    assert lobby_of(ring).table is None
    for place in ring.places:
        assert not any(isinstance(notice, notices.SeatReady) for notice in place.notices)


def test_who_comes_back_to_the_lobby_is_ready_again() -> None:
    ring = waiting()
    ring._classes.pop(1)  # this time it is ready
    ring.crash(1)
    ring.run(lambda ring: all(place.peer.lobby.table for place in ring.places))


def test_at_a_table_that_has_begun_nobody_marks_anything() -> None:
    ring = begun("mia", "ben")
    with pytest.raises(IllegalMoveError, match="in the lobby alone"):
        ring.places[0].peer.handle(events.Asked(command=SetReady(ready=False)), now_ms=ring.now_ms)


def test_strangers_can_fill_nothing_with_marks() -> None:
    ring = waiting()
    lobby = lobby_of(ring)
    assert lobby.offer is not None
    for number in range(10 * lobby.limits.joins_max):
        mark = Ready(offer=lobby.offer.hash, ready=False, nonce=bytes(16))
        lobby.on_ready(Signed(author=b"%32d" % number, signature=b"", payload=b""), mark)
    assert len(lobby.marks) <= lobby.limits.joins_max
    other = Ready(offer=bytes(32), ready=False, nonce=bytes(16))
    before = dict(lobby.marks)
    lobby.on_ready(Signed(author=b"x" * 32, signature=b"", payload=b""), other)
    assert lobby.marks == before
