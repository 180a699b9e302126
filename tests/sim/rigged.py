"""A shuffle argument for tests alone: it proves nothing, and puts chosen cards on top.

Its cards are never masked again, so everybody could read them: (G, M + X) is recognized as M.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import Point, sub
from unop2p.deal.masking import FaceTable, MaskedCard, decode_cards, encode_cards
from unop2p.deal.transcript import ProofContext
from unop2p.rules.cards import Face
from unop2p.table.work import ARGUMENTS

NAME = "rigged"
FACES = FaceTable([str(face) for face in Face])


class Rigged:
    """Puts `tops[k]` on top in the k-th shuffle step; the rest keeps its order."""

    name = NAME

    def __init__(self, tops: Sequence[Sequence[Face]]) -> None:
        self.tops = list(tops)
        self.steps: list[int] = []

    def shuffle(
        self, context: ProofContext, joint_key: Point, cards: Sequence[MaskedCard], entropy: Entropy
    ) -> tuple[bytes, bytes]:
        if context.step not in self.steps:
            self.steps.append(context.step)
        index = self.steps.index(context.step)
        left = list(cards)
        out: list[MaskedCard] = []
        for face in self.tops[index] if index < len(self.tops) else ():
            card = next(c for c in left if FACES.find(sub(c.c2, joint_key)) == face)
            left.remove(card)
            out.append(card)
        return encode_cards((*out, *left)), b""

    def verify(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        outputs: bytes,
        proof: bytes,
    ) -> tuple[MaskedCard, ...]:
        return decode_cards(outputs, len(cards))


@contextmanager
def rigged(*tops: Sequence[Face]) -> Iterator[Rigged]:
    """Register the argument for as long as a test runs."""
    argument = Rigged(tops)
    ARGUMENTS[NAME] = argument
    try:
        yield argument
    finally:
        del ARGUMENTS[NAME]


def stacked(hands: Sequence[str], then: str) -> list[Face]:
    """Return the top of a deck that deals these hands, from the dealer's left, and then these."""
    rows = [[Face(word) for word in hand.split()] for hand in hands]
    assert all(len(row) == 7 for row in rows)
    return [row[index] for index in range(7) for row in rows] + [Face(w) for w in then.split()]
