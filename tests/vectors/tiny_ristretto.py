"""Ristretto255 after RFC 9496, and the hashes of the wire protocol: for `read_deal.py`, in plain Python.

Nothing of the game is used here, so that the two can be compared. Not constant time, and not quick.
"""

import hashlib
from collections.abc import Iterable

P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578

Point = tuple[int, int, int, int]
ZERO = (0, 1, 1, 0)


def absolute(x: int) -> int:
    return -x % P if x % P % 2 else x % P


def root(u: int, v: int) -> tuple[bool, int]:
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check, u = v * r * r % P, u % P
    twisted = check in (-u % P, -u * SQRT_M1 % P)
    return check in (u, -u % P), absolute(r * SQRT_M1 if twisted else r)


def decode(data: bytes) -> Point:
    s = int.from_bytes(data, "little")
    u1, u2 = 1 - s * s, 1 + s * s
    v = -(D * u1 * u1) - u2 * u2
    square, i = root(1, v * u2 * u2)
    x, y = absolute(2 * s * i * u2), u1 * i * i * u2 * v % P
    assert s < P and s % 2 == 0 and square and x * y % P % 2 == 0 and y
    return x, y, 1, x * y % P


def encode(point: Point) -> bytes:
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y), x * y
    i = root(1, u1 * u2 * u2)[1]
    d2, z_inv = i * u2, i * i * u1 * u2 * t % P
    if t * z_inv % P % 2:
        x, y, d2 = y * SQRT_M1, x * SQRT_M1, i * u1 * INVSQRT_A_MINUS_D
    return absolute(d2 * (z - (-y if x * z_inv % P % 2 else y))).to_bytes(32, "little")


def add(one: Point, two: Point) -> Point:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, two
    a, b, c, d = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2), 2 * t1 * t2 * D, 2 * z1 * z2
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def lin(terms: Iterable[tuple[int, Point]]) -> Point:
    """Return the sum of scalar times point, bit by bit for all terms together."""
    total: Point = ZERO
    columns = [(f"{scalar % Q:0253b}", point) for scalar, point in terms]
    for place in range(253):
        total = add(total, total)
        for bits, point in columns:
            if bits[place] == "1":
                total = add(total, point)
    return total


def from_hash(data: bytes) -> Point:
    """Map 64 bytes to the group."""
    total: Point = ZERO
    for half in (data[:32], data[32:]):
        t = int.from_bytes(half, "little") % 2**255
        r = SQRT_M1 * t * t
        v = (-1 - r * D) * (r + D)
        square, s = root((r + 1) * (1 - D * D), v)
        c, s = (-1, s) if square else (r, -absolute(s * t))
        n = (c * (r - 1) * (D - 1) ** 2 - v) * SQRT_AD_MINUS_ONE
        w = 2 * s * v, n, 1 - s * s, 1 + s * s
        total = add(total, (w[0] * w[3] % P, w[2] * w[1] % P, w[1] * w[3] % P, w[0] * w[2] % P))
    return total


BASE = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


def num(value: int, size: int) -> bytes:
    return value.to_bytes(size, "big")


def ints(data: bytes, size: int = 32) -> list[int]:
    return [int.from_bytes(data[k : k + size], "little") for k in range(0, len(data), size)]


def points(data: bytes) -> list[Point]:
    return [decode(data[k : k + 32]) for k in range(0, len(data), 32)]


def encoded(items: Iterable[Point]) -> bytes:
    return b"".join(map(encode, items))


def wide(label: str, *parts: bytes) -> bytes:
    parts = (b"unop2p/v1/" + label.encode(), *parts)
    return hashlib.sha512(b"".join(num(len(part), 8) + part for part in parts)).digest()


def scalar(label: str, *parts: bytes) -> int:
    return int.from_bytes(wide(label, *parts), "little") % Q


def point(label: str, data: bytes) -> Point:
    return from_hash(wide(label, data))


def weights(kind: str, context: bytes, count: int, *parts: bytes) -> list[int]:
    seed = wide("weights/" + kind, context, num(count, 4), *parts)
    blocks = [wide("weight", seed, num(k, 8)) for k in range(-(-count // 4))]
    return ints(b"".join(blocks), 16)[:count]


def way_of(seed: bytes, number: int, before: bytes) -> tuple[list[int], list[int]]:
    """Return order and factors of a `commit-reveal` shuffle."""
    seed = wide("shuffle-list", seed, num(number, 4), before)[:32]
    seed = hashlib.shake_256(b"unop2p/v1/stream" + seed + num(1, 8)).digest(32)
    order, drawn = list(range(len(before) // 64)), 0
    for last in range(len(order) - 1, 0, -1):
        word = 2**64
        while word >= 2**64 - 2**64 % (last + 1):
            drawn += 1
            word = int.from_bytes(wide("shuffle-word", seed, num(drawn, 8))[:8], "big")
        order[last], order[word % (last + 1)] = order[word % (last + 1)], order[last]
    return order, [scalar("shuffle-factor", seed, num(k, 4)) or 1 for k in range(len(order))]
