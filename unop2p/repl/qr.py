"""A QR code as lines of text, for a camera in front of a terminal. Pure.

Dark on light with a quiet zone of four modules (ISO/IEC 18004), whatever colors the terminal itself
has: with colors both are named. Without colors light is what is drawn, since most terminals are dark.
"""

from functools import lru_cache
from typing import Final

from unop2p.repl.terminal import ASCII, Symbols

QUIET: Final = 4
"""Modules of light around the code."""
_ON: Final = "\x1b[30;107m"
"""Black on bright white."""
_DARK: Final = "\x1b[40m"
_LIGHT: Final = "\x1b[107m"
_OFF: Final = "\x1b[0m"
_HALVES: Final = {
    (False, False): " ",
    (True, False): "▀",
    (False, True): "▄",
    (True, True): "█",
}
"""Upper and lower module of a cell: whether each is drawn."""


@lru_cache(maxsize=4)
def code_lines(text: str, symbols: Symbols, *, color: bool) -> tuple[str, ...]:
    """Return a QR code of a text, all lines of one width.

    With half blocks a cell holds two modules, one above the other; with ASCII a module is two cells.

    Args:
        text: up to some hundred characters.
        symbols: which signs there are.
        color: whether ANSI colors may be used.
    """
    dark = matrix(text)
    if symbols is ASCII:
        return tuple(_in_ascii(row, color=color) for row in dark)
    if len(dark) % 2:
        dark = (*dark, (False,) * len(dark[0]))
    return tuple(
        _in_halves(upper, lower, color=color)
        for upper, lower in zip(dark[::2], dark[1::2], strict=True)
    )


def matrix(text: str) -> tuple[tuple[bool, ...], ...]:
    """Return which modules are dark, row by row, with the quiet zone."""
    import segno  # noqa: PLC0415  # only who asks for a code waits for it

    code = segno.make(text, error="l", micro=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix_iter(border=QUIET))


def _in_halves(upper: tuple[bool, ...], lower: tuple[bool, ...], *, color: bool) -> str:
    # Without colors what is drawn is light, so it is the other way round.
    cells = (_HALVES[up is color, low is color] for up, low in zip(upper, lower, strict=True))
    drawn = "".join(cells)
    return f"{_ON}{drawn}{_OFF}" if color else drawn


def _in_ascii(row: tuple[bool, ...], *, color: bool) -> str:
    if not color:
        return "".join("  " if dark else "##" for dark in row)
    drawn = ""
    before: bool | None = None
    for dark in row:
        if dark is not before:
            drawn += _DARK if dark else _LIGHT
            before = dark
        drawn += "  "
    return drawn + _OFF
