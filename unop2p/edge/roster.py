"""Every bot there is, by the name that a player types: levels, plug-ins, programs."""

from collections.abc import Callable
from typing import Final

from unop2p.bots.base import Bot
from unop2p.bots.deadline import DeadlineBot
from unop2p.bots.fallback import FallbackBot
from unop2p.bots.levels import LEVELS, UnknownBotError, make_bot
from unop2p.edge.plugins import make_plugin, plugins
from unop2p.words import said

BELOW_OWN: Final = "greedy"
"""The level that answers for a bot of one's own."""
SLOW: Final = frozenset({"search"})
"""Levels that think for longer than an event loop may be kept."""


def bot_names() -> tuple[str, ...]:
    """Return the levels, then what other packages bring. Programs have no names but their paths."""
    return (*LEVELS, *plugins())


def open_bot(name: str) -> Bot:
    """Return a bot for contests: where it fails, it says so, and nobody answers for it.

    Args:
        name: a level, or the name of a plug-in.

    Raises:
        UnknownBotError: there is none of that name.
        PluginError: it cannot be imported or made.
    """
    if name in LEVELS:
        return make_bot(name)
    brought = plugins()
    if name in brought:
        return make_plugin(name, brought[name])
    message = said("'{name}': there are {names}.", name=name, names=", ".join((*LEVELS, *brought)))
    raise UnknownBotError(message)


def table_bot(name: str, now_ms: Callable[[], int]) -> Bot:
    """Return a bot for one seat: where it has no answer, a level below has one.

    Args:
        name: as for `open_bot`.
        now_ms: a clock that never goes back.

    Raises:
        UnknownBotError: as `open_bot`.
        PluginError: as `open_bot`.
    """
    if name in SLOW:
        from unop2p.edge.elsewhere import ElsewhereBot  # noqa: PLC0415  # loads much

        return ElsewhereBot(name)
    if name in LEVELS:
        return DeadlineBot(name, now_ms)
    return FallbackBot(open_bot(name), DeadlineBot(BELOW_OWN, now_ms))


def check_bot(name: str) -> None:
    """Refuse a name of which no bot can be had, before anything is done.

    Raises:
        UnknownBotError: as `open_bot`.
        PluginError: as `open_bot`.
    """
    open_bot(name)
