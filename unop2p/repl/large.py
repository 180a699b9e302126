"""A card drawn large: a frame, its letters in two corners, its sign in the middle. Pure."""

from typing import Final

from unop2p.repl.fold import width_of
from unop2p.repl.paint import Paint
from unop2p.repl.terminal import Symbols
from unop2p.rules.cards import Face

LARGE_ROWS, LARGE_COLUMNS = 9, 15
SMALL_ROWS, SMALL_COLUMNS = 5, 9
_FONT: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "+": ("   ", " # ", "###", " # ", "   "),
    "A": (" # ", "# #", "###", "# #", "# #"),
    "B": ("## ", "# #", "## ", "# #", "## "),
    "C": ("###", "#  ", "#  ", "#  ", "###"),
    "H": ("# #", "# #", "###", "# #", "# #"),
    "S": ("###", "#  ", "###", "  #", "###"),
    "V": ("# #", "# #", "# #", "# #", " # "),
    "W": ("#   #", "#   #", "# # #", "## ##", "#   #"),
    "X": ("# #", "# #", " # ", "# #", "# #"),
}
"""Signs that are drawn large, five lines each."""


def letters(face: Face) -> str:
    """Return what stands on a card beside its color.

    >>> [letters(face) for face in (Face.R7, Face.GD, Face.W, Face.W4)]
    ['7', '+2', 'W', 'W4']
    """
    return face.value if face.is_wild else face.value[1:]


def large_text(text: str, ink: str) -> list[str]:
    """Return five lines that show letters large, or none where a letter is not known."""
    signs = [_FONT.get(char) for char in text]
    known = [sign for sign in signs if sign is not None]
    if not known or len(known) < len(signs):
        return []
    return [" ".join(sign[row] for sign in known).replace("#", ink) for row in range(5)]


def card_lines(face: Face | None, paint: Paint, symbols: Symbols, *, large: bool) -> list[str]:
    """Return a card as lines of one width.

    Args:
        face: the card; None: its back.
        paint: how it is colored.
        symbols: what it is drawn with.
        large: the large size, `LARGE_ROWS` by `LARGE_COLUMNS`; else the small one.
    """
    rows, columns = (LARGE_ROWS, LARGE_COLUMNS) if large else (SMALL_ROWS, SMALL_COLUMNS)
    inner = columns - 2
    if face is None:
        body = [" " * inner] * (rows - 2)
        body[len(body) // 2] = "UNO".center(inner)
    else:
        middle = large_text(letters(face), symbols.ink) if large else []
        if not middle or max(map(width_of, middle)) > inner - 2:
            middle = [letters(face)]
        space = rows - 4 - len(middle)
        blank = [""] * (space // 2)
        centered = [*blank, *middle, *blank, *([""] * (space % 2))]
        corner = face.value
        body = [
            f" {corner}".ljust(inner),
            *(line.center(inner) for line in centered),
            f"{corner} ".rjust(inner),
        ]
    top_left, top_right, low_left, low_right = tuple(symbols.corners)
    framed = [
        top_left + symbols.line * inner + top_right,
        *(symbols.side + line + symbols.side for line in body),
        low_left + symbols.line * inner + low_right,
    ]
    return [paint.block(face, line) for line in framed]
