"""Whole rounds in every language, in windows of each size that change in the middle, rich and plain.

The person sees nothing but the screen; afterwards everything that was seen is held against the record.
"""

import itertools
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip(
        "Windows has no pseudo-terminals that pexpect can open; the screen is tested on values there",
        allow_module_level=True,
    )

from tests.e2e.held import appended_against, held_against, known
from tests.e2e.tongues import ME, Person, PlainPerson, Window
from unop2p.words import LANGUAGES

pytestmark = [pytest.mark.slow, pytest.mark.broker, pytest.mark.timeout(300)]

SMALL, USUAL, LARGE = (60, 18), (80, 24), (200, 50)
CHANGES = list(itertools.permutations((SMALL, USUAL, LARGE), 2))
PAIRS = [("en", SMALL, LARGE), ("el", USUAL, SMALL), ("he", LARGE, USUAL)]
PAIRS += [("uk", SMALL, USUAL), ("ro", USUAL, LARGE), ("pl", LARGE, SMALL)]
"""Each language in two sizes, and each size changed for both others: what the usual run plays."""
ALL = [(language, before, after) for language in LANGUAGES for before, after in CHANGES]
ONE_ROUND = ("--set", "match_end=rounds", "--to", "1")
WIDE = 250
COMPARED_MIN = 4
"""In the shortest round there is at least so much to compare."""


def play(
    home: Path, language: str, *words: str, size: tuple[int, int], own_order: bool = False
) -> tuple[Window, Path]:
    """Start a match of one round against two bots; return its terminal and its record."""
    record = home / "match.jsonl"
    options = ("--bots", "2", "--fast", "--turn-time", "600", "--deal", "commit-reveal")
    game = ("play", "--name", ME, *options, *ONE_ROUND, "--record", str(record), *words)
    return Window(home, language, *game, size=size, own_order=own_order), record


def a_drawn_round(
    home: Path,
    language: str,
    before: tuple[int, int],
    after: tuple[int, int],
    *,
    own_order: bool = False,
) -> None:
    """Play a round, and hold what was seen against the record."""
    window, record = play(home, language, size=before, own_order=own_order)
    try:
        person = Person(window, resize=after)
        assert person.play() == 0
    finally:
        window.close()
    assert held_against(window, person.looks, known(record)) >= COMPARED_MIN
    if person.turns >= 3:
        assert {(look.columns, look.rows) for look in person.looks} == {before, after}
    assert "│" not in "".join(window.shown())  # the drawing is gone, and its last lines are left


@pytest.mark.parametrize(("language", "before", "after"), PAIRS)
def test_a_round_is_played_in_every_language(
    language: str, before: tuple[int, int], after: tuple[int, int], tmp_path: Path
) -> None:
    a_drawn_round(tmp_path, language, before, after)


@pytest.mark.soak
@pytest.mark.parametrize(("language", "before", "after"), ALL)
def test_rounds_are_played_in_every_language_from_each_size_to_each(
    language: str, before: tuple[int, int], after: tuple[int, int], tmp_path: Path
) -> None:
    a_drawn_round(tmp_path, language, before, after)


@pytest.mark.soak
@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_rounds_are_played_where_the_terminal_puts_hebrew_in_order(
    before: tuple[int, int], after: tuple[int, int], tmp_path: Path
) -> None:
    a_drawn_round(tmp_path, "he", before, after, own_order=True)


def a_plain_round(home: Path, language: str, *, own_order: bool = False) -> None:
    """Play a round by appended lines alone, and hold them against the record."""
    window, record = play(home, language, "--plain", size=(WIDE, 24), own_order=own_order)
    try:
        person = PlainPerson(window)
        assert person.play() == 0
    finally:
        window.close()
    assert b"\x1b" not in window.raw
    assert appended_against(window, person.lines, known(record)) >= 1


@pytest.mark.parametrize("language", ["el", "he"])
def test_a_round_is_played_by_lines(language: str, tmp_path: Path) -> None:
    a_plain_round(tmp_path, language, own_order=language == "he")


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_is_played_by_lines_in_every_language(language: str, tmp_path: Path) -> None:
    a_plain_round(tmp_path, language)
