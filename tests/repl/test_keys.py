"""Keys beside the usual: they act at once, and keep what is half typed."""

from dataclasses import replace

import pytest

from tests.repl.running import VIEW, rich, until
from tests.repl.support import FakeSession, view_of
from tests.repl.test_calls import forgotten
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.moves import CallUNO, Catch, Move, Play
from unop2p.table.commands import MakeMove, Say
from unop2p.table.view import TableView

F2, F3, F4 = "\x1bOQ", "\x1bOR", "\x1bOS"


@pytest.mark.parametrize(
    ("view", "key", "wanted"),
    [
        (forgotten(0), F2, CallUNO()),
        (forgotten(0), "\x1bu", CallUNO()),
        (forgotten(1), F3, Catch(seat=Seat(0))),
        (forgotten(1), "\x1bc", Catch(seat=Seat(0))),
        (forgotten(1, jump_in="numbers"), F4, Play(cards=(Face.R1,))),
        (forgotten(1, jump_in="numbers"), "\x1bj", Play(cards=(Face.R1,))),
    ],
)
async def test_a_key_calls_in_the_middle_of_a_line_and_keeps_it(
    view: TableView, key: str, wanted: Move
) -> None:
    session = FakeSession(view)
    async with rich(session) as running:
        running.types("say hello, ev")
        running.types(key)
        await until(lambda: session.asked)
        assert session.asked == [MakeMove(move=wanted)]
        running.types("erybody\r")
        await until(lambda: len(session.asked) == 2)
        assert session.asked[1] == Say(text="hello, everybody")


async def test_a_key_that_can_do_nothing_says_why_and_keeps_the_line() -> None:
    session = FakeSession(VIEW)
    async with rich(session) as running:
        running.types("say ab" + F4)
        await running.shows("There is nothing to jump in with.")
        running.types("c\r")
        await until(lambda: session.asked)
        assert session.asked == [Say(text="abc")]


async def test_uno_before_the_play_goes_with_it() -> None:
    session = FakeSession(view_of("R7 G3", top="R9"))
    async with rich(session) as running:
        running.types("r7" + F2)
        await running.shows("UNO goes with it")
        running.types("\r")
        await until(lambda: session.asked)
        assert session.asked == [MakeMove(move=Play(cards=(Face.R7,), uno=True))]


async def test_uno_right_after_the_play_is_called_when_it_can_be() -> None:
    before = view_of("R7 G3", top="R9")
    session = FakeSession(before)
    async with rich(session) as running:
        session.view = replace(before, my_turn=False, legal=())
        running.types(F2)
        await running.shows("UNO goes with it")
        session.view = replace(forgotten(0), step=before.step + 1)
        await until(lambda: session.asked)
        assert session.asked == [MakeMove(move=CallUNO())]


async def test_uno_that_never_can_be_called_is_forgotten() -> None:
    before = view_of("R7 G3", top="R9")
    session = FakeSession(before)
    async with rich(session) as running:
        running.types(F2)
        await running.shows("UNO goes with it")
        session.view = replace(forgotten(0), step=before.step + 9)
        await until(lambda: running.app._later is None)
        assert session.asked == []


async def test_a_refused_call_says_why() -> None:
    session = FakeSession(forgotten(1))
    session.refuse = IllegalMoveError("That seat cannot be caught.")
    async with rich(session) as running:
        running.types(F3)
        await running.shows("that seat cannot be caught.")


async def test_an_arrow_on_an_empty_line_opens_the_moves_and_enter_plays_the_chosen_one() -> None:
    session = FakeSession(VIEW)
    async with rich(session) as running:
        running.types("\x1b[B\x1b[B\r")  # down, down: the second of r5, r7, ...
        await until(lambda: session.asked)
        assert session.asked == [MakeMove(move=Play(cards=(Face.R7,)))]


async def test_the_arrow_up_brings_back_what_was_typed_before() -> None:
    session = FakeSession(VIEW)
    async with rich(session) as running:
        running.types("say one\r")
        await until(lambda: session.asked)
        running.types("\x1b[A\r")
        await until(lambda: len(session.asked) == 2)
        assert session.asked == [Say(text="one")] * 2
