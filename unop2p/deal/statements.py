"""Statements about hidden cards: "none of my hand cards is among these faces".

For each card an OR of Chaum-Pedersen proofs over the faces that are allowed: with everybody
else's shares removed the card is (c1, M + x c1), so for the true face M_j, log_G X = log_c1 (b -
M_j). All but the true branch are simulated; the challenges of a card sum to the hash (Cramer,
Damgard, Schoenmakers 1994). One hash covers all cards. Nothing but the truth of the statement is
shown.
"""

from collections.abc import Sequence

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
from unop2p.deal.transcript import HedgedNonces, ProofContext, challenge
from unop2p.errors import MalformedError, ProofError


def _announce(public: Point, card: MaskedCard, face: Point, c: int, s: int) -> tuple[Point, Point]:
    """Return the two announcements of a branch with this challenge and response."""
    target = sub(card.c2, face)
    key_part = sub(base_mul(s), mul(c, public))
    card_part = sub(mul(s, card.c1), mul(c, target))
    return key_part, card_part


def _hash(
    context: ProofContext,
    public: Point,
    cards: Sequence[MaskedCard],
    allowed: Sequence[Point],
    announced: Sequence[Point],
) -> int:
    return challenge(
        "none-of",
        context,
        public.encoded,
        len(cards).to_bytes(4, "big"),
        encode_cards(cards),
        b"".join(face.encoded for face in allowed),
        b"".join(point.encoded for point in announced),
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
    x = secret.expose()
    # The faces belong to the statement: without them, two claims about one hand that meet a broken
    # source of chance would share a nonce, and two challenges on one nonce give x away.
    statement = len(cards).to_bytes(4, "big") + encode_cards(cards)
    statement += b"".join(face.encoded for face in allowed)
    nonces = HedgedNonces(encode_scalar(x), context, statement, entropy)
    branches: list[list[list[int]]] = []
    announced: list[Point] = []
    truths: list[int] = []
    for card in cards:
        shown = sub(card.c2, mul(x, card.c1))
        assert shown in allowed, "a false statement has no proof"
        truth = list(allowed).index(shown)
        truths.append(truth)
        rows: list[list[int]] = []
        for index, face in enumerate(allowed):
            if index == truth:
                nonce = nonces.scalar()
                rows.append([0, nonce])
                announced += [base_mul(nonce), mul(nonce, card.c1)]
            else:
                rows.append([nonces.scalar(), nonces.scalar()])
                announced += _announce(public, card, face, *rows[-1])
        branches.append(rows)
    c = _hash(context, public, cards, allowed, announced)
    for rows, truth in zip(branches, truths, strict=True):
        rest = (c - sum(row[0] for row in rows)) % Q
        rows[truth] = [rest, (rows[truth][1] + rest * x) % Q]
    return b"".join(encode_scalar(value) for rows in branches for row in rows for value in row)


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
    width = 2 * SCALAR_BYTES
    if not cards or not allowed or len(data) != width * len(cards) * len(allowed):
        message = f"a statement of {len(data)} bytes about {len(cards)} cards"
        raise MalformedError(message)
    announced: list[Point] = []
    sums: list[int] = []
    start = 0
    for card in cards:
        total = 0
        for face in allowed:
            c = decode_scalar(data[start : start + SCALAR_BYTES])
            s = decode_scalar(data[start + SCALAR_BYTES : start + width])
            start += width
            total += c
            announced += _announce(public, card, face, c, s)
        sums.append(total % Q)
    expected = _hash(context, public, cards, allowed, announced)
    if any(total != expected for total in sums):
        message = "the proof about a hand does not hold"
        raise ProofError(message)


def residual(card: MaskedCard, others: Point) -> MaskedCard:
    """Return a card with everybody else's shares removed: (c1, M + x c1)."""
    return MaskedCard(card.c1, sub(card.c2, others))
