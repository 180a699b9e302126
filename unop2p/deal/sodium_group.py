"""Ristretto255 of libsodium, through rbcl, with its traps closed.

The traps (libsodium 1.0.18): bit 255 of an encoding is ignored, so a point has two encodings; `add` and
`sub` ignore errors; scalar multiplication raises for the identity; scalars need not be reduced. So every
byte string is checked once, here, before it becomes a point, and scalars are always reduced ints.
"""

import contextlib
import os

import rbcl

BYTES = 32


def _remove_copy() -> None:
    """Remove the copy of the library that rbcl leaves in the temporary folder, once it is loaded.

    Where a loaded file cannot be removed (Windows) it stays.
    """
    name = getattr(rbcl._sodium, "_name", None)  # noqa: SLF001  # the binding offers no other way
    if isinstance(name, str) and "site-packages" not in name:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108  # a path given by the loader


_remove_copy()


def raw_valid(data: bytes) -> bool:
    """Say whether 32 bytes are a canonical encoding, the identity included."""
    return len(data) == BYTES and data[31] < 128 and bool(  # noqa: PLR2004  # bit 255
        rbcl.crypto_core_ristretto255_is_valid_point(data)
    )


def raw_add(left: bytes, right: bytes) -> bytes:
    """Add two checked encodings."""
    return bytes(rbcl.crypto_core_ristretto255_add(left, right))


def raw_sub(left: bytes, right: bytes) -> bytes:
    """Subtract two checked encodings."""
    return bytes(rbcl.crypto_core_ristretto255_sub(left, right))


def raw_mul(scalar: bytes, point: bytes) -> bytes:
    """Multiply a checked encoding by a reduced scalar."""
    return bytes(rbcl.crypto_scalarmult_ristretto255_allow_scalar_zero(scalar, point))


def raw_base(scalar: bytes) -> bytes:
    """Multiply the base point."""
    return bytes(rbcl.crypto_scalarmult_ristretto255_base_allow_scalar_zero(scalar))


def raw_from_hash(data: bytes) -> bytes:
    """Map 64 uniform bytes to the group (RFC 9496 section 4.3.4)."""
    return bytes(rbcl.crypto_core_ristretto255_from_hash(data))
