"""Bots that say what they are, whose they are, and tables that do not seat every bot."""

from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.errors import MalformedError
from unop2p.log.digest import fingerprint
from unop2p.log.messages import Signed
from unop2p.peer.core import Peer
from unop2p.peer.programs import program_words
from unop2p.rules.options import preset
from unop2p.sim.ring import Ring
from unop2p.table import notices
from unop2p.table.genesis import (
    Genesis,
    Join,
    NotWelcomeError,
    Offer,
    Program,
    make_table,
    vouch_payload,
)
from unop2p.wire import codec

ANN, BEN = (Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32) for seed in (1, 2))


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def owned(owner: Ed25519PrivateKey | None, *, forged: bool = False) -> type[Peer]:
    """Return a peer of a bot with an owner, or with one that has not signed for it."""

    class Owned(Peer):
        def __init__(self, *, key: Ed25519PrivateKey, **rest: Any) -> None:
            vouched = codec.vouch(owner, public(key)) if owner is not None else None
            if vouched is not None and forged:
                vouched = replace(vouched, signature=bytes(64))
            program = Program(level="net", version="0.1.0", owner=vouched)
            super().__init__(key=key, **{**rest, "program": program})

    return Owned


def table_of(peers: dict[int, type[Peer]], bots: Any, **offered: Any) -> Ring:
    ring = Ring(len(peers), preset("official"), peers=peers)
    ring._offer = replace(ring._offer, bots=bots, **offered)
    for place in ring.places:
        if place.peer.lobby.terms is not None:
            place.peer.lobby.terms = ring._offer
    return ring


def begun(ring: Ring) -> bool:
    return all(place.peer.lobby.table is not None for place in ring.places)


def refusal(ring: Ring, index: int) -> tuple[int, str] | None:
    stop = ring.places[index].stop
    return None if stop is None else (stop.exit_code, str(stop.reason))


def test_the_table_is_told_level_version_and_owner_of_a_bot() -> None:
    ring = table_of({0: owned(ANN), 1: owned(BEN)}, "any")
    ring.run(begun)
    told = [n for n in ring.places[0].notices if isinstance(n, notices.SeatJoined)]
    assert {(n.level, n.version, n.owner) for n in told} == {
        ("net", "0.1.0", fingerprint(public(ANN))),
        ("net", "0.1.0", fingerprint(public(BEN))),
    }
    seats = ring.places[1].peer.view().seats
    assert [seat.owner for seat in seats] == [fingerprint(public(ANN)), fingerprint(public(BEN))]


def test_a_person_has_no_words_of_a_program() -> None:
    assert program_words(None) == {"level": "", "version": "", "owner": ""}


def test_a_second_bot_of_an_owner_is_refused_where_each_has_one() -> None:
    ring = table_of({0: owned(ANN), 1: owned(ANN)}, "one-each")
    ring.run(lambda ring: ring.places[1].stop is not None)
    code, reason = refusal(ring, 1) or (0, "")
    assert code == NotWelcomeError.exit_code
    assert "One bot of each owner" in reason


def test_bots_of_different_owners_sit_where_each_has_one() -> None:
    ring = table_of({0: owned(ANN), 1: owned(BEN)}, "one-each")
    ring.run(begun)
    assert refusal(ring, 0) is None


def test_a_bot_does_not_even_ask_where_none_sits() -> None:
    ring = table_of({0: Peer, 1: owned(BEN)}, "none")
    ring.places[0].peer.lobby.bot = False
    ring.run(lambda ring: ring.places[1].stop is not None)
    assert ring.places[1].peer.lobby.own_join is None
    code, reason = refusal(ring, 1) or (0, "")
    assert (code, "Bots do not sit" in reason) == (NotWelcomeError.exit_code, True)


def test_whom_the_host_does_not_want_is_told_so() -> None:
    ring = table_of({0: Peer, 1: owned(BEN)}, "any")
    ring.places[0].peer.lobby.welcome = lambda _key, join: join.owner != public(BEN)
    ring.run(lambda ring: ring.places[1].stop is not None)
    assert (refusal(ring, 1) or (0, ""))[0] == NotWelcomeError.exit_code
    assert len(ring.places[0].peer.lobby.joins) == 1


def test_an_owner_who_has_not_signed_is_no_owner_and_the_join_is_ignored() -> None:
    ring = table_of({0: Peer, 1: owned(BEN, forged=True)}, "any")
    ring.run(lambda ring: ring.now_ms > 15_000)
    assert len(ring.places[0].peer.lobby.joins) == 1


def seat(key: Ed25519PrivateKey, offer: Signed, name: str, owner: Signed | None) -> Signed:
    program = Program(level="net", version="1", owner=owner)
    join = Join(offer=offer.hash, name=name, bot=True, nonce=bytes(16), program=program)
    return codec.sign(key, public(key), join)


@pytest.mark.parametrize("bots", ["one-each", "none"])
def test_no_peer_takes_a_genesis_that_seats_bots_against_the_offer(bots: Any) -> None:
    ring = Ring(2, preset("official"))
    offer = replace(ring._offer, bots=bots)
    signed = codec.sign(ANN, public(ANN), offer)
    owner = codec.vouch(ANN, public(ANN)), codec.vouch(ANN, public(BEN))
    seats = seat(ANN, signed, "a", owner[0]), seat(BEN, signed, "b", owner[1])
    genesis = Genesis(offer=signed, joins=seats)
    joins = [codec.decode(item.payload) for item in seats]
    made = tuple(join for join in joins if isinstance(join, Join))
    word = codec.sign(ANN, public(ANN), genesis)
    with pytest.raises(MalformedError, match="does not allow"):
        make_table(word, genesis, offer, made)
    free = replace(offer, bots="any")
    assert isinstance(free, Offer)
    assert len(make_table(word, genesis, free, made).programs) == 2


def test_a_signature_for_one_bot_is_none_for_another() -> None:
    vouched = codec.vouch(ANN, public(BEN))
    assert vouched.payload == vouch_payload(public(BEN))
    ring = Ring(2, preset("official"))
    offer = codec.sign(ANN, public(ANN), ring._offer)
    stolen = seat(ANN, offer, "a", vouched)
    genesis = Genesis(offer=offer, joins=(stolen, seat(BEN, offer, "b", None)))
    joins = [codec.decode(item.payload) for item in genesis.joins]
    made = tuple(join for join in joins if isinstance(join, Join))
    with pytest.raises(MalformedError, match="something else"):
        make_table(codec.sign(ANN, public(ANN), genesis), genesis, ring._offer, made)


@pytest.mark.parametrize("word", ["", "a b", "x" * 33, "né", "\x1b[2J"])
def test_a_bot_cannot_call_its_level_what_a_screen_cannot_show(word: str) -> None:
    with pytest.raises(MalformedError):
        Program(level=word, version="1")


def test_a_person_cannot_be_a_program() -> None:
    with pytest.raises(MalformedError):
        Join(
            offer=bytes(32),
            name="ann",
            bot=False,
            nonce=bytes(16),
            program=Program(level="net", version="1"),
        )
