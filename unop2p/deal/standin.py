"""Stand-in: a round key shared by Feldman's scheme, so that others can act for a seat that is away.

Rules: a polynomial of degree t - 1 whose value at 0 is the round key x; seat s (counted from 0)
holds its value at s + 1, never that at 0; its coefficients times G are public. Any t holders give
x c1 for a card by partial shares and Lagrange in the exponent; x itself is never put together. A
partial share is proved like any share, `make_shares` and `verify_shares`, against `share_public`.

Source: Feldman 1987, "A Practical Scheme for Non-interactive Verifiable Secret Sharing".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unop2p.deal.group import (
    Point,
    Q,
    base_mul,
    decode_points,
    hash_to_scalar,
    linear_combination,
)
from unop2p.deal.secret import Secret
from unop2p.errors import ProofError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """One seat's key, shared out."""

    commitments: tuple[Point, ...]
    """Coefficients times G, constant first: as many as the threshold."""
    shares: tuple[Secret, ...] = field(repr=False)
    """For each seat the value at its index plus one."""


def derive_sharing(
    secret: Secret,
    round_secret: bytes,
    *,
    place: tuple[bytes, ...],
    threshold: int,
    seats: int,
) -> Sharing:
    """Share a round key; the same round secret gives the same polynomial after a crash.

    Args:
        secret: x.
        round_secret: 32 bytes, those that x grew out of.
        place: what else the polynomial is for: table, round, seat.
        threshold: t, 1..seats; below 2 every holder would have the key itself.
        seats: n.
    """
    # Another threshold must be another polynomial: two that share coefficients give some away.
    size = threshold.to_bytes(2, "big"), seats.to_bytes(2, "big")
    rest = [
        hash_to_scalar("sharing", round_secret, *place, *size, degree.to_bytes(2, "big"))
        for degree in range(1, threshold)
    ]
    return share_out([secret.expose(), *rest], seats)


def share_out(coefficients: Sequence[int], seats: int) -> Sharing:
    """Return the commitments to a polynomial, and its values at 1..seats."""
    assert 1 <= len(coefficients) <= seats
    values = [
        sum(value * pow(seat + 1, degree, Q) for degree, value in enumerate(coefficients)) % Q
        for seat in range(seats)
    ]
    return Sharing(
        commitments=tuple(base_mul(value) for value in coefficients),
        shares=tuple(Secret(value) for value in values),
    )


def decode_commitments(data: bytes, threshold: int, public: Point) -> tuple[Point, ...]:
    """Read the commitments of a sharing: as many as the threshold, the first the key itself.

    A longer list would be a polynomial of a higher degree, which t holders could not combine.

    Raises:
        MalformedError: another length, or an invalid point.
        ProofError: it shares another key than the seat's own.
    """
    commitments = decode_points(data, threshold)
    if commitments[0] != public:
        message = "the sharing is not of the seat's round key"
        raise ProofError(message)
    return commitments


def share_public(commitments: Sequence[Point], seat: int) -> Point:
    """Return the public key of the share that a seat holds."""
    powers = [pow(seat + 1, degree, Q) for degree in range(len(commitments))]
    return linear_combination(powers, commitments)


def verify_share(commitments: Sequence[Point], seat: int, share: Secret) -> None:
    """Check the share that a seat got.

    Raises:
        ProofError: it is false.
    """
    if base_mul(share.expose()) != share_public(commitments, seat):
        message = f"the share of seat {seat} does not fit its commitments"
        raise ProofError(message)


def combine(partials: Mapping[int, Point], threshold: int) -> Point:
    """Return x c1 out of partial shares of x c1, each checked before.

    Args:
        partials: by seat; at least `threshold`. The lowest seats are taken, so that all agree.
        threshold: t.
    """
    seats = sorted(partials)[:threshold]
    assert len(seats) == threshold
    return linear_combination(
        [_lagrange(seat, seats) for seat in seats], [partials[seat] for seat in seats]
    )


def _lagrange(seat: int, seats: Sequence[int]) -> int:
    """Return the weight of a seat's value in the value at 0."""
    above, below = 1, 1
    for other in seats:
        if other != seat:
            above = above * (other + 1) % Q
            below = below * (other - seat) % Q
    return above * pow(below, -1, Q) % Q
