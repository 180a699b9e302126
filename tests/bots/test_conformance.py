"""Positions of every kind, and what a check makes of the answers."""

from itertools import count, islice
from random import Random

import pytest

from unop2p.bots.base import Randomness
from unop2p.bots.conformance import (
    FAULTS_KEPT,
    FAULTS_MAX,
    KINDS,
    NONE_RIGHT_MAX,
    Conformance,
    kinds_of,
    positions,
    rule_sets,
    try_bot,
)
from unop2p.bots.guard import GuardedBot
from unop2p.bots.simple import GreedyBot, RandomBot
from unop2p.rules.moves import Move
from unop2p.rules.options import PRESETS
from unop2p.rules.view import PlayerView


class Last:
    name = "last"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        return legal[-1]


class Moody:
    """Answers otherwise each time."""

    name = "moody"

    def __init__(self) -> None:
        self.asked = count()

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        return legal[next(self.asked) % len(legal)]


class Forger:
    """Plays what it does not hold."""

    name = "forger"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        return "draw"  # type: ignore[return-value]


class ForgerAfterOne(Forger):
    """Is right the first time."""

    def __init__(self) -> None:
        self.asked = count()

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        return legal[0] if next(self.asked) == 0 else super().choose(view, legal, rng)


def tried(bot: object, each: int = 2) -> Conformance:
    ticks = count(0, 1_000)
    guarded = GuardedBot(bot, "mine")  # type: ignore[arg-type]
    return try_bot(guarded, positions(each, 1, Random), now_us=lambda: next(ticks), chance=Random)


@pytest.mark.slow
def test_every_kind_comes_up_and_every_set_of_rules() -> None:
    found = tried(Last())
    assert set(found.kinds) == set(KINDS)
    assert min(found.kinds.values()) >= 2
    assert set(found.rules) == set(rule_sets())
    assert set(PRESETS) < set(found.rules)
    assert found.conforms
    assert (found.time_us(0.5), found.time_us(0.99)) == (1_000, 1_000)


def test_the_same_seed_asks_the_same() -> None:
    one, again, other = (list(islice(positions(2, seed, Random), 10)) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert all(item.kinds == kinds_of(item.view, item.legal) for item in one)


@pytest.mark.parametrize("bot", [RandomBot(), GreedyBot()])
def test_levels_conform(bot: object) -> None:
    ticks = count()
    found = try_bot(
        GuardedBot(bot, "mine"),  # type: ignore[arg-type]
        islice(positions(8, 3, Random), 40),
        now_us=lambda: next(ticks),
        chance=Random,
    )
    assert found.conforms
    assert (found.decisions, found.repeated) == (40, 10)


def test_one_that_answers_otherwise_when_asked_again_does_not_conform() -> None:
    found = tried(Moody())
    assert found.same < found.repeated
    assert not found.conforms
    assert "the first time, then" in found.faults[0].sentence


def test_one_that_cheats_is_given_up_soon() -> None:
    found = tried(Forger())
    assert (found.decisions, found.lawful, len(found.faults)) == (NONE_RIGHT_MAX, 0, FAULTS_KEPT)
    assert not found.conforms
    assert "no lawful move" in found.faults[0].sentence


def test_one_that_is_right_once_is_asked_on_until_it_is_often_wrong() -> None:
    found = tried(ForgerAfterOne())
    assert (found.decisions, found.lawful) == (FAULTS_MAX + 1, 1)
    assert not found.conforms


def test_who_was_asked_nothing_does_not_conform() -> None:
    assert not Conformance().conforms
    assert Conformance().time_us(0.5) is None
