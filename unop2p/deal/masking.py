"""Masked cards: ElGamal under the joint key, one point for each face (protocol section 3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unop2p.deal.group import (
    POINT_BYTES,
    Point,
    add,
    base_mul,
    decode_points,
    hash_to_point,
    mul,
    sub,
    sum_points,
)

CARD_BYTES = 2 * POINT_BYTES


@dataclass(frozen=True, slots=True)
class MaskedCard:
    """A card that nobody can read without every share: (rG, M + rX)."""

    c1: Point
    c2: Point


class VerifiedDeck(tuple[MaskedCard, ...]):
    """Cards whose shuffle was checked, or that everybody computes alike: these alone are dealt from.

    Made by what has checked them, and by nobody else.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class UnverifiedDeck:
    """Cards as they came: points that can be read, and nothing more is known of them.

    Not a sequence of cards, so that no share of one is given by mistake. They may be shuffled on, or
    a shuffle of them be checked, before their own was: nothing is dealt before all are.
    """

    _cards: tuple[MaskedCard, ...]

    def as_inputs(self) -> tuple[MaskedCard, ...]:
        """Return the cards as what the next shuffle starts from."""
        return self._cards

    def trusted(self) -> VerifiedDeck:
        """Return them as checked: our own work, or what our journal holds because we checked it."""
        return VerifiedDeck(self._cards)


class FaceTable:
    """The faces of a deck as points whose logarithms nobody knows."""

    def __init__(self, labels: Sequence[str]) -> None:
        """Hash every label to the group."""
        self._points = {label: hash_to_point("face", label.encode()) for label in labels}
        self._labels = {point.encoded: label for label, point in self._points.items()}
        assert len(self._labels) == len(self._points)

    def point(self, label: str) -> Point:
        """Return the point of a face."""
        return self._points[label]

    def find(self, point: Point) -> str | None:
        """Return the face of a point, or None where it is none."""
        return self._labels.get(point.encoded)


def trivial_cards(faces: Sequence[Point], joint_key: Point) -> VerifiedDeck:
    """Return faces masked with randomness 1: (G, M + X), the same for everybody."""
    base = base_mul(1)
    return VerifiedDeck(MaskedCard(base, add(face, joint_key)) for face in faces)


def remask(card: MaskedCard, factor: int, joint_key: Point) -> MaskedCard:
    """Mask again: (c1 + rG, c2 + rX)."""
    return MaskedCard(add(card.c1, base_mul(factor)), add(card.c2, mul(factor, joint_key)))


def open_card(card: MaskedCard, shares: Iterable[Point]) -> Point:
    """Return c2 minus all shares: the face's point, if every share is there and right."""
    return sub(card.c2, sum_points(shares))


def encode_cards(cards: Iterable[MaskedCard]) -> bytes:
    """Return 64 bytes a card."""
    return b"".join(card.c1.encoded + card.c2.encoded for card in cards)


def decode_cards(data: bytes, count: int) -> tuple[MaskedCard, ...]:
    """Read `count` cards.

    Raises:
        MalformedError: another length, an invalid point, or the identity anywhere.
    """
    points = decode_points(data, 2 * count)
    return tuple(MaskedCard(points[2 * index], points[2 * index + 1]) for index in range(count))
