"""Faces, colors and their notation: `R7 GS BV Y+2 W W4 WH WX WB`, and `WB1` to `WB3`.

These are the blanks to which a table gives a meaning, in the order of its `blank_cards`.
"""

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from unop2p.errors import InvalidNotationError
from unop2p.rules.blanks import BLANKS, PLAIN, BlankRule, HandMove
from unop2p.words import said

if TYPE_CHECKING:
    from unop2p.rules.options import Options


class Color(StrEnum):
    """A color; its value is its letter."""

    __hash__ = str.__hash__

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"

    @property
    def word(self) -> str:
        """The color as a word, `red`."""
        return self.name.lower()


class Kind(StrEnum):
    """What a face does; number faces share one kind."""

    __hash__ = str.__hash__

    NUMBER = "number"
    SKIP = "S"
    REVERSE = "V"
    DRAW_TWO = "+2"
    WILD = "W"
    WILD_DRAW_FOUR = "W4"
    SHUFFLE_HANDS = "WH"
    SWAP_HANDS = "WX"
    BLANK = "WB"


# `Kind.NUMBER` is a call of the enum's metaclass, ten times as dear as a name of the module. What is
# asked for in every move is therefore had by these, here and for the phases in `position.py`.
NUMBER: Final = Kind.NUMBER
SKIP: Final = Kind.SKIP
REVERSE: Final = Kind.REVERSE
DRAW_TWO: Final = Kind.DRAW_TWO
WILD_DRAW_FOUR: Final = Kind.WILD_DRAW_FOUR
BLANK: Final = Kind.BLANK
STAY: Final = HandMove.STAY


class Face(StrEnum):
    """What is printed on a card; the value is its notation."""

    R0 = "R0"
    R1 = "R1"
    R2 = "R2"
    R3 = "R3"
    R4 = "R4"
    R5 = "R5"
    R6 = "R6"
    R7 = "R7"
    R8 = "R8"
    R9 = "R9"
    RS = "RS"
    RV = "RV"
    RD = "R+2"
    Y0 = "Y0"
    Y1 = "Y1"
    Y2 = "Y2"
    Y3 = "Y3"
    Y4 = "Y4"
    Y5 = "Y5"
    Y6 = "Y6"
    Y7 = "Y7"
    Y8 = "Y8"
    Y9 = "Y9"
    YS = "YS"
    YV = "YV"
    YD = "Y+2"
    G0 = "G0"
    G1 = "G1"
    G2 = "G2"
    G3 = "G3"
    G4 = "G4"
    G5 = "G5"
    G6 = "G6"
    G7 = "G7"
    G8 = "G8"
    G9 = "G9"
    GS = "GS"
    GV = "GV"
    GD = "G+2"
    B0 = "B0"
    B1 = "B1"
    B2 = "B2"
    B3 = "B3"
    B4 = "B4"
    B5 = "B5"
    B6 = "B6"
    B7 = "B7"
    B8 = "B8"
    B9 = "B9"
    BS = "BS"
    BV = "BV"
    BD = "B+2"
    W = "W"
    W4 = "W4"
    WH = "WH"
    WX = "WX"
    WB = "WB"
    WB1 = "WB1"
    WB2 = "WB2"
    WB3 = "WB3"

    color: Color | None
    """The printed color; None for every wild kind."""
    kind: Kind
    """What the card does."""
    number: int | None
    """The number, 0 to 9; None for cards that have none."""
    is_wild: bool
    """Whether the card has no color of its own."""

    # An enum's own hash is a Python call, and cards are looked up all the time.
    __hash__ = str.__hash__


def _kind(face: Face) -> Kind:
    if face.value[0] == "W":
        return Kind(face.value[:2])  # WB1 to WB3 are blanks with a meaning of their own
    mark = face.value[1:]
    return Kind.NUMBER if mark.isdigit() else Kind(mark)


for _face in Face:
    # Read for every card of every hand that is judged: plain attributes, not properties.
    _face.kind = _kind(_face)
    _face.is_wild = _face.value[0] == "W"
    _face.color = None if _face.is_wild else Color(_face.value[0])
    _face.number = int(_face.value[1]) if _face.kind is Kind.NUMBER else None

NAMED_BLANKS: Final = (Face.WB1, Face.WB2, Face.WB3)
WILD_POINTS: Final = 50
HAND_SIZE: Final = 7
"""Cards dealt to each seat."""


def parse_face(text: str) -> Face:
    """Return the face written as `text`, in either case.

    Raises:
        InvalidNotationError: no card is written so.
    """
    try:
        return Face(text.strip().upper())
    except ValueError:
        message = said(
            "`{text}`: cards are written as R7, GS, BV, Y+2, W, W4, WH, WX, WB.", text=text
        )
        raise InvalidNotationError(message) from None


def parse_color(text: str) -> Color:
    """Return the color written as a letter or a word, in either case.

    Raises:
        InvalidNotationError: no color is written so.
    """
    wanted = text.strip().lower()
    for color in Color:
        if wanted in {color.value.lower(), color.word}:
            return color
    message = said("`{text}`: the colors are R, Y, G and B.", text=text)
    raise InvalidNotationError(message)


def copies(face: Face, options: "Options") -> int:
    """Return how many cards with this face are in play, all decks together."""
    return options.decks * _in_one_deck(face, options)


def _in_one_deck(face: Face, options: "Options") -> int:
    match face.kind:
        case Kind.NUMBER:
            return 1 if face.number == 0 else 2
        case Kind.SKIP | Kind.REVERSE | Kind.DRAW_TWO:
            return 2
        case Kind.WILD | Kind.WILD_DRAW_FOUR:
            return 4
        case Kind.SHUFFLE_HANDS:
            return int(options.deck == "112_shuffle")
        case Kind.SWAP_HANDS:
            return int(options.deck == "112_swap")
        case Kind.BLANK:
            if face is not Face.WB:
                place = NAMED_BLANKS.index(face)
                return options.blank_cards[place].count if place < len(options.blank_cards) else 0
            has_blanks = options.deck in {"112_shuffle", "112_swap"}
            named = sum(card.count for card in options.blank_cards)
            return BLANKS - named if has_blanks and options.blank_effect != "removed" else 0


def blank_rule(face: Face, options: "Options") -> BlankRule:
    """Return what a blank card does at this table; one that is not in the deck is a Wild."""
    if face is Face.WB:
        return PLAIN[options.blank_effect]
    place = NAMED_BLANKS.index(face)
    return options.blank_cards[place].rule if place < len(options.blank_cards) else PLAIN["wild"]


def effect_of(face: Face, options: "Options") -> HandMove:
    """Return what a card does to the hands."""
    moves = options.hand_moves
    match face.kind:
        case Kind.NUMBER:
            if not moves:
                return HandMove.STAY
            if face.number == 0 and "zero_rotates" in moves:
                return HandMove.ROTATE
            swaps = {0: "zero_swaps", 7: "seven_swaps"}.get(face.number or 0)
            return HandMove.SWAP if swaps in moves else HandMove.STAY
        case Kind.SHUFFLE_HANDS:
            return HandMove.SHUFFLE
        case Kind.SWAP_HANDS:
            return HandMove.SWAP
        case Kind.BLANK:
            return blank_rule(face, options).hands
        case _:
            return HandMove.STAY


def names_color(face: Face, options: "Options") -> bool:
    """Return whether who plays a card names the color in force."""
    if face.kind is Kind.BLANK:
        return blank_rule(face, options).names_color
    return face.is_wild


def discards_color(face: Face, options: "Options") -> bool:
    """Return whether who plays a card may put down all own cards of one color with it."""
    return face.kind is Kind.BLANK and blank_rule(face, options).discards


def named_face(word: str, options: "Options") -> Face | None:
    """Return the blank card that the table calls so, in either case."""
    for face, card in zip(NAMED_BLANKS, options.blank_cards, strict=False):
        if card.name.casefold() == word.casefold():
            return face
    return None


def card_name(face: Face, options: "Options") -> str | None:
    """Return the name that the table gave to a blank card; None for every other card."""
    place = NAMED_BLANKS.index(face) if face in NAMED_BLANKS else len(NAMED_BLANKS)
    return options.blank_cards[place].name if place < len(options.blank_cards) else None


@lru_cache(maxsize=256)
def deck_for(options: "Options") -> tuple[Face, ...]:
    """Return every card in play in a fixed order: by color, number, symbol; then the wilds."""
    return tuple(face for face in Face for _ in range(copies(face, options)))


@lru_cache(maxsize=256)
def other_wilds(options: "Options") -> tuple[Face, ...]:
    """Return the wilds of the deck beside the Wild Draw Four."""
    return tuple(
        face
        for face in Face
        if face.is_wild and face.kind is not Kind.WILD_DRAW_FOUR and copies(face, options)
    )


def points(face: Face, options: "Options") -> int:
    """Return what a card that is left in a hand counts."""
    match face.kind:
        case Kind.NUMBER:
            return int(face.value[1])
        case Kind.SKIP | Kind.REVERSE | Kind.DRAW_TWO:
            return options.action_points
        case Kind.WILD | Kind.WILD_DRAW_FOUR:
            return WILD_POINTS
        case Kind.SHUFFLE_HANDS | Kind.SWAP_HANDS | Kind.BLANK:
            return options.extra_wild_points
