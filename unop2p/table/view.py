"""What one seat, or a spectator, may see of a table: one pure value, made anew for each look."""

from dataclasses import dataclass
from enum import StrEnum

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.match import Match
from unop2p.rules.moves import Move
from unop2p.rules.options import Options
from unop2p.rules.round import Round
from unop2p.rules.view import PlayerView
from unop2p.table.phases import Phase


class Stage(StrEnum):
    """Where a table stands, in the words that a person needs."""

    LOBBY = "lobby"
    """Seats are being taken."""
    DEALING = "dealing"
    """Keys, shuffles and hands of a round are being made."""
    PLAYING = "playing"
    SCORING = "scoring"
    OVER = "over"
    """The match has ended."""
    STOPPED = "stopped"
    """A fault was proved, or the table ended early; `TableView.reason` says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One place at the table."""

    seat: Seat
    name: str
    bot: bool
    fingerprint: str
    """The seat's key as a person compares it, as `unop2p id` shows it."""
    hand_count: int
    total: int
    """Match points before this round."""
    heard_ms: int | None
    """How long ago this seat was last heard, None if never or for oneself."""
    due: bool
    """The step that is open still lacks this seat's word."""
    uno: bool
    """Holds one card and has called it."""
    catchable: bool
    ready: bool = True
    """In the lobby: wants the table to begin."""
    level: str = ""
    """Of a bot that says what it is."""
    version: str = ""
    owner: str = ""
    """The fingerprint of who stands up for the bot, if anybody does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleProgress:
    """How far the shuffle that is going on has come."""

    done: tuple[Seat, ...]
    """Who has shuffled and proved, in order."""
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealView:
    """How far the deal of a round has come, and what each seat has shown for it."""

    phase: Phase
    done: tuple[Seat, ...]
    """Whose piece of the open step is here, with its proofs checked by this peer."""
    owing: tuple[Seat, ...]
    """Who owes a piece of the open step."""
    proved: bool
    """Shuffles carry proofs; else they are done again after the round."""
    shuffled: tuple[Seat, ...]
    """Who has shuffled the whole deck of this round, in order; empty until all have."""
    cards: int
    """In the deck."""
    fresh: int
    """Cards shuffled anew since: piles of discards, hands that moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """All that one seat may see. A spectator's has `seat` None and no `player`."""

    stage: Stage
    seat: Seat | None
    seats: tuple[SeatView, ...]
    """By seat index; in the lobby those that have joined so far."""
    order: tuple[Seat, ...]
    """Turn order, clockwise; empty before the first coin."""
    options: Options
    seats_wanted: int
    step: int
    round_number: int
    """Counted from 1; 0 before the first."""
    match: Match | None
    round: Round | None
    hand: tuple[Face, ...]
    """One's own cards, in the order they came; empty for a spectator."""
    drawn: Face | None
    """The card just drawn, while it alone may be played."""
    legal: tuple[Move, ...]
    """What this seat may do now; empty when it is not asked."""
    my_turn: bool
    """The open step waits for this seat's own move (turn), not only for its assent."""
    my_reaction: bool
    """A reaction of this seat may still be said."""
    deadline_ms: int | None
    """Milliseconds left of the turn time or the reaction window, for whom `waiting_for` names."""
    waiting_for: tuple[Seat, ...]
    """Whose word the open step lacks."""
    shuffle: ShuffleProgress | None
    player: PlayerView | None
    """The view that bots get; None unless a round is on and this seat plays."""
    reason: str
    """Why the table stopped, else empty."""
    rules_lines: tuple[str, ...]
    """The rules in force, in plain sentences, what differs from `official` first."""

    resilience: int = 0
    """For how many absent seats the others can stand in."""
    hints: bool = True
    """Whether the table lets a person be told what a bot would play."""
    deal: DealView | None = None
    """Of the round; None before the table has begun."""
    patience_ms: int | None = None
    """Milliseconds until those whom `waiting_for` names are left out; None where nobody can be."""

    def name(self, seat: Seat) -> str:
        """Return the name of a seat."""
        return self.seats[seat].name


def looked_on(  # what everybody sees
    *,
    stage: Stage,
    seat: Seat | None,
    seats: tuple[SeatView, ...],
    order: tuple[Seat, ...],
    options: Options,
    seats_wanted: int,
    step: int,
    round_number: int,
    match: Match | None,
    round: Round | None,  # noqa: A002  # as the view calls it
    rules_lines: tuple[str, ...],
    reason: str = "",
    hints: bool = True,
    resilience: int = 0,
) -> TableView:
    """Return the view of who only looks on: it holds no hand, and is asked for nothing."""
    return TableView(
        stage=stage,
        seat=seat,
        seats=seats,
        order=order,
        options=options,
        seats_wanted=seats_wanted,
        step=step,
        round_number=round_number,
        match=match,
        round=round,
        hand=(),
        drawn=None,
        legal=(),
        my_turn=False,
        my_reaction=False,
        deadline_ms=None,
        waiting_for=(),
        shuffle=None,
        player=None,
        reason=reason,
        hints=hints,
        resilience=resilience,
        rules_lines=rules_lines,
    )
