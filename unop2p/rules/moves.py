"""Moves: what a player may say to the rules. Text forms come in parse/print pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from unop2p.errors import InvalidNotationError
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face, Kind, parse_color, parse_face
from unop2p.words import said


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Put one card (or an identical pair) on the discard pile."""

    cards: tuple[Face, ...]
    """One face; or two equal ones where pairs are allowed; or a blank and all that it takes along."""
    color: Color | None = None
    """The named color, for every wild kind (F11) but blanks that name none."""
    target: Seat | None = None
    """The chosen seat, where the card or the table's rule asks for one."""
    uno: bool = False
    """The UNO call rides on the play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Draw from the pile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """Keep the drawn card and end the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallUNO:
    """Say UNO after the play (late)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catch:
    """Call out a seat that did not say UNO."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Doubt a Wild Draw Four."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept:
    """Take what the attack brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameColor:
    """Name the color of a Wild that was turned up as the first card."""

    color: Color


Move = Play | Draw | Pass | CallUNO | Catch | Challenge | Accept | NameColor


def move_text(move: Move, names: Sequence[str]) -> str:
    """Print a move as scenarios and people write it: `play W:G`, `play R7 ben uno`, `catch ben`."""
    match move:
        case Play():
            return _play_text(move, names)
        case Draw():
            return "draw"
        case Pass():
            return "pass"
        case CallUNO():
            return "uno"
        case Catch(seat=seat):
            return f"catch {names[seat]}"
        case Challenge():
            return "challenge"
        case Accept():
            return "accept"
        case NameColor(color=color):
            return f"color {color.value}"
        case _:
            assert_never(move)


def _play_text(move: Play, names: Sequence[str]) -> str:
    words = [face.value for face in move.cards]
    if move.color is not None:
        # The color stands with the last of equal cards, and before what a blank takes along.
        words[-1 if len(set(move.cards)) == 1 else 0] += f":{move.color.value}"
    if move.target is not None:
        words.append(names[move.target])
    if move.uno:
        words.append("uno")
    return " ".join(["play", *words])


_COLORED: Final = frozenset(face.value for face in Face if not face.is_wild)


def parse_move(text: str, names: Sequence[str]) -> Move:
    """Read a move; the inverse of `move_text`. `answer CARD` is the same as `play CARD`.

    Raises:
        InvalidNotationError: the text is no move, or names an unknown card, color or seat.
    """
    match text.split():
        case ["draw"]:
            return Draw()
        case ["pass"]:
            return Pass()
        case ["uno"]:
            return CallUNO()
        case ["challenge"]:
            return Challenge()
        case ["accept"]:
            return Accept()
        case ["catch", name]:
            return Catch(seat=parse_seat(name, names))
        case ["color", name]:
            return NameColor(color=parse_color(name))
        case ["play" | "answer", *words] if words:
            return _parse_play(words, names)
        case _:
            message = said("`{text}` is no move.", text=text)
            raise InvalidNotationError(message)


def parse_seat(name: str, names: Sequence[str]) -> Seat:
    """Return the seat with this name, in either case.

    Raises:
        InvalidNotationError: nobody has this name.
    """
    for wanted, held in ((name, list(names)), (name.casefold(), [n.casefold() for n in names])):
        if held.count(wanted) == 1:
            return Seat(held.index(wanted))
    message = said("Nobody at this table is called `{name}`.", name=name)
    raise InvalidNotationError(message)


def _is_seat(word: str, names: Sequence[str]) -> bool:
    return word.casefold() in {name.casefold() for name in names}


def _parse_play(words: list[str], names: Sequence[str]) -> Play:
    rest = list(words)
    uno = len(rest) > 1 and rest[-1].lower() == "uno"
    if uno:
        rest.pop()
    head, _, color = rest.pop(0).partition(":")
    cards = [parse_face(head)]
    while cards[0].kind is Kind.BLANK and rest and rest[0].upper() in _COLORED:
        cards.append(parse_face(rest.pop(0)))
    if rest and len(cards) == 1:
        head, _, named_last = rest[0].partition(":")
        if head.upper() == cards[0].value and not color:
            cards.append(cards[0])
            color = named_last
            rest.pop(0)
        elif rest[0].upper() in _COLORED and not _is_seat(rest[0], names):
            cards.append(parse_face(rest.pop(0)))  # no pair: the rules refuse it, with a reason
    named = parse_color(color) if color else None
    target = parse_seat(rest.pop(0), names) if rest else None
    if rest:
        message = said("`{names}` is too much for one play.", names=" ".join(rest))
        raise InvalidNotationError(message)
    return Play(cards=tuple(cards), color=named, target=target, uno=uno)
