"""Self-play in numpy: a network learns what a move is worth in points. Chance is given.

After each move the network foretells what the round will bring the mover: its points minus the mean of
the others', in hundreds. A seat plays the move with the best forecast, and by chance sometimes another.
The lesson is the λ-return (Sutton and Barto, Reinforcement Learning, chapter 12): a mean of what the
seat's later forecasts were and of what came in the end, cut where a later move was one of chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from unop2p.bots import layout
from unop2p.bots.batch import KIND_POINTS, Bools, Ints, Tables
from unop2p.bots.batch_features import Floats, describe
from unop2p.bots.kinds import (
    ACCEPT,
    COLORED,
    DRAW,
    RANKS,
    WD4,
    WH,
)

SCALE: Final = 100.0
"""Points in one unit of a forecast."""
CLIP: Final = 3.0


def bounds(rows: Ints) -> tuple[Ints, Ints]:
    """Return where the moves of each round begin, and how many they are.

    Args:
        rows: of each move, the round; not falling.
    """
    starts = np.nonzero(np.diff(rows, prepend=-1))[0]
    return starts, np.diff(starts, append=len(rows))


def best_of(values: Floats, starts: Ints, lengths: Ints) -> Ints:
    """Return the place of the best move of each round, of equals the first."""
    tops = np.repeat(np.maximum.reduceat(values, starts), lengths)
    places = np.where(values == tops, np.arange(len(values)), len(values))
    best: Ints = np.minimum.reduceat(places, starts)
    return best


class Network:
    """Three layers of weights, rectified in between; the last gives one number."""

    def __init__(self, sizes: tuple[int, ...], rng: np.random.Generator) -> None:
        """Take layers' widths, the input first; weights by chance (He and others 2015)."""
        self.sizes = sizes
        self.weights: list[Floats] = []
        for wide, narrow in pairwise(sizes):
            spread = np.sqrt(2 / wide)
            self.weights.append((rng.standard_normal((wide, narrow)) * spread).astype(np.float32))
            self.weights.append(np.zeros(narrow, dtype=np.float32))
        self.weights[-2] *= 0.1  # first forecasts are small

    def value(self, inputs: Floats) -> Floats:
        """Return forecasts, (moves,)."""
        layer = inputs
        last = len(self.weights) - 2
        for place in range(0, len(self.weights), 2):
            layer = layer @ self.weights[place]
            layer += self.weights[place + 1]
            if place < last:
                np.maximum(layer, 0, out=layer)
        return layer[:, 0]

    def gradients(self, inputs: Floats, targets: Floats) -> tuple[list[Floats], float]:
        """Return how the mean squared error falls, and half that error."""
        layers = [inputs]
        last = len(self.weights) - 2
        for place in range(0, len(self.weights), 2):
            layer = layers[-1] @ self.weights[place] + self.weights[place + 1]
            layers.append(np.maximum(layer, 0) if place < last else layer)
        error = layers[-1][:, 0] - targets
        back = (error / len(targets))[:, None].astype(np.float32)
        found: list[Floats] = []
        for place in range(last, -1, -2):
            under = layers[place // 2]
            found = [under.T @ back, back.sum(axis=0), *found]
            if place:
                back = (back @ self.weights[place].T) * (under > 0)
        return found, float((error * error).mean() / 2)


@dataclass(slots=True)
class Adam:
    """Kingma and Ba 2015, with the mean of late weights kept beside (Polyak and Juditsky 1992)."""

    network: Network
    first: list[Floats] = field(default_factory=list)
    second: list[Floats] = field(default_factory=list)
    mean: list[Floats] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        """Begin with nothing."""
        self.first = [np.zeros_like(weight) for weight in self.network.weights]
        self.second = [np.zeros_like(weight) for weight in self.network.weights]
        self.mean = [weight.copy() for weight in self.network.weights]

    def step(self, gradients: list[Floats], rate: float, keep: float) -> None:
        """Follow gradients; `keep` is how much of the mean stays."""
        self.steps += 1
        scale = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for place, slope in enumerate(gradients):
            self.first[place] += 0.1 * (slope - self.first[place])
            self.second[place] += 0.001 * (slope * slope - self.second[place])
            weight = self.network.weights[place]
            weight -= (scale * self.first[place] / (np.sqrt(self.second[place]) + 1e-8)).astype(
                np.float32
            )
            self.mean[place] += (1 - keep) * (weight - self.mean[place])


class Field(Protocol):
    """Many rounds in step, as those who learn play them: `Arrays`, or `ruled.RuledTables`."""

    count: int
    seats: int
    seat: Ints
    over: Bools
    reward: NDArray[np.float64]
    winner: Ints

    def legal(self) -> Bools:
        """Return which actions are looked at, (rounds, actions)."""
        ...

    def describe(self, rows: Ints, actions: Ints) -> Floats:
        """Return the features of moves, (moves, `layout.SIZE`)."""
        ...

    def bonus(self, rows: Ints, actions: Ints) -> Floats:
        """Return what is added to forecasts of moves, (moves,)."""
        ...

    def greedy(self) -> Ints:
        """Return what `greedy` does in each round."""
        ...

    def step(self, actions: Ints) -> None:
        """Make one move in each round."""
        ...

    def deal(self) -> None:
        """Deal anew where a round is over."""
        ...


class Arrays(Tables):
    """The rounds in numpy arrays, by rules that are `official` but for the deck."""

    def describe(self, rows: Ints, actions: Ints) -> Floats:
        """Return the features of moves."""
        return describe(self, rows, actions)

    def bonus(self, rows: Ints, actions: Ints) -> Floats:
        """Return nothing: whole hands move by Shuffle Hands only, which the features tell."""
        del actions
        return np.zeros(len(rows), dtype=np.float32)

    def greedy(self) -> Ints:
        """Return what `greedy` does."""
        return greedy_actions(self)


def greedy_actions(tables: Tables) -> Ints:
    """Return what `greedy` does in each round, near enough to learn against and to look back."""
    legal = tables.legal()
    hand = tables.own()
    line = np.arange(tables.count)
    held = hand[:, :COLORED].reshape(-1, 4, RANKS).sum(axis=2)
    best = np.argmax(held, axis=1)
    worth = np.full(legal.shape, -1e6)
    worth[:, DRAW] = -100
    worth[:, ACCEPT] = 0
    points = KIND_POINTS[:COLORED]
    worth[:, :COLORED] = 1000 + points * 10 + np.repeat(held, RANKS, axis=1)
    for wild in range(4):
        action = COLORED + 4 * wild + best
        worth[line, action] = 100 * (KIND_POINTS[COLORED + wild] == 50)
        if COLORED + wild == WD4:
            bluff = held[line, tables.color] > 0
            worth[line[bluff], action[bluff]] = -1000
        if COLORED + wild == WH:
            left = tables.sizes[line, tables.seat] - 1
            mean = (tables.sizes.sum(axis=1) - 1) // tables.seats
            small = left < mean
            worth[line[small], action[small]] = -50
    worth[~legal] = -1e9
    best_action: Ints = worth.argmax(axis=1)
    return best_action


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a network learns."""

    steps: int = 96
    """Moves of each round before the network learns from them."""
    batch: int = 2048
    layers: tuple[int, ...] = (64, 32)
    rate: float = 1.5e-3
    rate_half: float = 8e6
    """After so many samples the rate is half of that, after three times as many a quarter."""
    chance: float = 0.10
    chance_least: float = 0.01
    chance_half: float = 5e6
    fade: float = 0.85
    """λ."""
    greedy_share: float = 0.2
    """Rounds in which one seat is `greedy`, of which nothing is learned."""
    warm: float = 1e6
    """For so many samples all seats play as `greedy` does, and the lesson is what came in the end."""


class Learner:
    """A network that learns from itself."""

    def __init__(
        self,
        plan: Plan,
        rng: np.random.Generator,
        tables: Sequence[Field],
        start: Network | None = None,
    ) -> None:
        """Begin to learn at such tables, with weights by chance or with those of a network."""
        self.plan, self.rng, self.tables = plan, rng, tables
        self.network = start or Network((layout.SIZE, *plan.layers, 1), rng)
        self.adam = Adam(self.network)
        self.samples = 0
        self.rounds = 0
        self.greedy = [
            np.where(
                np.arange(field.count) < plan.greedy_share * field.count,
                np.arange(field.count) % field.seats,
                -1,
            )
            for field in tables
        ]

    def rate(self) -> float:
        """Return the learning rate now."""
        return self.plan.rate / (1 + self.samples / self.plan.rate_half)

    def chance(self) -> float:
        """Return how often a move is one of chance now."""
        plan = self.plan
        return max(plan.chance_least, plan.chance / (1 + self.samples / plan.chance_half))

    def lesson(self) -> float:
        """Play some moves at every table and learn from them; return the mean error."""
        errors: list[float] = []
        for tables, greedy in zip(self.tables, self.greedy, strict=True):
            inputs, targets = self._play(tables, greedy)
            order = self.rng.permutation(len(targets))
            for begin in range(0, len(order) - self.plan.batch // 2, self.plan.batch):
                chosen = order[begin : begin + self.plan.batch]
                slopes, error = self.network.gradients(inputs[chosen], targets[chosen])
                keep = min(0.9995, 1 - 1 / (1 + self.adam.steps / 4))
                self.adam.step(slopes, self.rate(), keep)
                errors.append(error)
            self.samples += len(targets)
        return float(np.mean(errors))

    def _play(self, tables: Field, greedy: Ints) -> tuple[Floats, Floats]:
        """Play some moves; return what the seats were told and what they should have foretold."""
        steps, count, chance = self.plan.steps, tables.count, self.chance()
        warm = self.samples < self.plan.warm
        shown: list[Floats] = []
        used = np.zeros((steps, count), dtype=np.bool_)
        seats = np.zeros((steps, count), dtype=np.int64)
        best_at = np.zeros((steps, count), dtype=np.float32)
        added = np.zeros((steps, count), dtype=np.float32)
        strayed = np.zeros((steps, count), dtype=np.bool_)
        ended = np.zeros((steps, count), dtype=np.bool_)
        rewards = np.zeros((steps, count, tables.seats), dtype=np.float32)
        for step in range(steps):
            seats[step] = tables.seat
            legal = tables.legal()
            mine = greedy != tables.seat
            choice = legal.sum(axis=1) > 1
            actions = legal.argmax(axis=1)
            asked = mine & choice
            others = ~mine & choice
            if others.any():
                actions = np.where(others, tables.greedy(), actions)
            rows, moves = np.nonzero(legal & asked[:, None])
            if len(rows):
                told = tables.describe(rows, moves)
                more = tables.bonus(rows, moves)
                values = self.network.value(told) + more
                if warm:
                    values = (moves == tables.greedy()[rows]).astype(np.float32)
                picked, best = self._choose(rows, values, chance)
                games = rows[picked]
                actions[games] = moves[picked]
                shown.append(told[picked])
                added[step, games] = more[picked]
                best_at[step, games] = values[best]
                strayed[step, games] = picked != best
                used[step, games] = True
            tables.step(actions)
            ended[step] = tables.over
            rewards[step, tables.over] = tables.reward[tables.over]
            self.rounds += int(tables.over.sum())
            tables.deal()
        targets = self._targets(tables, seats, used, best_at, strayed, ended, rewards)
        lessons = np.clip((targets - added)[used], -CLIP, CLIP)
        good = np.isfinite(lessons)
        return np.concatenate(shown)[good], lessons[good]

    def _choose(self, rows: Ints, values: Floats, chance: float) -> tuple[Ints, Ints]:
        """Return for each round the place of the move that is made, and of the best."""
        starts, lengths = bounds(rows)
        best = best_of(values, starts, lengths)
        picked = best.copy()
        stray = self.rng.random(len(starts)) < chance
        picked[stray] = starts[stray] + (self.rng.random(int(stray.sum())) * lengths[stray]).astype(
            np.int64
        )
        return picked, best

    def _targets(
        self,
        tables: Field,
        seats: Ints,
        used: Bools,
        best_at: Floats,
        strayed: Bools,
        ended: Bools,
        rewards: Floats,
    ) -> NDArray[np.float32]:
        """Return λ-returns, walking back; not a number where the lesson was cut off."""
        steps, count, fade = self.plan.steps, tables.count, self.plan.fade
        if self.samples < self.plan.warm:
            fade = 1.0
            strayed = np.zeros_like(strayed)
        line = np.arange(count)
        following = np.full((count, tables.seats), np.nan, dtype=np.float32)
        found = np.full((steps, count), np.nan, dtype=np.float32)
        for step in range(steps - 1, -1, -1):
            over = ended[step]
            following[over] = rewards[step, over] / SCALE
            games = line[used[step]]
            who = seats[step, games]
            after = following[games, who]
            found[step, games] = after
            guess = best_at[step, games]
            mixed = guess + fade * (after - guess)
            mixed = np.where(np.isfinite(after) & ~strayed[step, games], mixed, guess)
            if fade == 1.0:
                mixed = after
            following[games, who] = mixed
        return found


def against_greedy(
    weights: list[Floats], sizes: tuple[int, ...], tables: Field, rounds: int
) -> tuple[float, float, float]:
    """Play one seat of the network among `greedy` ones.

    Returns:
        Points a round (own minus the mean of the others'), half its 95 % interval, share of rounds won.
    """
    network = Network(sizes, np.random.default_rng(0))
    network.weights = weights
    hero = np.arange(tables.count) % tables.seats
    gains: list[Floats] = []
    wins: list[Bools] = []
    tables.over[:] = True  # a round that began before is not counted
    tables.deal()
    left = np.full(tables.count, -(-rounds // tables.count))
    while (left > 0).any():
        actions = tables.greedy()
        legal = tables.legal()
        mine = (tables.seat == hero) & (legal.sum(axis=1) > 1)
        rows, moves = np.nonzero(legal & mine[:, None])
        if len(rows):
            values = network.value(tables.describe(rows, moves)) + tables.bonus(rows, moves)
            best = best_of(values, *bounds(rows))
            actions[rows[best]] = moves[best]
        tables.step(actions)
        done = np.nonzero(tables.over & (left > 0))[0]
        gains.append(tables.reward[done, hero[done]].astype(np.float32))
        wins.append(tables.winner[done] == hero[done])
        left[done] -= 1
        tables.deal()
    gain = np.concatenate(gains)
    won = np.concatenate(wins)
    return float(gain.mean()), float(1.96 * gain.std() / np.sqrt(len(gain))), float(won.mean())
