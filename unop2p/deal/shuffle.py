"""The interface of a shuffle argument: what a table needs of one, and all that it may assume."""

from collections.abc import Sequence
from typing import Protocol

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import Point
from unop2p.deal.masking import MaskedCard
from unop2p.deal.transcript import ProofContext


class ShuffleArgument(Protocol):
    """Re-masks and permutes cards, and convinces others that it did just that."""

    name: str
    """By which a table names it."""

    def shuffle(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        entropy: Entropy,
    ) -> tuple[bytes, bytes]:
        """Shuffle cards.

        Returns:
            The outputs, 64 bytes a card, and the proof.
        """
        ...

    def verify(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        outputs: bytes,
        proof: bytes,
    ) -> tuple[MaskedCard, ...]:
        """Check a shuffle.

        Returns:
            The outputs; cards from elsewhere are never to be dealt from.

        Raises:
            MalformedError: bytes that cannot be read.
            ProofError: the proof does not hold.
        """
        ...
