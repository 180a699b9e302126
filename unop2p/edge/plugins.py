"""Bots that other packages bring: classes in the entry point group `unop2p.bots`."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from unop2p.bots.base import Bot
from unop2p.bots.guard import GuardedBot, fault_of, one_line
from unop2p.bots.levels import LEVELS
from unop2p.edge.errors import EXIT_USAGE
from unop2p.errors import EdgeError
from unop2p.words import said

GROUP: Final = "unop2p.bots"


class PluginError(EdgeError):
    """A bot that another package brings cannot be used."""

    exit_code = EXIT_USAGE


def plugins() -> dict[str, Sequence[EntryPoint]]:
    """Return what other packages bring, by name; more than one where they quarrel about it.

    A level's name always means the level: what another package calls so is left out.
    """
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        known = found.setdefault(point.name, [])
        if point not in known and point.name not in LEVELS:
            known.append(point)
    return {name: points for name, points in sorted(found.items()) if points}


def make_plugin(name: str, points: Sequence[EntryPoint]) -> Bot:
    """Import a bot, and make one of it.

    Args:
        name: as it was asked for.
        points: who brings it.

    Raises:
        PluginError: two bring it, it cannot be imported or made, or it is no bot.
    """
    if len(points) > 1:
        message = said(
            "Two packages bring a bot `{name}`: {places}. Remove one of them.",
            name=name,
            places=", ".join(one_line(point.value) for point in points),
        )
        raise PluginError(message)
    (point,) = points
    where = one_line(point.value)
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # whatever the author's own code does
        message = said(
            "`{name}` ({where}) cannot be imported: {error}.",
            name=name,
            where=where,
            error=fault_of(error),
        )
        raise PluginError(message) from error
    try:
        made = found()
        fine = callable(getattr(made, "choose", None))
    except (Exception, SystemExit) as error:  # as above
        message = said(
            "`{name}` ({where}) cannot be made without arguments: {error}.",
            name=name,
            where=where,
            error=fault_of(error),
        )
        raise PluginError(message) from error
    if not fine:
        message = said("`{name}` ({where}) has no method `choose`.", name=name, where=where)
        raise PluginError(message)
    return GuardedBot(made, name)
