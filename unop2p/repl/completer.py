"""Completion: the cards that can be played now, then the commands, then names."""

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from unop2p.repl.commands import Show
from unop2p.rules.moves import Catch, Play, move_text
from unop2p.table.view import TableView

_COMMANDS = ("say", "begin", *(show.value for show in Show))


def suggestions(view: TableView) -> list[str]:
    """Return what can be typed now, the legal moves first."""
    names = [seat.name for seat in view.seats]
    moves: list[str] = []
    for move in view.legal:
        text = move_text(move, names)
        if isinstance(move, Play):
            text = text.removeprefix("play ").lower().replace(":", " ")
        elif not isinstance(move, Catch):
            text = text.lower()
        moves.append(text)
    return [*dict.fromkeys(moves), *_COMMANDS]


class TableCompleter(Completer):
    """Completes the whole line against what is legal now."""

    def __init__(self, look: Callable[[], TableView]) -> None:
        """Take a function that gives the view of the moment."""
        self._look = look

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield what begins as the line does."""
        del complete_event
        typed = document.text_before_cursor.lstrip().lower()
        for text in suggestions(self._look()):
            if text.lower().startswith(typed) and text.lower() != typed:
                yield Completion(text, start_position=-len(document.text_before_cursor.lstrip()))
