"""How every command ends: with an exit code of its own, and one sentence where something is wrong."""

import codecs
import contextlib
import errno
import gc
import io
import os
import sys
import unicodedata
from collections.abc import Callable
from typing import TextIO

import typer

from unop2p.cli.early import take_back
from unop2p.cli.tongue import words
from unop2p.errors import Unop2pError

INTERRUPTED_EXIT_CODE = 130
BROKEN_PIPE_EXIT_CODE = 141
"""As a shell shows a program that SIGPIPE has ended."""
OUTPUT_EXIT_CODE = 14
"""As for any other file that cannot be written."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def run_program(app: Callable[[], object]) -> None:
    """Run the program, also where its output is closed or cannot be written."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # started with it closed, as `>&-` does
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # until the end
    _take_every_letter(sys.stdout)
    try:
        app()
    except OSError as error:
        code = getattr(error.__context__, "exit_code", None)
        if not isinstance(code, int):
            sys.exit(_output_failed(error))
        # A wrong command line, and nobody reads what is wrong with it: it is wrong all the same.
        _lead_nowhere(sys.stderr)
        sys.exit(code)
    finally:
        complain("")  # what a library wrote there, too


def _take_every_letter(stream: TextIO) -> None:
    """Let a stream write what its encoding lacks, as in a locale without UTF-8, in another way."""
    if isinstance(stream, io.TextIOWrapper):
        codecs.register_error("unop2p", _written)
        stream.reconfigure(errors="unop2p")


def _written(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""Return what stands for a letter that cannot be written.

    A byte of a file's name that is no text is that byte again; other letters are as in Python, `\u2019`.
    """
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.backslashreplace_errors(error)


def leave(work: Callable[[], int], *, go_on: bool = False) -> None:
    """Run work that returns an exit code; turn our errors into a sentence and a code of their own.

    Args:
        work: what is done.
        go_on: work that ends with 0 is only the beginning: return, and do not end the program.
    """
    if not go_on:
        gc.enable()  # what was imported until here was no garbage
    code = _outcome(work)
    if not go_on:
        take_back()
    if go_on and not code:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        close_output()
        code = code or BROKEN_PIPE_EXIT_CODE
    except OSError as error:
        code = _output_failed(error)
    raise typer.Exit(code)


def _output_failed(error: OSError) -> int:
    """Say that standard output cannot be written, and return the exit code; other errors go on."""
    if error.errno not in _FULL:
        raise error
    close_output()
    text = words().say("What the command prints cannot be written: {error}.", error=error.strerror)
    complain(f"unop2p: {text}\n")
    return OUTPUT_EXIT_CODE


def _outcome(work: Callable[[], int]) -> int:
    try:
        return work()
    except KeyboardInterrupt:
        complain(f"\nunop2p: {words().say('interrupted.')}\n")
        return INTERRUPTED_EXIT_CODE
    except (Unop2pError, BrokenPipeError, BaseExceptionGroup) as raised:
        error: BaseException = raised
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, BrokenPipeError):
            close_output()
            return BROKEN_PIPE_EXIT_CODE
        if not isinstance(error, Unop2pError):
            raise
        complain(f"unop2p: {without_controls(error.sentence(words()))}\n")
        return error.exit_code


def without_controls(text: str) -> str:
    """Return a sentence without what a terminal would obey: it may repeat what a file of others says.

    >>> without_controls("no key " + chr(27) + "[2J")
    'no key ?[2J'
    """
    kept = (char if char == "\n" or unicodedata.category(char) != "Cc" else "?" for char in text)
    return "".join(kept)


def close_output() -> None:
    """Send what is still written to standard output nowhere: nobody reads it any more.

    Without this the interpreter would complain of what is left in its buffer when it ends.
    """
    _lead_nowhere(sys.stdout)


def complain(text: str) -> None:
    """Write to standard error, where there is one; when the terminal has gone, nowhere from now on.

    What stays in the buffer would make the interpreter end with 120 in place of our exit code.
    """
    take_back()
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _lead_nowhere(sys.stderr)


def _lead_nowhere(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), stream.fileno())
