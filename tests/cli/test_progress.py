"""The bar of a long command is for who looks."""

import io
import sys

import pytest

from unop2p.cli.progress import progress


class Screen(io.StringIO):
    """A terminal, as far as anybody asks."""

    def isatty(self) -> bool:
        """Say that somebody looks."""
        return True


def test_progress_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("matches", 5) as told:
        told(5)
    assert capsys.readouterr().err == ""


def test_who_looks_sees_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    with progress("matches", 5) as told:
        told(2)
    assert "matches" in screen.getvalue()
