"""In each language, in a pseudo-terminal: the prompt is in it, its words are understood, and it tells."""

import itertools
import time
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal
from unop2p.edge.languages import load
from unop2p.repl.direction import visual
from unop2p.words import LANGUAGES, Words

COLUMNS, ROWS = 100, 30
AGAIN_S = 1.0
"""A line that was not understood, as a Wild lies on top, is followed by another after this."""


def first(words: Words, word: str) -> str:
    """Return what one types in a language."""
    return (words.typed(word) or (word,))[0]


@pytest.mark.parametrize("mode", ["rich", "plain"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_is_drawn_with_the_word_of_the_language_and_told_in_it(
    language: str, mode: str, tmp_path: Path
) -> None:
    words = load(language)
    mine = visual(
        words.say("your move>").removesuffix(">")
    )  # Hebrew has other words before the sign
    told = visual(words.say("You draw {cards}.", cards="\n").partition("\n")[0].strip())
    lines = itertools.cycle([first(words, "draw"), first(words, "red")])
    options = ("--bots", "1", "--fast", "--deal", "commit-reveal", "--lang", language)
    plain = ("--plain",) if mode == "plain" else ()
    terminal = Terminal(
        tmp_path, "play", "--bidi", "program", *options, *plain, columns=COLUMNS, rows=ROWS
    )
    typed_at = 0.0

    def drawn() -> bool:
        nonlocal typed_at
        text = terminal.raw.decode(errors="replace")
        shown = text if terminal.plain else "\n".join(terminal.shown())
        if told in shown:
            return True
        if mine in shown and time.monotonic() - typed_at > AGAIN_S:
            terminal.keys(next(lines) + "\r")
            typed_at = time.monotonic()
        return False

    try:
        terminal.wait(drawn, "a card that is drawn")
    finally:
        terminal.close()
