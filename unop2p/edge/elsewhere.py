"""Levels that take long think in a process of their own, which all seats of a program share."""

import contextlib
import multiprocessing
import os
import random
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from functools import lru_cache
from typing import Final

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.levels import LEVELS, make_bot
from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView

NICE: Final = 5
"""The thinking process lets others go first."""


@lru_cache(maxsize=len(LEVELS))
def _bot(level: str) -> Bot:
    return make_bot(level)


def choose_elsewhere(
    level: str, view: PlayerView, legal: tuple[Move, ...], seed: int
) -> Move | None:
    """Choose a move; run in the thinking process."""
    return _bot(level).choose(view, legal, random.Random(seed))  # noqa: S311  # a bot's chance


def _warm_up(level: str) -> None:
    """Load what a level needs."""
    _bot(level)


def _settle_in() -> None:
    """Let the program that started us end us, and others go first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):  # not everywhere
        os.nice(NICE)


class ElsewhereBot:
    """A level that thinks in a process of its own; all seats of a program share it."""

    pool: ProcessPoolExecutor | None = None
    """The one process, once it is started."""

    def __init__(self, level: str) -> None:
        """Take the level, and start the process: the first question shall not wait for it.

        Raises:
            UnknownBotError: there is no such level.
        """
        self._bot = make_bot(level)
        self.name = level
        self._start().submit(_warm_up, level)

    @classmethod
    def _start(cls) -> ProcessPoolExecutor:
        if ElsewhereBot.pool is None:
            context = multiprocessing.get_context("spawn")
            ElsewhereBot.pool = ProcessPoolExecutor(1, context, initializer=_settle_in)
        return ElsewhereBot.pool

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move here and now; see `Bot.choose`."""
        return self._bot.choose(view, legal, rng)

    def submit(self, view: PlayerView, legal: tuple[Move, ...], seed: int) -> "Future[Move | None]":
        """Begin to think; see `Elsewhere`."""
        try:
            return self._start().submit(choose_elsewhere, self.name, view, legal, seed)
        except RuntimeError as error:  # a broken pool is one, and a pool that was shut down
            # It was ended from outside: the next question starts another.
            ElsewhereBot.pool = None
            failed: Future[Move | None] = Future()
            failed.set_exception(error)
            return failed
