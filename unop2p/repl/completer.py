"""Completion: the moves that are open now, then the commands, then names."""

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from unop2p.repl.commands import Show
from unop2p.repl.paint import names
from unop2p.rules.moves import Catch, Move, Play, move_text
from unop2p.table.view import TableView

_COMMANDS = ("say", "begin", *(show.value for show in Show))


def typed_move(move: Move, called: list[str]) -> str:
    """Return a move as it is typed; `read` gives it back.

    >>> from unop2p.rules.cards import Color, Face
    >>> typed_move(Play(cards=(Face.W4,), color=Color.BLUE, uno=True), [])
    'w4 b uno'
    """
    text = move_text(move, called)
    if isinstance(move, Catch):
        return text
    if not isinstance(move, Play):
        return text.lower()
    card, *rest = text.removeprefix("play ").replace(":", " ").split()
    # Names keep their case, all else is easier typed small.
    return " ".join([card.lower(), *(word if word in called else word.lower() for word in rest)])


def suggestions(view: TableView) -> list[str]:
    """Return what can be typed now, the legal moves first."""
    called = names(view)
    moves = [typed_move(move, called) for move in view.legal]
    return [*dict.fromkeys(moves), *_COMMANDS]


class TableCompleter(Completer):
    """Completes the whole line against what is legal now."""

    def __init__(self, look: Callable[[], TableView]) -> None:
        """Take a function that gives the view of the moment."""
        self._look = look

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield what begins as the line does, with or without the word `play`."""
        del complete_event
        typed = document.text_before_cursor.lstrip()
        wanted = " ".join(typed.lower().split()) + (" " if typed[-1:].isspace() else "")
        wanted = wanted.removeprefix("play ")
        for text in suggestions(self._look()):
            if text.lower().startswith(wanted) and text.lower() != wanted:
                yield Completion(text, start_position=-len(typed))
