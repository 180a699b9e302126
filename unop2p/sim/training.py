"""Training of the learned levels: the loop around `learning.py` and `distill.py`. Wants numpy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from unop2p.bots.batch_features import Floats
from unop2p.bots.distill import Pupil
from unop2p.bots.kinds import PILE_COUNTS, SPARE_MAX
from unop2p.bots.learning import Arrays, Field, Learner, Network, Plan, against_greedy
from unop2p.bots.ruled import RuledTables
from unop2p.bots.weights import Weights, dump
from unop2p.rules.options import PRESETS, Options

LOOK_ROUNDS = 10_000
LOOK_TABLES = 1_000
"""Rounds at once; each plays as many."""
RULED_LOOK_ROUNDS = 2_000
"""On the rules engine, which is slower."""
LOOK_SEED = 7
LOOK_EVERY = 2_000_000
START_RATE = 5e-4
START_CHANCE = 0.06
"""Of the rate and of moves by chance, where it begins with what another has learned."""
ALIKE = (
    "deck",
    "dealer_selection",
    "first_dealer",
    "uno_deadline",
    "uno_penalty",
    "foul_penalty",
    "target",
    "match_end",
    "hidden_checks",
)
"""Options that make no difference to rounds in arrays, where nobody forgets a call; but see the deck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What is to be learned."""

    level: str
    seats: tuple[int, ...]
    samples: int
    seed: int
    tables: int
    spare: int = SPARE_MAX
    rules: str = "official"
    """How the rules were named."""
    options: Options = PRESETS["official"]
    start: str | None = None
    """How the weights were named with which it begins."""
    teacher: str | None = None
    """How the teacher was named, if it is not the one that ships."""

    def command(self) -> str:
        """Return what was typed for this."""
        seats = ",".join(map(str, self.seats))
        spare = f" --spare {self.spare}" if self.spare != SPARE_MAX else ""
        rules = f" --rules {self.rules}" if self.rules != "official" else ""
        start = f" --start {self.start}" if self.start is not None else ""
        teacher = f" --teacher {self.teacher}" if self.teacher is not None else ""
        return (
            f"unop2p train --level {self.level} --seats {seats} --samples {self.samples}"
            f" --tables {self.tables} --seed {self.seed}{spare}{rules}{start}{teacher}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How far it has come, against `greedy`; see `against_greedy`."""

    samples: int
    points: tuple[tuple[int, float, float, float], ...]
    """By number of seats: points a round, half the 95 % interval, share of rounds won."""


def deck_of(options: Options) -> str | None:
    """Return the deck if these rules are those that arrays play, `official` but for it; else None."""
    official = PRESETS["official"]
    changed = {name: getattr(official, name) for name in ALIKE}
    if options.deck == "108":
        changed["extra_wild_points"] = official.extra_wild_points  # there are none
    known = options.deck in PILE_COUNTS and replace(options, **changed) == official
    return options.deck if known else None


def tables_of(course: Course, seats: int, count: int, rng: np.random.Generator) -> Field:
    """Return so many rounds of as many seats by the rules of the course."""
    deck = deck_of(course.options)
    if deck is not None:
        return Arrays(count, seats, rng, deck, course.spare)
    chance = Random(int(rng.integers(1 << 62)))  # noqa: S311  # to be repeated
    return RuledTables(count, seats, chance, course.options)


def plan_of(course: Course) -> Plan:
    """Return how it learns: from the start, or on from weights that know a good deal already."""
    if course.start is None:
        return Plan()
    return Plan(
        warm=0,
        rate=START_RATE,
        rate_half=course.samples / 3,
        chance=START_CHANCE,
        chance_half=course.samples / 3,
    )


def network_of(weights: Weights) -> Network:
    """Return the network of a file."""
    network = Network(weights.sizes, np.random.default_rng(0))
    network.weights = []
    for matrix, added in zip(weights.matrices, weights.added, strict=True):
        network.weights += [np.array(matrix, np.float32), np.array(added, np.float32)]
    return network


def text_of(
    course: Course, sizes: Sequence[int], weights: Sequence[Floats], samples: int, rounds: int
) -> str:
    """Return the file of what was learned."""
    flat = np.concatenate([weight.ravel() for weight in weights]).tolist()
    trained = {"command": course.command(), "samples": samples, "rounds": rounds}
    return dump(sizes, flat, trained)


def look(course: Course, network: Network, weights: list[Floats], samples: int) -> Look:
    """Play against `greedy`, always the same cards, and say how it went."""
    points: list[tuple[int, float, float, float]] = []
    fast = deck_of(course.options) is not None
    rounds = LOOK_ROUNDS if fast else min(LOOK_ROUNDS, RULED_LOOK_ROUNDS)
    for seats in course.seats:
        rng = np.random.default_rng(LOOK_SEED)
        tables = tables_of(replace(course, spare=SPARE_MAX), seats, min(LOOK_TABLES, rounds), rng)
        points.append((seats, *against_greedy(weights, network.sizes, tables, rounds)))
    return Look(samples=samples, points=tuple(points))


def learn(
    course: Course,
    *,
    teacher: Weights | None,
    start: Weights | None = None,
    told: Callable[[int], None],
    looked: Callable[[Look], None],
    keep: Callable[[str], None],
) -> None:
    """Train to the end of the course.

    Args:
        course: what.
        teacher: of the level `linear`; None for `net`.
        start: with which weights `net` begins; None for chance.
        told: told how many samples there are, often.
        looked: told how it does against `greedy`, now and then.
        keep: given the file of what is learned so far, at each look and at the end.
    """
    rng = np.random.default_rng(course.seed)
    tables = [tables_of(course, seats, course.tables, rng) for seats in course.seats]
    student: Learner | Pupil
    if teacher is None:
        began = network_of(start) if start is not None else None
        student = Learner(plan_of(course), rng, tables, began)
    else:
        student = Pupil(network_of(teacher), rng, tables)
    due = LOOK_EVERY
    while student.samples < course.samples:
        student.lesson()
        told(student.samples)
        ended = student.samples >= course.samples
        if student.samples >= due or ended:
            due = student.samples + LOOK_EVERY
            mean = student.adam.mean
            rounds = student.rounds
            keep(text_of(course, student.network.sizes, mean, student.samples, rounds))
            looked(look(course, student.network, mean, student.samples))
