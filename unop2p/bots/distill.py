"""The level `linear`: one weight for each feature, learned from a network's forecasts.

A sum of features cannot foretell points well, but it can rank moves. So it is taken as chances of a
softmax, and learns to make moves of which the network thinks much: what grows is the mean forecast of
what it would choose (the policy gradient of Sutton and others 2000, with the network as the critic).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from unop2p.bots import layout
from unop2p.bots.batch import Ints
from unop2p.bots.batch_features import Floats
from unop2p.bots.learning import Adam, Field, Network, best_of, bounds

WARMTH: Final = 0.05
"""Sums so far apart have chances of e to one."""
STRAY: Final = 0.1
"""How often a move by chance is made, so that odd positions are seen too."""
OWN_SHARE: Final = 0.5
"""How often its own move is made, and not the teacher's."""
RATE: Final = 0.01
RATE_HALF: Final = 500
"""After so many steps the rate is half."""


def softmax(values: Floats, starts: Ints, lengths: Ints) -> Floats:
    """Return chances of the moves of each round, which lie in a row."""
    tops = np.repeat(np.maximum.reduceat(values, starts), lengths)
    raised: Floats = np.exp(values - tops)
    shares: Floats = (raised / np.repeat(np.add.reduceat(raised, starts), lengths)).astype(
        np.float32
    )
    return shares


class Pupil:
    """Learns to choose as a network does."""

    def __init__(self, teacher: Network, rng: np.random.Generator, tables: Sequence[Field]) -> None:
        """Begin to learn at such tables, knowing nothing."""
        self.teacher, self.rng, self.tables = teacher, rng, tables
        self.network = Network((layout.SIZE, 1), rng)
        self.network.weights[0][:] = 0
        self.adam = Adam(self.network)
        self.samples = 0
        self.rounds = 0

    def lesson(self) -> float:
        """Look at one move of every table; return how often the choice is the teacher's."""
        agreed = decisions = 0
        for tables in self.tables:
            legal = tables.legal()
            actions = legal.argmax(axis=1)
            rows, moves = np.nonzero(legal & (legal.sum(axis=1) > 1)[:, None])
            if len(rows):
                told, more = tables.describe(rows, moves), tables.bonus(rows, moves)
                starts, lengths = bounds(rows)
                forecasts = self.teacher.value(told) + more
                sums = (self.network.value(told) + more) / WARMTH
                chances = softmax(sums, starts, lengths)
                means = np.repeat(np.add.reduceat(chances * forecasts, starts), lengths)
                slope: Floats = (chances * (means - forecasts) / WARMTH).astype(np.float32)
                self._step(told, slope, len(starts))
                best = best_of(forecasts, starts, lengths)
                own = best_of(sums, starts, lengths)
                agreed += int((best == own).sum())
                decisions += len(starts)
                # It has to do well where its own moves lead, too.
                best = np.where(self.rng.random(len(starts)) < OWN_SHARE, own, best)
                stray = self.rng.random(len(starts)) < STRAY
                other = starts + (self.rng.random(len(starts)) * lengths).astype(np.int64)
                picked = np.where(stray, other, best)
                actions[rows[picked]] = moves[picked]
            tables.step(actions)
            self.rounds += int(tables.over.sum())
            tables.deal()
        self.samples += decisions
        return agreed / max(decisions, 1)

    def _step(self, told: Floats, error: Floats, decisions: int) -> None:
        slope = told.T @ (error / decisions)[:, None]
        nothing = np.zeros(1, dtype=np.float32)
        rate = RATE / (1 + self.adam.steps / RATE_HALF)
        keep = min(0.999, 1 - 1 / (1 + self.adam.steps / 4))
        self.adam.step([slope.astype(np.float32), nothing], rate, keep)
