"""The interface of a shuffle argument: what a table needs of one, and all that it may assume."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import Point
from unop2p.deal.masking import MaskedCard, VerifiedDeck
from unop2p.deal.transcript import ProofContext
from unop2p.errors import ProofError

CARDS_MAX = 448
"""Four decks of 112."""


class ShuffleArgument(Protocol):
    """Re-masks and permutes cards, and convinces others that it did just that."""

    name: str
    """By which a table names it: 1 to 64 letters, digits, `-`, `_` and `.`."""

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
    ) -> VerifiedDeck:
        """Check a shuffle.

        Returns:
            The outputs, as what may be dealt from.

        Raises:
            MalformedError: bytes that cannot be read.
            ProofError: the proof does not hold.
        """
        ...


@runtime_checkable
class ReplayedArgument(Protocol):
    """A shuffle argument that proves nothing at once: its shuffles are replayed after the round.

    The entropy that `shuffle` gets at a table then grows out of a seed that its seat has committed
    to, and `replay` with the same entropy must give the same outputs.
    """

    def replay(self, joint_key: Point, cards: Sequence[MaskedCard], entropy: Entropy) -> bytes:
        """Return the outputs of an honest shuffle with this entropy, 64 bytes a card."""
        ...


@runtime_checkable
class PreparedArgument(Protocol):
    """A shuffle argument that can do a part of its work before the cards are there."""

    def prepare(self, context: ProofContext, joint_key: Point, count: int, entropy: Entropy) -> Any:  # noqa: ANN401  # each argument has a type of its own
        """Do what needs no card of a shuffle of so many; the result is good for one list, once."""
        ...

    def shuffle_prepared(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        prepared: Any,  # noqa: ANN401  # what `prepare` has returned
    ) -> tuple[bytes, bytes]:
        """Shuffle as `shuffle` does, with what was prepared in the same context."""
        ...


def check_fresh(cards: Sequence[MaskedCard], outputs: Sequence[MaskedCard]) -> None:
    """Check what no proof of a permutation says: that every card was masked anew, by itself.

    Raises:
        ProofError: an output shares c1 with an input, since re-masking with zero hides nothing; or
            two outputs share c1, since a share of the one would open the other.
    """
    before = {card.c1 for card in cards}
    if any(card.c1 in before for card in outputs):
        message = "a shuffle that leaves a card as it was"
        raise ProofError(message)
    if len({card.c1 for card in outputs}) != len(outputs):
        message = "a shuffle that masks two cards alike"
        raise ProofError(message)
