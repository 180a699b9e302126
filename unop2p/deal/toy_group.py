"""The integers modulo q under addition: a group of the right order, without any secrecy.

Everything about the deal is the same in it, down to the bytes of scalars, and some fifty times faster;
but a "discrete logarithm" is a division, so every mask can be taken off by anybody. It is for the
simulator and for statistics; a real table refuses to begin in it (`edge/driver.py`).
"""

Q = 2**252 + 27742317777372353535851937790883648493
GROUP = "toy"
BYTES = 32
BASE = 9
"""Any element but 0 generates the group; 1 would make a scalar and its point the same bytes."""


def _read(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _element(data: bytes) -> int:
    # Bit 255 says nothing, as with ristretto255: who does not refuse it has two encodings of a point.
    return _read(data) & ((1 << 255) - 1)


def _write(value: int) -> bytes:
    return (value % Q).to_bytes(BYTES, "little")


def raw_valid(data: bytes) -> bool:
    """Say whether 32 bytes are a canonical encoding, the identity included."""
    return len(data) == BYTES and _read(data) < Q


def raw_add(left: bytes, right: bytes) -> bytes:
    """Add two checked encodings."""
    return _write(_element(left) + _element(right))


def raw_sub(left: bytes, right: bytes) -> bytes:
    """Subtract two checked encodings."""
    return _write(_element(left) - _element(right))


def raw_mul(scalar: bytes, point: bytes) -> bytes:
    """Multiply a checked encoding by a reduced scalar."""
    return _write(_read(scalar) * _element(point))


def raw_base(scalar: bytes) -> bytes:
    """Multiply the base point."""
    return _write(_read(scalar) * BASE)


def raw_from_hash(data: bytes) -> bytes:
    """Map 64 uniform bytes to the group."""
    return _write(_read(data))
