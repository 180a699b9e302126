"""`host --qr`: the ticket's code beside the ticket."""

import io
import sys

import pytest

from tests.repl.test_qr import TICKET, photo, read
from unop2p.cli.code import show_code
from unop2p.cli.look import Colors, Look, Signs


def shown(monkeypatch: pytest.MonkeyPatch, look: Look) -> list[str]:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    show_code(TICKET, look)
    return written.getvalue().splitlines()


def test_in_a_pipe_it_has_no_color_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in "".join(shown(monkeypatch, Look()))


@pytest.mark.parametrize("signs", [Signs.ASCII, Signs.UNICODE])
def test_it_is_drawn_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, signs: Signs) -> None:
    lines = shown(monkeypatch, Look(colors=Colors.FEW, signs=signs))
    assert "".join(lines).isascii() is (signs is Signs.ASCII)
    assert read(photo(lines, paper=255)) == [TICKET]


def test_without_colors_it_is_signs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(monkeypatch, Look(colors=Colors.NEVER, signs=Signs.UNICODE))
    assert read(photo(lines, paper=0)) == [TICKET]
