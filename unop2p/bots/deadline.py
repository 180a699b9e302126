"""Bots that never hold a table up: who is late, or fails, is answered for by the level below."""

from collections.abc import Callable
from typing import Final

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.levels import LEVELS, make_bot
from unop2p.bots.search import SearchBot, TooLateError
from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView

LIMIT_MS: Final = 1_000
"""Many times what any level needs on a slow machine: `search` thinks for some hundredths of a second."""


class DeadlineBot:
    """Asks a level, and each level below in turn where that has no answer in time."""

    def __init__(self, level: str, now_ms: Callable[[], int], limit_ms: int = LIMIT_MS) -> None:
        """Take the level.

        Args:
            level: where to begin.
            now_ms: a clock that never goes back.
            limit_ms: after so long a level has to answer.

        Raises:
            UnknownBotError: there is no such level.
        """
        self.name = make_bot(level).name
        self._now_ms, self._limit_ms = now_ms, limit_ms
        self._began_ms = 0
        self._chain: list[Bot] = [
            SearchBot(late=self._late) if name == "search" else make_bot(name)
            for name in reversed(LEVELS[: LEVELS.index(level) + 1])
        ]
        self.fell: int = 0
        """How often a level below had to answer."""

    def _late(self) -> bool:
        return self._now_ms() - self._began_ms > self._limit_ms

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        for bot in self._chain[:-1]:
            self._began_ms = self._now_ms()
            try:
                move = bot.choose(view, legal, rng)
            except TooLateError:
                self.fell += 1
                continue
            if move is None or move in legal:
                return move
            self.fell += 1
        return self._chain[-1].choose(view, legal, rng)
