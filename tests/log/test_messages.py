"""What is signed, its hash, the digest of a close, and the next head."""

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.ids import Seat
from unop2p.log.digest import digest
from unop2p.log.messages import Signed, close_digest, next_head, signing_bytes

HEAD = bytes(range(32))
SEATS = (Seat(0), Seat(1), Seat(3))
HASHES = {Seat(0): b"a" * 32, Seat(1): b"b" * 32, Seat(3): b"c" * 32}
SIGNED = Signed(author=b"k" * 32, signature=b"s" * 64, payload=b"{}")


def test_the_hash_of_a_message_leaves_the_signature_out_and_nothing_else() -> None:
    assert SIGNED.hash == digest("message", SIGNED.author, SIGNED.payload)
    assert replace(SIGNED, signature=b"t" * 64).hash == SIGNED.hash
    assert replace(SIGNED, author=b"l" * 32).hash != SIGNED.hash
    assert replace(SIGNED, payload=b"{ }").hash != SIGNED.hash


def test_a_signed_message_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        SIGNED.payload = b""  # type: ignore[misc]


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=40), st.binary(max_size=40))
def test_what_a_signature_is_made_over_is_bound_to_its_author(
    author: bytes, payload: bytes, other: bytes
) -> None:
    signed = signing_bytes(author, payload)
    assert signed.startswith(b"unop2p/v1/signed\x00")
    assert signed.endswith(author + payload)
    assert (signing_bytes(author, other) == signed) == (other == payload)


def test_a_close_is_another_where_anything_in_it_is_another() -> None:
    close = close_digest(5, HEAD, SEATS, HASHES)
    others = {
        close_digest(6, HEAD, SEATS, HASHES),
        close_digest(5, bytes(32), SEATS, HASHES),
        close_digest(5, HEAD, SEATS[:2], HASHES),
        close_digest(5, HEAD, (Seat(0), Seat(1), Seat(2)), {**HASHES, Seat(2): HASHES[Seat(3)]}),
        close_digest(5, HEAD, SEATS, {**HASHES, Seat(1): HASHES[Seat(0)]}),
        close_digest(5, HEAD, SEATS, {**HASHES, Seat(0): b"b" * 32, Seat(1): b"a" * 32}),
        *(close_digest(5, HEAD, SEATS, {**HASHES, seat: b""}) for seat in SEATS),
    }
    assert close not in others
    assert len(others) == 9


def test_a_seat_without_a_statement_is_left_out_and_a_statement_of_another_does_not_count() -> None:
    without = {seat: HASHES[seat] for seat in SEATS[:2]}
    left_out = close_digest(5, HEAD, SEATS, without)
    assert left_out == close_digest(5, HEAD, SEATS, {**without, Seat(3): b""})
    assert left_out == close_digest(5, HEAD, SEATS, {**without, Seat(7): b"x" * 32})


def test_the_next_head_is_bound_to_head_step_and_close() -> None:
    close = close_digest(5, HEAD, SEATS, HASHES)
    head = next_head(5, HEAD, close)
    assert head == digest("head", HEAD, (5).to_bytes(8, "big"), close)
    assert len({head, next_head(6, HEAD, close), next_head(5, close, HEAD), HEAD, close}) == 5
