"""What the network is told of a move, from what a player may see; `layout.py` says where it stands.

`batch_features.py` says the same of many training rounds at once, and tests hold the two together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from unop2p.bots import layout as at
from unop2p.bots.kinds import COLORED, COLORS, KIND_OF, KINDS, RANK_OF, RANKS, WD4
from unop2p.ids import Seat
from unop2p.rules.cards import Face, deck_for, points
from unop2p.rules.moves import Accept, Challenge, Draw, Move, NameColor, Pass, Play
from unop2p.rules.options import Options
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.view import PlayerView

INDEX_OF: Final = {color: place for place, color in enumerate(COLORS)}
_OTHERS: Final[dict[type[Move], int]] = {
    Draw: at.DRAW,
    Pass: at.KEEP,
    Challenge: at.CHALLENGE,
    Accept: at.ACCEPT,
    NameColor: at.NAME,
}


def counted(faces: Sequence[Face]) -> list[int]:
    """Return how many there are of each kind."""
    found = [0] * KINDS
    for face in faces:
        found[KIND_OF[face]] += 1
    return found


@dataclass(slots=True)
class Sight:
    """What the moves of one decision have in common."""

    view: PlayerView
    hand: list[int] = field(init=False)
    unseen: list[int] = field(init=False)
    unseen_colors: list[int] = field(init=False)
    unseen_total: int = field(init=False)

    def __post_init__(self) -> None:
        """Count the cards."""
        state = self.view.round
        self.hand = counted(self.view.hand)
        seen = counted(state.discards)
        total = _totals(self.view.round.options)
        self.unseen = [
            max(whole - own - gone, 0)
            for whole, own, gone in zip(total, self.hand, seen, strict=True)
        ]
        self.unseen_colors = [
            sum(self.unseen[first : first + RANKS]) for first in range(0, COLORED, RANKS)
        ]
        self.unseen_total = max(sum(self.unseen), 1)


@lru_cache(maxsize=64)
def _totals(options: Options) -> tuple[int, ...]:
    return tuple(counted(deck_for(options)))


def describe(sight: Sight, move: Move) -> list[float]:
    """Return the features of a move, `layout.SIZE` numbers."""
    state, seat = sight.view.round, sight.view.seat
    hand = list(sight.hand)
    now = INDEX_OF[state.color] if state.color is not None else 0
    color, top = now, KIND_OF[state.discards[-1]]
    sort, way, kind = _OTHERS.get(type(move), at.NUMBER), state.direction, -1
    again = isinstance(move, NameColor | Challenge | Draw)
    if isinstance(move, NameColor):
        color = INDEX_OF[move.color]
    elif isinstance(move, Play):
        face = move.cards[0]
        for card in move.cards:
            hand[KIND_OF[card]] -= 1
        top = kind = KIND_OF[face]
        named = move.color or face.color
        color = INDEX_OF[named] if named is not None else now
        rank = RANK_OF[kind]
        sort = at.WILD + kind - COLORED if rank < 0 else max(rank - 9, 0)
        if rank == 11:
            way = -way
        again = rank >= 10 and len(state.active) == 2
    counts = [sum(hand[first : first + RANKS]) for first in range(0, COLORED, RANKS)]
    order = sorted(range(4), key=lambda c: -1000 if c == color else c - 4 * counts[c])
    found: list[float] = []
    for c in order:
        found += [count * 0.5 for count in hand[c * RANKS : c * RANKS + RANKS]]
    found += [count * 0.5 for count in hand[COLORED:]]
    found += [counts[c] * 0.25 for c in order]
    found += [float(not counts[c]) for c in order]
    size = len(sight.view.hand) - (len(move.cards) if isinstance(move, Play) else 0)
    held = [0.0] * 8
    held[min(size, 7)] = 1.0
    found += held
    found.append(size * 0.1)
    found.append(_points(sight.view, hand) * 0.01)
    found += _top(hand, counts, color, top)
    sorts = [0.0] * at.TYPES
    sorts[sort] = 1.0
    found += sorts
    found.append(float(kind == WD4 and _has(hand, now)))
    found.append(float(again))
    found += _rivals(state, seat, way, order)
    found += _unseen(sight, color, top, order)
    found.append(_stuck(sight, color, top, way))
    found += _attack(sight)
    seats = len(state.active)
    found += [float(seats == 2), float(seats == 3), float(seats == 4), seats * 0.1]
    return found


def _has(hand: list[int], color: int) -> bool:
    return any(hand[color * RANKS : color * RANKS + RANKS])


def _points(view: PlayerView, hand: list[int]) -> int:
    options = view.round.options
    return sum(count * points(face, options) for face, count in _by_face(view, hand))


def _by_face(view: PlayerView, hand: list[int]) -> list[tuple[Face, int]]:
    found: list[tuple[Face, int]] = []
    for face in dict.fromkeys(view.hand):
        count = hand[KIND_OF[face]]
        if count:
            found.append((face, min(count, view.hand.count(face))))
    return found


def _top(hand: list[int], counts: list[int], color: int, top: int) -> list[float]:
    rank = RANK_OF[top]
    ranks = [0.0] * (RANKS + 1)
    ranks[rank if rank >= 0 else RANKS] = 1.0
    links = _links(hand, color, rank)
    return [*ranks, (counts[color] + links) * 0.25, links * 0.5]


def _links(cards: list[int], color: int, rank: int) -> int:
    """Count the cards of a rank in the other colors."""
    if rank < 0:
        return 0
    return sum(cards[c * RANKS + rank] for c in range(4) if c != color)


def _around(state: Round, seat: Seat, way: int) -> list[Seat]:
    found: list[Seat] = []
    current = seat
    for _ in range(len(state.active) - 1):
        current = state.next_seat(current, way)
        found.append(current)
    return found


def _rivals(state: Round, seat: Seat, way: int, order: list[int]) -> list[float]:
    around = _around(state, seat, way)
    sizes = [state.hand_counts[other] for other in around]
    found: list[float] = []
    for other, count in zip(around[:3], sizes, strict=False):
        found += [1.0, count / 7, float(count == 1), float(count == 2), float(count == 3)]
        found += [float((other, COLORS[c]) in state.dry) for c in order]
    found += [0.0] * (3 * at.RIVAL_SIZE - len(found))
    return [*found, min(sizes) / 7, sum(sizes) / (7 * len(sizes)), sizes[-1] / 7]


def _unseen(sight: Sight, color: int, top: int, order: list[int]) -> list[float]:
    links = _links(sight.unseen, color, RANK_OF[top])
    return [
        *[sight.unseen_colors[c] * 0.04 for c in order],
        *[count * 0.25 for count in sight.unseen[COLORED:]],
        links * 0.125,
        sight.view.round.pile_count * 0.01,
    ]


def _stuck(sight: Sight, color: int, top: int, way: int) -> float:
    state = sight.view.round
    fitting = (
        sight.unseen_colors[color]
        + _links(sight.unseen, color, RANK_OF[top])
        + sum(sight.unseen[COLORED:])
    )
    after = state.next_seat(sight.view.seat, way)
    return (1 - min(fitting / sight.unseen_total, 1.0)) ** state.hand_counts[after]


def _attack(sight: Sight) -> list[float]:
    state = sight.view.round
    attack = state.attack
    if state.phase is not TurnPhase.ATTACKED or attack is None or attack.prior_color is None:
        return [0.0] * 4
    share = sight.unseen_colors[INDEX_OF[attack.prior_color]] / sight.unseen_total
    left = state.hand_counts[attack.by]
    dry = (attack.by, attack.prior_color) in state.dry
    return [share, left / 7, float(dry), 1 - (1 - share) ** left]
