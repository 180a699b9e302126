"""Every bot there is, by what a player types: levels, weights, plug-ins, programs."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from unop2p.bots.base import Bot
from unop2p.bots.deadline import DeadlineBot
from unop2p.bots.fallback import FallbackBot
from unop2p.bots.guard import one_line
from unop2p.bots.learned import LearnedBot
from unop2p.bots.levels import LEVELS, UnknownBotError, make_bot
from unop2p.bots.likeness import shipped_names
from unop2p.bots.weights import Weights, WeightsError, parse, shipped
from unop2p.edge.errors import EXIT_USAGE
from unop2p.edge.plugin_host import MODULE
from unop2p.edge.plugins import make_plugin, plugins
from unop2p.edge.program import can_run
from unop2p.edge.program_bot import Limits, ProgramBot
from unop2p.errors import EdgeError
from unop2p.words import said

BELOW_OWN: Final = "greedy"
"""The level that answers for a bot of one's own."""
SLOW: Final = frozenset({"search"})
"""Levels that think for longer than an event loop may be kept."""
COMMAND: Final = "cmd:"
"""Stands before a program with arguments."""
WEIGHTS: Final = "weights:"
"""Stands before a file of weights, or the name of some that ship."""
WEIGHTS_CHARACTERS_MAX: Final = 32 * 1024 * 1024


class BotProgramError(EdgeError):
    """That program cannot be a bot."""

    exit_code = EXIT_USAGE


def bot_names() -> tuple[str, ...]:
    """Return the levels, then what other packages bring. Programs have no names but their paths."""
    return (*LEVELS, *plugins())


def program_words(text: str) -> tuple[str, ...] | None:
    """Return the program and arguments that a player means; None if it is a name.

    A path, which has a slash in it, is a program; so is whatever stands after `cmd:`, in words as a
    shell has them. No shell is asked.

    Raises:
        BotProgramError: there is no such program, or it may not be run.

    >>> program_words("net") is None
    True
    """
    if text.startswith(COMMAND):
        try:
            words = shlex.split(text.removeprefix(COMMAND))
        except ValueError:
            words = []
    elif "/" in text or os.sep in text:
        words = [text]
    else:
        return None
    if not can_run():
        message = said("On this system no program can; a Python plug-in can.")
        raise BotProgramError(message)
    if not words or shutil.which(words[0]) is None:
        name = one_line(words[0] if words else text)
        message = said("`{name}` is not there, or may not be run (`chmod +x` lets it).", name=name)
        raise BotProgramError(message)
    return tuple(words)


def weights_or_none(name: str) -> Weights | None:
    """Return the weights that a player means; None if it is another sort of bot.

    Raises:
        WeightsError: the file is not there, or holds none.
    """
    if not name.startswith(WEIGHTS):
        return None
    text = name.removeprefix(WEIGHTS)
    if text in shipped_names() and not Path(text).exists():
        return shipped(text)
    try:
        with Path(text).expanduser().open(encoding="utf-8") as file:
            held = file.read(WEIGHTS_CHARACTERS_MAX)  # a device may never end
        return parse(held)
    except (OSError, ValueError) as error:
        message = said("`{path}` cannot be read.", path=one_line(text))
        raise WeightsError(message) from error


def _plugin_or_none(name: str) -> Bot:
    brought = plugins()
    if name in brought:
        return make_plugin(name, brought[name])
    names = ", ".join((*LEVELS, *brought))
    message = said("'{name}': there are {names}.", name=one_line(name), names=names)
    raise UnknownBotError(message)


def open_bot(name: str) -> Bot:
    """Return a bot for contests: where it fails, it says so, and nobody answers for it.

    Args:
        name: a level, weights, a plug-in, or a program.

    Raises:
        UnknownBotError: there is none of that name.
        PluginError: it cannot be imported or made.
        BotProgramError: there is no such program.
        WeightsError: there are no such weights.
    """
    if name in LEVELS:
        return make_bot(name)
    weights = weights_or_none(name)
    if weights is not None:
        return LearnedBot("weights", weights)
    words = program_words(name)
    if words is None:
        return _plugin_or_none(name)
    return ProgramBot(name, words, starts_max=1)


def apart_bot(name: str, limits: Limits | None = None, *, starts_max: int | None = None) -> Bot:
    """Return a bot of one's own that runs in a program of its own, a plug-in too.

    Raises:
        UnknownBotError: as `open_bot`; so for the other two.
    """
    words = program_words(name)
    more: dict[str, str] = {}
    if words is None:
        plugin = _plugin_or_none(name)
        if not can_run():
            return plugin
        words = (sys.executable, "-m", MODULE, name)
        # What was found here is found there.
        more = {"PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)}
    given = {} if starts_max is None else {"starts_max": starts_max}
    return ProgramBot(name, words, more=more, limits=limits, **given)


def table_bot(name: str, now_ms: Callable[[], int]) -> Bot:
    """Return a bot for one seat: where it has no answer, a level below has one.

    Args:
        name: as for `open_bot`.
        now_ms: a clock that never goes back.

    Raises:
        UnknownBotError: as `open_bot`; so for the other two.
        ProgramError: the program cannot be started.
    """
    if name in SLOW:
        from unop2p.edge.elsewhere import ElsewhereBot  # noqa: PLC0415  # loads much

        return ElsewhereBot(name)
    if name in LEVELS:
        return DeadlineBot(name, now_ms)
    weights = weights_or_none(name)
    if weights is not None:
        return FallbackBot(LearnedBot("weights", weights), DeadlineBot(BELOW_OWN, now_ms))
    own = apart_bot(name)
    if isinstance(own, ProgramBot):
        own.start()
    return FallbackBot(own, DeadlineBot(BELOW_OWN, now_ms))


def check_bot(name: str) -> None:
    """Refuse a name of which no bot can be had, before anything is done.

    Raises:
        UnknownBotError: as `open_bot`; so for the other two.
    """
    open_bot(name)
