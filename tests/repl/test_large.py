"""A card drawn large."""

import pytest

from unop2p.repl.fold import width_of
from unop2p.repl.large import (
    LARGE_COLUMNS,
    LARGE_ROWS,
    SMALL_COLUMNS,
    SMALL_ROWS,
    card_lines,
    large_text,
    letters,
)
from unop2p.repl.paint import Paint
from unop2p.repl.terminal import ASCII, UNICODE
from unop2p.rules.cards import Face

PLAIN, COLORED = Paint(color=False), Paint(color=True)


@pytest.mark.parametrize("large", [True, False])
@pytest.mark.parametrize("symbols", [ASCII, UNICODE], ids=["ascii", "unicode"])
def test_every_card_has_its_size_and_its_letters(symbols: object, *, large: bool) -> None:
    size = (LARGE_ROWS, LARGE_COLUMNS) if large else (SMALL_ROWS, SMALL_COLUMNS)
    for face in (None, *Face):
        for paint in (PLAIN, COLORED):
            lines = card_lines(face, paint, symbols, large=large)  # type: ignore[arg-type]  # above
            assert (len(lines), {width_of(line) for line in lines}) == (size[0], {size[1]})
            said = "".join(lines)
            assert said.count(face.value if face is not None else "UNO") >= 1


def test_every_sign_that_a_card_may_have_is_drawn_large() -> None:
    for face in Face:
        assert len(large_text(letters(face), "#")) == 5, face
    assert large_text("?", "#") == []
    assert large_text("", "#") == []


def test_a_small_card_looks_so() -> None:
    assert card_lines(Face.R7, PLAIN, ASCII, large=False) == [
        ".-------.",
        "| R7    |",
        "|   7   |",
        "|    R7 |",
        "'-------'",
    ]
