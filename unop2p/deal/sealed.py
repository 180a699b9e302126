"""Shares of a round key on their way: each sealed to one seat, and opened to all where it is false.

A seat seals all its shares under one key of the moment E = eG: the share of seat j is hidden by a hash
of eB_j, where B_j is that seat's box key (hashed ElGamal; the statement around it is signed, and a share
is checked against the commitments, so nothing else has to authenticate it). The seat proves that it
knows e: else it could take over the E of another, be complained about, and by that have a share of
that other opened.

A seat that got a false share shows eB_j = b_j E, with a Chaum-Pedersen proof. Then everybody opens the
same share, and sees who lied.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import (
    SCALAR_BYTES,
    Point,
    base_mul,
    decode_point,
    decode_scalar,
    encode_scalar,
    hash_to_bytes,
    mul,
)
from unop2p.deal.keys import PROOF_BYTES, prove_key, verify_key
from unop2p.deal.masking import MaskedCard
from unop2p.deal.secret import Secret
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.standin import Sharing, verify_share
from unop2p.deal.transcript import HedgedNonces, ProofContext
from unop2p.errors import MalformedError, ProofError

SEALED_BYTES = SCALAR_BYTES
"""A sealed share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Which share this is: the same share sealed for anything else opens to something else."""

    table_id: bytes
    round_index: int
    dealer: int
    """Whose key is shared."""
    seat: int
    """Whose share it is."""

    def encoded(self) -> bytes:
        """Return the route as bytes of a fixed length."""
        numbers = self.round_index.to_bytes(8, "big"), self.dealer.to_bytes(2, "big")
        return b"".join((self.table_id, *numbers, self.seat.to_bytes(2, "big")))


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedShares:
    """One seat's shares for the others; public, and checked as far as anybody can."""

    ephemeral: Point
    """E."""
    boxes: Mapping[int, bytes] = field(repr=False)
    """By seat, 32 bytes each."""


def seal_shares(
    context: ProofContext,
    dealer: int,
    sharing: Sharing,
    box_keys: Mapping[int, Point],
    entropy: Entropy,
) -> tuple[bytes, bytes, bytes]:
    """Seal a seat's shares to the other seats.

    Args:
        context: where they stand.
        dealer: whose key it is.
        sharing: the shares.
        box_keys: by seat, of everybody else.
        entropy: fresh bytes, for the key of the moment.

    Returns:
        E, the proof that e is known (64 bytes), and the boxes by rising seat, 32 bytes each.
    """
    secrets = b"".join(encode_scalar(share.expose()) for share in sharing.shares)
    public = b"".join(point.encoded for point in sharing.commitments)
    ephemeral = HedgedNonces(secrets, context, public, entropy).scalar()
    point = base_mul(ephemeral)
    boxes = [
        _mask(
            encode_scalar(sharing.shares[seat].expose()),
            _route(context, dealer, seat),
            point,
            mul(ephemeral, box_keys[seat]),
        )
        for seat in sorted(box_keys)
    ]
    proof = prove_key(context, Secret(ephemeral), point, entropy)
    return point.encoded, proof, b"".join(boxes)


def read_sealed(
    context: ProofContext,
    ephemeral: bytes,
    proof: bytes,
    boxes: bytes,
    seats: Iterable[int],
    *,
    trusted: bool = False,
) -> SealedShares:
    """Check what can be checked of sealed shares by everybody.

    Args:
        context: where they stand.
        ephemeral: E, encoded.
        proof: that e is known.
        boxes: the sealed shares.
        seats: for whom, rising.
        trusted: the proof was checked before.

    Raises:
        MalformedError: another number of shares, or no point.
        ProofError: the proof does not hold.
    """
    places = tuple(seats)
    if len(boxes) != SEALED_BYTES * len(places) or len(proof) != PROOF_BYTES:
        message = f"{len(boxes)} bytes of sealed shares for {len(places)} seats"
        raise MalformedError(message)
    point = decode_point(ephemeral)
    if not trusted:
        verify_key(context, point, proof)
    parts = {
        seat: boxes[SEALED_BYTES * index : SEALED_BYTES * (index + 1)]
        for index, seat in enumerate(places)
    }
    return SealedShares(ephemeral=point, boxes=parts)


def open_share(
    sealed: SealedShares, route: Route, commitments: Sequence[Point], box_secret: Secret
) -> Secret:
    """Open the share that is sealed to us.

    Raises:
        MalformedError: it is no scalar.
        ProofError: it does not fit the commitments.
    """
    return _open(sealed, route, commitments, mul(box_secret.expose(), sealed.ephemeral))


def complain(
    context: ProofContext, sealed: SealedShares, box_secret: Secret, entropy: Entropy
) -> bytes:
    """Show what opens a share to everybody: b E with a proof; 96 bytes."""
    return make_shares(context, box_secret, (_pair(sealed),), entropy)


def check_complaint(
    context: ProofContext,
    sealed: SealedShares,
    route: Route,
    commitments: Sequence[Point],
    box_key: Point,
    data: bytes,
) -> None:
    """Check that a share which its seat has opened is false.

    Args:
        context: of the statement that complains.
        sealed: what the seat got.
        route: of the share.
        commitments: of who dealt it.
        box_key: of the seat.
        data: as `complain` makes it.

    Raises:
        MalformedError: it cannot be read.
        ProofError: the proof does not hold, or the share is as it should be.
    """
    (shared,) = verify_shares(context, box_key, (_pair(sealed),), data)
    try:
        _open(sealed, route, commitments, shared)
    except (MalformedError, ProofError):
        return
    message = "a complaint about a share that is as it should be"
    raise ProofError(message)


def _pair(sealed: SealedShares) -> MaskedCard:
    """Return E where a proof of shares expects a card; it looks at the first point alone."""
    return MaskedCard(sealed.ephemeral, sealed.ephemeral)


def _open(
    sealed: SealedShares, route: Route, commitments: Sequence[Point], shared: Point
) -> Secret:
    box = sealed.boxes[route.seat]
    share = Secret(decode_scalar(_mask(box, route, sealed.ephemeral, shared)))
    verify_share(commitments, route.seat, share)
    return share


def _route(context: ProofContext, dealer: int, seat: int) -> Route:
    return Route(
        table_id=context.table_id, round_index=context.round_index, dealer=dealer, seat=seat
    )


def _mask(data: bytes, route: Route, ephemeral: Point, shared: Point) -> bytes:
    """Hide a share, or show it again: the pad is used for this one share alone."""
    pad = hash_to_bytes("share-pad", route.encoded(), ephemeral.encoded, shared.encoded)
    return bytes(left ^ right for left, right in zip(data, pad[:SEALED_BYTES], strict=True))
