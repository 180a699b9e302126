"""Contests on several processes."""

import multiprocessing
import os
import time
from dataclasses import replace

import pytest

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.contest import Contest
from unop2p.bots.guard import BotFailedError
from unop2p.bots.levels import make_bot
from unop2p.rules.moves import Move
from unop2p.rules.options import PRESETS, with_overrides
from unop2p.rules.view import PlayerView
from unop2p.sim.contest import chance_of, pieces, play_contests


def contest(games: int) -> Contest:
    return Contest(
        bots=("greedy", "random"),
        seats=2,
        games=games,
        options=with_overrides(PRESETS["official"], {"target": 60}),
        duplicate=True,
    )


def test_pieces_are_all_games_once() -> None:
    for games, workers in ((1, 1), (7, 2), (2000, 8)):
        cut = pieces(games, workers)
        assert [game for piece in cut for game in piece] == list(range(games))


def test_chance_hangs_on_every_number_and_on_nothing_else() -> None:
    seen = {
        chance_of(*numbers).random()
        for numbers in ((1, 2, 3, 0), (2, 2, 3, 0), (1, 3, 3, 0), (1, 2, 4, 0), (1, 2, 3, 1))
    }
    assert len(seen) == 5
    assert chance_of(1, 2, 3, 0).random() == chance_of(1, 2, 3, 0).random()


def test_another_seed_is_another_contest() -> None:
    ((first),) = play_contests([contest(4)], 1, workers=1)
    ((other),) = play_contests([contest(4)], 2, workers=1)
    assert first != other


@pytest.mark.slow
def test_however_many_cores_there_are_the_games_are_the_same() -> None:
    told: list[int] = []
    alone = play_contests([contest(6), contest(4)], 3, workers=1)
    shared = play_contests([contest(6), contest(4)], 3, workers=2, told=told.append)
    assert alone == shared
    assert sum(told) == 10
    assert [result.number for result in shared[0]] == list(range(6))


class Leaver:
    """Takes its whole process with it."""

    name = "leaver"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        del view, legal, rng
        os._exit(3)


def leaver_or_level(name: str) -> Bot:
    return Leaver() if name == "greedy" else make_bot(name)


@pytest.mark.slow
def test_a_bot_that_ends_its_process_is_told_in_a_sentence() -> None:
    with pytest.raises(BotFailedError, match="has ended all of a sudden"):
        play_contests([contest(4)], 3, workers=2, make=leaver_or_level)


class Sleeper:
    """Never answers."""

    name = "sleeper"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        del view, legal, rng
        time.sleep(1_000)
        return None


def sleeper_or_level(name: str) -> Bot:
    return Sleeper() if name == "greedy" else make_bot(name)


def stop_at_once(_count: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_a_contest_that_is_stopped_leaves_no_process_behind() -> None:
    quick = replace(contest(2), bots=("random", "linear"))
    before = set(multiprocessing.active_children())
    with pytest.raises(KeyboardInterrupt):
        play_contests([quick, contest(2)], 3, workers=2, told=stop_at_once, make=sleeper_or_level)
    assert set(multiprocessing.active_children()) <= before
