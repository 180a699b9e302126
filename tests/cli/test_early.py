"""A prompt before the program is loaded."""

import io
import sys

import pytest

from unop2p.cli.common import say
from unop2p.cli.early import show_prompt, take_back
from unop2p.cli.exits import complain


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    shown = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", shown)
    monkeypatch.setattr("os.name", "posix")
    return shown


def test_the_prompt_stands_there_until_something_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = at_terminal(monkeypatch)
    show_prompt(plain=False)
    assert terminal.getvalue() == "lobby, wait> "
    take_back()
    assert terminal.getvalue() == "lobby, wait> \r\x1b[K"
    take_back()
    assert terminal.getvalue().count("\x1b") == 1


@pytest.mark.parametrize("speak", [say, complain])
def test_what_goes_wrong_is_said_in_its_place(
    speak: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = at_terminal(monkeypatch)
    show_prompt(plain=False)
    speak("no broker")  # type: ignore[operator]  # each takes a line
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert "no broker" in capsys.readouterr().err


def test_where_nothing_can_be_erased_nothing_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = at_terminal(monkeypatch)
    show_prompt(plain=True)
    monkeypatch.setenv("TERM", "dumb")
    show_prompt(plain=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    show_prompt(plain=False)
    take_back()
    assert terminal.getvalue() == ""


def test_a_terminal_that_has_gone_is_no_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = at_terminal(monkeypatch)
    show_prompt(plain=False)
    terminal.close()
    take_back()
