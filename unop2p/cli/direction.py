"""What is written to a terminal in a right-to-left language is put in order on its way."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from unop2p.cli.tongue import words
from unop2p.words import Bidi

BIDI_VARIABLE = "UNOP2P_BIDI"
_chosen: list[Bidi] = [Bidi.AUTO]


def choose_direction(*wanted: str | None) -> None:
    """Choose who puts letters in order, by the first of what is asked for that there is.

    Args:
        wanted: what the option, the variable and the setting say. An unknown word is as none.
    """
    known = {mode.value for mode in Bidi}
    _chosen[:] = [next((Bidi(mode) for mode in wanted if mode in known), Bidi.AUTO)]


def arrange() -> Callable[[str], str]:
    """Return what makes a line for this terminal out of a line as it is read."""
    if not words().right_to_left:
        return str
    from unop2p.repl.direction import arranger  # noqa: PLC0415  # few need it

    return arranger(_chosen[-1], os.environ)


class Ordered:
    """A text stream to a terminal that puts every line in order; all else is the stream's."""

    def __init__(self, stream: TextIO, arranged: Callable[[str], str]) -> None:
        """Take the stream, and what makes a line."""
        self._stream, self._arranged = stream, arranged

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # of any stream
        """Return what the stream has."""
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write lines, broken at words first: what a terminal breaks is read in a wrong order."""
        if not isinstance(text, str):
            raise TypeError(type(text).__name__)  # whoever writes bytes tries whether they can
        from unop2p.repl.fold import fold  # noqa: PLC0415  # see `arrange`

        width = shutil.get_terminal_size().columns
        for line in text.splitlines(keepends=True):
            bare = line.rstrip("\r\n")
            shown = "\n".join(self._arranged(part) for part in fold(bare, width))
            self._stream.write(shown + line[len(bare) :])
        return len(text)


def write_in_order(environment: Mapping[str, str] = os.environ) -> None:
    """Put standard output and error in order from now on, where they are terminals and it is needed."""
    if not words().right_to_left or environment.get("TERM") == "dumb":
        return
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream.isatty() and not isinstance(stream, Ordered):
            setattr(sys, name, Ordered(stream, arrange()))
