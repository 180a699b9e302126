"""Cards, colors and names as text, with ANSI colors or without. Pure.

A card is always color and letter, so that nothing depends on colors being seen.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.table.lookalike import BLANKS, marks
from unop2p.table.view import TableView
from unop2p.words import ENGLISH, Words, mark

_CODES: Final[dict[Color, str]] = {
    Color.RED: "\x1b[1;31m",
    Color.YELLOW: "\x1b[1;33m",
    Color.GREEN: "\x1b[1;32m",
    Color.BLUE: "\x1b[1;34m",
}
COLOR_WORDS: Final = {
    Color.RED: mark("red"),
    Color.YELLOW: mark("yellow"),
    Color.GREEN: mark("green"),
    Color.BLUE: mark("blue"),
}
_WILD: Final = "\x1b[1;35m"
_BLOCKS: Final[dict[Color, str]] = {
    Color.RED: "\x1b[1;97;41m",
    Color.YELLOW: "\x1b[1;30;43m",
    Color.GREEN: "\x1b[1;30;42m",
    Color.BLUE: "\x1b[1;97;44m",
}
"""For cards drawn large: on their color."""
_WILD_BLOCK: Final = "\x1b[1;97;45m"
_BOLD: Final = "\x1b[1m"
_DIM: Final = "\x1b[2m"
_OFF: Final = "\x1b[0m"
ACCENTS_MAX: Final = 2
"""More marks on one letter would be drawn over the lines above it."""
YOU: Final = "you"
_ENDINGS: Final = {"go": "goes", "catch": "catches"}


def clean(text: str) -> str:
    """Return text from outside without what a terminal would obey, hide, or pile up.

    >>> clean("hi" + chr(27) + "[2J")
    'hi?[2J'
    """
    shown: list[str] = []
    piled = 0
    for char in text:
        piled = piled + 1 if unicodedata.combining(char) else 0
        if piled <= ACCENTS_MAX:
            shown.append(char if char.isprintable() and char not in BLANKS else "?")
    return "".join(shown)


class Paint:
    """Styles text, where styles are allowed."""

    def __init__(self, *, color: bool, words: Words = ENGLISH) -> None:
        """Take whether ANSI colors may be used, and the language of the person."""
        self.allowed = color
        self.words = words

    def _styled(self, code: str, text: str) -> str:
        return f"{code}{text}{_OFF}" if self.allowed else text

    def bold(self, text: str) -> str:
        """Return what matters most."""
        return self._styled(_BOLD, text)

    def dim(self, text: str) -> str:
        """Return what matters least."""
        return self._styled(_DIM, text)

    def card(self, face: Face) -> str:
        """Return a card, `R7`."""
        return self._styled(_CODES[face.color] if face.color is not None else _WILD, face.value)

    def block(self, face: Face | None, text: str) -> str:
        """Return a part of a card drawn large, on the card's color; None: of its back."""
        if face is None:
            return self.dim(text)
        return self._styled(_BLOCKS[face.color] if face.color is not None else _WILD_BLOCK, text)

    def playable(self, face: Face) -> str:
        """Return a card that can be played now: it stands out from the others."""
        code = _CODES[face.color] if face.color is not None else _WILD
        return self._styled(code.replace("[1;", "[1;7;"), face.value)

    def quiet(self, face: Face) -> str:
        """Return a card that cannot be played now."""
        code = _CODES[face.color] if face.color is not None else _WILD
        return self._styled(code.replace("[1;", "["), face.value)

    def cards(self, faces: tuple[Face, ...]) -> str:
        """Return cards side by side."""
        return " ".join(self.card(face) for face in faces)

    def color_name(self, color: Color | None) -> str:
        """Return the word for a color, in it."""
        if color is None:
            return self.words.say("no color yet")
        return self._styled(_CODES[color], self.words.say(COLOR_WORDS[color]))


def names(view: TableView) -> list[str]:
    """Return what the seats are called, by seat; a part of the fingerprint tells doubles apart."""
    return list(_names(tuple((seat.name, seat.fingerprint) for seat in view.seats), view.seat))


@lru_cache(maxsize=64)
def _names(seats: tuple[tuple[str, str], ...], own: Seat | None) -> tuple[str, ...]:
    called = [name for name, _ in seats]
    prints = [print_ for _, print_ in seats]
    doubles = marks(called, prints)
    # Who sits is spoken to as "you": nobody else is to be taken for that.
    reserved = marks(called, prints, taken=(YOU,)) if own is not None else doubles
    return tuple(
        clean(called[index]) + (doubles if index == own else reserved)[index]
        for index in range(len(seats))
    )


def name(view: TableView, seat: Seat | int) -> str:
    """Return what a seat is called."""
    return names(view)[seat]


def speaker(view: TableView, called: str) -> str:
    """Return who is called exactly so, told apart from doubles."""
    found = [name(view, shown.seat) for shown in view.seats if shown.name == called]
    return found[0] if found else clean(called)


def does(view: TableView, seat: Seat, verb: str) -> str:
    """Return who does what: `You play`, `ben plays`."""
    if seat == view.seat:
        return f"You {verb}"
    return f"{name(view, seat)} {_ENDINGS.get(verb, f'{verb}s')}"


def is_or_are(view: TableView, seat: Seat) -> str:
    """Return who is: `You are`, `ben is`."""
    return "You are" if seat == view.seat else f"{name(view, seat)} is"


def counted(number: int, word: str) -> str:
    """Return a number of things.

    >>> counted(1, "card"), counted(2, "card")
    ('1 card', '2 cards')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
