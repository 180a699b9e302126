"""Decks that are stacked for tests, in two ways.

`rigged` is a shuffle argument for tests alone: it proves nothing, and puts chosen cards on top. Its cards
are never masked again, so everybody could read them: (G, M + X) is recognized as M.

`arranged` is the real argument, proofs, masks and all, made by seats that have agreed not to shuffle: only
the permutation is chosen, as a seat may. Who checks it sees nothing odd.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import Point, base_mul, sub, which
from unop2p.deal.masking import (
    FaceTable,
    MaskedCard,
    VerifiedDeck,
    decode_cards,
    encode_cards,
    remask,
)
from unop2p.deal.proved import ProvedShuffle, prove_shuffle
from unop2p.deal.transcript import HedgedNonces, ProofContext
from unop2p.rules.cards import Face
from unop2p.table.work import ARGUMENTS

NAME = "rigged"


@cache
def _faces_of(_group: str) -> FaceTable:
    return FaceTable([str(face) for face in Face])


def faces() -> FaceTable:
    """Return every face, in the group that is in use."""
    return _faces_of(which())


class Rigged:
    """Puts `tops[k]` on top in the k-th shuffle step; the rest keeps its order.

    Where nothing is to be on top, the uppermost card goes to the bottom.
    """

    name = NAME

    def __init__(self, tops: Sequence[Sequence[Face]]) -> None:
        self.tops = list(tops)
        self.steps: list[int] = []

    def shuffle(
        self, context: ProofContext, joint_key: Point, cards: Sequence[MaskedCard], entropy: Entropy
    ) -> tuple[bytes, bytes]:
        first = context.step not in self.steps
        if first:
            self.steps.append(context.step)
        index = self.steps.index(context.step)
        left = list(cards)
        if first and index >= len(self.tops):
            left = left[1:] + left[:1]
        out: list[MaskedCard] = []
        for face in self.tops[index] if index < len(self.tops) else ():
            card = next(c for c in left if faces().find(sub(c.c2, joint_key)) == face)
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
    ) -> VerifiedDeck:
        return VerifiedDeck(decode_cards(outputs, len(cards)))


@contextmanager
def rigged(*tops: Sequence[Face]) -> Iterator[Rigged]:
    """Register the argument for as long as a test runs."""
    argument = Rigged(tops)
    before = ARGUMENTS.get(NAME)
    ARGUMENTS[NAME] = argument
    try:
        yield argument
    finally:
        del ARGUMENTS[NAME]
        if before is not None:
            ARGUMENTS[NAME] = before


class Arranged:
    """Puts `tops[k]` on top in the k-th shuffle of cards that all can read; others go round by one.

    It prepares nothing: which order is wanted is seen only when the cards are there.
    """

    name = ProvedShuffle.name

    def __init__(self, tops: Sequence[Sequence[Face]]) -> None:
        self.tops = list(tops)
        self.verify = ProvedShuffle().verify
        self.open_shuffles: list[int] = []
        self.steps: set[int] = set()

    def _order(self, step: int, joint_key: Point, cards: Sequence[MaskedCard]) -> list[int]:
        places = list(range(len(cards)))
        if all(card.c1 == base_mul(1) for card in cards):
            index = len(self.open_shuffles)
            self.open_shuffles.append(step)
            found: list[int] = []
            for face in self.tops[index] if index < len(self.tops) else ():
                place = next(p for p in places if faces().find(sub(cards[p].c2, joint_key)) == face)
                places.remove(place)
                found.append(place)
            places = found + places
        elif step not in self.steps and step not in self.open_shuffles:
            places = places[1:] + places[:1]
        self.steps.add(step)
        return places

    def shuffle(
        self, context: ProofContext, joint_key: Point, cards: Sequence[MaskedCard], entropy: Entropy
    ) -> tuple[bytes, bytes]:
        order = self._order(context.step, joint_key, cards)
        inputs = encode_cards(cards)
        nonces = HedgedNonces(entropy(32), context, inputs, entropy)
        factors = nonces.scalars(len(cards))
        outputs = tuple(remask(cards[place], factors[place], joint_key) for place in order)
        encoded = encode_cards(outputs)
        proof = prove_shuffle(
            context, joint_key, (inputs, encoded), (outputs, order, factors), nonces
        )
        return encoded, proof.encoded()


@contextmanager
def arranged(*tops: Sequence[Face]) -> Iterator[Arranged]:
    """Let all seats of this process shuffle so, for as long as a test runs."""
    before = ARGUMENTS["proved"]
    argument = Arranged(tops)
    ARGUMENTS["proved"] = argument
    try:
        yield argument
    finally:
        ARGUMENTS["proved"] = before


def stacked(hands: Sequence[str], then: str) -> list[Face]:
    """Return the top of a deck that deals these hands, from the dealer's left, and then these."""
    rows = [[Face(word) for word in hand.split()] for hand in hands]
    assert all(len(row) == 7 for row in rows)
    return [row[index] for index in range(7) for row in rows] + [Face(w) for w in then.split()]
