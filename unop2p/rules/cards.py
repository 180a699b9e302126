"""Faces, colors and their notation: `R7 GS BV Y+2 W W4 WH WX WB` (see docs/reference/notation.md)."""

from enum import StrEnum


class Color(StrEnum):
    """A color; its value is its letter."""

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"


class Kind(StrEnum):
    """What a face does; number faces share one kind."""

    NUMBER = "number"
    SKIP = "S"
    REVERSE = "V"
    DRAW_TWO = "+2"
    WILD = "W"
    WILD_DRAW_FOUR = "W4"
    SHUFFLE_HANDS = "WH"
    SWAP_HANDS = "WX"
    BLANK = "WB"
