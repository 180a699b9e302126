"""One round as everybody sees it, and the one function that moves it on.

The state knows no hidden card: hands are numbers of cards. `advance(round, fact)` is the only transition;
what it refuses leaves the round as it was. Rulings F1 to F12 are those of the rules page.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face, deck_for
from unop2p.rules.due import Due, TurnUpFirstCard
from unop2p.rules.options import Options

HAND_CARDS = 7


class Then(StrEnum):
    """What follows once cards were dealt."""

    AFTER_DRAW = "after_draw"
    NEXT_TURN = "next_turn"
    SAME_TURN = "same_turn"
    """The turn goes on as it stood: after a fine, or where a challenge was upheld."""
    EFFECT = "effect"
    """A caught seat has drawn: the window goes on, or the card takes effect."""
    OPEN_HANDS = "open_hands"


class Threat(StrEnum):
    """What an attack does to who accepts it."""

    DRAW = "draw"
    SKIP = "skip"
    REVERSE = "reverse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """The effect of the top card, pending on the seat in turn."""

    by: Seat
    cards: int
    """To draw; 0 for a Skip or Reverse."""
    threat: Threat


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A Wild Draw Four that can be challenged: what lay there before it."""

    by: Seat
    color_before: Color | None
    hand_count: int
    """Cards of its player right after the play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The public state of one round."""

    options: Options
    seat_count: int
    players: tuple[Seat, ...]
    """Who plays this round, clockwise."""
    away: frozenset[Seat]
    """Passed over in turn order."""
    dealer: Seat
    turn: Seat
    direction: int
    """+1 clockwise, -1 not."""
    hand_counts: tuple[int, ...]
    """By seat; 0 for who does not play."""
    pile_count: int
    discards: tuple[Face, ...]
    """The top last."""
    color: Color | None
    """The color in force; None while a turned-up Wild waits for its color."""
    due: Due
    attack: Attack | None = None
    doubt: Doubt | None = None
    after_draw: bool = False
    """The seat in turn has drawn: it may play that card alone, or pass."""
    choosing: bool = False
    """The seat in turn names the color of a turned-up Wild."""
    catchable: frozenset[Seat] = frozenset()
    called: frozenset[Seat] = frozenset()
    """Seats with one card whose UNO call stands."""
    fouled: bool = False
    """The seat in turn has paid a fine in this turn."""
    idle: int = 0
    """Turns in a row in which nobody could play or draw."""
    played: tuple[Face, ...] = ()
    """The cards of the last play, while their effect is still to come."""
    target: Seat | None = None
    """Whom the last play named."""
    actor: Seat | None = None
    """Who made the last play."""
    then: Then = Then.NEXT_TURN
    draws: tuple[tuple[Seat, int], ...] = ()
    """What is owed once the pile was shuffled."""

    @property
    def top(self) -> Face:
        """The top of the discard pile."""
        return self.discards[-1]

    def seat_after(self, seat: Seat, steps: int = 1) -> Seat:
        """Return the seat that is `steps` turns after another one in the direction of play."""
        order = [player for player in self.players if player not in self.away or player == seat]
        return order[(order.index(seat) + steps * self.direction) % len(order)]

    def neighbors(self, seat: Seat) -> Iterator[Seat]:
        """Yield all other players, beginning with the next in the direction of play."""
        for steps in range(1, len(self.players)):
            index = (self.players.index(seat) + steps * self.direction) % len(self.players)
            yield self.players[index]

    def with_hand(self, seat: Seat, change: int) -> tuple[int, ...]:
        """Return the hand counts with one changed."""
        counts = list(self.hand_counts)
        counts[seat] += change
        assert counts[seat] >= 0
        return tuple(counts)

    def text(self) -> str:
        """Return the position on one line."""
        top = str(self.discards[-1]) if self.discards else "-"
        color = self.color or "-"
        hands = " ".join(f"{seat}:{self.hand_counts[seat]}" for seat in self.players)
        way = "cw" if self.direction == 1 else "ccw"
        return f"top {top} {color}, turn {self.turn} {way}, hands {hands}, pile {self.pile_count}"


def start_round(
    options: Options,
    *,
    seat_count: int,
    players: tuple[Seat, ...],
    dealer: Seat,
    away: frozenset[Seat] = frozenset(),
) -> Round:
    """Return a round whose hands were dealt and whose first card is to be turned up.

    Args:
        options: of the table.
        seat_count: seats of the table.
        players: who plays, clockwise; the dealer among them.
        dealer: who deals.
        away: who is passed over.
    """
    counts = [HAND_CARDS if Seat(seat) in players else 0 for seat in range(seat_count)]
    first = players[(players.index(dealer) + 1) % len(players)]
    return Round(
        options=options,
        seat_count=seat_count,
        players=players,
        away=away,
        dealer=dealer,
        turn=first,
        direction=1,
        hand_counts=tuple(counts),
        pile_count=len(deck_for(options)) - sum(counts),
        discards=(),
        color=None,
        due=TurnUpFirstCard(),
    )
