"""Looking for tables in a lounge: what is found, what is ignored, and what a flood can do."""

from dataclasses import replace
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.deal.entropy import seeded_entropy
from unop2p.peer.lounge import (
    ANSWER_EVERY_MS,
    HELD_BY_ONE_MAX,
    HELD_MAX,
    HELD_MS,
    LOOKS_HELD_MAX,
    OWN_LOOKS_MAX,
    Board,
    HostDesk,
)
from unop2p.rules.options import options_to_dict, preset
from unop2p.table.genesis import Offer, Timers
from unop2p.wire import codec
from unop2p.wire.lounge import LOOKS_NAMED_MAX, Announce, Door, Lounge, stretch_lounge

HOST = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(bytes([2]) * 32)
TERMS = Offer(
    table=bytes(16),
    version=1,
    rules=options_to_dict(preset("official")),
    timers=Timers(),
    seats_wanted=4,
    argument="proved",
    resilience=0,
)
OFFER = codec.sign(HOST, HOST.public_key().public_bytes_raw(), TERMS)
lounge = lru_cache(stretch_lounge)


def door(name: str, key: Ed25519PrivateKey = HOST, seed: bytes = b"a") -> Door:
    made: Lounge = lounge(name)
    return Door(made, key, seeded_entropy(seed))


def announce(looks: tuple[bytes, ...]) -> Announce:
    mark = lounge("kitchen").mark
    return Announce(lounge=mark, looks=looks, secret=b"secretses", offer=OFFER, host="ann", taken=1)


def answer(desk: HostDesk, now_ms: int = 0) -> bytes | None:
    return desk.answer(OFFER, secret=b"secretses", host="ann", taken=1, now_ms=now_ms)


def board(seed: bytes = b"b") -> Board:
    return Board(door("kitchen", OTHER, seed))


def asked() -> tuple[Board, bytes]:
    """Return a board that has asked, and the nonce."""
    looking = board()
    _, word = door("kitchen").open(looking.look())
    return looking, getattr(word, "nonce", b"")


def test_who_looks_finds_the_table_of_a_host_that_answers() -> None:
    desk, looking = HostDesk(door("kitchen")), board()
    assert answer(desk) is None
    desk.hear(looking.look())
    data = answer(desk)
    assert data is not None
    looking.hear(data, 0)
    (found,) = looking.tables(0)
    assert (found.host, found.taken, found.offer, found.secret) == ("ann", 1, TERMS, b"secretses")
    assert found.key == HOST.public_key().public_bytes_raw()
    assert "secretses" not in repr(found)


def test_an_answer_to_somebody_else_is_a_ghost() -> None:
    desk, first, late = HostDesk(door("kitchen")), board(), board(b"c")
    desk.hear(first.look())
    data = answer(desk)
    assert data is not None
    late.look()
    late.hear(data, 0)
    assert late.tables(0) == ()


def test_what_is_kept_and_sent_again_later_is_a_ghost() -> None:
    desk, looking = HostDesk(door("kitchen")), board()
    desk.hear(looking.look())
    data = answer(desk)
    assert data is not None
    for _ in range(OWN_LOOKS_MAX):
        looking.look()
    looking.hear(data, 0)
    assert looking.tables(0) == ()


def test_a_host_that_is_silent_is_forgotten() -> None:
    looking, nonce = asked()
    looking.hear(door("kitchen").seal(announce((nonce,))), 0)
    assert len(looking.tables(HELD_MS)) == 1
    assert looking.tables(HELD_MS + 1) == ()


def test_nobody_announces_anothers_offer() -> None:
    looking, nonce = asked()
    looking.hear(door("kitchen", OTHER).seal(announce((nonce,))), 0)
    assert looking.tables(0) == ()


def test_a_signature_that_does_not_hold_is_no_answer() -> None:
    looking, nonce = asked()
    forged = replace(announce((nonce,)), offer=replace(OFFER, signature=bytes(64)))
    looking.hear(door("kitchen").seal(forged), 0)
    assert looking.tables(0) == ()


def test_an_offer_that_this_program_cannot_play_is_left_out() -> None:
    looking, nonce = asked()
    odd = replace(TERMS, version=99)
    signed = codec.sign(HOST, HOST.public_key().public_bytes_raw(), odd)
    looking.hear(door("kitchen").seal(replace(announce((nonce,)), offer=signed)), 0)
    assert looking.tables(0) == ()


def test_one_host_holds_a_few_places_of_the_board_and_a_flood_of_hosts_no_more_than_all() -> None:
    looking, nonce = asked()
    now_ms = 0
    for number in range(HELD_MAX + 20):
        now_ms += 50
        seed = number.to_bytes(32, "big")
        key = HOST if number < 10 else Ed25519PrivateKey.from_private_bytes(seed)
        terms = replace(TERMS, table=number.to_bytes(16, "big"))
        signed = codec.sign(key, key.public_key().public_bytes_raw(), terms)
        word = replace(announce((nonce,)), offer=signed)
        looking.hear(door("kitchen", key, seed).seal(word), now_ms)
    tables = looking.tables(now_ms)
    assert sum(held.key == HOST.public_key().public_bytes_raw() for held in tables) == (
        HELD_BY_ONE_MAX
    )
    assert len(tables) <= HELD_MAX


def test_a_host_answers_once_in_a_while_and_names_few() -> None:
    desk = HostDesk(door("kitchen"))
    for number in range(LOOKS_HELD_MAX * 3):
        desk.hear(board(b"%d" % number).look())
    first = answer(desk)
    assert first is not None
    _, word = door("kitchen").open(first)
    assert isinstance(word, Announce)
    assert len(set(word.looks)) == LOOKS_NAMED_MAX
    desk.hear(board(b"late").look())
    assert answer(desk, ANSWER_EVERY_MS - 1) is None
    assert answer(desk, ANSWER_EVERY_MS) is not None


def test_a_host_hears_neither_junk_nor_other_hosts() -> None:
    desk = HostDesk(door("kitchen"))
    desk.hear(b"junk" * 100)
    desk.hear(door("kitchen", OTHER).seal(announce((bytes(16),))))
    assert answer(desk) is None
