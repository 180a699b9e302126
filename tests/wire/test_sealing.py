"""Envelopes: what is sealed opens again, and nothing else does."""

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given, settings
from hypothesis import strategies as st

from unop2p.errors import MalformedError
from unop2p.wire.sealing import (
    ENVELOPE_BYTES_MAX,
    LENGTH_BYTES,
    NONCE_BYTES,
    PADDING_STEPS,
    TAG_BYTES,
    Sealer,
    may_be_envelope,
    padded_length,
)

KEY = bytes(range(32))
NONCE = bytes(range(100, 124))
OVERHEAD = NONCE_BYTES + TAG_BYTES


def crafted(padded: bytes) -> bytes:
    """Seal a plaintext that no honest sealer would make, by the protocol's own words."""
    key = HKDF(algorithm=hashes.SHA256(), length=32, salt=NONCE, info=b"unop2p/v1/seal").derive(KEY)
    return NONCE + ChaCha20Poly1305(key).encrypt(bytes(12), padded, b"unop2p/v1/seal")


@given(st.binary(max_size=20_000), st.binary(min_size=24, max_size=24))
@settings(max_examples=50)
def test_what_is_sealed_opens_again(payload: bytes, nonce: bytes) -> None:
    assert Sealer(KEY).open(Sealer(KEY).seal(payload, nonce)) == payload


def test_the_envelope_is_what_the_protocol_says() -> None:
    padded = (5).to_bytes(4, "big") + b"hello" + bytes(256 - 9)
    assert Sealer(KEY).seal(b"hello", NONCE) == crafted(padded)


@pytest.mark.parametrize("step", [*PADDING_STEPS, 16384, 24576])
def test_an_envelope_shows_only_a_size_step(step: int) -> None:
    sizes = {len(Sealer(KEY).seal(bytes(n), NONCE)) for n in (step - 4, step - 20)}
    assert sizes == {step + OVERHEAD}
    assert len(Sealer(KEY).seal(bytes(step - 3), NONCE)) > step + OVERHEAD


def test_padding_grows_and_never_cuts() -> None:
    lengths = [padded_length(n) for n in range(1, 20_000)]
    assert lengths == sorted(lengths)
    assert all(n <= padded for n, padded in enumerate(lengths, 1))


@given(place=st.integers(0, 256 + OVERHEAD - 1), bit=st.integers(0, 7))
def test_a_flipped_bit_anywhere_is_refused(place: int, bit: int) -> None:
    damaged = bytearray(Sealer(KEY).seal(b"a move", NONCE))
    damaged[place] ^= 1 << bit
    with pytest.raises(MalformedError, match="not sealed"):
        Sealer(KEY).open(bytes(damaged))


def test_another_tables_key_does_not_open() -> None:
    with pytest.raises(MalformedError, match="not sealed"):
        Sealer(bytes(32)).open(Sealer(KEY).seal(b"a move", NONCE))


@pytest.mark.parametrize("size", [0, 1, 24, 40, 295, ENVELOPE_BYTES_MAX + 1])
def test_a_size_that_cannot_be_is_refused_before_any_work(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_self: Sealer, _nonce: bytes) -> None:
        pytest.fail("it was decrypted")

    monkeypatch.setattr(Sealer, "_cipher", never)
    with pytest.raises(MalformedError, match=f"{size} bytes"):
        Sealer(KEY).open(bytes(size))


@pytest.mark.parametrize(
    "padded",
    [
        (253).to_bytes(4, "big") + bytes(252),
        (2**32 - 1).to_bytes(4, "big") + bytes(252),
        (5).to_bytes(4, "big") + b"hello" + bytes(246) + b"\1",
        (5).to_bytes(4, "big") + b"hello" + bytes(512 - 9),
        (300).to_bytes(4, "big") + bytes(8192 - 4),
    ],
    ids=["longer", "enormous", "not zeros", "next step", "far step"],
)
def test_wrong_padding_under_the_right_key_is_refused(padded: bytes) -> None:
    with pytest.raises(MalformedError, match="padded"):
        Sealer(KEY).open(crafted(padded))


def test_the_largest_payload_goes_through_and_one_more_does_not() -> None:
    largest = (ENVELOPE_BYTES_MAX - OVERHEAD) // 8192 * 8192 - 4
    assert Sealer(KEY).open(Sealer(KEY).seal(bytes(largest), NONCE)) == bytes(largest)
    with pytest.raises(AssertionError):
        Sealer(KEY).seal(bytes(largest + 1), NONCE)


def test_repr_shows_no_key() -> None:
    assert repr(Sealer(b"k" * 32)) == "Sealer(…)"


@given(st.integers(0, 60_000))
def test_what_is_sealed_has_a_size_that_an_envelope_may_have(length: int) -> None:
    size = NONCE_BYTES + padded_length(length + LENGTH_BYTES) + TAG_BYTES
    assert may_be_envelope(size)
    assert not may_be_envelope(size - 1)
    assert not may_be_envelope(size + 1)


@pytest.mark.parametrize("size", [0, 32, 40, 296 - 8, ENVELOPE_BYTES_MAX + 1, 40 + 33 * 8192])
def test_bytes_of_another_size_are_no_envelope(size: int) -> None:
    assert not may_be_envelope(size)
