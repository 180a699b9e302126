"""What is said in a lounge: who can read it, and what is refused."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.peer.test_lounge import OFFER, announce, door
from unop2p.errors import MalformedError, RemoteError
from unop2p.wire import codec
from unop2p.wire.lounge import ENVELOPE_BYTES_MAX, Announce, Look, LoungeError, stretch_lounge
from unop2p.wire.sealing import Sealer


def test_a_lounge_is_its_name_and_its_password() -> None:
    lounges = [stretch_lounge("kitchen"), stretch_lounge("kitchen", "x"), stretch_lounge("hall")]
    assert stretch_lounge("kitchen") == lounges[0]
    assert len({lounge.topic for lounge in lounges}) == 3
    assert len({lounge.sealing_key for lounge in lounges}) == 3
    assert stretch_lounge("ab", "c").topic != stretch_lounge("a", "bc").topic


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 65])
def test_a_lounge_has_a_name_that_can_be_read(name: str) -> None:
    with pytest.raises(LoungeError):
        stretch_lounge(name)


def test_what_is_sealed_is_opened_in_the_same_lounge_alone() -> None:
    look = Look(lounge=door("kitchen").lounge.mark, nonce=bytes(16))
    data = door("kitchen").seal(look)
    _, word = door("kitchen").open(data)
    assert word == look
    with pytest.raises(MalformedError):
        door("hall").open(data)


def test_a_message_cannot_be_carried_into_another_lounge() -> None:
    kitchen, hall = door("kitchen"), door("hall")
    with pytest.raises(MalformedError, match="another lounge"):
        kitchen.open(kitchen.seal(Look(lounge=hall.lounge.mark, nonce=bytes(16))))


def test_neither_lounge_nor_answer_shows_its_secret() -> None:
    lounge = stretch_lounge("kitchen")
    word = announce((bytes(16),))
    shown = f"{lounge!r} {door('kitchen')!r} {word!r}"
    assert lounge.topic not in shown
    assert repr(word.secret) not in shown


@pytest.mark.parametrize(
    "change",
    [
        {"looks": ()},
        {"looks": (bytes(16),) * 17},
        {"looks": (bytes(15),)},
        {"secret": bytes(8)},
        {"host": "a b"},
        {"host": "\x1b[2J"},
        {"taken": 11},
        {"taken": -1},
    ],
)
def test_an_answer_that_no_host_gives_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(MalformedError):
        replace(announce((bytes(16),)), **change)  # type: ignore[arg-type]


@given(st.binary(max_size=600))
def test_any_bytes_are_refused_cleanly(data: bytes) -> None:
    with pytest.raises(RemoteError):
        door("kitchen").open(data)


@given(st.binary(min_size=1, max_size=400))
def test_any_payload_sealed_by_a_member_is_refused_cleanly(payload: bytes) -> None:
    kitchen = door("kitchen")
    key = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)
    signed = codec.sign_payload(key, key.public_key().public_bytes_raw(), payload)
    data = Sealer(kitchen.lounge.sealing_key).seal(codec.pack(signed), bytes(24))
    with pytest.raises(RemoteError):
        kitchen.open(data)


def test_what_is_too_long_is_not_even_opened() -> None:
    kitchen = door("kitchen")
    with pytest.raises(MalformedError, match="bytes in a lounge"):
        kitchen.open(bytes(ENVELOPE_BYTES_MAX + 1))


def test_the_longest_answer_fits() -> None:
    kitchen = door("kitchen")
    word = replace(announce(tuple(bytes([n]) * 16 for n in range(16))), host="x" * 24)
    assert isinstance(word, Announce)
    assert word.offer == OFFER
    assert len(kitchen.seal(word)) < ENVELOPE_BYTES_MAX
