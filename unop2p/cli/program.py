"""The list of commands: each is loaded when it is named, so that `--help` stays quick."""

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup

from unop2p.cli.tongue import words
from unop2p.words import ENGLISH, mark

COMMANDS: Final = {
    "play": ("unop2p.cli.commands:play", mark("Play against bots, each a peer of its own.")),
    "host": (
        "unop2p.cli.commands:host",
        mark("Open a table for others, and show the ticket to it."),
    ),
    "join": ("unop2p.cli.commands:join", mark("Sit down at somebody's table, or come back to it.")),
    "bot": ("unop2p.cli.commands:bot", mark("Let a bot sit down at a table, or run by itself.")),
    "bot check": (
        "unop2p.cli.bot_check:bot_check",
        mark("Check whether a bot of your own does as a bot should."),
    ),
    "watch": ("unop2p.cli.commands:watch", mark("Watch a table: all that is public, and no hand.")),
    "tables": (
        "unop2p.cli.finding:tables",
        mark(
            "List the tables that wait for you here, and those announced on a broker or the network."
        ),
    ),
    "resume": (
        "unop2p.cli.commands:resume",
        mark("Go on with a table that waits, by the command with which you sat down at it."),
    ),
    "match": (
        "unop2p.cli.commands:match",
        mark("Let bots play a match, each its own peer with its own connection."),
    ),
    "audit": (
        "unop2p.cli.past:audit",
        mark("Check a record from nothing: every signature, proof, rule and score."),
    ),
    "replay": (
        "unop2p.cli.past:replay",
        mark("Step through a record: space plays, arrows step, q quits."),
    ),
    "stats": (
        "unop2p.cli.past:stats",
        mark("Show what your matches came to: won, points, streaks, and with whom."),
    ),
    "broker": ("unop2p.cli.broker:broker_app", mark("Run a broker, until Ctrl-C; or try one out.")),
    "load": (
        "unop2p.cli.load:load",
        mark("Play many tables of bots over a broker, and measure what it bears."),
    ),
    "id": (
        "unop2p.cli.commands:identity",
        mark("Show who you are: name of the key, fingerprint, folder."),
    ),
    "lab": (
        "unop2p.cli.lab:lab_app",
        mark(
            "A laboratory for fair-deal protocols: real peers in one process, with chosen cheats."
        ),
    ),
    "sim": (
        "unop2p.cli.sim:sim",
        mark(
            "Simulate tables that fail in all kinds of ways, and check what the protocol promises."
        ),
    ),
    "rules": (
        "unop2p.cli.rules:rules_app",
        mark("The rules: what can be chosen, in plain sentences, and as examples that run."),
    ),
    "config": (
        "unop2p.cli.config:config_app",
        mark("Your settings: a file in which every option that you always give can stand."),
    ),
    "completion": (
        "unop2p.cli.commands:completion",
        mark(
            "Let your shell complete commands, options and values: print its script, or install it."
        ),
    ),
    "arena": (
        "unop2p.cli.arena:arena",
        mark(
            "Let bots play many matches without a table of peers, and say how sure the figures are."
        ),
    ),
    "train": (
        "unop2p.cli.arena:train",
        mark("Train weights of a bot by self-play; wants numpy."),
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
    return _told(command)


def _told(command: Any) -> Any:  # noqa: ANN401  # as above
    """Return a command with its help in the language."""
    if words() is not ENGLISH:
        from unop2p.cli.helping import translate  # noqa: PLC0415  # English needs none of it

        translate(command)
    known = getattr(command, "commands", None)
    for under in known.values() if isinstance(known, dict) else ():
        under.short_help = under.help.partition("\n\n")[0]  # else it is cut in the list
    return command


class Program(TyperGroup):
    """The group of all commands."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401  # what typer gives
        """Make it, with no command loaded."""
        super().__init__(**given)
        self.commands = _Commands()  # type: ignore[assignment]  # nothing is added to it
        _told(self)

    def main(self, *args: Any, **given: Any) -> Any:  # noqa: ANN401  # as above
        """Run the program; what is wrong with a command line is said in the language."""
        if words() is ENGLISH or not given.get("standalone_mode", True):
            return super().main(*args, **given)
        given["standalone_mode"] = False
        from typer._click.exceptions import ClickException  # noqa: PLC0415

        from unop2p.cli.helping import complain_of  # noqa: PLC0415

        try:
            sys.exit(super().main(*args, **given))
        except ClickException as error:
            complain_of(error)
            sys.exit(error.exit_code)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401  # as above
        """Return a command and what it is given; some have a name of two words."""
        pair = " ".join(args[:2])
        if len(args) > 1 and pair in COMMANDS:
            return pair, self.commands[pair], args[2:]
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002  # as above
        """Return the names of the commands, in the order of the list."""
        return list(COMMANDS)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401  # as above
        """Return the options and commands that begin so; none of the commands is loaded for it."""
        from typer._click.shell_completion import CompletionItem  # noqa: PLC0415  # only a shell asks for it

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        found = [name for name in COMMANDS if name.startswith(incomplete)]
        return [CompletionItem(name, help=words().say(COMMANDS[name][1])) for name in found]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002  # as above
        """Write the list of commands; none of them is loaded for it."""
        with formatter.section("Commands"):
            say = words().say
            formatter.write_dl([(name, say(line)) for name, (_, line) in COMMANDS.items()])
