"""A ticket's QR code, printed beside the ticket: for a camera that looks at the terminal."""

import os
import sys

from unop2p.cli.exits import complain
from unop2p.cli.look import Colors, Look
from unop2p.repl.qr import code_lines
from unop2p.repl.terminal import SIGNS, symbols_for


def show_code(text: str, look: Look) -> None:
    """Print the QR code of a text on standard error, as a person wants the screen.

    Args:
        text: what it says.
        look: which signs and colors; where that is left open, what the terminal has.
    """
    symbols = SIGNS.get(look.signs) or symbols_for(os.environ, sys.stderr.encoding)
    obeys = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    color = obeys and not os.environ.get("NO_COLOR")
    if look.colors is not Colors.AUTO:
        color = look.colors is not Colors.NEVER
    for line in code_lines(text, symbols, color=color):
        complain(line + "\n")
