"""Lines that fit a narrow terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repl.support import view_of
from unop2p.repl.fold import WIDTH_MIN, fold, fold_fields, width_of
from unop2p.repl.render import Renderer

TEXT = st.text(alphabet=st.sampled_from(list("ab cR7:,  é漢🎉")), max_size=200)


@given(TEXT, st.integers(WIDTH_MIN, 90))
def test_no_line_is_wider_than_the_terminal_and_no_word_is_lost(text: str, width: int) -> None:
    lines = fold(text, width)
    assert all(width_of(line) <= width for line in lines)
    assert re.sub(" +", "", "".join(lines)) == re.sub(" +", "", text)


def test_words_stay_whole_where_they_fit() -> None:
    lines = fold("  Every seat has shuffled all cards in turn, with a proof.", 30)
    assert lines == ["  Every seat has shuffled all", "    cards in turn, with a", "    proof."]


def test_what_is_to_be_typed_is_not_broken() -> None:
    assert fold("Check it with `unop2p audit`, `a b` or not.", 24) == [
        "Check it with",
        "  `unop2p audit`, `a b`",
        "  or not.",
    ]
    lines = fold("Type `unop2p replay a-long-file.jsonl --as mia`.", 24)
    assert len(lines) > 2  # it would not fit as a whole
    assert fold("One ` alone is a sign.", 20) == ["One ` alone is a", "  sign."]


def test_what_follows_a_title_hangs_under_its_text() -> None:
    (help_line,) = [line for line in Renderer(color=False).help() if "then number" in line]
    first, *rest = fold(help_line, 70)
    assert rest
    column = first.index("color letter")
    assert all(len(line) - len(line.lstrip()) == column for line in rest)


def test_colors_take_no_room() -> None:
    painted = Renderer(color=True).hand(view_of("R1 R2 R3 G4 G5", top="R9"))
    bare = Renderer(color=False).hand(view_of("R1 R2 R3 G4 G5", top="R9"))
    assert width_of(painted) == width_of(bare)
    assert len(fold(painted, 24)) == len(fold(bare, 24))


@pytest.mark.parametrize("width", [60, 80])
def test_every_line_of_help_begins_on_its_own_at_usual_widths(width: int) -> None:
    lines = Renderer(color=False).help()
    folded = [part for line in lines for part in fold(line, width)]
    assert len(folded) <= (len(lines) + 2 if width == 80 else 2 * len(lines))


@given(TEXT, st.integers(WIDTH_MIN, 90))
def test_fields_are_broken_between_where_they_fit(text: str, width: int) -> None:
    line = f"{text} | R7 | a b"
    lines = fold_fields(line, width)
    assert all(width_of(part) <= width for part in lines)
    assert any("a b" in part for part in lines)
    assert not any(part.endswith(" |") or part.startswith("| ") for part in lines)
