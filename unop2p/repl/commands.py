"""A line that a person typed, read as a command to the table or to the screen. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from unop2p.errors import IllegalMoveError, InvalidNotationError
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face, parse_color, parse_face
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Challenge,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
    parse_seat,
)
from unop2p.table.commands import Begin, Command, MakeMove, Say
from unop2p.table.view import TableView


class Show(StrEnum):
    """What the screen alone does."""

    TABLE = "table"
    HAND = "hand"
    LEGAL = "legal"
    RULES = "rules"
    SCORE = "score"
    WHY = "why"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """An action of the screen, with the words behind it."""

    show: Show
    about: str = ""


HELP: dict[str, str] = {
    "r7, g+2, bs, yv": "play a card: color letter, then number, +2, s (Skip) or v (Reverse)",
    "3": "play the third card of your hand; 7 plays a seven where only one fits",
    "w g, w4 blue": "play a Wild or Wild Draw Four, and name the color",
    "... uno": "call UNO with the play that leaves you one card: r7 uno",
    "draw": "draw a card",
    "keep": "keep the drawn card, and end your turn",
    "uno": "call UNO late, until somebody catches you",
    "catch ben": "ben holds one card and has not called: he draws two",
    "challenge": "doubt a Wild Draw Four that hits you",
    "accept": "take what hits you",
    "color g": "name the color of a Wild that was turned up first",
    "say hello": "chat",
    "begin": "begin with who is here (for who opened the table)",
    "hand, table, legal, rules, score": "show them",
    "why": "what has been proved about this deal so far",
    "quit": "leave the screen; the table waits, and the same command goes on",
}
"""What can be typed, and what it does."""

_SIMPLE: dict[str, Move] = {
    "draw": Draw(),
    "pass": Pass(),
    "keep": Pass(),
    "uno": CallUNO(),
    "challenge": Challenge(),
    "accept": Accept(),
}
_WORDS = (
    *_SIMPLE,
    "catch",
    "color",
    "say",
    "begin",
    "play",
    *(show.value for show in Show),
)


def expand(word: str) -> str:
    """Return the command that a word abbreviates.

    Raises:
        InvalidNotationError: none, or several.

    >>> expand("dr"), expand("cat")
    ('draw', 'catch')
    """
    if word in _WORDS:
        return word
    found = sorted({known for known in _WORDS if known.startswith(word)})
    if len(found) == 1:
        return found[0]
    if found:
        message = f"'{word}' could be {', '.join(found)}."
        raise InvalidNotationError(message)
    message = f"'{word[:20]}': type a card, like r7, or `help`."
    raise InvalidNotationError(message)


def read(line: str, view: TableView) -> Command | Screen:
    """Read a line.

    Raises:
        InvalidNotationError: it is neither a card nor a command.
        IllegalMoveError: it is a move that cannot be meant now.
    """
    words = line.strip().lower().split()
    if not words:
        return Screen(show=Show.TABLE)
    card = _read_card(words, view)
    if card is not None:
        return MakeMove(move=card)
    word, rest = expand(words[0]), words[1:]
    if word in _SIMPLE and not rest:
        return MakeMove(move=_SIMPLE[word])
    special: dict[str, Callable[[], Command | Screen]] = {
        "say": lambda: Say(text=line.strip().split(maxsplit=1)[1]),
        "catch": lambda: MakeMove(move=Catch(seat=_seat(rest[0], view))),
        "color": lambda: MakeMove(move=NameColor(color=parse_color(rest[0]))),
        "begin": Begin,
        "play": lambda: read(" ".join(rest), view),
    }
    if word in special:
        if not rest and word != "begin":
            message = f"'{word}' needs a word more: see `help`."
            raise InvalidNotationError(message)
        return special[word]()
    return Screen(show=Show(word), about=" ".join(rest))


def _seat(name: str, view: TableView) -> Seat:
    names = [seat.name for seat in view.seats]
    found = [known for known in names if known.lower().startswith(name)]
    if len(found) == 1:
        return Seat(names.index(found[0]))
    return parse_seat(name, names)


def _read_card(words: list[str], view: TableView) -> Move | None:
    """Return the play that the words name, or None where they begin with no card."""
    first, _, after = words[0].partition(":")
    rest = ([after] if after else []) + words[1:]
    face = _face(first, view)
    if face is None:
        return None
    count, uno = 1, False
    color: Color | None = None
    target: Seat | None = None
    for word in rest:
        if word == "uno":
            uno = True
        elif _is_face(word) and parse_face(word) == face:
            count = 2
        elif face.is_wild and color is None:
            color = parse_color(word)
        else:
            target = _seat(word, view)
    if face.is_wild and color is None:
        message = f"{face} needs a color: `{face.lower()} r`, or y, g, b."
        raise IllegalMoveError(message)
    return Play(cards=(face,) * count, color=color, target=target, uno=uno)


def _is_face(word: str) -> bool:
    try:
        parse_face(word)
    except InvalidNotationError:
        return False
    return True


def _face(word: str, view: TableView) -> Face | None:
    """Return a card by its notation, its place in the hand, or its number where one alone fits."""
    if _is_face(word):
        return parse_face(word)
    if not word.isdigit():
        return None
    fitting = {
        move.cards[0]
        for move in view.legal
        if isinstance(move, Play) and move.cards[0].number == int(word)
    }
    index = int(word)
    hand = sorted_hand(view.hand)
    by_place = hand[index - 1] if 1 <= index <= len(hand) else None
    if by_place is not None and (len(fitting) != 1 or by_place in fitting):
        return by_place
    if len(fitting) == 1 and by_place is None:
        return next(iter(fitting))
    if by_place is not None:
        (number,) = fitting
        message = f"'{word}' could be card {word} of your hand ({by_place}) or {number}."
        raise IllegalMoveError(message)
    message = f"There is no card {word} in your hand."
    raise IllegalMoveError(message)


def sorted_hand(hand: tuple[Face, ...]) -> tuple[Face, ...]:
    """Return a hand by color, then number, wilds last: as it is shown and counted."""
    order = list(Face)
    return tuple(sorted(hand, key=order.index))
