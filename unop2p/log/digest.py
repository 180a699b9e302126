"""Digests of the chain: SHA-512/256 over a label and length-prefixed parts."""

import hashlib
from functools import cache

DIGEST_BYTES = 32


def digest(use: str, *parts: bytes) -> bytes:
    """Hash parts under a label of their use.

    Args:
        use: what the digest is for; it becomes `unop2p/v1/<use>`.
        parts: any number of byte strings; each is prefixed with its length, so that no two lists of
            parts hash alike.

    Returns:
        32 bytes (SHA-512/256, FIPS 180-4).
    """
    state = _begun(use).copy()
    for part in parts:
        state.update(len(part).to_bytes(8, "big") + part)
    return state.digest()


@cache
def _begun(use: str) -> "hashlib._Hash":  # pyright: ignore[reportPrivateUsage]  # it has no other name
    """Return the state after the label: looking the function up takes longer than most of its uses."""
    label = b"unop2p/v1/" + use.encode()
    return hashlib.new("sha512_256", len(label).to_bytes(8, "big") + label)


FINGERPRINT_BYTES = 10


def fingerprint(public: bytes) -> str:
    """Return the text by which people compare keys: 80 bits of its SHA-256.

    >>> fingerprint(bytes(32))
    '6668 7aad f862 bd77 6c8f'
    """
    return hashlib.sha256(public).digest()[:FINGERPRINT_BYTES].hex(" ", 2)
