"""Digests: a label and length-prefixed parts, so that no two lists of parts hash alike."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from unop2p.log.digest import DIGEST_BYTES, digest, fingerprint

PARTS = st.lists(st.binary(max_size=12), max_size=4)


def test_a_digest_is_sha512_256_over_label_and_parts_with_their_lengths() -> None:
    """FIPS 180-4 by `hashlib`, fed by hand."""
    label = b"unop2p/v1/close"
    fed = len(label).to_bytes(8, "big") + label + (3).to_bytes(8, "big") + b"abc" + bytes(8)
    wanted = hashlib.new("sha512_256", fed).digest()
    assert digest("close", b"abc", b"") == wanted
    assert len(wanted) == DIGEST_BYTES


@given(PARTS, PARTS)
def test_other_parts_have_another_digest_even_where_they_join_to_the_same_bytes(
    first: list[bytes], second: list[bytes]
) -> None:
    assert (digest("x", *first) == digest("x", *second)) == (first == second)


@given(PARTS)
def test_a_use_is_not_another_use(parts: list[bytes]) -> None:
    assert digest("head", *parts) != digest("close", *parts)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_a_fingerprint_is_twenty_hex_digits_in_fours(one: bytes, other: bytes) -> None:
    shown = fingerprint(one)
    assert [len(group) for group in shown.split()] == [4] * 5
    assert bytes.fromhex(shown) == hashlib.sha256(one).digest()[:10]
    assert (fingerprint(other) == shown) == (one == other)
