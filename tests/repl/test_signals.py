"""The bell and the title."""

from dataclasses import replace

import pytest
from prompt_toolkit.output import DummyOutput

from tests.repl.running import VIEW, WAITING
from tests.repl.support import lobby_view
from unop2p.repl.signals import Signals, title_text


class Terminal(DummyOutput):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.rung = 0
        self.titles: list[str] = []
        self.raw: list[str] = []

    def bell(self) -> None:
        self.rung += 1

    def set_title(self, title: str) -> None:
        self.titles.append(title)

    def write_raw(self, data: str) -> None:
        self.raw.append(data)


@pytest.fixture
def terminal() -> Terminal:
    """Return a terminal that keeps what it is told."""
    return Terminal()


def test_it_rings_once_when_a_turn_begins(terminal: Terminal) -> None:
    signals = Signals(bell=True, title=True)
    with signals.on_terminal(terminal):
        for view in (WAITING, VIEW, replace(VIEW, step=13), WAITING, VIEW):
            signals.tell(view)
    assert terminal.rung == 2
    assert terminal.titles == ["unop2p: ann's turn", "unop2p: your move"] * 2


def test_the_title_that_was_there_comes_back(terminal: Terminal) -> None:
    with Signals(bell=False, title=True).on_terminal(terminal):
        assert terminal.raw == ["\x1b[22;2t"]
    assert terminal.raw == ["\x1b[22;2t", "\x1b[23;2t"]


def test_neither_is_done_where_it_is_unwanted_or_before_and_after(terminal: Terminal) -> None:
    off = Signals(bell=False, title=False)
    with off.on_terminal(terminal):
        off.tell(VIEW)
    wanted = Signals(bell=True, title=True)
    wanted.tell(VIEW)
    assert (terminal.rung, terminal.titles, terminal.raw) == (0, [], [])


def test_a_terminal_that_takes_lines_alone_rings_too() -> None:
    written: list[str] = []
    signals = Signals(bell=True, title=True)
    signals.on_lines(written.append)
    signals.tell(VIEW)
    assert written == ["\a"]


def test_a_title_says_what_the_table_waits_for_without_what_a_terminal_obeys() -> None:
    assert title_text(lobby_view("ann")) == "unop2p: lobby"
    assert title_text(replace(WAITING, my_reaction=True)) == "unop2p: you may react"
    odd = replace(WAITING, seats=(replace(WAITING.seats[0], name="a\x07b"), *WAITING.seats[1:]))
    assert "\x07" not in title_text(odd)
