"""`hint`: a bot's move as it can be typed, and nothing where the table forbids it."""

from dataclasses import replace
from random import Random

import pytest

from tests.bots.support import position
from tests.repl.support import lobby_view, table_view, view_of
from unop2p.bots.levels import LEVELS, UnknownBotError
from unop2p.repl.commands import Screen, Show, read
from unop2p.repl.hint import hint_lines
from unop2p.table.commands import MakeMove
from unop2p.words import ENGLISH


@pytest.mark.parametrize("level", LEVELS)
def test_a_hint_can_be_typed_as_it_stands(level: str) -> None:
    view = view_of("R1 B9 W W4", top="R9")
    told = hint_lines(view, level, Random(1), ENGLISH)
    assert told[0].startswith(f"Hint: `{level}` would type `")
    typed = told[0].split("`")[3]
    command = read(typed, view)
    assert isinstance(command, MakeMove)
    assert command.move in view.legal


def test_without_a_level_the_strongest_is_asked_and_says_what_it_expects() -> None:
    told = hint_lines(view_of("R1", top="R9"), "", Random(1), ENGLISH)
    assert told[0].startswith("Hint: `net` would type `r1`; +")
    assert told[0].endswith("points expected of this round.")
    assert told[1].startswith("Otherwise: `draw` ")


def test_who_is_not_asked_gets_no_hint() -> None:
    game = position("R1 R2", top="R9")
    for view in (table_view(game, seat=1), lobby_view("ann")):
        assert hint_lines(view, "", Random(1), ENGLISH) == ["Nothing is yours to do now."]


def test_a_table_that_forbids_hints_gives_none() -> None:
    view = replace(view_of("R1", top="R9"), hints=False)
    assert hint_lines(view, "", Random(1), ENGLISH) == ["This table plays without hints."]


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(UnknownBotError):
        hint_lines(view_of("R1", top="R9"), "genius", Random(1), ENGLISH)


def test_hint_is_typed_alone_or_with_a_level() -> None:
    view = view_of("R1", top="R9")
    assert read("hint", view) == Screen(show=Show.HINT)
    assert read("hint greedy", view) == Screen(show=Show.HINT, about="greedy")
