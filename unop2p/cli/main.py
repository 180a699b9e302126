"""The program: what stands before every command. Only this room wires things together.

`--help` and every command begin here, so this loads little: tests/cli/test_main.py holds the list.
"""

import gc
import os
import sys
from typing import Annotated

import typer

from unop2p import __version__
from unop2p.cli.exits import complain, leave, run_program
from unop2p.cli.offers import languages
from unop2p.cli.program import Program
from unop2p.cli.tongue import (
    set_in_file,
    setting_of_language,
    speak,
    take_language,
    take_option,
    words,
)
from unop2p.edge.languages import LanguageError
from unop2p.words import Bidi

COMPLETE_VARIABLE = "_UNOP2P_COMPLETE"
"""What a shell sets when it asks for completions (see `completion`)."""

app = typer.Typer(
    name="unop2p",
    cls=Program,
    help=(
        "UNO for the terminal, peer to peer: no game server, hidden hands, a deal that everybody "
        "can check.\n\n"
        "Examples:\n\n"
        "  unop2p play                      you and three bots, right here\n\n"
        "  unop2p host --seats 3            open a table for friends, and read out the ticket\n\n"
        "  unop2p join 'unop2p:…@mqtt://…'  sit down at it"
    ),
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:  # noqa: FBT001  # typer's callback
    if value:
        typer.echo(f"unop2p {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    _version: Annotated[  # typer's callback acts on it
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and go."
        ),
    ] = False,
    _lang: Annotated[  # `run` takes it wherever it stands, and nothing is left of it here
        str | None,
        typer.Option(
            "--lang",
            autocompletion=languages,
            help="en, el, he, uk, ro or pl, after any command too; left out: as the locale says.",
        ),
    ] = None,
    _bidi: Annotated[  # as above
        Bidi | None,
        typer.Option(
            "--bidi",
            help="Who puts right-to-left letters in order: the terminal, or this program.",
        ),
    ] = None,
) -> None:
    """UNO for the terminal, peer to peer."""
    from unop2p.cli.config import use_settings  # noqa: PLC0415

    if context.invoked_subcommand is None:
        from unop2p.cli.start import show  # noqa: PLC0415

        leave(show)
    use_settings(context)


def run() -> None:
    """Run the program, in the language of whoever started it."""
    gc.disable()  # until all is imported: nothing of that is garbage (`leave` enables it)
    asked, rest = take_language(sys.argv[1:])
    bidi, rest = take_option("--bidi", rest)
    wrong = bidi is not None and bidi not in set(Bidi)
    sys.argv[1:] = ["--bidi", str(bidi), *rest] if wrong else rest  # and is refused

    def program() -> None:
        try:
            speak(asked, None if asked else setting_of_language(os.environ))
            if words().right_to_left:
                _put_in_order(bidi)
        except LanguageError as error:
            complain(f"unop2p: {error.sentence()}\n")
            sys.exit(error.exit_code)
        if COMPLETE_VARIABLE in os.environ:
            from unop2p.cli.completion import answer_shells  # noqa: PLC0415

            answer_shells()
        app(prog_name="unop2p", complete_var=COMPLETE_VARIABLE)

    run_program(program)


def _put_in_order(asked: str | None) -> None:
    from unop2p.cli.direction import BIDI_VARIABLE, choose_direction, write_in_order  # noqa: PLC0415

    in_file = set_in_file("bidi", os.environ)
    choose_direction(asked, os.environ.get(BIDI_VARIABLE), in_file)
    write_in_order()
