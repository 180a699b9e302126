"""Ristretto255 in plain Python: the oracle of the tests, and the fallback where no wheel loads.

Written from RFC 9496 section 4. It is not constant time: where it serves as the fallback,
somebody who can time this very machine could learn about secrets. With gmpy2 installed it calculates
in the numbers of GMP, to the same bytes.
"""

import importlib
from collections.abc import Callable

number: Callable[[int], int] = int
try:
    gmpy2 = importlib.import_module("gmpy2")
except ImportError:
    pass
else:
    number = gmpy2.mpz

P = number(2**255 - 19)
D = number(37095705934669439343138083508754565189542113879843219016388785533085940283555)
SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ = 1159843021668779879193775521855586647937357759715417654439879720876111806838
D_MINUS_ONE_SQ = 40440834346308536858101042469323190826248399146238708352240133220865137265952
GROUP = "ristretto255"
BYTES = 32

Extended = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""

IDENTITY: Extended = (0, 1, 1, 0)
_BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
BASEPOINT: Extended = (number(_BASE_X), number(_BASE_Y), number(1), _BASE_X * _BASE_Y % P)


def _negative(value: int) -> bool:
    return value % P % 2 == 1


def _absolute(value: int) -> int:
    value %= P
    return P - value if _negative(value) else value


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """RFC 9496 section 4.2, SQRT_RATIO_M1."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    u %= P
    if check == (-u * SQRT_M1) % P or check == -u % P:
        r = r * SQRT_M1 % P
    was_square = check in (u, -u % P)
    return was_square, _absolute(r)


def decode(data: bytes) -> Extended | None:
    """Return the point, or None for what RFC 9496 section 4.3.1 refuses."""
    if len(data) != BYTES:
        return None
    s = number(int.from_bytes(data, "little"))
    if s >= P or _negative(s):
        return None
    ss = s * s % P
    u1, u2 = (1 - ss) % P, (1 + ss) % P
    u2_sqr = u2 * u2 % P
    v = (-(D * u1 * u1) - u2_sqr) % P
    was_square, invsqrt = _sqrt_ratio(1, v * u2_sqr % P)
    den_x = invsqrt * u2 % P
    den_y = invsqrt * den_x * v % P
    x = _absolute(2 * s * den_x)
    y = u1 * den_y % P
    t = x * y % P
    if not was_square or _negative(t) or y == 0:
        return None
    return x, y, 1, t


def encode(point: Extended) -> bytes:
    """RFC 9496 section 4.3.2."""
    x0, y0, z0, t0 = point
    u1 = (z0 + y0) * (z0 - y0) % P
    u2 = x0 * y0 % P
    _, invsqrt = _sqrt_ratio(1, u1 * u2 * u2 % P)
    den1, den2 = invsqrt * u1 % P, invsqrt * u2 % P
    z_inv = den1 * den2 * t0 % P
    if _negative(t0 * z_inv):
        x, y, den_inv = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    else:
        x, y, den_inv = x0, y0, den2
    if _negative(x * z_inv):
        y = -y % P
    return int(_absolute(den_inv * (z0 - y))).to_bytes(BYTES, "little")


def add_points(left: Extended, right: Extended) -> Extended:
    """Add on the twisted Edwards curve (Hisil et al. 2008, a = -1)."""
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar: int, point: Extended) -> Extended:
    """Multiply by a scalar, bit by bit."""
    result = IDENTITY
    for bit in f"{scalar:b}":
        result = add_points(result, result)
        if bit == "1":
            result = add_points(result, point)
    return result


def negate(point: Extended) -> Extended:
    """Return the inverse of a point."""
    x, y, z, t = point
    return -x % P, y, z, -t % P


def _map(data: bytes) -> Extended:
    """RFC 9496 section 4.3.4, MAP, of 32 bytes."""
    t = number(int.from_bytes(data, "little") & (2**255 - 1)) % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = _sqrt_ratio(u, v)
    s_prime = -_absolute(s * t) % P
    s = s if was_square else s_prime
    c = -1 if was_square else r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0, w1 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def _checked(data: bytes) -> Extended:
    point = decode(data)
    assert point is not None, "bytes are checked at the edge"
    return point


# The calls that `group.py` takes from its backend; all bytes in, bytes out.


def raw_valid(data: bytes) -> bool:
    """Say whether 32 bytes are a canonical encoding, the identity included."""
    return decode(data) is not None


def raw_add(left: bytes, right: bytes) -> bytes:
    """Add two checked encodings."""
    return encode(add_points(_checked(left), _checked(right)))


def raw_sub(left: bytes, right: bytes) -> bytes:
    """Subtract two checked encodings."""
    return encode(add_points(_checked(left), negate(_checked(right))))


def raw_mul(scalar: bytes, point: bytes) -> bytes:
    """Multiply a checked encoding by a reduced scalar."""
    return encode(multiply(int.from_bytes(scalar, "little"), _checked(point)))


def raw_base(scalar: bytes) -> bytes:
    """Multiply the base point."""
    return encode(multiply(int.from_bytes(scalar, "little"), BASEPOINT))


def raw_from_hash(data: bytes) -> bytes:
    """Map 64 uniform bytes to the group (RFC 9496 section 4.3.4)."""
    return encode(add_points(_map(data[:BYTES]), _map(data[BYTES:])))
