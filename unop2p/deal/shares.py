"""Shares of masked cards: D_i = x c1, many in one message with one Chaum-Pedersen proof.

The proof is for a random linear combination of all pairs (c1, D); its weights are hashed from the
list of all pairs (see `transcript.weights`). Source: Chaum and Pedersen 1992; batching as in
Henry 2014.
"""

from collections.abc import Sequence

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import (
    POINT_BYTES,
    Point,
    base_mul,
    decode_points,
    decode_scalar,
    encode_scalar,
    linear_combination,
    mul,
    sub,
)
from unop2p.deal.masking import MaskedCard
from unop2p.deal.secret import Secret
from unop2p.deal.transcript import HedgedNonces, ProofContext, challenge, weights
from unop2p.errors import MalformedError, ProofError

PROOF_BYTES = 64


def make_shares(
    context: ProofContext, secret: Secret, cards: Sequence[MaskedCard], entropy: Entropy
) -> bytes:
    """Make one's shares of cards.

    Args:
        context: where the shares stand.
        secret: x of the round.
        cards: at least one.
        entropy: fresh bytes for the nonce.

    Returns:
        32 bytes a card, in order, then challenge and response (64 bytes).
    """
    assert cards, "a batch of no shares proves nothing"
    x = secret.expose()
    public = base_mul(x)
    shares = b"".join(mul(x, card.c1).encoded for card in cards)
    inputs = b"".join(card.c1.encoded for card in cards)
    factors = weights("shares", context, len(cards), public.encoded, inputs, shares)
    nonce = HedgedNonces(encode_scalar(x), context, inputs + shares, entropy).scalar()
    # The nonce times the weighted sum of the c1, in one go.
    card_part = linear_combination(
        [nonce * factor for factor in factors], [card.c1 for card in cards]
    )
    c = challenge(
        "shares",
        context,
        public.encoded,
        inputs,
        shares,
        base_mul(nonce).encoded,
        card_part.encoded,
    )
    return shares + encode_scalar(c) + encode_scalar(nonce + c * x)


def verify_shares(
    context: ProofContext, public: Point, cards: Sequence[MaskedCard], data: bytes
) -> tuple[Point, ...]:
    """Check a batch of shares.

    Returns:
        The shares, in the order of the cards.

    Raises:
        MalformedError: not as many points as cards, and two scalars.
        ProofError: the proof does not hold, so at least one share is false.
    """
    if not cards or len(data) != POINT_BYTES * len(cards) + PROOF_BYTES:
        message = f"{len(data)} bytes for {len(cards)} shares"
        raise MalformedError(message)
    shares, proof = data[:-PROOF_BYTES], data[-PROOF_BYTES:]
    points = decode_points(shares, len(cards))
    c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
    inputs = b"".join(card.c1.encoded for card in cards)
    factors = weights("shares", context, len(cards), public.encoded, inputs, shares)
    key_part = sub(base_mul(s), mul(c, public))
    # s B - c C, where B and C are the weighted sums of the c1 and of the shares, in one go.
    card_part = linear_combination(
        [*(s * factor for factor in factors), *(-c * factor for factor in factors)],
        [*(card.c1 for card in cards), *points],
    )
    expected = challenge(
        "shares",
        context,
        public.encoded,
        inputs,
        shares,
        key_part.encoded,
        card_part.encoded,
    )
    if c != expected:
        message = "the proof of shares does not hold"
        raise ProofError(message)
    return points
