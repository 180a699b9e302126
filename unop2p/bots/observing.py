"""A view and a move as numbers of fixed shape, for learning in whatever framework."""

from collections.abc import Sequence
from typing import Final

from unop2p.ids import SEATS_MAX, Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Challenge,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
)
from unop2p.rules.position import TurnPhase
from unop2p.rules.view import PlayerView

FACES: Final = tuple(Face)
COLORS: Final = tuple(Color)
_PHASES: Final = tuple(TurnPhase)

VIEW_FEATURES: Final = 3 * len(FACES) + len(COLORS) + 7 * SEATS_MAX + len(_PHASES) + 6
"""Of a view: own cards, discards and the top, each by face; the color; of each seat, from the own on,
whether it plays, its cards, its points, whether it is to move, has called, may be caught, is the partner;
the phase; whether this is a reaction, direction, cards of the attack and the pile, rounds, target."""

_NAMED: Final = len(COLORS) + 1
_MEANT: Final = SEATS_MAX
_PLAYS: Final = len(FACES) * _NAMED * _MEANT * 2
_OTHERS: Final = (Draw, Pass, CallUNO, Challenge, Accept)
_CATCHES: Final = _PLAYS + len(_OTHERS)
_NAMES: Final = _CATCHES + SEATS_MAX
LET_PASS: Final = _NAMES + len(COLORS)
"""The action that says nothing in a reaction."""
ACTIONS: Final = LET_PASS + 1
"""How many actions there are, by any rules and for any number of seats."""


def seat_place(view: PlayerView, seat: Seat) -> int:
    """Return how many places clockwise of the own seat another sits."""
    order = view.match.order
    return (order.index(seat) - order.index(view.seat)) % len(order)


def action_of(view: PlayerView, move: Move | None) -> int:
    """Return the number of a move, 0 to `ACTIONS` - 1; seats count from the own, clockwise.

    A play with a call and one without have the same; and so have all plays of a blank along with others.
    """
    match move:
        case None:
            return LET_PASS
        case Play(cards=cards, color=color, target=target):
            named = 0 if color is None else 1 + COLORS.index(color)
            meant = 0 if target is None else seat_place(view, target)
            face = FACES.index(cards[0])
            return ((face * _NAMED + named) * _MEANT + meant) * 2 + (len(cards) > 1)
        case Catch(seat=seat):
            return _CATCHES + seat_place(view, seat)
        case NameColor(color=color):
            return _NAMES + COLORS.index(color)
        case _:
            return _PLAYS + _OTHERS.index(type(move))


def actions_of(view: PlayerView, legal: Sequence[Move]) -> dict[int, Move | None]:
    """Return what may be done, by number: with the call where one may be made, and most cards."""
    found: dict[int, Move | None] = {}
    for move in legal:
        number = action_of(view, move)
        known = found.get(number)
        if (
            isinstance(move, Play)
            and isinstance(known, Play)
            and (move.uno, len(move.cards)) < (known.uno, len(known.cards))
        ):
            continue
        found[number] = move
    if isinstance(view.round.due, ReactionDue):
        found[LET_PASS] = None
    return found


def view_numbers(view: PlayerView) -> list[float]:
    """Return a view as `VIEW_FEATURES` numbers: counts as they are, points in hundreds."""
    state, match = view.round, view.match
    order, partners = match.order, state.partners
    first = order.index(view.seat)
    around = [*order[first:], *order[:first]]
    numbers: list[float] = [*_counts(view.hand), *_counts(state.discards)]
    numbers += _counts(state.discards[-1:])
    numbers += [float(state.color is color) for color in COLORS]
    for seat in around:
        numbers += [
            float(seat in state.active),
            float(state.hand_counts[seat]),
            match.totals[seat] / 100,
            float(seat == state.turn),
            float(seat in state.called),
            float(seat in state.catchable),
            float(bool(partners) and partners[view.seat] == seat),
        ]
    numbers += [0.0] * (7 * (SEATS_MAX - len(around)))
    numbers += [float(state.phase is phase) for phase in _PHASES]
    return [
        *numbers,
        float(isinstance(state.due, ReactionDue)),
        float(state.direction),
        float(state.attack_cards),
        float(state.pile_count),
        float(match.rounds_played),
        match.options.target / 100,
    ]


def _counts(cards: Sequence[Face]) -> list[float]:
    counts = dict.fromkeys(FACES, 0.0)
    for card in cards:
        counts[card] += 1.0
    return list(counts.values())
