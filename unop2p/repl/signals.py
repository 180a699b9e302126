"""Calling a person back to the table: the terminal's bell, and the window's title."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Final

from prompt_toolkit.output import Output

from unop2p.repl.paint import name
from unop2p.repl.render import STAGE_WORDS
from unop2p.table.view import Stage, TableView
from unop2p.words import ENGLISH, Words

BELL: Final = "\a"
_PUSH_TITLE: Final = "\x1b[22;2t"
_POP_TITLE: Final = "\x1b[23;2t"
"""Keep the window's title, and give it back (xterm's window operations): other terminals leave it."""


class Signals:
    """Rings, and sets the title, while it is on."""

    def __init__(self, *, bell: bool, title: bool, words: Words = ENGLISH) -> None:
        """Take what is wanted, and the language of the person."""
        self._words = words
        self._bell = bell
        self._title = title
        self._ring: Callable[[], object] | None = None
        self._set_title: Callable[[str], object] | None = None
        self._rung = False
        self._said = ""

    @contextlib.contextmanager
    def on_terminal(self, output: Output) -> Iterator[None]:
        """Use a terminal; its title comes back afterwards."""
        self._ring = output.bell
        if self._title:
            self._set_title = output.set_title
            self._keep_title(output, _PUSH_TITLE)
        try:
            yield
        finally:
            self._ring = self._set_title = None
            if self._title:
                self._keep_title(output, _POP_TITLE)

    def on_lines(self, write: Callable[[str], object]) -> None:
        """Use a terminal that only takes lines: it can ring, and has no title."""
        self._ring = lambda: write(BELL)

    def _keep_title(self, output: Output, code: str) -> None:
        if os.name == "nt":
            if code == _POP_TITLE:
                output.clear_title()
        else:
            output.write_raw(code)
        output.flush()

    def tell(self, view: TableView) -> None:
        """Ring once when the table begins to wait for us; keep the title up to date."""
        mine = view.my_turn or view.my_reaction
        if mine and not self._rung and self._bell and self._ring is not None:
            self._ring()
        self._rung = mine
        said = title_text(view, self._words)
        if self._set_title is not None and said != self._said:
            self._said = said
            self._set_title(said)


def title_text(view: TableView, words: Words = ENGLISH) -> str:
    """Return what the window is called."""
    if view.my_turn:
        return words.say("unop2p: your move")
    if view.my_reaction:
        return words.say("unop2p: you may react")
    if view.stage is Stage.PLAYING and view.round is not None:
        return words.say("unop2p: {name}'s turn", name=name(view, view.round.turn))
    return words.say("unop2p: {stage}", stage=words.say(STAGE_WORDS[view.stage]))
