"""Long lines broken at words, so that a narrow terminal does not break them inside. Pure."""

import re
from typing import Final

from prompt_toolkit.utils import get_cwidth

_CODE: Final = re.compile(r"\x1b\[[0-9;]*m")
_TITLE: Final = re.compile(r" *\S+(?: \S+)*  +(?=\S)")
_WORD: Final = re.compile(r" *[^ ]+")
_WHOLE: Final = re.compile(r" *(?:[^ `]*`[^`]*`)+[^ `]*| *[^ ]+")
WIDTH_MIN: Final = 20
"""Narrower than this nothing can be read in any case."""


def width_of(text: str) -> int:
    """Return how many columns a text takes, colors aside.

    >>> width_of("R7"), width_of(chr(27) + "[1mR7" + chr(27) + "[0m")
    (2, 2)
    """
    return get_cwidth(_CODE.sub("", text))


def fold(line: str, width: int) -> list[str]:
    """Break a line at spaces; what follows hangs under where the text begins.

    Args:
        line: one line, with or without color codes.
        width: columns of the terminal.

    >>> fold("  hand  1:R5*  2:R7*  3:G3", 20)
    ['  hand  1:R5*  2:R7*', '        3:G3']
    """
    width = max(width, WIDTH_MIN)
    if width_of(line) <= width:
        return [line]
    hang = " " * _indent(line, width)
    lines, current = [], ""
    for piece in _pieces(line, width):
        if current.strip() and width_of(current + piece) > width:
            lines.append(current)
            current = hang + piece.lstrip()
        else:
            current += piece
        while width_of(current) > width:  # one word, wider than the terminal
            fits = _fitting(current, width)
            lines.append(current[:fits])
            current = hang + current[fits:]
    return [*lines, current]


def fold_fields(line: str, width: int, between: str = " | ") -> list[str]:
    """Break a line between its fields, which stay whole; a field that is wider by itself is folded.

    >>> fold_fields("step 5 of 70 | paused | speed x1", 24)
    ['step 5 of 70 | paused', 'speed x1']
    """
    lines: list[str] = []
    for field in line.split(between):
        if lines and width_of(lines[-1]) + width_of(between) + width_of(field) <= width:
            lines[-1] += between + field
        else:
            lines.append(field)
    return [part for whole in lines for part in fold(whole, width)]


def _pieces(line: str, width: int) -> list[str]:
    """Return words with the spaces before them; what stands in backticks to be typed is one."""
    pieces = _WHOLE.findall(line)
    if any(width_of(piece) > width * 2 // 3 for piece in pieces):
        return _WORD.findall(line)
    return pieces


def cut(line: str, width: int, sign: str) -> str:
    """Return a line with what is too wide cut off, and a sign in its place; colors are ended.

    >>> cut("alexandrina", 6, "~"), cut("ada", 6, "~")
    ('alexa~', 'ada')
    """
    if width_of(line) <= width:
        return line
    room = max(0, width - width_of(sign))
    shown, used, colored = "", 0, False
    for piece in re.findall(rf"{_CODE.pattern}|.", line):
        if _CODE.fullmatch(piece):
            shown, colored = shown + piece, True
            continue
        used += get_cwidth(piece)
        if used > room:
            break
        shown += piece
    return shown + sign + ("\x1b[0m" if colored else "")


def _fitting(text: str, width: int) -> int:
    """Return how many characters of a text fit; at least one more than the spaces before it."""
    count = len(text) - len(text.lstrip()) + 1
    while count < len(text) and width_of(text[: count + 1]) <= width:
        count += 1
    return count


def _indent(line: str, width: int) -> int:
    """Return where the text after a title begins, or a little more than the line's own indent."""
    bare = _CODE.sub("", line)
    title = _TITLE.match(bare)
    if title is not None and get_cwidth(title[0]) <= width // 2:
        return get_cwidth(title[0])
    return len(bare) - len(bare.lstrip()) + 2
