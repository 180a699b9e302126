"""Only a terminal gets lines in the order in which they are seen; a file or pipe, as they are read."""

import io
import sys
from collections.abc import Iterator

import pytest

from unop2p.cli import direction, tongue
from unop2p.cli.direction import Ordered, arrange, choose_direction, write_in_order
from unop2p.words import Bidi


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _back() -> Iterator[None]:
    yield
    tongue.speak("en")
    choose_direction()


@pytest.mark.parametrize(
    ("wanted", "mode"),
    [
        ((), Bidi.AUTO),
        ((None, None, "terminal"), Bidi.TERMINAL),
        ((None, "program", "terminal"), Bidi.PROGRAM),
        (("terminal", "program", None), Bidi.TERMINAL),
        ((None, "nonsense", "program"), Bidi.PROGRAM),
    ],
)
def test_the_option_counts_before_the_variable_and_that_before_the_setting(
    wanted: tuple[str | None, ...], mode: Bidi
) -> None:
    choose_direction(*wanted)
    assert direction._chosen == [mode]


def test_lines_for_a_terminal_are_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    tongue.speak("he")
    choose_direction("program")
    out, err = Terminal(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    write_in_order({})
    print("ben משחק R7.\nwait")  # noqa: T201  # what is tested
    sys.stderr.write("שלום\n")
    assert out.getvalue() == ".R7 קחשמ ben\nwait\n"
    assert err.getvalue() == "שלום\n"


def test_a_long_line_is_broken_before_it_is_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    out = Terminal()
    Ordered(out, str).write("one two three four five six\n")
    assert out.getvalue() == "one two three four\n  five six\n"


def test_bytes_are_refused_as_by_any_text_stream() -> None:
    with pytest.raises(TypeError):
        Ordered(Terminal(), str).write(b"")  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "el", "uk", "ro", "pl"])
def test_nothing_is_put_in_order_in_other_languages(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tongue.speak(language)
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    write_in_order({})
    assert sys.stdout is out
    assert arrange() is str
