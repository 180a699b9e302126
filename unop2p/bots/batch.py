"""Many rounds at once in numpy arrays, by the `official` rules: what the learned levels train on.

Row by row it is the same game as `rules/` plays, as far as bots play it that never forget a call:
seven cards each, Wild Draw Four with challenge, voluntary draws, one Shuffle Hands card, blanks as
Wilds. Tests lay it beside the rules engine move for move.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from unop2p.bots.kinds import (
    ACCEPT,
    ACTIONS,
    CHALLENGE,
    COLORED,
    DRAW,
    DRAW_TWO_RANK,
    KINDS,
    PILE_COUNTS,
    POINTS,
    RANKS,
    REVERSE_RANK,
    SKIP_RANK,
    SPARE_MAX,
    WD4,
    WH,
    fits_table,
)

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOVE: Final = 0
DRAWN: Final = 1
ATTACKED: Final = 2
COLOR: Final = 3
HAND: Final = 7

FITS: Final[Bools] = np.array(fits_table(), dtype=np.bool_)
KIND_POINTS: Final = np.array(POINTS, dtype=np.int64)


class Tables:
    """Some rounds of as many seats each, played in step. Rows are rounds.

    Attributes:
        hands: cards by kind, (rounds, seats, kinds).
        sizes: cards of a hand, (rounds, seats).
        dry: colors in which a seat has drawn, (rounds, seats, 4); see `Round.dry`.
        seat, way, phase, top, color, drawn: whose turn, direction, what is asked, what lies on top.
        over: rounds that have just ended; `reward` holds what they brought until the next `deal`.
    """

    def __init__(
        self,
        count: int,
        seats: int,
        rng: np.random.Generator,
        deck: str = "112_shuffle",
        spare: int = SPARE_MAX,
    ) -> None:
        """Deal so many rounds; with more than `spare` cards nobody draws of its own accord."""
        self.count, self.seats, self.rng, self.spare = count, seats, rng, spare
        self.totals = np.array(PILE_COUNTS[deck], dtype=np.int64)
        self.cards = np.repeat(np.arange(KINDS, dtype=np.int8), self.totals)
        many = len(self.cards)
        self.hands = np.zeros((count, seats, KINDS), dtype=np.int8)
        self.sizes = np.zeros((count, seats), dtype=np.int64)
        self.dry = np.zeros((count, seats, 4), dtype=np.bool_)
        self.pile = np.zeros((count, many), dtype=np.int8)
        self.place = np.zeros(count, dtype=np.int64)
        self.end = np.zeros(count, dtype=np.int64)
        self.discards = np.zeros((count, KINDS), dtype=np.int8)
        self.seat = np.zeros(count, dtype=np.int64)
        self.way = np.ones(count, dtype=np.int64)
        self.phase = np.zeros(count, dtype=np.int64)
        self.top = np.zeros(count, dtype=np.int64)
        self.color = np.zeros(count, dtype=np.int64)
        self.drawn = np.zeros(count, dtype=np.int64)
        self.prior = np.zeros(count, dtype=np.int64)
        self.guilty = np.zeros(count, dtype=np.bool_)
        self.by = np.zeros(count, dtype=np.int64)
        self.idle = np.zeros(count, dtype=np.int64)
        self.over = np.ones(count, dtype=np.bool_)
        self.reward = np.zeros((count, seats), dtype=np.float64)
        self.winner = np.full(count, -1, dtype=np.int64)
        self.deal()

    # -- dealing -------------------------------------------------------------------------------

    def deal(self) -> None:
        """Deal anew where a round is over."""
        rows = np.nonzero(self.over)[0]
        if not len(rows):
            return
        seats, first = self.seats, HAND * self.seats
        pile = self.rng.permuted(np.tile(self.cards, (len(rows), 1)), axis=1)
        while True:
            # Neither a Wild Draw Four nor an extra wild begins a round: all is shuffled again.
            bad = np.nonzero(pile[:, first] >= WD4)[0]
            if not len(bad):
                break
            pile[bad, first:] = self.rng.permuted(pile[bad, first:], axis=1)
        hands = np.zeros((len(rows), seats, KINDS), dtype=np.int8)
        who = np.arange(first) % seats
        at = np.arange(len(rows))[:, None]
        np.add.at(hands, (at, who[None, :], pile[:, :first]), 1)
        top = pile[:, first]
        self.pile[rows] = pile
        self.place[rows] = first + 1
        self.end[rows] = len(self.cards)
        self.hands[rows] = hands
        self.sizes[rows] = HAND
        self.dry[rows] = False
        self.discards[rows] = 0
        self.discards[rows, top] = 1
        self.top[rows] = top
        self.color[rows] = np.minimum(top // RANKS, 3)
        self.way[rows] = 1
        self.phase[rows] = MOVE
        self.idle[rows] = 0
        self.over[rows] = False
        dealer = self.rng.integers(0, seats, len(rows))
        left = (dealer + 1) % seats
        after = (dealer + 2) % seats
        rank = np.where(top < COLORED, top % RANKS, -1)
        self.way[rows[rank == REVERSE_RANK]] = -1
        turn = np.where((rank == SKIP_RANK) | (rank == DRAW_TWO_RANK), after, left)
        self.seat[rows] = np.where(rank == REVERSE_RANK, dealer, turn)
        self.phase[rows[top == COLORED]] = COLOR
        two = rank == DRAW_TWO_RANK
        self.draw(rows[two], left[two], np.full(int(two.sum()), 2))

    def draw(self, rows: Ints, seats: Ints, counts: Ints) -> Ints:
        """Let seats draw cards; return the kind of each one's last, -1 for none."""
        last = np.full(len(rows), -1, dtype=np.int64)
        for number in range(int(counts.max(initial=0))):
            sub = np.nonzero(counts > number)[0]
            games = rows[sub]
            for game in games[self.place[games] == self.end[games]]:
                self._shuffle(int(game))
            sub = sub[self.place[games] < self.end[games]]
            games, who = rows[sub], seats[sub]
            kinds = self.pile[games, self.place[games]]
            self.place[games] += 1
            self.hands[games, who, kinds] += 1
            self.sizes[games, who] += 1
            last[sub] = kinds
        return last

    def _shuffle(self, game: int) -> None:
        below = self.discards[game].copy()
        below[self.top[game]] -= 1
        cards = self.rng.permutation(np.repeat(np.arange(KINDS), below))
        self.pile[game, : len(cards)] = cards
        self.place[game], self.end[game] = 0, len(cards)
        self.discards[game] = 0
        self.discards[game, self.top[game]] = 1

    # -- looking -------------------------------------------------------------------------------

    def own(self) -> NDArray[np.int8]:
        """Return the hand of the seat in turn, (rounds, kinds)."""
        return self.hands[np.arange(self.count), self.seat]

    def legal(self) -> Bools:
        """Return which actions are looked at, (rounds, actions).

        All lawful ones, but that a wild names only colors of which the hand holds a card, if any, and
        that nobody draws of its own accord who holds more than `spare` cards.
        """
        hand = self.own()
        held = hand > 0
        free = self.phase == MOVE
        later = self.phase == DRAWN
        able = held & FITS[self.color, self.top]
        able &= (free | later)[:, None]
        rows = np.nonzero(later)[0]
        if len(rows):
            only = np.zeros((len(rows), KINDS), dtype=np.bool_)
            only[np.arange(len(rows)), self.drawn[rows]] = True
            able[rows] &= only
        colors: Bools = np.logical_or.reduce(held[:, :COLORED].reshape(-1, 4, RANKS), axis=2)
        colors |= ~np.logical_or.reduce(colors, axis=1)[:, None]
        legal = np.zeros((self.count, ACTIONS), dtype=np.bool_)
        legal[:, :COLORED] = able[:, :COLORED]
        wild = able[:, COLORED:, None] & colors[:, None, :]
        wild[:, 0, :] |= (self.phase == COLOR)[:, None] & colors
        legal[:, COLORED:DRAW] = wild.reshape(self.count, -1)
        few = self.sizes[np.arange(self.count), self.seat] <= self.spare
        legal[:, DRAW] = later | (free & (few | ~np.logical_or.reduce(able, axis=1)))
        attacked = self.phase == ATTACKED
        legal[:, CHALLENGE] = attacked
        legal[:, ACCEPT] = attacked
        return legal

    def next(self, rows: Ints, seats: Ints) -> Ints:
        """Return who is next in turn order."""
        return (seats + self.way[rows]) % self.seats

    # -- acting --------------------------------------------------------------------------------

    def step(self, actions: Ints) -> None:
        """Make one move in each round; where one ends, `over` and `reward` say so."""
        assert not self.over.any()
        phase = self.phase.copy()
        playing = (phase == MOVE) | (phase == DRAWN)
        self._name(np.nonzero(phase == COLOR)[0], actions)
        self._answer(np.nonzero(phase == ATTACKED)[0], actions)
        rows = np.nonzero((phase == DRAWN) & (actions == DRAW))[0]
        self.seat[rows] = self.next(rows, self.seat[rows])
        self.phase[rows] = MOVE
        self._draw_one(np.nonzero((phase == MOVE) & (actions == DRAW))[0])
        self._play(np.nonzero(playing & (actions < DRAW))[0], actions)

    def _name(self, rows: Ints, actions: Ints) -> None:
        self.color[rows] = (actions[rows] - COLORED) % 4
        self.phase[rows] = MOVE

    def _answer(self, rows: Ints, actions: Ints) -> None:
        doubts = actions[rows] == CHALLENGE
        guilty = doubts & self.guilty[rows]
        seat = self.seat[rows]
        who = np.where(guilty, self.by[rows], seat)
        self.draw(rows, who, np.where(doubts & ~guilty, 6, 4))
        self.dry[rows, who] = False
        self.seat[rows] = np.where(guilty, seat, self.next(rows, seat))
        self.phase[rows] = MOVE

    def _draw_one(self, rows: Ints) -> None:
        seat = self.seat[rows]
        self.dry[rows, seat, self.color[rows]] = True
        kinds = self.draw(rows, seat, np.ones(len(rows), dtype=np.int64))
        got = kinds >= 0
        self.idle[rows] = np.where(got, 0, self.idle[rows] + 1)
        fits = got & FITS[self.color[rows], self.top[rows], kinds]
        self.drawn[rows] = kinds
        self.phase[rows] = np.where(fits, DRAWN, MOVE)
        self.seat[rows] = np.where(fits, seat, self.next(rows, seat))
        blocked = rows[self.idle[rows] >= self.seats]
        self.over[blocked] = True
        self.reward[blocked] = 0
        self.winner[blocked] = -1

    def _play(self, rows: Ints, actions: Ints) -> None:
        action = actions[rows]
        seat = self.seat[rows]
        wild = action >= COLORED
        kind = np.where(wild, COLORED + (action - COLORED) // 4, action)
        rank = np.where(wild, -1, kind % RANKS)
        before = self.color[rows]
        self.hands[rows, seat, kind] -= 1
        self.sizes[rows, seat] -= 1
        self.discards[rows, kind] += 1
        self.top[rows] = kind
        self.idle[rows] = 0
        self.phase[rows] = MOVE
        color = np.where(wild, (action - COLORED) % 4, kind // RANKS)
        self.color[rows] = color
        self.dry[rows[~wild], seat[~wild], color[~wild]] = False
        back = rank == REVERSE_RANK
        self.way[rows[back]] *= -1
        after = self.next(rows, seat)
        further = self.next(rows, after)
        two, four = rank == DRAW_TWO_RANK, kind == WD4
        turn = np.where((rank == SKIP_RANK) | two, further, after)
        if self.seats == 2:
            turn = np.where(back, seat, turn)
        done = (self.sizes[rows, seat] == 0) & (kind != WH)
        self.seat[rows] = turn
        # A challenge asks whether the hand that is left has the color that was in force.
        some = np.nonzero(four & ~done)[0]
        games = rows[some]
        self.phase[games] = ATTACKED
        self.prior[games], self.by[games] = before[some], seat[some]
        hands = self.hands[games, seat[some], :COLORED].reshape(-1, 4, RANKS).sum(axis=2)
        self.guilty[games] = hands[np.arange(len(some)), before[some]] > 0
        hit = np.nonzero(two | (four & done))[0]
        self.draw(rows[hit], after[hit], np.where(two[hit], 2, 4))
        self.dry[rows[hit], after[hit]] = False
        for some_row in np.nonzero(kind == WH)[0]:
            self._mix_hands(int(rows[some_row]), int(seat[some_row]))
        self._end(rows[done], seat[done])

    def _mix_hands(self, game: int, seat: int) -> None:
        cards = self.rng.permutation(np.repeat(np.arange(KINDS), self.hands[game].sum(axis=0)))
        self.hands[game] = 0
        self.sizes[game] = 0
        self.dry[game] = False
        for place in range(self.seats):
            other = (seat + (place + 1) * int(self.way[game])) % self.seats
            got = cards[place :: self.seats]
            np.add.at(self.hands[game, other], got, 1)
            self.sizes[game, other] = len(got)
            if not len(got):
                self.draw(np.array([game]), np.array([other]), np.array([1]))

    def _end(self, rows: Ints, seat: Ints) -> None:
        left = self.hands[rows].sum(axis=1) @ KIND_POINTS  # the winner's hand is empty
        self.reward[rows] = -(left / (self.seats - 1))[:, None]
        self.reward[rows, seat] = left
        self.winner[rows] = seat
        self.over[rows] = True
