"""The ladder: the levels that ship, from the weakest to the strongest."""

from collections.abc import Callable
from typing import Final

from unop2p.bots.base import Bot
from unop2p.bots.learned import LearnedBot
from unop2p.bots.search import SearchBot
from unop2p.bots.simple import GreedyBot, RandomBot
from unop2p.errors import LocalError
from unop2p.words import said


class UnknownBotError(LocalError):
    """There is no bot of that level."""

    exit_code = 2


_LEVELS: Final[dict[str, Callable[[], Bot]]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "linear": lambda: LearnedBot("linear"),
    "search": SearchBot,
    "net": lambda: LearnedBot("net"),
}
LEVELS: Final = tuple(_LEVELS)


def make_bot(name: str) -> Bot:
    """Return a bot of a level.

    Raises:
        UnknownBotError: there is no such level.
    """
    try:
        return _LEVELS[name]()
    except KeyError as error:
        message = said("'{name}': there are {names}.", name=name, names=", ".join(LEVELS))
        raise UnknownBotError(message) from error


def level_below(name: str) -> str:
    """Return the level below one, which answers where that has no time left."""
    return LEVELS[max(LEVELS.index(name) - 1, 0)]
