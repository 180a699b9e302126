"""Training of the learned levels: the loop around `learning.py` and `distill.py`. Wants numpy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from unop2p.bots.batch import Tables
from unop2p.bots.batch_features import Floats
from unop2p.bots.distill import Pupil
from unop2p.bots.kinds import SPARE_MAX
from unop2p.bots.learning import Learner, Network, Plan, against_greedy
from unop2p.bots.weights import Weights, dump

LOOK_ROUNDS = 10_000
LOOK_TABLES = 1_000
"""Rounds at once; each plays as many."""
LOOK_SEED = 7
FIRST_LOOK = 2_000_000
LOOK_EVERY = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What is to be learned."""

    level: str
    seats: tuple[int, ...]
    samples: int
    seed: int
    tables: int
    spare: int = SPARE_MAX

    def command(self) -> str:
        """Return what was typed for this."""
        seats = ",".join(map(str, self.seats))
        spare = f" --spare {self.spare}" if self.spare != SPARE_MAX else ""
        return (
            f"unop2p train --level {self.level} --seats {seats} --samples {self.samples}"
            f" --tables {self.tables} --seed {self.seed}{spare}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How far it has come, against `greedy`; see `against_greedy`."""

    samples: int
    points: tuple[tuple[int, float, float, float], ...]
    """By number of seats: points a round, half the 95 % interval, share of rounds won."""


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
    for seats in course.seats:
        tables = Tables(LOOK_TABLES, seats, np.random.default_rng(LOOK_SEED))
        points.append((seats, *against_greedy(weights, network.sizes, tables, LOOK_ROUNDS)))
    return Look(samples=samples, points=tuple(points))


def learn(
    course: Course,
    *,
    teacher: Weights | None,
    told: Callable[[int], None],
    looked: Callable[[Look], None],
    keep: Callable[[str], None],
) -> None:
    """Train to the end of the course.

    Args:
        course: what.
        teacher: of the level `linear`; None for `net`.
        told: told how many samples there are, often.
        looked: told how it does against `greedy`, now and then.
        keep: given the file of what is learned so far, at each look and at the end.
    """
    rng = np.random.default_rng(course.seed)
    student: Learner | Pupil
    if teacher is None:
        plan = Plan(seats=course.seats, tables=course.tables, spare=course.spare)
        student = Learner(plan, rng)
    else:
        student = Pupil(network_of(teacher), course.seats, rng, course.tables)
    due = FIRST_LOOK
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
