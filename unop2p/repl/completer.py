"""Completion: the moves that are open now, each with what it would do; then the commands.

What is typed need not begin the line: its letters, in order, are enough, and words that people have for
a card or a move are found too (`skip`, `green`). What begins so comes first.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from unop2p.repl.commands import HELP, SPEAKING, Show
from unop2p.repl.paint import names
from unop2p.repl.preview import preview
from unop2p.rules.cards import Kind
from unop2p.rules.moves import Catch, Move, Pass, Play, move_text
from unop2p.table.view import Stage, TableView
from unop2p.words import ENGLISH, Words

_LOBBY = ("begin", "ready", "unready")
_COMMANDS = ("say", *_LOBBY, *(show.value for show in Show))
_RARE = ("leave for good", "void")
"""Offered last, and where a round is being played."""
_KINDS = {
    Kind.SKIP: "skip",
    Kind.REVERSE: "reverse",
    Kind.DRAW_TWO: "draw two",
    Kind.WILD: "wild",
    Kind.WILD_DRAW_FOUR: "wild draw four",
    Kind.SHUFFLE_HANDS: "wild shuffle hands",
    Kind.SWAP_HANDS: "wild swap hands",
    Kind.BLANK: "blank",
}
NOT_FOUND = 9
SHORTEST = 2
"""Fewer letters find beginnings only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A line that can be typed now."""

    text: str
    does: str
    """What it would do."""
    words: str = ""
    """By which it is found too."""


def typed_move(move: Move, called: list[str]) -> str:
    """Return a move as it is typed; `read` gives it back.

    >>> from unop2p.rules.cards import Color, Face
    >>> typed_move(Play(cards=(Face.W4,), color=Color.BLUE, uno=True), [])
    'w4 b uno'
    """
    text = move_text(move, called)
    if isinstance(move, Catch):
        return text
    if isinstance(move, Pass):
        return "keep"
    if not isinstance(move, Play):
        return text.lower()
    card, *rest = text.removeprefix("play ").replace(":", " ").split()
    # Names keep their case, all else is easier typed small.
    return " ".join([card.lower(), *(word if word in called else word.lower() for word in rest)])


def _words(move: Move) -> str:
    """Return what people say for a move: `skip red`, `wild green`."""
    if isinstance(move, Pass):
        return "pass"
    if not isinstance(move, Play):
        return ""
    face = move.cards[0]
    color = move.color if move.color is not None else face.color
    said = [color.word if color is not None else "", _KINDS.get(face.kind, "")]
    return " ".join(["play", *said, *reversed(said)])


def offers(view: TableView, words: Words = ENGLISH) -> list[Offer]:
    """Return what can be typed now, the legal moves first, each with what it would do."""
    called = names(view)
    found: dict[str, Offer] = {}
    for move in view.legal:
        text = typed_move(move, called)
        if text not in found:
            people = f"{_words(move)} {_in_language(f'{text} {_words(move)}', words)}"
            found[text] = Offer(text=text, does=preview(view, move, words), words=people)
    lobby = view.stage is Stage.LOBBY
    playing = view.stage in {Stage.DEALING, Stage.PLAYING, Stage.SCORING} and view.seat is not None
    for word in (*_COMMANDS, *(_RARE if playing else ())):
        if word not in _LOBBY or lobby:
            does = words.say(_help(word))
            found.setdefault(word, Offer(text=word, does=does, words=_in_language(word, words)))
    return list(found.values())


def _in_language(text: str, words: Words) -> str:
    """Return what people type in their language for the words of an English line."""
    forms = (form for word in (*text.split(), text) for form in words.typed(word))
    return " ".join(dict.fromkeys(form.lower() for form in forms))


def _help(word: str) -> str:
    """Return what a command does, as `help` says it."""
    for what, what_for in HELP.items():
        if word in (what, *what.replace(",", " ").split()):
            return what_for
    return ""


def suggestions(view: TableView) -> list[str]:
    """Return what can be typed now, the legal moves first."""
    return [offer.text for offer in offers(view)]


def rank(wanted: str, offer: Offer) -> int:
    """Return how well an offer fits what was typed: 0 is best, `NOT_FOUND` not at all.

    >>> tea = Offer(text="challenge", does="")
    >>> [rank(typed, tea) for typed in ("chal", "cge", "xyz")]
    [0, 3, 9]
    """
    text = offer.text.lower()
    if text.startswith(wanted):
        return 0
    parts = wanted.split()
    if len(wanted) < SHORTEST or wanted != wanted.strip():
        # One letter is in almost every word; a space says that the word before it is whole.
        return NOT_FOUND
    if _begun(parts, text.split()):
        return 1
    if _begun(parts, [*text.split(), *offer.words.split()]):
        return 2
    if _scattered("".join(parts), text.replace(" ", "")):
        return 3
    if any(_scattered("".join(parts), word) for word in offer.words.split()):
        return 4
    return NOT_FOUND


def _begun(parts: list[str], words: list[str]) -> bool:
    """Say whether each part begins a word, in order."""
    left = iter(words)
    return all(any(word.startswith(part) for word in left) for part in parts)


def _scattered(letters: str, text: str) -> bool:
    """Say whether letters stand in a text in this order, the first one at its beginning."""
    left = iter(text)
    return text[:1] == letters[:1] and all(letter in left for letter in letters)


class TableCompleter(Completer):
    """Completes the whole line against what is legal now."""

    def __init__(self, look: Callable[[], TableView], words: Words = ENGLISH) -> None:
        """Take a function that gives the view of the moment, and the language of the person."""
        self._look = look
        self._words = words

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield what fits the line, with or without the word `play`; what begins so first."""
        del complete_event
        typed = document.text_before_cursor.lstrip()
        wanted = " ".join(typed.lower().split()) + (" " if typed[-1:].isspace() else "")
        if wanted.partition(" ")[0] in SPEAKING and " " in wanted:
            return  # words to others are nobody's to complete
        wanted = wanted.removeprefix("play ")
        ranked = [(rank(wanted, offer), offer) for offer in offers(self._look(), self._words)]
        for place, offer in sorted(ranked, key=lambda item: item[0]):
            if place < NOT_FOUND and offer.text.lower() != wanted:
                yield Completion(offer.text, start_position=-len(typed), display_meta=offer.does)
