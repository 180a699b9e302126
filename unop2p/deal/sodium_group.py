"""Ristretto255 of libsodium, through rbcl, with its traps closed.

The traps (libsodium 1.0.18): bit 255 of an encoding is ignored, so a point has two encodings;
`add` and `sub` ignore errors; scalar multiplication raises for the identity; scalars need not be
reduced. So every byte string is checked once, here, before it becomes a point, and scalars are
always reduced ints.
"""

import contextlib
import sys
from pathlib import Path

import rbcl  # type: ignore[import-untyped]  # it ships no types

GROUP = "ristretto255"
BYTES = 32


def _remove_copy() -> None:
    """Remove the copy of the library that rbcl leaves in the temporary folder, once it is loaded.

    Only the file that rbcl says it has written. Where a loaded file cannot be removed (Windows) it
    stays, as it would without us.
    """
    path = getattr(sys.modules.get("rbcl._sodium"), "lib_path", None)
    if isinstance(path, str):
        with contextlib.suppress(OSError):
            Path(path).unlink()


_remove_copy()


def raw_valid(data: bytes) -> bool:
    """Say whether 32 bytes are a canonical encoding, the identity included."""
    if len(data) != BYTES or data[31] >= 128:  # the library does not look at bit 255
        return False
    return bool(rbcl.crypto_core_ristretto255_is_valid_point(data))


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
