"""What a bot in a program of its own is told, and what it may say: JSON, one message a line.

`hello` (protocol and rules) is answered by `ready`; `act` (a view and all lawful moves) by `move` or
`failed`; `bye` by nothing. docs/reference/bots.md shows each. Every byte of an answer is hostile.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NoReturn

from unop2p import __version__
from unop2p.bots.guard import BotFailedError, one_line
from unop2p.bots.view_text import view_dict
from unop2p.errors import InvalidNotationError
from unop2p.ids import SEATS_MAX
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Catch, Move, NameColor, Play, move_text, parse_move
from unop2p.rules.options import Options, options_to_dict
from unop2p.rules.view import PlayerView
from unop2p.words import said

BOT_PROTOCOL: Final = 1
"""Goes up where a program that was written for the one before would not understand."""
ANSWER_BYTES_MAX: Final = 16 * 1024
"""Of a line that a program says; an answer has some fifty."""
SEEDS: Final = 1 << 31
"""A seed is below: every language can hold it in a number."""
SEAT_NAMES: Final = tuple(str(seat) for seat in range(SEATS_MAX))
"""In the text of a move a seat is a number."""


class Fault(StrEnum):
    """What a program does wrong."""

    START = "start"
    """It cannot be started."""
    ENDED = "ended"
    """It is not there any more."""
    SILENT = "silent"
    """It has no answer in time."""
    GARBAGE = "garbage"
    """It says what is no message, or not the one that is due."""
    FLOOD = "flood"
    """It says more than anybody reads."""
    UNLAWFUL = "unlawful"
    """Its move is not among the lawful ones."""
    FAILED = "failed"
    """It says itself that it has none."""


class ProgramError(BotFailedError):
    """A bot's program does not do as it should."""

    def __init__(self, detail: str = "", fault: Fault = Fault.GARBAGE) -> None:
        """Take words for what is wrong, and what sort of fault it is."""
        super().__init__(detail)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A program is there, and speaks our protocol."""

    name: str
    """What it calls itself; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a program says to a position."""

    id: int
    """Of the `act` that it answers."""
    index: int | None = None
    """Into the lawful moves."""
    text: str | None = None
    """The move, as the list of lawful moves writes it; both None: let the reaction pass."""
    failure: str | None = None
    """Why there is no move."""


def _line(message: Mapping[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def hello_line(options: Options, answer_ms: int) -> bytes:
    """Return the first message: which protocol, by which rules, and how long an answer may take."""
    return _line(
        {
            "type": "hello",
            "protocol": BOT_PROTOCOL,
            "program": f"unop2p {__version__}",
            "answer_ms": answer_ms,
            "rules": options_to_dict(options),
        }
    )


def act_line(id_: int, view: PlayerView, legal: Sequence[Move], seed: int) -> bytes:
    """Return a question: the view, all lawful moves, and chance for this decision."""
    return _line(
        {
            "type": "act",
            "id": id_,
            "seed": seed,
            "may_pass": isinstance(view.round.due, ReactionDue),
            "view": view_dict(view),
            "legal": [move_dict(move) for move in legal],
        }
    )


def bye_line() -> bytes:
    """Return the last message."""
    return _line({"type": "bye"})


def move_dict(move: Move) -> dict[str, object]:
    """Return a move as a program reads it: its text, and its parts where it has some."""
    text = move_text(move, SEAT_NAMES)
    parts: dict[str, object] = {"move": text, "do": text.partition(" ")[0]}
    match move:
        case Play(cards=cards, color=color, target=target, uno=uno):
            parts |= {"cards": [card.value for card in cards], "uno": uno}
            if color is not None:
                parts["color"] = color.value
            if target is not None:
                parts["seat"] = target
        case Catch(seat=seat):
            parts["seat"] = seat
        case NameColor(color=color):
            parts["color"] = color.value
        case _:
            pass
    return parts


def read_move(text: str) -> Move:
    """Return the move of a text as `move_dict` writes it.

    Raises:
        InvalidNotationError: it is none.
    """
    return parse_move(text, SEAT_NAMES)


def _garbage(line: bytes) -> NoReturn:
    shown = one_line(line[:80].decode(errors="replace"))
    message = said("It says what is no answer here: {text}", text=shown)
    raise ProgramError(message, Fault.GARBAGE)


def _message(line: bytes) -> dict[str, Any]:
    """Return a line as a message.

    Raises:
        ProgramError: it is none.
    """
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        _garbage(line)
    if not isinstance(found, dict):
        _garbage(line)
    return found


def read_ready(line: bytes) -> Ready:
    """Return the answer to `hello`.

    Raises:
        ProgramError: it is none, or of another protocol.
    """
    message = _message(line)
    protocol, name = message.get("protocol"), message.get("name", "")
    if message.get("type") != "ready" or not isinstance(name, str):
        _garbage(line)
    if type(protocol) is not int or protocol != BOT_PROTOCOL:
        text = said(
            "It speaks protocol {given}, and not {wanted}.",
            given=one_line(str(protocol))[:20],
            wanted=BOT_PROTOCOL,
        )
        raise ProgramError(text, Fault.GARBAGE)
    return Ready(name=one_line(name)[:40])


def read_answer(line: bytes) -> Answer:
    """Return the answer to an `act`.

    Raises:
        ProgramError: it is none.
    """
    message = _message(line)
    number, index, text = message.get("id"), message.get("index"), message.get("move")
    if type(number) is not int:
        _garbage(line)
    if message.get("type") == "failed":
        return Answer(id=number, failure=one_line(str(message.get("error", ""))))
    if message.get("type") != "move" or not ("index" in message or "move" in message):
        _garbage(line)
    if not (index is None or type(index) is int) or not (text is None or isinstance(text, str)):
        _garbage(line)
    if index is not None and text is not None:
        _garbage(line)
    return Answer(id=number, index=index, text=text)


def chosen(answer: Answer, view: PlayerView, legal: tuple[Move, ...]) -> Move | None:
    """Return the move that an answer means.

    Raises:
        ProgramError: it is not among the lawful ones, or there is none.
    """
    if answer.failure is not None:
        message = said("It has no move: {error}", error=answer.failure)
        raise ProgramError(message, Fault.FAILED)
    if answer.index is not None:
        if 0 <= answer.index < len(legal):
            return legal[answer.index]
        text = str(answer.index)[:20]
    elif answer.text is not None:
        text = one_line(answer.text)[:80]
        try:
            move = read_move(answer.text)
        except InvalidNotationError:
            move = None
        if move is not None and move in legal:
            return move
    elif isinstance(view.round.due, ReactionDue):
        return None
    else:
        text = "null"
    message = said(
        "Its answer {text} is none of the {count} lawful moves.", text=text, count=len(legal)
    )
    raise ProgramError(message, Fault.UNLAWFUL)
