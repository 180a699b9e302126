"""The `commit-reveal` shuffle: no proof now, a replay after the round.

The permutation and the factors of every shuffle grow out of a scalar that its seat has committed to
before it saw any card. When the round has ended the scalar is shown, and everybody shuffles again
with it: other outputs are a false shuffle. Until then a seat that is willing to be found out may
choose and know every card.

The commitment to the scalar s is the point sG: it binds, and hides s from who cannot take discrete
logarithms; it is also what a sharing of s (Feldman) has as its first commitment.
"""

from collections.abc import Sequence

from unop2p.deal.coin import shuffled
from unop2p.deal.entropy import Entropy, seeded_entropy
from unop2p.deal.group import (
    SCALAR_BYTES,
    Point,
    base_mul,
    decode_scalar,
    encode_scalar,
    hash_to_bytes,
    hash_to_scalar,
)
from unop2p.deal.masking import MaskedCard, VerifiedDeck, decode_cards, encode_cards, remask
from unop2p.deal.secret import Secret
from unop2p.deal.shuffle import CARDS_MAX, check_fresh
from unop2p.deal.transcript import ProofContext
from unop2p.errors import MalformedError, ProofError

_WORD_BYTES = 8


class CommitRevealShuffle:
    """Shuffles without a proof; its seed is shown, and every shuffle replayed, after the round."""

    name = "commit-reveal"

    def shuffle(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        entropy: Entropy,
    ) -> tuple[bytes, bytes]:
        """Shuffle cards; the proof is empty. See `ShuffleArgument`."""
        del context  # the seed is bound to its place by its commitment
        return self.replay(joint_key, cards, entropy), b""

    def replay(self, joint_key: Point, cards: Sequence[MaskedCard], entropy: Entropy) -> bytes:
        """Return what a shuffle with this entropy comes to; 64 bytes a card."""
        assert 1 <= len(cards) <= CARDS_MAX
        seed = entropy(SCALAR_BYTES)
        drawn = 0

        def word() -> int:
            nonlocal drawn
            drawn += 1
            block = hash_to_bytes("shuffle-word", seed, drawn.to_bytes(8, "big"))
            return int.from_bytes(block[:_WORD_BYTES], "big")

        order = shuffled(len(cards), word)
        factors = [
            # A factor of zero has a chance of 2^-252; it would leave its card in the open.
            hash_to_scalar("shuffle-factor", seed, place.to_bytes(4, "big")) or 1
            for place in range(len(cards))
        ]
        return encode_cards(
            remask(cards[source], factor, joint_key)
            for source, factor in zip(order, factors, strict=True)
        )

    def verify(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        outputs: bytes,
        proof: bytes,
    ) -> VerifiedDeck:
        """Check what can be checked before the replay; see `ShuffleArgument`."""
        del context, joint_key
        if not 1 <= len(cards) <= CARDS_MAX:
            message = f"a shuffle of {len(cards)} cards"
            raise MalformedError(message)
        if proof:
            message = f"a proof of {len(proof)} bytes where none is due"
            raise MalformedError(message)
        shuffled_cards = decode_cards(outputs, len(cards))
        check_fresh(cards, shuffled_cards)
        return VerifiedDeck(shuffled_cards)


def list_entropy(seed: Secret, number: int, cards: Sequence[MaskedCard]) -> Entropy:
    """Return the entropy of one shuffled list: hash(seed, j), and the list itself.

    The list is hashed too, so that a seat which has to shuffle under one number twice (a step that
    was closed without it) uses no factor for two lists: the difference would show its permutation.

    Args:
        seed: the committed scalar.
        number: j, how many lists were shuffled before in the round.
        cards: the inputs.
    """
    return seeded_entropy(
        hash_to_bytes(
            "shuffle-list",
            encode_scalar(seed.expose()),
            number.to_bytes(4, "big"),
            encode_cards(cards),
        )[:SCALAR_BYTES]
    )


def open_seed(data: bytes, commitment: Point) -> Secret:
    """Read a seed that was committed to.

    Raises:
        MalformedError: no reduced scalar.
        ProofError: another than was committed.
    """
    seed = decode_scalar(data)
    if base_mul(seed) != commitment:
        message = "the shuffle seed is not what was committed"
        raise ProofError(message)
    return Secret(seed)
