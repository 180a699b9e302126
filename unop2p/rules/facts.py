"""What has happened: the answers to what a round asks (see `due.py`)."""

from dataclasses import dataclass

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.moves import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTurned:
    """The first discard was opened."""

    face: Face


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBuried:
    """The turned-up card lies in the pile again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PileShuffled:
    """The shuffle that was due is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A seat has made a move."""

    seat: Seat
    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Reacted:
    """Everybody has reacted or passed."""

    moves: tuple[tuple[Seat, Move], ...]
    """The reactions, in any order, passes left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt:
    """The cards that were due are in their hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeAnswered:
    """The accused has shown a forbidden card, or proved to hold none."""

    shown: Face | None
    """None: innocent."""
    silent: bool = False
    """The accused is not there to answer: that is guilt, and no card is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsPassed:
    """The hands are with their new holders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsShuffled:
    """The hands were shuffled and dealt again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsOpened:
    """The hands that were left at the end."""

    hands: tuple[tuple[Face, ...], ...]
    """By seat."""
    unopened: frozenset[Seat] = frozenset()
    """Who is not there to open a hand: each of its cards counts as much as the dearest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged:
    """Somebody has gone away, or is back. It answers nothing, and may come at any time."""

    away: frozenset[Seat]
    """Who is passed over now."""
    barred: frozenset[Seat]
    """Who cannot draw from the pile as it is: what they have to draw is owed."""
    pile_count: int
    """Cards that those who are there can draw."""


Fact = (
    CardTurned
    | CardBuried
    | PileShuffled
    | Acted
    | Reacted
    | CardsDealt
    | ChallengeAnswered
    | HandsPassed
    | HandsShuffled
    | HandsOpened
    | PresenceChanged
)
