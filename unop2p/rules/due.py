"""What a round asks of the table next: a closed union of small values."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from unop2p.ids import SEATS_MAX, Seat
from unop2p.rules.cards import Face


class Termination(StrEnum):
    """How a round ended."""

    WENT_OUT = "went_out"
    BLOCKED = "blocked"
    """A full lap passed with nobody able to play or draw (F4)."""
    VOID = "void"
    """Broken off; nobody scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOutcome:
    """What a round came to."""

    termination: Termination
    winner: Seat | None
    """Who went out; None unless somebody did."""
    points: tuple[int, ...]
    """Scored in this round, by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUpFirstCard:
    """The top of the pile is opened. Answered by `CardTurned`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuryFirstCard:
    """The turned-up card goes back into the pile. Answered by `CardBuried`."""

    depth: int
    """How many cards come to lie above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflePile:
    """Cards are shuffled. Answered by `PileShuffled`."""

    first_card: bool
    """True: the turned-up card goes back, and the whole pile is shuffled with it.

    False: the discards below the top are shuffled and go under what is left of the pile.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDue:
    """A seat makes a move. Answered by `Acted`."""

    seat: Seat


TURNS: Final = tuple(TurnDue(seat=Seat(seat)) for seat in range(SEATS_MAX))
"""That a seat makes a move, by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionDue:
    """Somebody may react to a play before its effect. Answered by `Reacted`."""

    actor: Seat
    """Who played."""


REACTIONS: Final = tuple(ReactionDue(actor=Seat(seat)) for seat in range(SEATS_MAX))
"""That somebody may react, by who played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCards:
    """Cards are taken from the pile, which has enough. Answered by `CardsDealt`."""

    draws: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChallenge:
    """The accused of a Wild Draw Four answers for the hand. Answered by `ChallengeAnswered`."""

    accused: Seat
    forbidden: tuple[Face, ...]
    """Faces that the hand must not have held."""
    hand_count: int
    """Cards of the hand as the play left it; cards got since stand behind them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassHands:
    """Whole hands move. Answered by `HandsPassed`."""

    moves: tuple[tuple[Seat, Seat], ...]
    """(from, to)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleHands:
    """All hands are shuffled together and dealt again. Answered by `HandsShuffled`."""

    player: Seat
    counts: tuple[tuple[Seat, int], ...]
    """What each gets, dealt one by one in this order: from the player's next neighbor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHands:
    """The round is decided: the hands that are left are opened. Answered by `HandsOpened`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOver:
    """Nothing is due any more."""

    outcome: RoundOutcome


Due = (
    TurnUpFirstCard
    | BuryFirstCard
    | ShufflePile
    | TurnDue
    | ReactionDue
    | DealCards
    | AnswerChallenge
    | PassHands
    | ShuffleHands
    | OpenHands
    | RoundOver
)
