"""A bot of somebody's own at a table: where it fails, a level answers for it, and the game goes on."""

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.guard import BotFailedError
from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView


class FallbackBot:
    """Asks a bot that may fail, and a level where it does."""

    waits = True
    """It may take its time: asked in a thread of its own, so that nothing waits with it."""

    def __init__(self, own: Bot, below: Bot) -> None:
        """Take both.

        Args:
            own: raises `BotFailedError` where it has no answer.
            below: answers then; it never fails.
        """
        self.name = own.name
        self.fell: int = 0
        """How often the level had to answer."""
        self.failure = ""
        """What the bot has last done wrong, in a sentence; empty for nothing."""
        self._own, self._below = own, below

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        try:
            return self._own.choose(view, legal, rng)
        except BotFailedError as error:
            self.fell += 1
            self.failure = error.sentence()
        return self._below.choose(view, legal, rng)

    def close(self) -> None:
        """End what the bot has started."""
        close = getattr(self._own, "close", None)
        if close is not None:
            close()
