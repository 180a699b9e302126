"""The texts of `--help`, and of a wrong command line, in the language of this process.

Typer says its own words in English; what it shows goes through here on its way. In English nothing of
this is loaded.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

import typer
from typer import core

# Typer has its copy of click behind an underscore, and no other name for these.
from typer._click.exceptions import (
    BadParameter,
    ClickException,
    MissingParameter,
    NoArgsIsHelpError,
    NoSuchOption,
    UsageError,
)
from typer._click.formatting import HelpFormatter

from unop2p.cli.exits import complain
from unop2p.cli.help_text import put_together
from unop2p.cli.tongue import words
from unop2p.words import mark

_OWN_WORDS: Final = (
    mark("Usage"),
    mark("Options"),
    mark("Arguments"),
    mark("Commands"),
    mark("OPTIONS"),
    mark("COMMAND [ARGS]..."),
    mark("Show this message and exit."),
    mark("env var: {var}"),
    mark("default: {default}"),
    mark("required"),
)
"""What typer says in a help; it asks `gettext` for the last three."""
_WRONG: Final = (
    (r"No such option: (?P<option>\S+)", mark("There is no option {option}.")),
    (r"No such command (?P<name>'.*')\.", mark("There is no command {name}.")),
    (
        r"No such command (?P<name>'.*')\. Did you mean (?P<near>.*)\?",
        mark("There is no command {name}. Did you mean {near}?"),
    ),
    (r"Missing command\.", mark("A command is missing.")),
    (
        r"Option '?(?P<option>[^' ]+)'? requires an argument\.",
        mark("Option {option} needs a value."),
    ),
    (
        r"Option '?(?P<option>[^' ]+)'? does not take a value\.",
        mark("Option {option} takes no value."),
    ),
    (
        r"Got unexpected extra argument\(?s?\)? \((?P<words>.*)\)",
        mark("There is a word too many: {words}"),
    ),
    (r"Input should be a valid integer, .*", mark("that is no whole number.")),
    (r"Input should be a valid number, .*", mark("that is no number.")),
    (r"Input should be a valid boolean, .*", mark("that is neither yes nor no.")),
    (
        r"Input should be greater than or equal to (?P<least>\S+)",
        mark("it is {least} or more."),
    ),
    (r"Input should be less than or equal to (?P<most>\S+)", mark("it is {most} or less.")),
    (
        r"Value error, (?P<value>'.*') is not one of (?P<choices>.*)\.",
        mark("{value} is none of {choices}."),
    ),
)
"""What typer says of a wrong command line, and what is said in its place."""


class _Formatter(HelpFormatter):
    """Writes a help with typer's own words in the language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that says how a command is written."""
        super().write_usage(prog, args, prefix or f"{words().say('Usage')}: ")

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        super().write_heading(words().say(heading))

    def write_dl(
        self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write options or commands with what they mean."""
        own = "Show this message and exit."
        told = [(name, words().say(own) if text == own else text) for name, text in rows]
        super().write_dl(told, col_max, col_spacing)


class _Context(typer.Context):
    """The context of a command, with our formatter."""

    formatter_class = _Formatter


def translate(command: Any) -> None:  # noqa: ANN401  # of the copy of click inside typer
    """Put a command's help, and that of its options and commands, into the language."""
    say = words().say
    core.__dict__["_"] = say
    command.context_class = _Context
    command.options_metavar = f"[{say('OPTIONS')}]"
    if command.help:
        command.help = put_together(command.help, say)
    for param in command.params:
        if param.help:
            param.help = put_together(param.help, say)
    if isinstance(command, core.TyperGroup):
        command.subcommand_metavar = say("COMMAND [ARGS]...")
        if isinstance(command.commands, dict):
            for under in command.commands.values():
                translate(under)


def complain_of(error: ClickException) -> None:
    """Say what is wrong with a command line, as typer does, in the language."""
    if isinstance(error, NoArgsIsHelpError):
        complain(f"{error.message}\n")
        return
    said = words()
    lead = ""
    if isinstance(error, UsageError) and error.ctx is not None:
        helped = said.say(
            "Help: `{command}`",
            command=f"{error.ctx.command_path} {error.ctx.help_option_names[0]}",
        )
        lead = f"{error.ctx.get_usage()}\n{helped}\n\n"
    complain(f"{lead}{said.say('Error: {what}', what=_what(error))}\n")


def _what(error: ClickException) -> str:
    said = words()
    if isinstance(error, MissingParameter):
        return said.say("{name} is missing.", name=_hint(error))
    if isinstance(error, BadParameter):
        return said.say("{name}: {reason}", name=_hint(error), reason=_told(error.message))
    if isinstance(error, NoSuchOption) and error.possibilities:
        near = ", ".join(sorted(error.possibilities))
        return f"{_told(error.message)} {said.say('Perhaps: {options}', options=near)}"
    return _told(error.message)


def _hint(error: BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    known = error.param.get_error_hint()
    return known.replace("env var", words().say("env var: {var}").partition(":")[0])


def _told(message: str) -> str:
    for pattern, sentence in _WRONG:
        found = re.fullmatch(pattern, message)
        if found:
            return words().say(sentence, **found.groupdict())
    return message
