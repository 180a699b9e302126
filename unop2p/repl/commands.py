"""A line that a person typed, read as a command to the table or to the screen. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from unop2p.errors import IllegalMoveError, InvalidNotationError
from unop2p.ids import Seat
from unop2p.repl.paint import clean, names
from unop2p.rules.cards import (
    Color,
    Face,
    discards_color,
    named_face,
    names_color,
    parse_color,
    parse_face,
)
from unop2p.rules.early import may_forget
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
)
from unop2p.table.commands import Begin, Command, GiveUpRound, LeaveTable, MakeMove, Say, SetReady
from unop2p.table.lookalike import BLANKS, skeleton
from unop2p.table.talk import CHAT_CHARACTERS_MAX
from unop2p.table.view import TableView
from unop2p.words import ENGLISH, Words, mark, refused, said

DROP: Final = "drop"
"""Stands before the color that a blank card takes along."""
SHOWN_CHARACTERS: Final = 30
"""So much of what was typed is repeated in a refusal."""


class ColorNeededError(IllegalMoveError):
    """A color has to be named with that card."""


class SeatNeededError(IllegalMoveError):
    """A seat has to be named with that card."""


class Show(StrEnum):
    """What the screen alone does."""

    TABLE = "table"
    HAND = "hand"
    LEGAL = "legal"
    HINT = "hint"
    RULES = "rules"
    SCORE = "score"
    WHY = "why"
    VERIFY = "verify"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """An action of the screen, with the words behind it."""

    show: Show
    about: str = ""
    """For `help`: what it is asked about; for `hint`: whom."""


HELP: Final[dict[str, str]] = {
    "r7, g+2, bs, yv": mark("color letter, then number, +2, s (Skip), v (Reverse)"),
    "3, #3": mark("play the third card; #3 where 3 could be a number"),
    "w g, w4 blue, wh r": mark("play a Wild, a Wild Draw Four, ...; name the color"),
    "r7 r7, r7 ben": mark("two at once; swap hands with ben (if the rules do)"),
    "wb1 g drop r": mark("put down all your red cards with it, where the rules have such a blank"),
    "swap cleo": mark("play the card that swaps hands, with cleo"),
    "r7 uno": mark("call UNO with the play that leaves you one card"),
    "draw": mark("draw a card"),
    "keep, pass": mark("keep the drawn card, and end your turn"),
    "uno": mark("call UNO late, until somebody catches you"),
    "catch ben": mark("ben has one card, uncalled; typed early it waits"),
    "f2, f3, f4": mark("UNO, catch, jump in: at once, keeping what you type"),
    "down, tab": mark("on an empty line: your moves, and what each does"),
    "challenge": mark("doubt a Wild Draw Four that hits you"),
    "accept": mark("take what hits you"),
    "color g": mark("name the color of a Wild that was turned up"),
    "say hello": mark("chat"),
    "begin": mark("begin with who is here (the host alone)"),
    "ready, unready": mark("in the lobby: begin when all are, or wait for me"),
    "hand, table, rules, score": mark("show them"),
    "legal": mark("which cards you may play, and why not the others"),
    "hint, hint greedy": mark("what a bot would play now, and what it expects"),
    "help w4": mark("what a card or a command does"),
    "why": mark("what has been proved about this deal so far"),
    "verify": mark("check the record so far, from nothing"),
    "leave for good": mark("your hand is opened, and the others play on"),
    "void": mark("give up a round that waits for others"),
    "quit": mark("stop for now; the same command goes on"),
}
"""What can be typed, and what it does."""

_SIMPLE: Final[dict[str, Move]] = {
    "draw": Draw(),
    "pass": Pass(),
    "keep": Pass(),
    "uno": CallUNO(),
    "challenge": Challenge(),
    "accept": Accept(),
}
_WITH_WORDS: Final = ("play", "catch", "color", "say", "swap", "begin", "leave", "void")
ALSO: Final = {"?": "help", "exit": "quit", "bye": "quit", "chat": "say", "call": "uno"}
FOR_GOOD: Final = ("for", "good")
"""Follows `leave`."""
UNDO: Final = "undo"
SPEAKING: Final = ("say", "chat")
NO_UNDO: Final = said(
    "There is no undo: what you say at the table is signed, and others act on it."
)
"""Words that people try first."""
LOBBY: Final = ("ready", "unready")
"""Other words go before them where both begin alike: the lobby is short."""
WORDS: Final = (*_SIMPLE, *_WITH_WORDS, *(show.value for show in Show), *LOBBY)
"""Every command."""


def expand(word: str) -> str:
    """Return the command that a word abbreviates.

    Raises:
        InvalidNotationError: none, or several.
        IllegalMoveError: it asks for what nobody can have.

    >>> expand("dr"), expand("cat")
    ('draw', 'catch')
    """
    word = ALSO.get(word, word)
    if word == UNDO:
        raise IllegalMoveError(NO_UNDO)
    if word in WORDS:
        return word
    found = sorted({known for known in WORDS if known.startswith(word)})
    found = [known for known in found if known not in LOBBY] or found
    if len(found) == 1:
        return found[0]
    if found:
        message = said("'{word}' could be {names}.", word=word, names=", ".join(found))
        raise InvalidNotationError(message)
    message = said("'{word}': type a card, like r7, or `help`.", word=shorten(word))
    raise InvalidNotationError(message)


def shorten(text: str) -> str:
    """Return the beginning of what was typed, fit to be shown.

    >>> shorten("x" * 40)
    'xxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    shown = clean(text)
    return shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[: SHOWN_CHARACTERS - 3]}..."


def read(line: str, view: TableView) -> Command | Screen:
    """Read a line.

    Args:
        line: what was typed; the empty line shows the table.
        view: what the player sees: a number means a card of this hand, a name a seat of this table.

    Raises:
        InvalidNotationError: it is neither a card nor a command.
        IllegalMoveError: it is a move that cannot be meant now.
    """
    words = line.split()
    if not words:
        return Screen(show=Show.TABLE)
    play = _read_play(words, view) or _read_bare_color(words, view)
    if play is not None:
        return MakeMove(move=play)
    word, rest = expand(words[0].lower()), words[1:]
    if word in _SIMPLE:
        _no_more(word, rest)
        return MakeMove(move=_SIMPLE[word])
    if word in LOBBY:
        _no_more(word, rest)
        return SetReady(ready=word == "ready")
    special: dict[str, Callable[[], Command | Screen]] = {
        "say": lambda: Say(text=_chat(line.strip().split(maxsplit=1)[1])),
        "catch": lambda: MakeMove(move=Catch(seat=_seat(_one(word, rest), view))),
        "color": lambda: MakeMove(move=NameColor(color=parse_color(_one(word, rest)))),
        "play": lambda: MakeMove(move=_play(rest, view)),
        "swap": lambda: MakeMove(move=_swap(rest, view)),
        "begin": Begin,
        "leave": lambda: _leave(rest),
        "void": GiveUpRound,
    }
    if word not in special:
        if word != Show.HELP:
            _no_more(word, rest[1:] if word == Show.HINT else rest)
        return Screen(show=Show(word), about=" ".join(rest))
    if word in {"begin", "void"}:
        _no_more(word, rest)
    elif word == "catch" and not rest:
        return MakeMove(move=Catch(seat=who_forgot(view)))
    elif not rest and word != "leave":
        message = said("'{word}' needs a word more: see `help {word}`.", word=word)
        raise InvalidNotationError(message)
    return special[word]()


def _chat(text: str) -> str:
    """Return what is said, on one line, without what others would not see or should not obey.

    Raises:
        InvalidNotationError: nothing is left, or it is too long.
    """
    spaced = (" " if char.isspace() else char for char in text)
    shown = "".join(char for char in spaced if char.isprintable() and char not in BLANKS).strip()
    if not shown:
        message = said("There is nothing to say in that.")
        raise InvalidNotationError(message)
    if len(shown) > CHAT_CHARACTERS_MAX:
        message = said(
            "At most {chat_characters_max} characters at once; these are {shown}.",
            chat_characters_max=CHAT_CHARACTERS_MAX,
            shown=len(shown),
        )
        raise InvalidNotationError(message)
    return shown


def _leave(rest: Sequence[str]) -> LeaveTable:
    """Take the whole of it only: who means `quit` must not open a hand by it.

    Raises:
        InvalidNotationError: another word, or none, follows.
    """
    if tuple(word.lower() for word in rest) != FOR_GOOD:
        message = said("`leave for good` opens your hand for all to see; `quit` keeps it.")
        raise InvalidNotationError(message)
    return LeaveTable()


def _no_more(word: str, rest: Sequence[str]) -> None:
    if rest:
        message = said(
            "'{word}' stands alone: '{names}' is too much.",
            word=word,
            names=shorten(" ".join(rest)),
        )
        raise InvalidNotationError(message)


def _one(word: str, rest: Sequence[str]) -> str:
    if len(rest) != 1:
        message = said(
            "'{word}' takes one word: '{names}' is too much.",
            word=word,
            names=shorten(" ".join(rest)),
        )
        raise InvalidNotationError(message)
    return rest[0]


def _seat(name: str, view: TableView) -> Seat:
    """Return whom a name, or the only beginning of one, means.

    A name that looks like another one of the table is taken only with what tells them apart.
    """
    shown, wanted = names(view), name.casefold()
    whole = [seat for seat, known in enumerate(shown) if known.casefold() == wanted]
    alike = [seat.seat for seat in view.seats if skeleton(seat.name) == skeleton(name)]
    begun = [seat for seat, known in enumerate(shown) if known.casefold().startswith(wanted)]
    found = whole or alike or begun
    if len(found) > 1:
        message = said(
            "'{name}' could be {names}.",
            name=shorten(name),
            names=", ".join(shown[seat] for seat in found),
        )
        raise InvalidNotationError(message)
    if not found:
        message = said("Nobody at this table is called '{name}'.", name=shorten(name))
        raise InvalidNotationError(message)
    return Seat(found[0])


def is_seat(line: str, view: TableView) -> bool:
    """Say whether a line is the name of a seat, or the only beginning of one, and no more."""
    try:
        _seat(line.strip(), view)
    except InvalidNotationError:
        return False
    return bool(line.strip())


def who_forgot(view: TableView) -> Seat:
    """Return the one seat that can be caught, now or soon, where `catch` names none."""
    others = [shown for shown in view.seats if shown.seat != view.seat]
    found = [shown.seat for shown in others if shown.catchable]
    found = found or [shown.seat for shown in others if may_forget(view.round, shown.seat)]
    if len(found) == 1:
        return found[0]
    could = ", ".join(names(view)[seat] for seat in found)
    message = (
        said("Whom? It could be {could}.", could=could)
        if found
        else said("Nobody can be caught now.")
    )
    raise IllegalMoveError(message)


def is_color(word: str) -> bool:
    """Say whether a line is a color, and no more.

    >>> is_color(" g "), is_color("green"), is_color("draw")
    (True, True, False)
    """
    return any(word.strip().lower() in _color_words(color) for color in Color)


def _read_bare_color(words: Sequence[str], view: TableView) -> Move | None:
    """Return the color of a Wild that was turned up, where that alone is asked."""
    if len(words) == 1:
        for move in view.legal:
            if isinstance(move, NameColor) and words[0].lower() in _color_words(move.color):
                return move
    return None


def _color_words(color: Color) -> tuple[str, str]:
    return color.value.lower(), color.word


def _play(words: Sequence[str], view: TableView) -> Play:
    """Return the play that follows the word `play`."""
    play = _read_play(words, view)
    if play is None:
        message = said(
            "'{words}' is no card: they are written as r7, gs, bv, y+2, w, w4.",
            words=shorten(words[0]),
        )
        raise InvalidNotationError(message)
    return play


def _read_play(words: Sequence[str], view: TableView) -> Play | None:
    """Return the play that the words name, or None where they begin with no card."""
    first, _, after = words[0].partition(":")
    face = _card(first, view)
    if face is None:
        return None
    count, uno = 1, False
    color: Color | None = None
    target: Seat | None = None
    colored = names_color(face, view.options)
    rest, along = _taken_along(face, ([after] if after else []) + list(words[1:]), view)
    for word in rest:
        if word.lower() == "uno" and not uno:
            uno = True
        elif count == 1 and _face(word) is face:
            count = 2
        elif colored and color is None:
            color = parse_color(word)
        elif target is None:
            target = _seat(word, view)
        else:
            message = said("'{names}' is too much for one play.", names=shorten(" ".join(words)))
            raise InvalidNotationError(message)
    if colored and color is None:
        message = refused(
            face, said("name a color with it, as in `{face2} g`.", face=face, face2=face.lower())
        )
        raise ColorNeededError(message)
    target = _chosen(face, count, view) if target is None else target
    return Play(cards=(*(face,) * count, *along), color=color, target=target, uno=uno)


def _chosen(face: Face, count: int, view: TableView) -> Seat | None:
    """Return the seat that a card is for, where it needs one and there is one alone.

    Raises:
        SeatNeededError: there are several.
    """
    state = view.round
    if not view.my_turn or state is None or view.seat is None:
        return None
    if not state.asks_seat(face, state.hand_counts[view.seat] - count):
        return None
    others = [seat for seat in state.active if seat != view.seat]
    if len(others) == 1:
        return others[0]
    called = ", ".join(names(view)[seat] for seat in others)
    message = said("{face} refused: name a seat with it: {names}.", face=face, names=called)
    raise SeatNeededError(message)


def _swap(words: Sequence[str], view: TableView) -> Play:
    """Return the play that swaps hands with a seat: `swap cleo`, `swap r7 cleo`.

    Raises:
        InvalidNotationError: there is no such seat.
        IllegalMoveError: no card does so now, or several do.
    """
    if len(words) > 1:
        return _play(words, view)
    seat = _seat(words[0], view)
    found = [move for move in view.legal if isinstance(move, Play) and move.target == seat]
    ways = list(dict.fromkeys(play.cards[0] for play in found))
    called = names(view)[seat]
    if len(ways) > 1 or any(play.color is not None for play in found):
        typed = " or ".join(f"{face.lower()}{' g' * face.is_wild} {called}" for face in ways)
        message = said("With which card? Type {cards}.", cards=typed)
        raise IllegalMoveError(message)
    if not found:
        message = said("You can play no card now that swaps hands with {name}.", name=called)
        raise IllegalMoveError(message)
    return found[0]


def _taken_along(face: Face, words: Sequence[str], view: TableView) -> tuple[list[str], list[Face]]:
    """Return the words that are left, and what a blank card takes along: `r1 r5`, or `drop red`."""
    if not discards_color(face, view.options):
        return list(words), []
    rest: list[str] = []
    along: list[Face] = []
    left = iter(words)
    for word in left:
        card = _face(word)
        if card is not None and not card.is_wild:
            along.append(card)
        elif word.lower() == DROP:
            color = parse_color(next(left, ""))
            along += [held for held in sorted_hand(view.hand) if held.color is color]
        else:
            rest.append(word)
    return rest, along


def _face(word: str) -> Face | None:
    try:
        return parse_face(word)
    except InvalidNotationError:
        return None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 3


def _card(word: str, view: TableView) -> Face | None:
    """Return a card by its notation, its place in the hand, or its number where one alone fits."""
    face = _face(word)
    if face is None and word.lower() not in WORDS:
        face = named_face(word, view.options)
    if face is not None:
        return face
    hand = sorted_hand(view.hand)
    if word.startswith("#") and _is_number(word[1:]):
        return _at(int(word[1:]), hand)
    if not _is_number(word):
        return None
    number = int(word)
    playable = playable_faces(view)
    meant = [held for held in playable if held.number == number]
    if 1 <= number <= len(hand):
        place = hand[number - 1]
        if place not in meant and (place in playable or not meant):
            meant.insert(0, place)
    if len(meant) > 1:
        named = " or ".join(meant)
        message = said(
            "'{word}' could be {named}: type the card, or #{word} for its place.",
            word=word,
            named=named,
        )
        raise IllegalMoveError(message)
    return meant[0] if meant else _at(number, hand)


def _at(number: int, hand: Sequence[Face]) -> Face:
    if 1 <= number <= len(hand):
        return hand[number - 1]
    message = said("There is no card {number} in your hand.", number=number)
    raise IllegalMoveError(message)


def playable_faces(view: TableView) -> list[Face]:
    """Return the faces of the hand that may be played now, in the order of the hand as shown."""
    faces = {move.cards[0] for move in view.legal if isinstance(move, Play)}
    return [face for face in dict.fromkeys(sorted_hand(view.hand)) if face in faces]


_ORDER: Final = {face: place for place, face in enumerate(Face)}


def sorted_hand(hand: Sequence[Face]) -> tuple[Face, ...]:
    """Return a hand by color, then number, wilds last: as it is shown and counted.

    >>> [face.value for face in sorted_hand((Face.W, Face.B1, Face.R9, Face.RS))]
    ['R9', 'RS', 'B1', 'W']
    """
    return tuple(sorted(hand, key=_ORDER.__getitem__))


def refusal_sentence(
    error: IllegalMoveError | InvalidNotationError,
    line: str,
    words: Words = ENGLISH,
    *,
    typed: str = "",
) -> str:
    """Return one sentence: what is refused, and why.

    Args:
        error: whose message is the reason, with or without what it is about.
        line: what was understood, in English.
        words: the language of the person.
        typed: the same as the person wrote it, if not in English.

    A reason that names the line itself, or begins as a sentence does with it in it, says enough.
    """
    english = error.detail() if error.detail().strip() else error.sentence()
    told = words.tell(english)
    told = told if told.endswith((".", "!", "?")) else f"{told}."
    whole = english[0].isupper() and shorten(line) in english
    if "refused" in english or whole or english.startswith("'"):
        return told
    return words.say(
        "'{typed}' refused: {reason}",
        typed=shorten(" ".join((typed or line).split())),
        reason=f"{told[0].lower()}{told[1:]}",
    )
