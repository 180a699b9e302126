"""Statements about hidden cards: "none of my hand cards is among these faces", and others like it.

With everybody else's shares removed a card is (c1, M + x c1), so for its true face M_j, log_G X =
log_c1 (b - M_j). "This card shows that face" is one Chaum-Pedersen proof; a *formula* joins such
leaves by `AllOf` and `AnyOf` (Cramer, Damgard, Schoenmakers 1994): the parts of an `AllOf` share its
challenge, those of an `AnyOf` sum to it, and what is not true is simulated. One hash gives the
challenge of the whole. Nothing but the truth of the statement is shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import (
    SCALAR_BYTES,
    Point,
    Q,
    base_mul,
    decode_scalar,
    encode_scalar,
    mul,
    sub,
)
from unop2p.deal.masking import MaskedCard, encode_cards
from unop2p.deal.secret import Secret
from unop2p.deal.transcript import HedgedNonces, ProofContext, challenge, encode_scalars
from unop2p.errors import MalformedError, ProofError

LEAF_BYTES = 2 * SCALAR_BYTES
"""Challenge and response of one leaf."""


@dataclass(frozen=True, slots=True)
class Shows:
    """A leaf: this card shows that face, both by index."""

    card: int
    face: int

    def encoded(self) -> bytes:
        """Return the leaf as bytes, for the hash."""
        return b"\x00" + self.card.to_bytes(2, "big") + self.face.to_bytes(2, "big")


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; at least one part."""

    parts: tuple["Formula", ...]

    def encoded(self) -> bytes:
        """Return the formula as bytes, for the hash."""
        return _joined(b"\x01", self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple["Formula", ...]

    def encoded(self) -> bytes:
        """Return the formula as bytes, for the hash."""
        return _joined(b"\x02", self.parts)


Formula = Shows | AllOf | AnyOf


def _joined(tag: bytes, parts: tuple[Formula, ...]) -> bytes:
    return tag + len(parts).to_bytes(4, "big") + b"".join(part.encoded() for part in parts)


def leaf_count(formula: Formula) -> int:
    """Return how many leaves a formula has; its proof has 64 bytes for each."""
    if isinstance(formula, Shows):
        return 1
    return sum(leaf_count(part) for part in formula.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A formula about cards, and what its hash begins with."""

    context: ProofContext
    kind: str
    public: Point
    cards: tuple[MaskedCard, ...]
    """With all other seats' shares removed."""
    faces: tuple[Point, ...]
    formula: Formula
    parts: tuple[bytes, ...]
    """What is hashed beside the public key: the whole statement."""

    def challenge(self, announced: Sequence[Point]) -> int:
        shown = b"".join(point.encoded for point in announced)
        return challenge(self.kind, self.context, self.public.encoded, *self.parts, shown)

    def announce(self, leaf: Shows, c: int, s: int) -> tuple[Point, Point]:
        """Return the two announcements of a leaf with this challenge and response."""
        card = self.cards[leaf.card]
        target = sub(card.c2, self.faces[leaf.face])
        key_part = sub(base_mul(s), mul(c, self.public))
        card_part = sub(mul(s, card.c1), mul(c, target))
        return key_part, card_part


# -- proving -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Leaf:
    """A leaf in the making: simulated (challenge and response), or real (a nonce, at first)."""

    c: int = field(repr=False)
    s: int = field(repr=False)
    real: bool


@dataclass(slots=True)
class _Branch:
    """An `AllOf` or `AnyOf` in the making. `real` is the part of an `AnyOf` that is proved."""

    parts: list["_Leaf | _Branch"]
    c: int = field(repr=False)
    any_of: bool
    real: int | None


class _Prover:
    """Makes one proof: first all announcements, then the answers to the challenge."""

    def __init__(self, statement: _Statement, secret: Secret, entropy: Entropy) -> None:
        self._statement = statement
        self._x = secret.expose()
        # The whole statement belongs to the nonces: without the faces, two claims about one hand
        # that meet a broken source of chance would share a nonce, and that gives x away.
        self._nonces = HedgedNonces(
            encode_scalar(self._x), statement.context, b"".join(statement.parts), entropy
        )
        self._shown = [sub(card.c2, mul(self._x, card.c1)) for card in statement.cards]
        self._announced: list[Point] = []

    def prove(self) -> bytes:
        formula = self._statement.formula
        assert self._holds(formula), "a false statement has no proof"
        root = self._commit(formula, None)
        self._answer(root, self._statement.challenge(self._announced))
        return b"".join(encode_scalars([leaf.c, leaf.s]) for leaf in _leaves(root))

    def _holds(self, formula: Formula) -> bool:
        match formula:
            case Shows(card=card, face=face):
                return self._shown[card] == self._statement.faces[face]
            case AllOf(parts=parts):
                return all(self._holds(part) for part in parts)
            case AnyOf(parts=parts):
                return any(self._holds(part) for part in parts)

    def _commit(self, formula: Formula, c: int | None) -> _Leaf | _Branch:
        """Announce a formula: simulated under the challenge c, or, without one, in earnest."""
        match formula:
            case Shows():
                return self._commit_leaf(formula, c)
            case AllOf(parts=parts):
                made = [self._commit(part, c) for part in parts]
                return _Branch(made, c or 0, any_of=False, real=None)
            case AnyOf(parts=parts):
                return self._commit_any(parts, c)

    def _commit_leaf(self, leaf: Shows, c: int | None) -> _Leaf:
        value = self._nonces.scalar()
        if c is None:
            c1 = self._statement.cards[leaf.card].c1
            self._announced += [base_mul(value), mul(value, c1)]
            return _Leaf(0, value, real=True)
        # The verifier's announcements; who knows x has the first, sG - cX, by one multiplication.
        card = self._statement.cards[leaf.card]
        target = sub(card.c2, self._statement.faces[leaf.face])
        self._announced += [
            base_mul(value - c * self._x),
            sub(mul(value, card.c1), mul(c, target)),
        ]
        return _Leaf(c, value, real=False)

    def _commit_any(self, parts: tuple[Formula, ...], c: int | None) -> _Branch:
        """Draw a challenge for every part but one: what is left of c, or of the hash, is that one's."""
        free = len(parts) - 1
        if c is None:
            free = next(index for index, part in enumerate(parts) if self._holds(part))
        made: list[_Leaf | _Branch] = []
        for index, part in enumerate(parts):
            if index != free:
                made.append(self._commit(part, self._nonces.scalar()))
            elif c is None:
                made.append(self._commit(part, None))
            else:
                made.append(self._commit(part, (c - sum(other.c for other in made)) % Q))
        return _Branch(made, c or 0, any_of=True, real=free if c is None else None)

    def _answer(self, node: _Leaf | _Branch, c: int) -> None:
        if isinstance(node, _Leaf):
            if node.real:
                node.c, node.s = c, (node.s + c * self._x) % Q
            return
        if not node.any_of:
            for part in node.parts:
                self._answer(part, c)
        elif node.real is not None:
            rest = sum(part.c for index, part in enumerate(node.parts) if index != node.real)
            self._answer(node.parts[node.real], (c - rest) % Q)


def _leaves(node: _Leaf | _Branch) -> Iterator[_Leaf]:
    if isinstance(node, _Leaf):
        yield node
    else:
        for part in node.parts:
            yield from _leaves(part)


# -- checking ----------------------------------------------------------------------------------


class _Verifier:
    """Reads one proof, leaf by leaf."""

    def __init__(self, statement: _Statement, data: bytes) -> None:
        self._statement = statement
        self._data = data
        self._place = 0
        self._announced: list[Point] = []

    def verify(self) -> None:
        root = self._read(self._statement.formula)
        if root != self._statement.challenge(self._announced):
            message = "the proof about a hand does not hold"
            raise ProofError(message)

    def _scalar(self) -> int:
        self._place += SCALAR_BYTES
        return decode_scalar(self._data[self._place - SCALAR_BYTES : self._place])

    def _read(self, formula: Formula) -> int:
        """Return the challenge of a formula."""
        match formula:
            case Shows():
                c, s = self._scalar(), self._scalar()
                self._announced += self._statement.announce(formula, c, s)
                return c
            case AnyOf(parts=parts):
                return sum(self._read(part) for part in parts) % Q
            case AllOf(parts=parts):
                first, *others = [self._read(part) for part in parts]
                if any(other != first for other in others):
                    message = "the proof about a hand does not hold"
                    raise ProofError(message)
                return first


# -- none of these faces -----------------------------------------------------------------------


def _none_of(
    context: ProofContext, public: Point, cards: Sequence[MaskedCard], allowed: Sequence[Point]
) -> _Statement:
    return _Statement(
        context=context,
        kind="none-of",
        public=public,
        cards=tuple(cards),
        faces=tuple(allowed),
        formula=AllOf(
            tuple(
                AnyOf(tuple(Shows(card, face) for face in range(len(allowed))))
                for card in range(len(cards))
            )
        ),
        parts=(
            len(cards).to_bytes(4, "big"),
            encode_cards(cards),
            b"".join(face.encoded for face in allowed),
        ),
    )


def prove_none_of(
    context: ProofContext,
    secret: Secret,
    public: Point,
    cards: Sequence[MaskedCard],
    allowed: Sequence[Point],
    entropy: Entropy,
) -> bytes:
    """Prove that every card shows an allowed face.

    Args:
        context: where the proof stands.
        secret: x of the holder.
        public: X of the holder.
        cards: the hand, with all other seats' shares removed; at least one.
        allowed: the points of every face that is not forbidden.
        entropy: fresh bytes.

    Returns:
        For each card and each allowed face challenge and response: 64 bytes each.
    """
    assert cards, "an empty hand needs no proof"
    return _Prover(_none_of(context, public, cards, allowed), secret, entropy).prove()


def verify_none_of(
    context: ProofContext,
    public: Point,
    cards: Sequence[MaskedCard],
    allowed: Sequence[Point],
    data: bytes,
) -> None:
    """Check that every card shows an allowed face.

    Raises:
        MalformedError: another length than cards and faces give, or a scalar not reduced.
        ProofError: the proof does not hold.
    """
    if not cards or not allowed or len(data) != LEAF_BYTES * len(cards) * len(allowed):
        message = f"a statement of {len(data)} bytes about {len(cards)} cards"
        raise MalformedError(message)
    _Verifier(_none_of(context, public, cards, allowed), data).verify()


# -- any formula -------------------------------------------------------------------------------


def _claim(
    context: ProofContext,
    public: Point,
    cards: Sequence[MaskedCard],
    faces: Sequence[Point],
    formula: Formula,
) -> _Statement:
    return _Statement(
        context=context,
        kind="claim",
        public=public,
        cards=tuple(cards),
        faces=tuple(faces),
        formula=formula,
        parts=(
            len(cards).to_bytes(4, "big"),
            encode_cards(cards),
            b"".join(face.encoded for face in faces),
            formula.encoded(),
        ),
    )


def prove_claim(
    context: ProofContext,
    secret: Secret,
    public: Point,
    cards: Sequence[MaskedCard],
    faces: Sequence[Point],
    formula: Formula,
    entropy: Entropy,
) -> bytes:
    """Prove a formula about one's own cards.

    Args:
        context: where the proof stands.
        secret: x of the holder.
        public: X of the holder.
        cards: what the leaves call cards, with all other seats' shares removed.
        faces: what the leaves call faces.
        formula: true for these cards.
        entropy: fresh bytes.

    Returns:
        Challenge and response of each leaf, from left to right: 64 bytes each.
    """
    return _Prover(_claim(context, public, cards, faces, formula), secret, entropy).prove()


def verify_claim(
    context: ProofContext,
    public: Point,
    cards: Sequence[MaskedCard],
    faces: Sequence[Point],
    formula: Formula,
    data: bytes,
) -> None:
    """Check a formula about somebody's cards.

    Raises:
        MalformedError: another length than the formula gives, or a scalar not reduced.
        ProofError: the proof does not hold.
    """
    if len(data) != LEAF_BYTES * leaf_count(formula):
        message = f"a statement of {len(data)} bytes about {len(cards)} cards"
        raise MalformedError(message)
    _Verifier(_claim(context, public, cards, faces, formula), data).verify()


def residual(card: MaskedCard, others: Point) -> MaskedCard:
    """Return a card with everybody else's shares removed: (c1, M + x c1)."""
    return MaskedCard(card.c1, sub(card.c2, others))
