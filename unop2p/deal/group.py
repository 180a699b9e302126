"""The group of the deal: ristretto255 (RFC 9496), points and scalars that are checked once.

Points are `Point`, made from bytes only by `decode_point`; scalars are ints below `Q`. Additive
notation.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

from unop2p.errors import MalformedError

try:
    from unop2p.deal import sodium_group as real_group
except (ImportError, OSError):  # no wheel for this machine, or it does not load
    from unop2p.deal import reference_group as real_group  # type: ignore[no-redef]


class Backend(Protocol):
    """What does the arithmetic: on encodings that were checked, and reduced scalars."""

    @property
    def GROUP(self) -> str:  # noqa: N802  # a module's constant
        """The group's name: what is computed in one holds for all that do the same arithmetic."""
        ...

    def raw_valid(self, data: bytes, /) -> bool:
        """Say whether bytes are a canonical encoding, the identity included."""
        ...

    def raw_add(self, left: bytes, right: bytes, /) -> bytes:
        """Add."""
        ...

    def raw_sub(self, left: bytes, right: bytes, /) -> bytes:
        """Subtract."""
        ...

    def raw_mul(self, scalar: bytes, point: bytes, /) -> bytes:
        """Multiply."""
        ...

    def raw_base(self, scalar: bytes, /) -> bytes:
        """Multiply the base point."""
        ...

    def raw_from_hash(self, data: bytes, /) -> bytes:
        """Map 64 uniform bytes to the group."""
        ...


backend: Backend = real_group


def use(other: Backend) -> Backend:
    """Do all arithmetic of this process with another backend; return the one before.

    For tests and the simulator: points of one group mean nothing in another.
    """
    global backend  # the group is one for the whole process
    before, backend = backend, other
    return before


def which() -> str:
    """Return the name of the group in use, as a key for what is computed once."""
    return backend.GROUP


def is_real() -> bool:
    """Say whether the group is ristretto255, and not one in which anybody can take logarithms."""
    return which() == real_group.GROUP


Q = 2**252 + 27742317777372353535851937790883648493
"""Order of the group."""
POINT_BYTES = 32
SCALAR_BYTES = 32
_ZERO = bytes(POINT_BYTES)


class Point:
    """A group element whose encoding is valid. Compares and hashes by its 32 bytes."""

    __slots__ = ("_encoded",)

    def __init__(self, encoded: bytes) -> None:
        """Wrap bytes that are known to be valid; from outside use `decode_point`."""
        self._encoded = encoded

    @property
    def encoded(self) -> bytes:
        """The 32 bytes; each element has exactly one such encoding."""
        return self._encoded

    def __eq__(self, other: object) -> bool:
        """Compare encodings. Not in constant time: points that are compared are public."""
        return isinstance(other, Point) and self._encoded == other._encoded

    def __hash__(self) -> int:
        """Hash the encoding."""
        return hash(self._encoded)

    def __repr__(self) -> str:
        """Show the first bytes."""
        return f"Point({self._encoded[:4].hex()}…)"

    @property
    def is_identity(self) -> bool:
        """Say whether it is the neutral element, which never comes from outside."""
        return self._encoded == _ZERO


IDENTITY = Point(_ZERO)
BASE = Point(real_group.raw_base((1).to_bytes(SCALAR_BYTES, "little")))
"""The base point of ristretto255; `base_mul(1)` is that of the group in use."""


def decode_point(data: bytes) -> Point:
    """Read a point from outside.

    Raises:
        MalformedError: not 32 bytes, not the canonical encoding of an element, or the identity.

    Source: RFC 9496 section 4.3.1; that the identity is refused is the protocol's own rule.
    """
    if len(data) != POINT_BYTES or not backend.raw_valid(data):
        message = "bytes that are no point of the group"
        raise MalformedError(message)
    if data == _ZERO:
        message = "the identity, where a point is due"
        raise MalformedError(message)
    return Point(bytes(data))


def decode_points(data: bytes, count: int) -> tuple[Point, ...]:
    """Read `count` points of 32 bytes each.

    Raises:
        MalformedError: another length, or one that `decode_point` refuses.
    """
    if len(data) != POINT_BYTES * count:
        message = f"{len(data)} bytes for {count} points"
        raise MalformedError(message)
    return tuple(
        decode_point(data[start : start + POINT_BYTES])
        for start in range(0, len(data), POINT_BYTES)
    )


def decode_scalar(data: bytes) -> int:
    """Read a scalar from outside.

    Raises:
        MalformedError: not 32 bytes, or not below the order.
    """
    value = int.from_bytes(data, "little")
    if len(data) != SCALAR_BYTES or value >= Q:
        message = "bytes that are no reduced scalar"
        raise MalformedError(message)
    return value


def encode_scalar(value: int) -> bytes:
    """Return 32 bytes, little-endian, of a scalar taken modulo the order."""
    return (value % Q).to_bytes(SCALAR_BYTES, "little")


def mul(scalar: int, point: Point) -> Point:
    """Multiply a point."""
    return Point(backend.raw_mul(encode_scalar(scalar), point.encoded))


def base_mul(scalar: int) -> Point:
    """Multiply the base point: about 2.8 times cheaper than `mul`."""
    return Point(backend.raw_base(encode_scalar(scalar)))


def add(left: Point, right: Point) -> Point:
    """Add two points."""
    return Point(backend.raw_add(left.encoded, right.encoded))


def sub(left: Point, right: Point) -> Point:
    """Subtract a point from another."""
    return Point(backend.raw_sub(left.encoded, right.encoded))


def sum_points(points: Iterable[Point]) -> Point:
    """Add any number of points; of none it is the identity."""
    total = _ZERO
    for point in points:
        total = backend.raw_add(total, point.encoded) if total != _ZERO else point.encoded
    return Point(total)


def linear_combination(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Return the sum of `scalars[i] * points[i]`.

    libsodium has no multi-scalar multiplication; a backend that has one would be called here.
    """
    assert len(scalars) == len(points)
    total = _ZERO
    for scalar, point in zip(scalars, points, strict=True):
        term = backend.raw_mul(encode_scalar(scalar), point.encoded)
        total = backend.raw_add(total, term) if total != _ZERO else term
    return Point(total)


def lin2(left: int, left_point: Point, right: int, right_point: Point) -> Point:
    """Return `left * left_point + right * right_point`."""
    return add(mul(left, left_point), mul(right, right_point))


def _wide(label: str, parts: tuple[bytes, ...]) -> bytes:
    state = hashlib.sha512()
    for part in (b"unop2p/v1/" + label.encode(), *parts):
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()


def hash_to_scalar(label: str, *parts: bytes) -> int:
    """Hash length-prefixed parts to a scalar: SHA-512, reduced, so its bias is below 2^-250."""
    return int.from_bytes(_wide(label, parts), "little") % Q


def hash_to_point(label: str, *parts: bytes) -> Point:
    """Hash length-prefixed parts to a point whose logarithm nobody knows (RFC 9496 4.3.4)."""
    return Point(backend.raw_from_hash(_wide(label, parts)))


def hash_to_bytes(label: str, *parts: bytes) -> bytes:
    """Hash length-prefixed parts to 64 bytes."""
    return _wide(label, parts)
