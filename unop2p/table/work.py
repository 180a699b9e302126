"""Heavy work as plain functions over immutable values: they run in a worker, or at once.

`check_*` return what a statement yields once its proofs hold; they raise `RemoteError` where one does
not. With `trusted`, what this peer has checked before (its own journal) is only taken apart.
"""

from dataclasses import dataclass
from typing import Any

from unop2p.deal import keys as round_keys
from unop2p.deal.commit_reveal import CommitRevealShuffle, list_entropy
from unop2p.deal.entropy import Entropy, seeded_entropy
from unop2p.deal.group import Point, decode_point, sum_points
from unop2p.deal.keys import RoundKeys
from unop2p.deal.masking import (
    FaceTable,
    MaskedCard,
    UnverifiedDeck,
    VerifiedDeck,
    decode_cards,
    open_card,
)
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.sealed import SealedShares
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.shuffle import PreparedArgument, ReplayedArgument, ShuffleArgument
from unop2p.deal.standin import decode_commitments
from unop2p.deal.statements import (
    Formula,
    prove_claim,
    prove_none_of,
    residual,
    verify_claim,
    verify_none_of,
)
from unop2p.deal.transcript import ProofContext
from unop2p.errors import MalformedError, ProofError
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.table import bodies

POINT_BYTES = 32
PROOF_BYTES = 64

ARGUMENTS: dict[str, ShuffleArgument] = {
    "proved": ProvedShuffle(),
    "commit-reveal": CommitRevealShuffle(),
}
"""The shuffle arguments that a table may name; a program may add its own."""


PreparedLists = tuple[Any, ...]
"""For each list of a shuffle step what its argument has prepared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedShares:
    """Shares whose proof holds, in the order of the positions."""

    positions: tuple[int, ...]
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedShuffle:
    """The outputs of a shuffle whose proofs hold, list by list."""

    parts: tuple[VerifiedDeck, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedOpening:
    """Own cards that their holder has opened."""

    positions: tuple[int, ...]
    points: tuple[Point, ...]
    """The holder's shares."""
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDoubt:
    """Own cards that their holder has opened, and that need not be faces of the deck."""

    positions: tuple[int, ...]
    points: tuple[Point, ...]
    faces: tuple[Face | None, ...]
    """None for what is no face."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedReveal:
    """A key whose proof and commitment hold."""

    key: Point
    seed: bytes
    box_key: Point | None = None
    """Where others can stand in; so are the commitments to the polynomial."""
    commitments: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSealed:
    """Sealed shares whose author knows what they are sealed with; each seat looks at its own."""

    sealed: SealedShares


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPart:
    """Partial shares whose proof holds, in the order of the positions."""

    seat: Seat
    """For whom."""
    positions: tuple[int, ...]
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedStandIn:
    """What a seat gave of its own, and for others."""

    own: CheckedShares | CheckedOpening | None
    parts: tuple[CheckedPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """The statement is fine, and yields nothing to keep."""


Checked = (
    CheckedShares
    | CheckedShuffle
    | CheckedOpening
    | CheckedDoubt
    | CheckedReveal
    | CheckedSealed
    | CheckedStandIn
    | Nothing
)


def take_shares(data: bytes, count: int) -> tuple[Point, ...]:
    """Read shares without checking their proof.

    Raises:
        MalformedError: not `count` points and a proof.
    """
    if len(data) != POINT_BYTES * count + PROOF_BYTES:
        message = f"{len(data)} bytes for {count} shares"
        raise MalformedError(message)
    return tuple(
        decode_point(data[POINT_BYTES * index : POINT_BYTES * (index + 1)])
        for index in range(count)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningTask:
    """What is needed to check, or to make, the opening of a seat's own cards."""

    context: ProofContext
    key: Point
    positions: tuple[int, ...]
    cards: tuple[MaskedCard, ...]
    others: tuple[tuple[Point, ...], ...]
    """For each card the shares of everybody else."""
    faces: FaceTable

    def read(self, points: tuple[Point, ...]) -> tuple[Face, ...]:
        """Return the faces that these own shares open.

        Raises:
            ProofError: a card opens to what is no face.
        """
        found = self._find(points)
        faces = tuple(face for face in found if face is not None)
        if len(faces) != len(found):
            message = "a card opens to no face"
            raise ProofError(message)
        return faces

    def _find(self, points: tuple[Point, ...]) -> tuple[Face | None, ...]:
        labels = [
            self.faces.find(open_card(card, (*others, own)))
            for card, others, own in zip(self.cards, self.others, points, strict=True)
        ]
        return tuple(Face(label) if label is not None else None for label in labels)

    def check_any(self, data: bytes) -> CheckedDoubt:
        """Check an opening whose cards may be no faces: somebody's shuffle was false then.

        Raises:
            MalformedError: shares that cannot be read.
            ProofError: a proof that does not hold.
        """
        points = verify_shares(self.context, self.key, self.cards, data)
        return CheckedDoubt(positions=self.positions, points=points, faces=self._find(points))

    def check(
        self, data: bytes, claimed: tuple[Face, ...] | None, *, trusted: bool
    ) -> CheckedOpening:
        """Check an opening, and that it shows what was claimed.

        Raises:
            MalformedError: shares that cannot be read.
            ProofError: a proof that does not hold, or another face than claimed.
        """
        if trusted:
            points = take_shares(data, len(self.cards))
        else:
            points = verify_shares(self.context, self.key, self.cards, data)
        return self._shown(points, claimed, look=not trusted)

    def take_own(self, data: bytes, claimed: tuple[Face, ...] | None) -> Checked:
        """Take an opening that was just made here: its proof holds, and its faces are looked at.

        Raises:
            ProofError: another face than claimed.
        """
        return self._shown(take_shares(data, len(self.cards)), claimed, look=True)

    def _shown(
        self, points: tuple[Point, ...], claimed: tuple[Face, ...] | None, *, look: bool
    ) -> CheckedOpening:
        faces = self.read(points) if look or claimed is None else claimed
        if claimed is not None and faces != claimed:
            shown, said = " ".join(faces), " ".join(claimed)
            message = f"{said} was said, and {shown} was opened"
            raise ProofError(message)
        return CheckedOpening(positions=self.positions, points=points, faces=faces)

    def make(self, secrets: RoundKeys, seed: bytes) -> bytes:
        """Make the opening of these cards."""
        return make_shares(self.context, secrets.secret, self.cards, seeded_entropy(seed))


def check_reveal(
    context: ProofContext,
    body: bodies.Reveal,
    committed: bytes,
    seat: Seat,
    *,
    threshold: int = 0,
    trusted: bool,
) -> Checked:
    """Check a reveal against its commitment, and the proof of the key.

    Args:
        context: where it stands.
        body: what is revealed.
        committed: to what.
        seat: the author.
        threshold: as many commitments to a polynomial go with it.
        trusted: its proof was checked before.

    Raises:
        MalformedError: a field of the wrong size, or no point.
        ProofError: another value than was committed, or a false proof.
    """
    key = decode_point(body.key)
    sizes = len(body.seed), len(body.box_key), len(body.sharing)
    if sizes != (POINT_BYTES, POINT_BYTES, POINT_BYTES * threshold):
        message = "a reveal with fields of the wrong size"
        raise MalformedError(message)
    commitments: tuple[Point, ...] = ()
    box_key: Point | None = None
    if threshold:
        commitments = decode_commitments(body.sharing, threshold, key)
        box_key = decode_point(body.box_key)
    if not trusted:
        expected = round_keys.commitment(
            body.seed,
            key,
            body.box_key,
            body.sharing,
            context.table_id,
            context.round_index,
            seat,
        )
        if expected != committed:
            message = "the reveal is not what was committed"
            raise ProofError(message)
        round_keys.verify_key(context, key, body.proof)
    return CheckedReveal(key=key, seed=body.seed, box_key=box_key, commitments=commitments)


def make_reveal(
    context: ProofContext, secrets: RoundKeys, seed: bytes
) -> tuple[bodies.Reveal, Checked]:
    """Make one's own reveal."""
    proof = round_keys.prove_key(context, secrets.secret, secrets.public, seeded_entropy(seed))
    commitments = secrets.sharing.commitments if secrets.sharing is not None else ()
    body = bodies.Reveal(
        seed=secrets.coin_seed,
        key=secrets.public.encoded,
        box_key=secrets.box_public,
        sharing=b"".join(point.encoded for point in commitments),
        proof=proof,
    )
    return body, CheckedReveal(
        key=secrets.public,
        seed=secrets.coin_seed,
        box_key=decode_point(secrets.box_public) if commitments else None,
        commitments=commitments,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleTask:
    """One seat's turn in a shuffle step."""

    context: ProofContext
    joint: Point
    argument: str
    counts: tuple[int, ...]
    """Cards in each list."""
    inputs: tuple[tuple[MaskedCard, ...], ...] | None
    """The lists; None where they are the output of `previous`."""
    previous: bodies.Shuffled | None
    base: bytes
    first: int = 0
    """How many lists were shuffled before in the round."""

    def _inputs(self) -> tuple[tuple[MaskedCard, ...], ...]:
        if self.inputs is not None:
            return self.inputs
        assert self.previous is not None
        return tuple(deck.as_inputs() for deck in take_shuffle(self.previous, self.counts))

    def check(self, body: bodies.Shuffled, *, trusted: bool) -> Checked:
        """Check a shuffle of every list.

        Raises:
            MalformedError: lists that cannot be read.
            ProofError: a proof that does not hold.
        """
        if trusted:
            return _trusted(body, self.counts)
        if len(body.parts) != len(self.counts):
            message = f"{len(body.parts)} lists where {len(self.counts)} are shuffled"
            raise MalformedError(message)
        argument = ARGUMENTS[self.argument]
        return CheckedShuffle(
            parts=tuple(
                argument.verify(self.context, self.joint, cards, part.cards, part.proof)
                for cards, part in zip(self._inputs(), body.parts, strict=True)
            )
        )

    def make(
        self, secrets: RoundKeys, seed: bytes, prepared: PreparedLists | None = None
    ) -> tuple[bodies.Shuffled, Checked]:
        """Shuffle every list, and prove it; or do what the committed seed says.

        Args:
            secrets: of our round.
            seed: fresh bytes.
            prepared: what `prepare_shuffle` has made for this very step.
        """
        argument = ARGUMENTS[self.argument]
        fresh: Entropy = seeded_entropy(seed)
        made: list[tuple[bytes, bytes]] = []
        for index, cards in enumerate(self._inputs()):
            if prepared is not None and isinstance(argument, PreparedArgument):
                ready = prepared[index]
                made.append(argument.shuffle_prepared(self.context, self.joint, cards, ready))
                continue
            entropy = fresh
            if isinstance(argument, ReplayedArgument):
                entropy = list_entropy(secrets.shuffle_seed, self.first + index, cards)
            made.append(argument.shuffle(self.context, self.joint, cards, entropy))
        body = bodies.Shuffled(
            base=self.base,
            parts=tuple(bodies.ShuffledPart(cards=out, proof=proof) for out, proof in made),
        )
        return body, _trusted(body, self.counts)


def can_prepare(name: str) -> bool:
    """Say whether a part of a shuffle can be made before its cards are there."""
    return isinstance(ARGUMENTS[name], PreparedArgument)


def prepare_shuffle(
    context: ProofContext, joint: Point, name: str, counts: tuple[int, ...], seed: bytes
) -> PreparedLists:
    """Do what needs no card of our part of a shuffle step.

    Args:
        context: of our statement in the step; what is made is good there alone, and once.
        joint: the joint key.
        name: of the shuffle argument.
        counts: cards in each list.
        seed: fresh bytes.
    """
    argument = ARGUMENTS[name]
    assert isinstance(argument, PreparedArgument)
    entropy = seeded_entropy(seed)
    return tuple(argument.prepare(context, joint, count, entropy) for count in counts)


def _trusted(body: bodies.Shuffled, counts: tuple[int, ...]) -> CheckedShuffle:
    return CheckedShuffle(parts=tuple(deck.trusted() for deck in take_shuffle(body, counts)))


def take_shuffle(body: bodies.Shuffled, counts: tuple[int, ...]) -> tuple[UnverifiedDeck, ...]:
    """Read the outputs of a shuffle without checking its proofs.

    Raises:
        MalformedError: not the lists that are shuffled here.
    """
    if len(body.parts) != len(counts):
        message = f"{len(body.parts)} lists where {len(counts)} are shuffled"
        raise MalformedError(message)
    return tuple(
        UnverifiedDeck(decode_cards(part.cards, count))
        for part, count in zip(body.parts, counts, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesTask:
    """Shares of cards that go to others, or that are opened."""

    context: ProofContext
    key: Point
    positions: tuple[int, ...]
    cards: tuple[MaskedCard, ...]

    def check(self, data: bytes, *, trusted: bool) -> CheckedShares:
        """Check the batch.

        Raises:
            MalformedError: shares that cannot be read.
            ProofError: the batched proof does not hold.
        """
        if trusted:
            points = take_shares(data, len(self.cards))
        else:
            points = verify_shares(self.context, self.key, self.cards, data)
        return CheckedShares(positions=self.positions, points=points)

    def make(self, secrets: RoundKeys, seed: bytes) -> tuple[bodies.Shares, Checked]:
        """Make the batch."""
        data = make_shares(self.context, secrets.secret, self.cards, seeded_entropy(seed))
        points = take_shares(data, len(self.cards))
        return bodies.Shares(data=data), CheckedShares(positions=self.positions, points=points)


@dataclass(frozen=True, slots=True, kw_only=True)
class InnocenceTask:
    """The statement that no card of a hand is among the forbidden faces."""

    context: ProofContext
    key: Point
    residuals: tuple[MaskedCard, ...]
    """The hand's cards with everybody else's shares removed."""
    allowed: tuple[Point, ...]

    def check(self, proof: bytes, *, trusted: bool) -> Checked:
        """Check the statement.

        Raises:
            MalformedError: a proof that cannot be read.
            ProofError: a proof that does not hold.
        """
        if not trusted:
            verify_none_of(self.context, self.key, self.residuals, self.allowed, proof)
        return Nothing()

    def make(self, secrets: RoundKeys, seed: bytes) -> bodies.Innocent:
        """Prove it."""
        proof = prove_none_of(
            self.context,
            secrets.secret,
            self.key,
            self.residuals,
            self.allowed,
            seeded_entropy(seed),
        )
        return bodies.Innocent(proof=proof)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimTask:
    """What a move claims of its player's hidden cards."""

    context: ProofContext
    key: Point
    cards: tuple[MaskedCard, ...]
    """What it is about."""
    others: tuple[tuple[Point, ...], ...]
    """For each card the shares of everybody else."""
    faces: tuple[Point, ...]
    formula: Formula

    def residuals(self) -> tuple[MaskedCard, ...]:
        """Return the cards with everybody else's shares removed."""
        return tuple(
            residual(card, sum_points(shares))
            for card, shares in zip(self.cards, self.others, strict=True)
        )

    def check(self, proof: bytes, *, trusted: bool) -> Checked:
        """Check the claim.

        Raises:
            MalformedError: a proof that cannot be read.
            ProofError: a proof that does not hold.
        """
        if not trusted:
            verify_claim(self.context, self.key, self.residuals(), self.faces, self.formula, proof)
        return Nothing()

    def make(self, secrets: RoundKeys, seed: bytes) -> bytes:
        """Prove it."""
        return prove_claim(
            self.context,
            secrets.secret,
            self.key,
            self.residuals(),
            self.faces,
            self.formula,
            seeded_entropy(seed),
        )
