"""Every screen, in every language and size, is the one that was read and kept: `make screens` keeps them."""

import re

import pytest

from tests.repl.screens import FOLDER, SIZES, draw, kinds, say, strict
from unop2p.repl.fold import width_of
from unop2p.words import LANGUAGES

KEPT = {name: (FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name, _ in kinds()}


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_drawn_screen_is_the_one_that_was_kept(
    language: str, columns: int, rows: int
) -> None:
    drawn, missing = await draw(language, columns, rows)
    assert drawn == KEPT[f"{language}-{columns}x{rows}"]
    assert not missing, "not translated"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_appended_is_what_was_kept(language: str) -> None:
    said, missing = await say(language)
    assert said == KEPT[f"{language}-plain"]
    assert not missing, "not translated"


def test_a_sentence_without_a_translation_is_noticed() -> None:
    words, missing = strict("pl")
    assert words.say("your move>") == "twój ruch>"
    assert not missing.said
    words.say("nobody says this")
    words.say_n("one such", "{n} such", 2)
    assert missing.said == {"nobody says this", "one such"}


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_screen_is_torn_too_wide_or_cut_off(language: str, columns: int, rows: int) -> None:
    screens = re.split(r"^=== (.*)\n", KEPT[f"{language}-{columns}x{rows}"], flags=re.M)[1:]
    for title, text in zip(screens[::2], screens[1::2], strict=True):
        lines = text.removesuffix("\n").split("\n")
        assert len(lines) == rows, title
        assert max(map(width_of, lines)) <= columns, title
        assert "…" not in text, title
        rules = [line for line in lines if line[:2] == line[-2:] == "──"]
        assert [width_of(line) for line in rules] == [columns], title
        assert ">" in lines[-2] or title == "leaving"
        assert not any(">" in line for line in lines[:-2] if "<" not in line), title


def test_no_kept_screen_is_of_another_time() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(KEPT)
