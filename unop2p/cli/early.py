"""A prompt before the program is loaded: one can type at once, and what is typed is kept.

Loading takes most of a second. Until then the terminal itself shows what is typed, and hands it on to
the screen that takes over.
"""

import contextlib
import os
import sys
from typing import TextIO

from unop2p.cli.tongue import words

_ERASE = "\r\x1b[K"
"""To the beginning of the line, and all of it away (ECMA-48 EL)."""
_shown: list[TextIO] = []
"""Where a prompt stands."""


def show_prompt(*, plain: bool) -> None:
    """Show the prompt of a table that nobody knows yet, where a person sits at a terminal.

    Args:
        plain: nothing may be erased: then nothing is shown.
    """
    whole = not plain and os.name != "nt" and os.environ.get("TERM", "dumb") != "dumb"
    if not whole or not sys.stdin.isatty() or not sys.stdout.isatty():
        return
    with contextlib.suppress(OSError):  # the terminal may have gone
        sys.stdout.write(f"{words().say('lobby')}, {words().say('wait>')} ")
        sys.stdout.flush()
        _shown.append(sys.stdout)


def take_back() -> None:
    """Erase the prompt, where it stands: something else is to be said there."""
    while _shown:
        with contextlib.suppress(OSError, ValueError):  # gone, or closed
            terminal = _shown.pop()
            terminal.write(_ERASE)
            terminal.flush()
