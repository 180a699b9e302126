"""The public state of one round, and what can be read from it. It knows no hidden card."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from unop2p.ids import Seat
from unop2p.rules.blanks import HandMove, Whom
from unop2p.rules.cards import (
    REVERSE,
    SKIP,
    Color,
    Face,
    Kind,
    blank_rule,
    copies,
    discards_color,
    effect_of,
    names_color,
    other_wilds,
)
from unop2p.rules.due import Due, RoundOver, Termination, TurnDue
from unop2p.rules.fits import answering, colored_fits, forbidding
from unop2p.rules.options import Options

__all__ = ["Attack", "Resume", "Round", "TurnPhase", "evolve"]


class TurnPhase(StrEnum):
    """Where within a turn the seat to move stands."""

    START = "start"
    """It may play or draw."""
    AFTER_DRAW = "after_draw"
    """It has drawn: it may play the drawn card only, or keep it."""
    ATTACKED = "attacked"
    """It may answer, challenge or accept."""
    COLOR = "color"
    """It names the color of the wild that was turned up."""


START: Final = TurnPhase.START
AFTER_DRAW: Final = TurnPhase.AFTER_DRAW
ATTACKED: Final = TurnPhase.ATTACKED


class Resume(StrEnum):
    """What follows once the owed cards are drawn."""

    NEW_TURN = "new_turn"
    SAME_TURN = "same_turn"
    """After a fine."""
    DRAWN = "drawn"
    """After a seat's own draw."""
    PLAYED = "played"
    """A fine came with a play."""
    REACTION = "reaction"
    """After a catch."""
    OPEN = "open"
    """After the last card."""


NEW_TURN: Final = Resume.NEW_TURN
DRAWN: Final = Resume.DRAWN
REACTION: Final = Resume.REACTION


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """What the seat to move has to face."""

    kind: Kind
    """Draw Two, Wild Draw Four, or a Skip or Reverse that may be answered."""
    cards: int
    """How many it would draw; 0 for a Skip or Reverse."""
    by: Seat
    forbidden: tuple[Face, ...] | None = None
    """What the attacker's hand must not have held; None where nobody may challenge."""
    hand_count: int = 0
    """Cards of the attacker's hand as the play left it."""
    prior_color: Color | None = None
    """The color that was in force before."""


@lru_cache(maxsize=1024)
def next_seats(
    players: tuple[Seat, ...], away: frozenset[Seat], direction: int
) -> Mapping[Seat, Seat]:
    """Return for each player who is next in turn order: not passed over; itself where all others are.

    Args:
        players: clockwise.
        away: who is passed over.
        direction: +1 or -1 along `players`.
    """
    found: dict[Seat, Seat] = {}
    for place, seat in enumerate(players):
        others = [
            players[(place + direction * far) % len(players)] for far in range(1, len(players))
        ]
        found[seat] = next((other for other in others if other not in away), seat)
    return found


@dataclass(frozen=True, kw_only=True)
class Round:
    """The public state of one round. Change it with `advance` only."""

    options: Options
    seat_count: int
    players: tuple[Seat, ...]
    """Seats that play this round, clockwise."""
    away: frozenset[Seat] = frozenset()
    """Passed over in turn order."""
    barred: frozenset[Seat] = frozenset()
    """Who cannot draw from the pile as it is."""
    debts: tuple[tuple[Seat, int], ...] = ()
    """What seats have to draw once they can."""
    dealer: Seat
    partners: tuple[Seat, ...] = ()
    """By seat, who sits opposite; empty where everybody plays alone."""
    turn: Seat
    """Who is to move; in a reaction, who would be next."""
    direction: int = 1
    """+1 or -1 along `players`."""
    hand_counts: tuple[int, ...]
    """Indexed by seat, 0 for those who do not play."""
    pile_count: int
    discards: tuple[Face, ...] = ()
    """The top last."""
    color: Color | None = None
    """In force; None only before the first discard, and while a turned-up wild has no color."""
    due: Due
    phase: TurnPhase = TurnPhase.START
    attack: Attack | None = None
    actor: Seat | None = None
    """Who played last; None before the first play."""
    catchable: frozenset[Seat] = frozenset()
    """Who holds one card, has not called, and may still be caught."""
    called: frozenset[Seat] = frozenset()
    """Who holds one card and has called."""
    dry: frozenset[tuple[Seat, Color]] = frozenset()
    """Who has drawn while a color was in force, and has not shown that color or got a hand's worth since.

    What everybody remembers of a table: whoever drew had likely nothing of that color. A play of the
    color ends it, and so do cards of a penalty and a hand that moves.
    """
    effect: HandMove = HandMove.STAY
    """What becomes of the hands once nobody reacts any more."""
    effect_target: Seat | None = None
    """The seat that its player has chosen."""
    owed: tuple[tuple[Seat, int], ...] = ()
    """Cards to draw before the round goes on."""
    resume: Resume = Resume.NEW_TURN
    idle: int = 0
    """Turns in a row in which nothing could be drawn."""
    fined: frozenset[Seat] = frozenset()
    """Who has paid for a foul in this turn."""
    fouled: bool = False
    """The last act was refused and fined."""
    ending: Termination | None = None

    @property
    def after_draw(self) -> bool:
        """Whether the seat to move has drawn, and may only play the drawn card or keep it."""
        return self.phase is AFTER_DRAW

    @property
    def top(self) -> Face | None:
        """The top of the discards; None before the first."""
        return self.discards[-1] if self.discards else None

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats that play and are not passed over, clockwise."""
        if not self.away:
            return self.players
        return tuple(seat for seat in self.players if seat not in self.away)

    @property
    def over(self) -> bool:
        """Whether nothing is due any more."""
        return isinstance(self.due, RoundOver)

    @property
    def attack_cards(self) -> int:
        """How many cards the seat to move faces."""
        return self.attack.cards if self.attack is not None else 0

    def next_seat(self, seat: Seat, direction: int | None = None) -> Seat:
        """Return the next seat in turn order that is not passed over."""
        if direction is None:
            direction = self.direction
        return next_seats(self.players, self.away, direction)[seat]

    def distance(self, seat: Seat) -> int:
        """Return how many seats lie from the seat in turn to another, in the direction of play."""
        gap = self.players.index(seat) - self.players.index(self.turn)
        return (gap * self.direction) % len(self.players)

    def around(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the active seats in the direction of play, from a seat's neighbor to itself."""
        found: list[Seat] = []
        current = seat
        for _ in self.active:
            current = self.next_seat(current)
            found.append(current)
        return tuple(found)

    def matches(self, face: Face) -> bool:
        """Return whether a colored card may lie on the top, by color, number or symbol."""
        return face in colored_fits(self.color, self.top, self.options.symbol_match)

    def colored_matches(self) -> tuple[Face, ...]:
        """Return every colored face that would be legal now."""
        fitting = colored_fits(self.color, self.top, self.options.symbol_match)
        return tuple(face for face in Face if face in fitting)

    def answerable(self) -> bool:
        """Return whether what is faced may be answered or challenged, by some hand."""
        attack = self.attack
        if attack is None:
            return False
        kind = attack.kind
        if kind is SKIP or kind is REVERSE or attack.forbidden is not None:
            return True
        return bool(self._answering())

    def answers(self, face: Face) -> bool:
        """Return whether a card answers the attack that is faced."""
        return face in self._answering()

    def _answering(self) -> frozenset[Face]:
        attack, options = self.attack, self.options
        if attack is None:
            return frozenset()
        stack = options.stack_on if options.stacking != "none" else ()
        return answering(attack.kind, self.color, stack)

    def jumpable(self) -> bool:
        """Return whether somebody could jump in on the top card (F9), as far as all can see."""
        if self.options.jump_in == "off":
            return False
        top = self.top
        if top is None or top.is_wild or self.actor is None or self.answerable():
            return False
        if self.options.jump_in == "numbers" and top.kind is not Kind.NUMBER:
            return False
        return copies(top, self.options) > self.discards.count(top)

    def effect_of(self, face: Face) -> HandMove:
        """Return what a card does to the hands."""
        return effect_of(face, self.options)

    def names_color(self, face: Face) -> bool:
        """Return whether who plays a card names the color in force."""
        return names_color(face, self.options)

    def discards_color(self, face: Face) -> bool:
        """Return whether who plays a card may put down all own cards of one color with it."""
        return discards_color(face, self.options)

    def asks_seat(self, face: Face, left: int) -> bool:
        """Return whether who plays a card, and then holds `left`, chooses another seat."""
        return self.chooses_seat(face) and not self.goes_out(face, left)

    def chooses_seat(self, face: Face) -> bool:
        """Return whether a card is for a chosen seat, unless it ends the round."""
        if face.kind is Kind.BLANK:
            return blank_rule(face, self.options).needs_seat
        return self.effect_of(face) is HandMove.SWAP

    def goes_out(self, face: Face, left: int) -> bool:
        """Return whether a play that leaves so many cards ends the round (F5)."""
        return not left and self.effect_of(face) is not HandMove.SHUFFLE

    def draws_of(self, face: Face, seat: Seat, target: Seat | None) -> tuple[tuple[Seat, int], ...]:
        """Return who draws how many by a blank card that a seat has played, in turn order."""
        if face.kind is not Kind.BLANK:
            return ()
        around = self.around(seat)
        owed = dict.fromkeys(around, 0)
        for whom, count in blank_rule(face, self.options).draws:
            hit = {Whom.NEXT: around[:1], Whom.OTHERS: around[:-1]}.get(whom, (target,))
            for other in hit:
                assert other is not None
                owed[other] += count
        return tuple((other, count) for other, count in owed.items() if count)

    def uno_due(self, face: Face, count: int, seat: Seat) -> bool:
        """Return whether a play leaves one card and the duty to call UNO (F6)."""
        return (
            self.options.uno_penalty > 0
            and self.hand_counts[seat] - count == 1
            and self.effect_of(face) is HandMove.STAY
        )

    def wd4_forbidden(self) -> tuple[Face, ...]:
        """Return the faces that a hand must not hold for a Wild Draw Four to be lawful now."""
        options = self.options
        condition = options.wd4_condition
        wilds = other_wilds(options) if condition == "no_other_playable" else ()
        return forbidding(condition, self.color, self.top, options.symbol_match, wilds)

    def text(self) -> str:
        """Return the position in one line."""
        top = f"{self.top}" if self.top is not None else "-"
        if self.top is not None and self.top.is_wild and self.color is not None:
            top += f":{self.color.value}"
        hands = " ".join(
            f"{seat}{'*' if seat == self.turn else ''}={self.hand_counts[seat]}"
            for seat in self.players
        )
        arrow = ">" if self.direction == 1 else "<"
        faces = f" attack={self.attack.cards}" if self.attack is not None else ""
        asked = type(self.due).__name__
        if isinstance(self.due, TurnDue):
            asked += f"({self.phase})"
        return f"top={top} {arrow} {hands} pile={self.pile_count}{faces} due={asked}"


# A default that stays behind on the class makes every look at that field several times as dear, for
# the interpreter then asks the class first. The fields keep their defaults without it.
for _field in fields(Round):
    if _field.default is not MISSING:
        delattr(Round, _field.name)

if TYPE_CHECKING:
    from dataclasses import replace as evolve
else:
    _new, _set = object.__new__, object.__setattr__

    def evolve(round_: Round, **changes: object) -> Round:
        """Return a round with some fields changed, as `dataclasses.replace` does.

        A round changes a few times in every move. To copy its dict is several times as fast as to
        set each of its fields anew, which a frozen dataclass with slots needs.
        """
        changed = _new(Round)
        _set(changed, "__dict__", round_.__dict__ | changes)
        return changed


def with_own_dict(round_: Round) -> Round:
    """Return a round whose fields, and those of all that come of it, are quick to look up.

    What `__init__` makes shares the names of its fields with the class, and so do copies of it; where
    the interpreter remembers the place of a field (Python 3.11), it finds no value there.
    """
    object.__setattr__(round_, "__dict__", {**round_.__dict__})
    return round_
