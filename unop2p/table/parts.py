"""Work of stand-in: shares of a key sealed to all, partial shares for who is not there, complaints.

As in `work.py`: plain functions over immutable values, that run in a worker or at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from unop2p.deal import group
from unop2p.deal.entropy import Entropy, seeded_entropy
from unop2p.deal.group import Point
from unop2p.deal.keys import RoundKeys
from unop2p.deal.masking import FaceTable, MaskedCard, open_card
from unop2p.deal.sealed import (
    Route,
    SealedShares,
    check_complaint,
    complain,
    open_share,
    read_sealed,
    seal_shares,
)
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.standin import combine, share_public
from unop2p.deal.transcript import ProofContext
from unop2p.errors import MalformedError, ProofError
from unop2p.ids import SEATS_MAX, Seat
from unop2p.rules.cards import Face
from unop2p.table import bodies
from unop2p.table.riders import Complaint
from unop2p.table.work import (
    CheckedOpening,
    CheckedPart,
    CheckedSealed,
    CheckedShares,
    CheckedStandIn,
    OpeningTask,
    SharesTask,
    take_shares,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SealTask:
    """One seat's shares for the others."""

    context: ProofContext
    dealer: Seat
    box_keys: Mapping[int, Point]
    """Of the other members."""

    def check(self, body: bodies.Sealed, *, trusted: bool) -> CheckedSealed:
        """Check what everybody can: whether a share is right only its seat sees.

        Raises:
            MalformedError: another number of shares, or bytes that cannot be read.
            ProofError: the key that they are sealed with is not its author's own.
        """
        sealed = read_sealed(
            self.context,
            body.ephemeral,
            body.proof,
            body.boxes,
            sorted(self.box_keys),
            trusted=trusted,
        )
        return CheckedSealed(sealed=sealed)

    def make(self, keys: RoundKeys, seed: bytes) -> tuple[bodies.Sealed, CheckedSealed]:
        """Seal our shares."""
        assert keys.sharing is not None
        ephemeral, proof, boxes = seal_shares(
            self.context, self.dealer, keys.sharing, self.box_keys, seeded_entropy(seed)
        )
        body = bodies.Sealed(ephemeral=ephemeral, proof=proof, boxes=boxes)
        return body, self.check(body, trusted=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldShare:
    """A share of somebody's key that was sealed to a seat."""

    route: Route
    sealed: SealedShares
    commitments: tuple[Point, ...]

    @property
    def public(self) -> Point:
        """The public key of the share."""
        return _share_public(group.which(), self.commitments, self.route.seat)

    def is_right(self, keys: RoundKeys) -> bool:
        """Say whether the share is as it should be; its seat alone can."""
        try:
            open_share(self.sealed, self.route, self.commitments, keys.box_secret)
        except (MalformedError, ProofError):
            return False
        return True

    def complain(self, context: ProofContext, keys: RoundKeys, entropy: Entropy) -> Complaint:
        """Open the share to everybody."""
        opening = complain(context, self.sealed, keys.box_secret, entropy)
        return Complaint(seat=Seat(self.route.dealer), opening=opening)

    def check_complaint(self, context: ProofContext, box_key: Point, opening: bytes) -> None:
        """Check that the share is false.

        Raises:
            MalformedError: an opening that cannot be read.
            ProofError: one that does not hold, or the share is as it should be.
        """
        check_complaint(context, self.sealed, self.route, self.commitments, box_key, opening)


@lru_cache(maxsize=2 * SEATS_MAX * SEATS_MAX)
def _share_public(_group: str, commitments: tuple[Point, ...], seat: int) -> Point:
    """Return the public key of a share: asked for in every step in which its seat stands in."""
    return share_public(commitments, seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTask:
    """Partial shares for one seat that is not there."""

    seat: Seat
    held: HeldShare
    positions: tuple[int, ...]
    cards: tuple[MaskedCard, ...]

    def check(self, context: ProofContext, data: bytes, *, trusted: bool) -> CheckedPart:
        """Check them against the commitments of who is away.

        Raises:
            MalformedError: shares that cannot be read.
            ProofError: the batched proof does not hold.
        """
        if trusted:
            points = take_shares(data, len(self.cards))
        else:
            points = verify_shares(context, self.held.public, self.cards, data)
        return CheckedPart(seat=self.seat, positions=self.positions, points=points)

    def make(self, context: ProofContext, keys: RoundKeys, entropy: Entropy) -> bodies.Part:
        """Make them: the share is opened for this alone, and kept nowhere.

        Raises:
            ProofError: our share is false, and we cannot stand in. Whoever got one has complained.
        """
        held = self.held
        share = open_share(held.sealed, held.route, held.commitments, keys.box_secret)
        data = make_shares(context, share, self.cards, entropy)
        share.wipe()
        return bodies.Part(seat=self.seat, data=data)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInTask:
    """What a seat gives in a step in which it stands in for others."""

    context: ProofContext
    own: SharesTask | OpeningTask | None
    """Its own shares, or its hand; None where it owes neither."""
    parts: tuple[PartTask, ...]

    def check(self, body: bodies.StoodIn, *, trusted: bool) -> CheckedStandIn:
        """Check all of it.

        Raises:
            MalformedError: parts for others than are due, or shares that cannot be read.
            ProofError: a proof that does not hold.
        """
        if [part.seat for part in body.parts] != [task.seat for task in self.parts]:
            message = "partial shares for other seats than are due"
            raise MalformedError(message)
        if self.own is None and body.own:
            message = "own shares where none are due"
            raise MalformedError(message)
        pairs = tuple(zip(self.parts, body.parts, strict=True))
        parts = tuple(t.check(self.context, part.data, trusted=trusted) for t, part in pairs)
        return CheckedStandIn(own=self._check_own(body.own, trusted=trusted), parts=parts)

    def _check_own(self, data: bytes, *, trusted: bool) -> CheckedShares | CheckedOpening | None:
        match self.own:
            case SharesTask() as task:
                return task.check(data, trusted=trusted)
            case OpeningTask() as task:
                return task.check(data, None, trusted=trusted)
            case None:
                return None

    def make(self, keys: RoundKeys, seed: bytes) -> tuple[bodies.StoodIn, CheckedStandIn]:
        """Make all of it."""
        entropy = seeded_entropy(seed)
        cards = self.own.cards if self.own is not None else ()
        own = make_shares(self.context, keys.secret, cards, entropy) if cards else b""
        parts = tuple(task.make(self.context, keys, entropy) for task in self.parts)
        body = bodies.StoodIn(own=own, parts=parts)
        return body, self.check(body, trusted=True)


def combined(parts: Mapping[Seat, CheckedPart], threshold: int) -> tuple[Point, ...]:
    """Return the shares of an away seat out of the partial shares of t others, card by card."""
    first = next(iter(parts.values()))
    return tuple(
        combine({seat: part.points[index] for seat, part in parts.items()}, threshold)
        for index in range(len(first.points))
    )


def opened_face(faces: FaceTable, card: MaskedCard, points: tuple[Point, ...]) -> Face:
    """Return what a card shows with every share of it.

    Raises:
        ProofError: no face, which proofs that hold make impossible.
    """
    label = faces.find(open_card(card, points))
    if label is None:
        message = "a card of a hand opens to no face"
        raise ProofError(message)
    return Face(label)
