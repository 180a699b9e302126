"""What a bot is: a function of what it may see, and of its own chance."""

from typing import Protocol

from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView


class Randomness(Protocol):
    """A bot's own source of chance, `random.Random` for one."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to `stop` - 1."""
        ...


class Bot(Protocol):
    """A player that is a program."""

    name: str

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
