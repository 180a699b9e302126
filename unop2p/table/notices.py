"""What a player is told: each settled event of the game and each thing that a person should know."""

from dataclasses import dataclass

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.due import RoundOutcome
from unop2p.rules.moves import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatJoined:
    """Somebody sat down in the lobby."""

    name: str
    bot: bool
    fingerprint: str
    seats_taken: int
    seats_wanted: int
    level: str = ""
    """Of a bot that says what it is."""
    version: str = ""
    owner: str = ""
    """The fingerprint of who stands up for the bot, if anybody does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReady:
    """Somebody in the lobby wants the table to begin, or to wait."""

    name: str
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBegan:
    """The genesis is there."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerDrawn:
    """The coin has given turn order and dealer."""

    order: tuple[Seat, ...]
    dealer: Seat
    laps: tuple[tuple[tuple[Seat, Face], ...], ...]
    """The cards drawn for the dealer, lap by lap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan:
    """A new round: keys are being made."""

    number: int
    dealer: Seat
    proved: bool = True
    """Not so where shuffles are replayed after the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatShuffled:
    """A seat has shuffled, and what can be checked of it by now was."""

    seat: Seat
    done: int
    total: int
    cards: int
    proved: bool = True
    """Not so where shuffles are replayed after the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCard:
    """The first discard was turned up."""

    face: Face


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveMade:
    """A turn move or a winning reaction was settled."""

    seat: Seat
    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveVoid:
    """A reaction that lost: it counts as not made (a card that it showed stays in hand)."""

    seat: Seat
    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchKept:
    """Our own catch came early: it is said as soon as the seat can be caught."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchDropped:
    """Our own early catch has come to nothing."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn:
    """Cards were dealt from the pile."""

    seat: Seat
    count: int
    faces: tuple[Face, ...]
    """Which, for one's own; empty for others'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PileShuffled:
    """The pile was shuffled anew."""

    cards: int
    proved: bool = True
    """Not so where shuffles are replayed after the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeSettled:
    """The challenge was answered: by a proof (innocent), or by a card (guilty)."""

    accused: Seat
    shown: Face | None
    silent: bool = False
    """The accused was not there to answer, which counts as guilty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsMoved:
    """Hands were passed on or shuffled together."""

    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnIs:
    """It is a seat's turn."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class DealDoubted:
    """A card of the round cannot be: the round ends, and its shuffles are replayed."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflesReplayed:
    """Every seat has shown its shuffle seed, and every shuffle of the round is what it gives."""

    steps: int
    """How many shuffle steps the round had."""
    seats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoid:
    """The round does not count; it is dealt anew, as the next, and nobody scores."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    """A round was scored."""

    number: int
    outcome: RoundOutcome
    hands: tuple[tuple[Face, ...], ...]
    totals: tuple[int, ...]
    unopened: tuple[Seat, ...] = ()
    """Whose hand nobody has opened: each of its cards counts as the dearest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded:
    """The match is over."""

    winners: tuple[Seat, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The open step has lacked these seats' word for a while."""

    seats: tuple[Seat, ...]
    since_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAway:
    """A step has closed without a seat: it is passed over, and its hand is kept."""

    seat: Seat
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatBack:
    """A seat that was away plays again."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    """A seat has left for good."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatExpelled:
    """A seat is out for good: it was proved to have broken the protocol."""

    seat: Seat
    step: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSaid:
    """Somebody said something."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryForked:
    """Two different closes of a step had settled: all from it on is void, and a new round begins."""

    step: int
    seats: tuple[Seat, ...]
    """Through whom; they are expelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultProved:
    """A seat's own signature proves that it broke the protocol."""

    seat: Seat
    step: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """Something that a person should know: a changed key, a lost connection, a played-for turn."""

    text: str


Notice = (
    SeatJoined
    | SeatReady
    | TableBegan
    | DealerDrawn
    | RoundBegan
    | SeatShuffled
    | FirstCard
    | MoveMade
    | MoveVoid
    | CatchKept
    | CatchDropped
    | CardsDrawn
    | PileShuffled
    | ChallengeSettled
    | HandsMoved
    | TurnIs
    | DealDoubted
    | ShufflesReplayed
    | RoundVoid
    | RoundEnded
    | MatchEnded
    | Waiting
    | SeatAway
    | SeatBack
    | SeatLeft
    | SeatExpelled
    | ChatSaid
    | HistoryForked
    | FaultProved
    | Warned
)
