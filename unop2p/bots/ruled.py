"""Many rounds at once on the rules engine, by any rules: what is trained on where arrays will not do.

`batch.py` has `official` in numpy arrays, which is several times faster; here is what the arena plays.
Only choices count as moves: what asks nobody or leaves no choice happens by itself in between, and so do
calls, catches and jumping in, about which no level thinks.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from unop2p.bots import batch, batch_features, features
from unop2p.bots import layout as at
from unop2p.bots.base import Randomness
from unop2p.bots.batch import Bools, Ints
from unop2p.bots.batch_features import Floats
from unop2p.bots.kinds import (
    ACCEPT,
    CHALLENGE,
    COLORED,
    COLORS,
    DRAW,
    FACE_OF,
    KIND_OF,
)
from unop2p.bots.learned import looked_at, thumb
from unop2p.bots.simple import GreedyBot, reaction
from unop2p.ids import Seat
from unop2p.rules.cards import Kind, deck_for, points
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue, RoundOver
from unop2p.rules.moves import Accept, Challenge, Draw, Move, NameColor, Pass, Play
from unop2p.rules.options import Options, check_seats
from unop2p.rules.position import TurnPhase
from unop2p.rules.view import PlayerView

TURNS_MAX: Final = 2_000
"""A round in which so many decisions have been made is broken off, and teaches nothing."""
ELSEWHERE: Final = 9
"""A phase of which the features tell nothing."""
ODD: Final = -1
"""Stands for an action that arrays cannot say: its features are made one by one."""


def action_of(move: Move, view: PlayerView) -> int:
    """Return the number of a move as `kinds.py` has them, or `ODD`."""
    match move:
        case Play(cards=(face,), color=named):
            kind = KIND_OF[face]
            if kind < COLORED:
                return kind
            color = named or view.round.color
            return COLORED + 4 * (kind - COLORED) + (COLORS.index(color) if color else 0)
        case NameColor(color=color):
            return COLORED + COLORS.index(color)
        case Challenge():
            return CHALLENGE
        case Accept():
            return ACCEPT
        case Draw() if view.round.phase is not TurnPhase.AFTER_DRAW:
            return DRAW
        case Pass() if view.round.phase is TurnPhase.AFTER_DRAW:
            return DRAW
    return ODD


@dataclass(slots=True)
class Shot:
    """What seats see, in arrays: `batch_features.Seen`."""

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
    hands: NDArray[np.int8]

    def own(self) -> NDArray[np.int8]:
        """Return the hand of the seat in turn."""
        return self.hands


def shot_of(views: list[PlayerView], seats: int, totals: Ints) -> Shot:
    """Return what the seats in turn see."""
    states = [view.round for view in views]
    count = len(views)
    dry = np.zeros((count, seats, 4), dtype=np.bool_)
    prior, by = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    phases: list[int] = []
    for row, state in enumerate(states):
        for seat, color in state.dry:
            dry[row, seat, COLORS.index(color)] = True
        attack = state.attack
        phase = ELSEWHERE
        if state.phase is TurnPhase.COLOR:
            phase = batch.COLOR
        elif state.phase is TurnPhase.AFTER_DRAW:
            phase = batch.DRAWN
        elif state.phase is TurnPhase.ATTACKED and attack and attack.prior_color is not None:
            phase = batch.ATTACKED
            prior[row], by[row] = COLORS.index(attack.prior_color), attack.by
        phases.append(phase)
    hands = [features.counted(view.hand) for view in views]
    return Shot(
        seats=seats,
        totals=totals,
        seat=np.array([view.seat for view in views]),
        way=np.array([state.direction for state in states]),
        phase=np.array(phases),
        top=np.array([KIND_OF[state.discards[-1]] for state in states]),
        color=np.array([COLORS.index(s.color) if s.color is not None else 0 for s in states]),
        prior=prior,
        by=by,
        place=np.zeros(count, dtype=np.int64),
        end=np.array([state.pile_count for state in states]),
        sizes=np.array([state.hand_counts for state in states]),
        dry=dry,
        discards=np.array([features.counted(state.discards) for state in states], dtype=np.int8),
        hands=np.array(hands, dtype=np.int8),
    )


class RuledTables:
    """Some rounds of as many seats each, played in step. Rows are rounds, actions places in `moves`.

    Attributes:
        moves: of each round, the moves that are looked at, two at least.
        seat: whose turn it is.
        over: rounds that have just ended; `reward` holds what they brought until the next `deal`, and
            `winner` who went out, or -1.
    """

    def __init__(self, count: int, seats: int, rng: Randomness, options: Options) -> None:
        """Deal so many rounds.

        Raises:
            InvalidOptionsError: so many seats cannot play by these rules.
        """
        check_seats(options, seats)
        self.count, self.seats, self.rng, self.options = count, seats, rng, options
        self.totals = np.array(features.counted(deck_for(options)), dtype=np.int64)
        self.points = np.array([points(face, options) for face in FACE_OF], dtype=np.int64)
        wilds = [self.points[COLORED + place // 4] for place in range(DRAW - COLORED)]
        self.worths = np.array([*self.points[:COLORED], *wilds, 0], dtype=np.int64)
        self.moved = bool(options.hand_moves) or any(
            face.kind is Kind.SWAP_HANDS or face.kind is Kind.BLANK for face in deck_for(options)
        )
        self.sign = -1 if options.scoring == "keep_own" else 1
        self.seat = np.zeros(count, dtype=np.int64)
        self.over = np.ones(count, dtype=np.bool_)
        self.reward = np.zeros((count, seats), dtype=np.float64)
        self.winner = np.full(count, -1, dtype=np.int64)
        self.games = [self._dealt()] * count
        self.views = [self.games[0].view(Seat(0))] * count
        self.moves: list[list[Move]] = [[]] * count
        self.turns = [0] * count
        self.rival = GreedyBot()
        self.deal()

    def deal(self) -> None:
        """Deal anew where a round is over."""
        for row in np.nonzero(self.over)[0].tolist():
            self.turns[row] = 0
            while self.over[row]:  # again where the deal alone ends the round, and nobody is asked
                self.over[row] = False
                self.games[row] = self._dealt()
                self._go_on(row)

    def _dealt(self) -> DealtGame:
        order = tuple(Seat(seat) for seat in range(self.seats))
        dealer = order[self.rng.randrange(self.seats)]
        return DealtGame.start(self.options, order, dealer, self.rng)

    def _go_on(self, row: int) -> None:
        """Play on until a seat has a choice, or the round is over."""
        game = self.games[row]
        while True:
            due = game.due
            if isinstance(due, RoundOver):
                self._end(row, due)
                return
            if isinstance(due, ReactionDue):
                self._react(game)
                continue
            (seat,) = game.asked
            view = game.view(seat)
            legal = game.legal(seat)
            moves = looked_at(view, legal)
            if len(moves) > 1:
                self.seat[row], self.views[row], self.moves[row] = seat, view, moves
                return
            game.act(seat, moves[0])

    @staticmethod
    def _react(game: DealtGame) -> None:
        said: list[tuple[Seat, Move]] = []
        for seat in game.asked:
            legal = game.legal(seat)
            move = reaction(legal) if legal else None
            if move is not None:
                said.append((seat, move))
        game.react(tuple(said))

    def _end(self, row: int, due: RoundOver) -> None:
        points = np.array(due.outcome.points, dtype=np.float64) * self.sign
        self.reward[row] = points - (points.sum() - points) / (self.seats - 1)
        winner = due.outcome.winner
        self.winner[row] = -1 if winner is None else winner
        self.over[row] = True

    def legal(self) -> Bools:
        """Return which actions are looked at, (rounds, most moves of one)."""
        counts = np.array([len(moves) for moves in self.moves])
        found: Bools = np.arange(counts.max()) < counts[:, None]
        return found

    def describe(self, rows: Ints, actions: Ints) -> Floats:
        """Return the features of moves, (moves, `layout.SIZE`); rows do not fall."""
        shot = shot_of(self.views, self.seats, self.totals)
        places = list(zip(rows.tolist(), actions.tolist(), strict=True))
        numbers = np.array(
            [action_of(self.moves[row][action], self.views[row]) for row, action in places],
            dtype=np.int64,
        )
        odd = np.nonzero(numbers == ODD)[0]
        numbers[odd] = DRAW
        found = batch_features.describe(shot, rows, numbers)
        kinds = np.where(shot.phase[rows] == batch.COLOR, DRAW, numbers)
        played = np.where(kinds < DRAW, self.worths[np.minimum(kinds, DRAW)], 0)
        found[:, at.POINTS] = ((shot.hands @ self.points)[rows] - played) * 0.01
        for place in odd.tolist():
            row, action = places[place]
            found[place] = features.describe(
                features.Sight(self.views[row]), self.moves[row][action]
            )
        return found

    def bonus(self, rows: Ints, actions: Ints) -> Floats:
        """Return what the rule of thumb adds to forecasts of moves."""
        if not self.moved:
            return np.zeros(len(rows), dtype=np.float32)
        return np.array(
            [
                thumb(self.views[row], self.moves[row][action])
                for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
            ],
            dtype=np.float32,
        )

    def greedy(self) -> Ints:
        """Return what `greedy` does in each round."""
        found = np.zeros(self.count, dtype=np.int64)
        for row, (view, moves) in enumerate(zip(self.views, self.moves, strict=True)):
            chosen = self.rival.choose(view, tuple(moves), self.rng)
            assert chosen is not None
            found[row] = moves.index(chosen)
        return found

    def step(self, actions: Ints) -> None:
        """Make one move in each round; where one ends, `over` and `reward` say so."""
        for row, action in enumerate(actions.tolist()):
            self.games[row].act(Seat(int(self.seat[row])), self.moves[row][action])
            self.turns[row] += 1
            if self.turns[row] > TURNS_MAX:
                self.reward[row], self.winner[row], self.over[row] = 0, -1, True
            else:
                self._go_on(row)
