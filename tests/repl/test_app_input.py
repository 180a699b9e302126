"""The screen: odd input, narrow terminals, and Wilds typed without a color."""

import asyncio
import io
import os
import sys

import pytest

from tests.repl.glass import drawn
from tests.repl.running import VIEW, WAITING, rich, until
from tests.repl.support import FakeSession, view_of
from unop2p.ids import Seat
from unop2p.peer.events import Stop
from unop2p.repl.app import App
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import Draw, Play
from unop2p.table.commands import MakeMove, Say


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


# -- odd input -------------------------------------------------------------------------------------


async def test_pasted_color_codes_do_not_break_the_line() -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types("say hello \x1b[31mred\x1b[0m\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [Say(text="hello red")]


async def test_a_pasted_text_of_several_lines_is_one_line_of_chat() -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types("say \x1b[200~one\ntwo\tthree\x07\x1b[201~\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [Say(text="one two three")]


async def test_a_pasted_text_of_several_lines_is_seen_in_one_row_and_cleared_at_once() -> None:
    async with drawn(FakeSession(VIEW), columns=60, rows=18) as running:
        running.types("\x1b[200~say one\r\ntwo\nthree\x1b[201~")
        await running.sees("your move> say one two three")
        running.types("\x15")
        await until(lambda: not any("one" in line for line in running.glass.lines))
        await running.sees("your move>")
        running.types("say four\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [Say(text="four")]


async def test_an_interrupt_from_outside_leaves_and_says_how_to_come_back() -> None:
    leave = asyncio.Event()
    said: list[str] = []
    source, sink = os.pipe()
    app = App(
        FakeSession(VIEW), link=lambda: "up", plain=True, write=said.append, descriptor=source
    )
    finished: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(app.run(finished, leave))
    await until(lambda: any("your move>" in text for text in said))
    leave.set()
    await task
    os.close(sink)
    assert app.left
    assert said[-1].startswith("Your hand is kept")


async def test_lines_are_broken_at_words_where_the_terminal_is_narrow() -> None:
    async with drawn(FakeSession(VIEW), columns=40, rows=18) as running:
        running.types("help\r")
        await running.sees("g+2, bs, yv")
        assert "PgDn: more" in "".join(running.glass.lines)


def test_a_terminal_that_obeys_no_codes_gets_the_plain_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert App(FakeSession(VIEW), link=lambda: "up")._plain


# -- a color for a Wild ----------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["w", "4", "play w"])
async def test_a_wild_without_its_color_asks_for_it(typed: str) -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types(f"{typed}\r")
        await running.shows("Which color?")
        assert running.session.asked == []
        running.types("Green\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [MakeMove(move=Play(cards=(Face.W,), color=Color.GREEN))]


async def test_anything_but_a_color_takes_the_wild_back() -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types("w\r")
        await running.shows("Which color?")
        running.types("draw\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [MakeMove(move=Draw())]
        running.types("g\r")
        await running.shows("'g': type a card")


async def test_a_color_that_comes_after_the_step_is_over_plays_no_wild() -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types("w\r")
        await running.shows("Which color?")
        running.session.view = WAITING
        running.types("g\r")
        await running.shows("'g': type a card")
        assert running.session.asked == []


async def test_a_seven_without_a_name_asks_for_it() -> None:
    view = view_of("R7 R5 G3", top="R9", others=("B1 B2", "G1"), hand_moves=["seven_swaps"])
    async with rich(FakeSession(view)) as running:
        running.types("r7\r")
        await running.shows("With whom?")
        running.types("cleo\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [MakeMove(move=Play(cards=(Face.R7,), target=Seat(2)))]
