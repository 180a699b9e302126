"""The list of commands: each is loaded when it is named, so that `--help` stays quick."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup

COMMANDS: Final = {
    "play": ("unop2p.cli.commands:play", "Play against bots, each a peer of its own."),
    "host": ("unop2p.cli.commands:host", "Open a table for others, and show the ticket to it."),
    "join": ("unop2p.cli.commands:join", "Sit down at somebody's table, or come back to it."),
    "bot": ("unop2p.cli.commands:bot", "Let a bot sit down at a table."),
    "watch": ("unop2p.cli.commands:watch", "Watch a table: all that is public, and no hand."),
    "tables": (
        "unop2p.cli.commands:tables",
        "List the tables that wait for you on this machine.",
    ),
    "resume": (
        "unop2p.cli.commands:resume",
        "Go on with a table that waits, by the command with which you sat down at it.",
    ),
    "match": (
        "unop2p.cli.commands:match",
        "Let bots play a match, each its own peer with its own connection.",
    ),
    "audit": (
        "unop2p.cli.past:audit",
        "Check a record from nothing: every signature, proof, rule and score.",
    ),
    "replay": (
        "unop2p.cli.past:replay",
        "Step through a record: space plays, arrows step, q quits.",
    ),
    "stats": (
        "unop2p.cli.past:stats",
        "Show what your matches came to: won, points, streaks, and with whom.",
    ),
    "broker": ("unop2p.cli.commands:broker", "Run a broker, until Ctrl-C."),
    "id": (
        "unop2p.cli.commands:identity",
        "Show who you are: name of the key, fingerprint, folder.",
    ),
    "lab": (
        "unop2p.cli.lab:lab_app",
        "A laboratory for fair-deal protocols: real peers in one process, with chosen cheats.",
    ),
    "rules": (
        "unop2p.cli.rules:rules_app",
        "The rules: what can be chosen, in plain sentences, and as examples that run.",
    ),
    "config": (
        "unop2p.cli.config:config_app",
        "Your settings: a file in which every option that you always give can stand.",
    ),
    "arena": (
        "unop2p.cli.arena:arena",
        "Let bots play many matches without a table of peers, and say how sure the figures are.",
    ),
    "train": (
        "unop2p.cli.arena:train",
        "Train weights of a bot by self-play, by the official rules; wants numpy.",
    ),
}
"""By name: where the command is, and the line that the list shows, which is the first of its help."""


class _Commands(Mapping[str, Any]):
    """The commands by name; one that is asked for is loaded, and kept."""

    def __init__(self) -> None:
        """Begin with none loaded."""
        self._loaded: dict[str, Any] = {}

    def __iter__(self) -> Iterator[str]:
        """Return the names, in the order of the list."""
        return iter(COMMANDS)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(COMMANDS)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  # of the copy of click inside typer
        """Return a command, or a group of them."""
        if name not in self._loaded:
            self._loaded[name] = _load(name, *COMMANDS[name][0].split(":"))
        return self._loaded[name]


def _load(name: str, module: str, attribute: str) -> Any:  # noqa: ANN401  # as above
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(rich_markup_mode=None, add_completion=False)
        found.command()(function)
    command = typer.main.get_command(found)
    command.name = name
    return command


class Program(TyperGroup):
    """The group of all commands."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401  # what typer gives
        """Make it, with no command loaded."""
        super().__init__(**given)
        self.commands = _Commands()  # type: ignore[assignment]  # nothing is added to it

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002  # as above
        """Return the names of the commands, in the order of the list."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002  # as above
        """Write the list of commands; none of them is loaded for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])
