"""Digests of the chain: SHA-512/256 over a label and length-prefixed parts."""

import hashlib

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
    state = hashlib.new("sha512_256")
    for part in (b"unop2p/v1/" + use.encode(), *parts):
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()


FINGERPRINT_BYTES = 10


def fingerprint(public: bytes) -> str:
    """Return the text by which people compare keys: 80 bits of its SHA-256.

    >>> fingerprint(bytes(32))
    '6668 7aad f862 bd77 6c8f'
    """
    return hashlib.sha256(public).digest()[:FINGERPRINT_BYTES].hex(" ", 2)
