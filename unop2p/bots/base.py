"""What a bot is: a function of what it may see, and of its own chance.

A bot keeps no memory and has no clock: the same view and the same chance give the same move, so that a
decision can be repeated, and so that hidden cards cannot reach it.
"""

from typing import Protocol

from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView


class Randomness(Protocol):
    """A bot's own source of chance, `random.Random` for one. Never the deal's."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to `stop` - 1."""
        ...


class Bot(Protocol):
    """A player that is a program."""

    name: str
    """The level, as `make_bot` takes it, or whatever a homemade bot calls itself."""

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move.

        Args:
            view: all that the seat may see.
            legal: every lawful move, never empty.
            rng: the bot's own chance.

        Returns:
            One of `legal`; None, in a reaction only, to let it pass.
        """
        ...
