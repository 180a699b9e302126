"""What the network is told of a move, for many rounds at once; `features.py` says the same of a view."""

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from unop2p.bots import layout as at
from unop2p.bots.batch import ATTACKED, COLOR, DRAWN, KIND_POINTS, Bools, Ints
from unop2p.bots.kinds import (
    COLOR_OF,
    COLORED,
    DRAW,
    DRAW_TWO_RANK,
    KINDS,
    RANK_OF,
    RANKS,
    REVERSE_RANK,
    SKIP_RANK,
    WD4,
)

Floats = NDArray[np.float32]

_KIND: Final = np.array(
    [*range(COLORED), *(COLORED + place // 4 for place in range(16)), -1, -1, -1], dtype=np.int64
)
"""By action: the kind that is played, or -1."""
_RANK: Final = np.array([*(RANK_OF[kind] for kind in range(COLORED)), *[-1] * 19], dtype=np.int64)
_NAMED: Final = np.array(
    [*(COLOR_OF[kind] for kind in range(COLORED)), *[0, 1, 2, 3] * 4, -1, -1, -1], dtype=np.int64
)
"""By action: the color that it brings, or -1."""
_TYPE: Final = np.array(
    [
        *(max(RANK_OF[kind] - 9, 0) for kind in range(COLORED)),
        *(at.WILD + place // 4 for place in range(16)),
        at.DRAW,
        at.CHALLENGE,
        at.ACCEPT,
    ],
    dtype=np.int64,
)
_ADD: Final = np.zeros((KINDS, 20), dtype=np.float32)
"""Adds up a hand: cards by color (4), colored cards by rank (13), all cards, points, wilds."""
for _kind in range(KINDS):
    if _kind < COLORED:
        _ADD[_kind, COLOR_OF[_kind]] = 1
        _ADD[_kind, 4 + RANK_OF[_kind]] = 1
    else:
        _ADD[_kind, 19] = 1
    _ADD[_kind, 17] = 1
    _ADD[_kind, 18] = KIND_POINTS[_kind]


class Seen(Protocol):
    """What features are made of, as `batch.Tables` has it; rows are rounds."""

    seats: int
    totals: Ints
    seat: Ints
    way: Ints
    phase: Ints
    top: Ints
    color: Ints
    prior: Ints
    by: Ints
    place: Ints
    end: Ints
    sizes: Ints
    dry: Bools
    discards: NDArray[np.int8]

    def own(self) -> NDArray[np.int8]:
        """Return the hand of the seat in turn, (rounds, kinds)."""
        ...


def describe(tables: Seen, rows: Ints, actions: Ints) -> Floats:
    """Return the features of moves, (moves, `layout.SIZE`).

    Args:
        tables: the rounds.
        rows: of each move, the round; not falling.
        actions: of each move, what the seat in turn does.
    """
    many = len(rows)
    line = np.arange(many)
    found = np.zeros((many, at.SIZE), dtype=np.float32)
    fresh = np.empty(many, dtype=np.bool_)
    fresh[:1] = True
    np.not_equal(rows[1:], rows[:-1], out=fresh[1:])
    games = rows[fresh]
    game = np.cumsum(fresh) - 1
    naming = tables.phase[rows] == COLOR
    kind = np.where(naming, -1, _KIND[actions])
    play: Bools = kind >= 0
    colored = play & (actions < COLORED)
    rank = _RANK[actions]
    top = np.where(play, kind, tables.top[rows])
    named = _NAMED[actions]
    color = np.where(named >= 0, named, tables.color[rows])

    hands = tables.own()[games].astype(np.float32)
    sums = (hands @ _ADD)[game]
    sums -= _ADD[kind] * play[:, None]
    order = _own(found, hands, sums, game, color)
    place = np.nonzero(colored)[0]
    slot = np.argmax(order[place] == (actions[place] // RANKS)[:, None], axis=1)
    found[place, slot * RANKS + rank[place]] -= 0.5
    place = np.nonzero(play & ~colored)[0]
    found[place, kind[place] + at.WILDS - COLORED] -= 0.5

    plain = top < COLORED
    top_rank = np.where(plain, top % RANKS, RANKS)
    found[line, at.TOP + top_rank] = 1
    at_rank = 4 + np.minimum(top_rank, RANKS - 1)
    same = found[line, np.minimum(top_rank, RANKS - 1)] * 2
    links = (sums[line, at_rank] - same) * plain
    found[:, at.FOLLOW] = (sums[line, color] + links) * 0.25
    found[:, at.LINKS] = links * 0.5

    sort = np.where(naming, at.NAME, _TYPE[actions])
    sort[(actions == DRAW) & (tables.phase[rows] == DRAWN)] = at.KEEP
    found[line, at.TYPE + sort] = 1
    found[:, at.BLUFF] = (kind == WD4) & (sums[line, tables.color[rows]] > 0)
    back = colored & (rank == REVERSE_RANK)
    way = tables.way[rows] * np.where(back, -1, 1)
    again = naming | (sort == at.CHALLENGE) | (sort == at.DRAW)
    if tables.seats == 2:
        again |= colored & ((rank == SKIP_RANK) | back | (rank == DRAW_TWO_RANK))
    found[:, at.AGAIN] = again

    _rivals(found, tables, rows, way, order)
    _unseen(found, tables, games, game, hands, order, color, top_rank, way)
    found[:, at.TABLE] = tables.seats == 2
    found[:, at.TABLE + 1] = tables.seats == 3
    found[:, at.TABLE + 2] = tables.seats == 4
    found[:, at.TABLE + 3] = tables.seats * 0.1
    return found


def _own(found: Floats, hands: Floats, sums: Floats, game: Ints, color: Ints) -> Ints:
    """Fill in the hand, before the card has left it but for sums; return the order of colors."""
    many = len(game)
    line = np.arange(many)
    counts = sums[:, :4]
    key = np.arange(4) - 4 * counts
    key[line, color] = -1000
    order = np.argsort(key, axis=1)
    cards = (hands[:, :COLORED] * 0.5).reshape(-1, RANKS)
    found[:, : at.WILDS] = np.take(cards, game[:, None] * 4 + order, axis=0).reshape(many, COLORED)
    found[:, at.WILDS : at.WILDS + 4] = (hands[:, COLORED:] * 0.5)[game]
    ordered = np.take_along_axis(counts, order, axis=1)
    found[:, at.COLORS : at.COLORS + 4] = ordered * 0.25
    found[:, at.VOIDS : at.VOIDS + 4] = ordered == 0
    size = sums[:, 17]
    found[line, at.HELD + np.minimum(size, 7).astype(np.int64)] = 1
    found[:, at.HELD_COUNT] = size * 0.1
    found[:, at.POINTS] = sums[:, 18] * 0.01
    return order


def _rivals(found: Floats, tables: Seen, rows: Ints, way: Ints, order: Ints) -> None:
    line = np.arange(len(rows))
    seats, seat = tables.seats, tables.seat[rows]
    sizes = tables.sizes[rows]
    for place in range(min(3, seats - 1)):
        other = (seat + way * (place + 1)) % seats
        count = sizes[line, other]
        base = at.RIVALS + place * at.RIVAL_SIZE
        found[:, base] = 1
        found[:, base + 1] = count * (1 / 7)
        found[:, base + 2] = count == 1
        found[:, base + 3] = count == 2
        found[:, base + 4] = count == 3
        dry = tables.dry[rows, other]
        found[:, base + 5 : base + 9] = np.take_along_axis(dry, order, axis=1)
    found[:, at.BEFORE] = sizes[line, (seat - way) % seats] * (1 / 7)
    sizes[line, seat] = 1000
    found[:, at.LEAST] = sizes.min(axis=1) * (1 / 7)
    found[:, at.MEAN] = (sizes.sum(axis=1) - 1000) * (1 / (7 * (seats - 1)))


def _unseen(
    found: Floats,
    tables: Seen,
    games: Ints,
    game: Ints,
    hands: Floats,
    order: Ints,
    color: Ints,
    top_rank: Ints,
    way: Ints,
) -> None:
    many = len(game)
    line, rows = np.arange(many), games[game]
    unseen = tables.totals - tables.discards[games] - hands
    sums = unseen.astype(np.float32) @ _ADD
    total = np.maximum(sums[:, 17], 1)[game]
    colors = sums[game, :4]
    found[:, at.UNSEEN : at.UNSEEN + 4] = np.take_along_axis(colors, order, axis=1) * 0.04
    found[:, at.UNSEEN_WILDS : at.UNSEEN_WILDS + 4] = (unseen[:, COLORED:] * 0.25)[game]
    plain = top_rank < RANKS
    low = np.minimum(top_rank, RANKS - 1)
    links = (sums[game, 4 + low] - unseen[game, color * RANKS + low]) * plain
    found[:, at.UNSEEN_LINKS] = links * 0.125
    found[:, at.PILE] = (tables.end[rows] - tables.place[rows]) * 0.01
    fitting = colors[line, color] + links + sums[game, 19]
    sizes = tables.sizes[rows]
    after = (tables.seat[rows] + way) % tables.seats
    none = (1 - np.minimum(fitting / total, 1)) ** sizes[line, after]
    found[:, at.STUCK] = none

    place = np.nonzero(tables.phase[rows] == ATTACKED)[0]
    hit = rows[place]
    prior, by = tables.prior[hit], tables.by[hit]
    share = colors[place, prior] / total[place]
    left = sizes[place, by]
    found[place, at.PRIOR] = share
    found[place, at.ACCUSED] = left * (1 / 7)
    found[place, at.ACCUSED_DRY] = tables.dry[hit, by, prior]
    found[place, at.GUILT] = 1 - (1 - share) ** left
