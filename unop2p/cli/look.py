"""How a person wants the screen: options that belong together, on their way to it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Colors(StrEnum):
    """How many colors."""

    AUTO = "auto"
    NEVER = "never"
    FEW = "16"
    MANY = "256"
    TRUE = "true"


class Signs(StrEnum):
    """What is drawn with."""

    AUTO = "auto"
    ASCII = "ascii"
    UNICODE = "unicode"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What the screen does, as options and settings have it."""

    plain: bool = False
    """Only append lines."""
    bell: bool = True
    """Ring when it is one's turn."""
    title: bool = True
    """Say in the window's title whose turn it is."""
    history: bool = True
    """Keep what was typed for the next time."""
    colors: Colors = Colors.AUTO
    signs: Signs = Signs.AUTO


PLAIN: Final = Look(plain=True, bell=False, title=False, history=False)
"""Where nobody types."""
