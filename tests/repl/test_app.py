"""The screen itself: typed keys in, lines out, nothing drawn."""

import asyncio
import io
import os
import sys
from dataclasses import replace

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.bots.support import position
from tests.repl.running import VIEW, WAITING, plain, rich, until
from tests.repl.support import FakeSession, lobby_view, table_view
from tests.repl.test_why import VERIFIED
from unop2p.edge.verify import Verified, VerifyFailedError
from unop2p.errors import IllegalMoveError, LocalError
from unop2p.ids import Seat
from unop2p.peer.events import Stop
from unop2p.repl import app as app_module
from unop2p.repl.app import STILL_LOOKING, App, color_wanted, write_out
from unop2p.rules.cards import Face
from unop2p.rules.moves import Draw, Play
from unop2p.table import notices
from unop2p.table.commands import MakeMove, Say
from unop2p.table.view import Stage

# -- plain mode ------------------------------------------------------------------------------------


async def test_a_plain_screen_begins_with_the_table_and_the_prompt() -> None:
    async with plain(FakeSession(VIEW)) as running:
        await running.shows("your move>")
        assert running.lines[-2:] == ["  hand  1:R5*  2:R7*  3:G3  4:W*", "45 s, your move>"]


async def test_a_line_of_a_pipe_is_submitted_and_the_prompt_comes_again() -> None:
    async with plain(FakeSession(VIEW)) as running:
        await running.shows("your move>")
        running.clear()
        running.session.view = WAITING
        running.types("r7\n")
        await running.shows("wait>")
        assert running.session.asked == [MakeMove(move=Play(cards=(Face.R7,)))]


async def test_a_refusal_says_why_and_asks_again() -> None:
    session = FakeSession(VIEW)
    session.refuse = IllegalMoveError("it is not your turn")
    async with plain(session) as running:
        await running.shows("your move>")
        running.clear()
        running.types("draw\n")
        await running.shows("your move>")
        assert running.lines[0] == "  'draw' refused: it is not your turn."
        session.refuse = LocalError("No such thing.")
        running.types("draw\n")
        await running.shows("That is not allowed. No such thing.")
        running.types("xyzzy\n")
        await running.shows("'xyzzy': type a card")
    assert session.asked == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("table", "-- round 1, step 12"),
        ("", "-- round 1, step 12"),
        ("hand", "  hand  1:R5*"),
        ("legal", "  R5   yes."),
        ("rules", "At 500 points"),
        ("score", "The match goes to 500 points."),
        ("why", "Keys: every seat (ann, ben)"),
        ("verify", "There is nothing to check yet."),
        ("help", "stop for now"),
        ("help w4", "W4 is a Wild Draw Four"),
    ],
)
async def test_the_screen_answers_by_itself(line: str, said: str) -> None:
    async with plain(FakeSession(VIEW)) as running:
        await running.shows("your move>")
        running.clear()
        running.types(f"{line}\n")
        await running.shows("your move>")
        assert any(said in shown for shown in running.lines)
        assert running.session.asked == []


async def test_quit_leaves_and_says_how_to_come_back() -> None:
    async with plain(FakeSession(VIEW)) as running:
        running.types("quit\n")
        await running.task
        assert running.app.left
        assert running.lines[-1] == "Your hand is kept: the same command comes back to it."
        assert not running.finished.done()


async def test_the_end_of_a_pipe_does_not_end_the_screen() -> None:
    async with plain(FakeSession(VIEW)) as running:
        await running.shows("your move>")
        os.close(running.sink)
        running.sink = os.open(os.devnull, os.O_WRONLY)
        running.session.notices.put_nowait(notices.Warned(text="still here"))
        await running.shows("! still here")
        assert not running.task.done()


async def test_a_match_that_ends_ends_the_screen_after_its_last_notice() -> None:
    session = FakeSession(WAITING)
    async with plain(session) as running:
        await running.shows("wait>")
        ended = notices.MatchEnded(winners=(Seat(1),), totals=(3, 500))
        session.notices.put_nowait(ended)
        running.finished.set_result(Stop(reason="", exit_code=0))
        await running.task
        assert not running.app.left
        assert "The match is over: ben won." in running.lines


# -- what is told ----------------------------------------------------------------------------------


async def test_our_turn_shows_the_table_once_a_step_after_what_led_to_it() -> None:
    session = FakeSession(WAITING)
    async with plain(session) as running:
        await running.shows("wait>")
        running.clear()
        session.view = replace(VIEW, step=14)
        for told in (
            notices.MoveMade(seat=Seat(1), move=Play(cards=(Face.R9,))),
            notices.TurnIs(seat=Seat(0)),
            notices.ChatSaid(name="ben", text="your go"),
        ):
            session.notices.put_nowait(told)
        await running.shows("your move>")
        assert running.lines[0] == "ben plays R9."
        assert running.lines[1] == "<ben> your go"
        assert running.lines[2].startswith("-- round 1, step 14")
        session.notices.put_nowait(notices.ChatSaid(name="ben", text="well?"))
        await running.shows("well?")
        assert sum("your move>" in line for line in running.lines) == 1


async def test_a_turn_without_a_notice_is_seen_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "REFRESH_S", 0.001)
    session = FakeSession(WAITING)
    async with plain(session) as running:
        await running.shows("wait>")
        session.view = VIEW
        await running.shows("your move>")


async def test_the_table_waits_for_what_led_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "REFRESH_S", 0.001)
    session = FakeSession(WAITING)
    async with plain(session) as running:
        await running.shows("wait>")
        running.clear()
        session.busy, session.view = True, replace(VIEW, step=14)
        await asyncio.sleep(0.01)
        assert running.lines == []
        session.busy = False
        played = notices.MoveMade(seat=Seat(1), move=Play(cards=(Face.R9,)))
        session.notices.put_nowait(played)
        await running.shows("your move>")
        assert running.lines[0] == "ben plays R9."


async def test_a_reaction_says_what_may_be_said() -> None:
    game = position("R1 R2", top="R9", others=("B1 B2", "B3 B4"))
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    session = FakeSession(replace(table_view(game, 1), step=20, my_reaction=False))
    async with plain(session) as running:
        await running.shows("wait>")
        session.view = replace(session.view, my_reaction=True)
        session.notices.put_nowait(notices.MoveMade(seat=Seat(0), move=Play(cards=(Face.R1,))))
        await running.shows("You may react: `catch ann`.")
        await running.shows("you may react, wait>")


async def test_a_table_that_goes_on_where_it_stood_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "REFRESH_S", 0.001)
    session = FakeSession(lobby_view("ann", "ben"))
    async with plain(session) as running:
        await running.shows("-- lobby: 2 of 3")
        session.view = WAITING
        await running.shows("-- round 1, step 13")


# -- the terminal ----------------------------------------------------------------------------------


async def test_keys_make_a_command() -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types("r7\r")
        await until(lambda: running.session.asked)
        running.types("say hello\r")
        await until(lambda: len(running.session.asked) == 2)
        assert running.session.asked == [
            MakeMove(move=Play(cards=(Face.R7,))),
            Say(text="hello"),
        ]
        assert not any("hand" in line for line in running.lines)  # it is drawn, and not said


async def test_a_half_typed_line_outlives_a_notice() -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types("dr")
        running.session.notices.put_nowait(notices.Warned(text="in between"))
        await running.shows("in between")
        running.types("aw\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [MakeMove(move=Draw())]


@pytest.mark.parametrize("leaving", ["quit\r", "\x03", "\x04"])
async def test_leaving_a_table_that_goes_on_is_asked_twice(leaving: str) -> None:
    async with rich(FakeSession(VIEW), hint="come back with `play`") as running:
        running.types(f"{leaving}n\rhand\r")
        await running.shows("  hand  1:R5*")
        running.clear()
        running.types("hand\r")
        await running.shows("  hand  1:R5*")  # the question is no prompt of commands
        assert not running.task.done()
        running.types(f"{leaving}y\r")
        await running.task
        assert running.app.left
        assert running.lines[-1] == "come back with `play`"


async def test_a_second_interrupt_leaves() -> None:
    async with rich(FakeSession(VIEW)) as running:
        running.types("\x03")
        running.types("\x03")
        await running.task
        assert running.app.left


async def test_a_table_that_is_over_is_left_without_a_question() -> None:
    async with rich(FakeSession(replace(WAITING, stage=Stage.OVER))) as running:
        running.types("\x04")
        await running.task
        assert running.app.left


async def test_the_end_of_the_match_ends_a_prompt() -> None:
    async with rich(FakeSession(VIEW)) as running:
        await running.shows("Rules")
        running.types("r")
        await running.finish()
        assert not running.app.left


async def test_the_end_of_the_story_stays_on_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    monkeypatch.setattr(app_module, "write_out", said.append)
    session = FakeSession(VIEW)
    for number in range(30):
        session.notices.put_nowait(notices.ChatSaid(name="ben", text=f"hi {number}"))
    with create_pipe_input() as keys:
        app = App(session, link=lambda: "up", color=True, terminal=(keys, DummyOutput()))
        finished: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(app.run(finished))
        await until(session.notices.empty)
        assert said == []
        keys.send_text("quit\ry\r")
        await task
    lines = "".join(said).splitlines()
    assert lines[-2:] == [
        "<ben> hi 29",
        "Your hand is kept: the same command comes back to it.",
    ]
    assert len(lines) == app_module.TAIL_LINES + 1


# -- verify ----------------------------------------------------------------------------------------


async def test_a_check_goes_on_beside_the_game_and_is_told_when_it_is_done() -> None:
    checking = asyncio.Event()

    async def verify() -> Verified:
        await checking.wait()
        return VERIFIED

    async with plain(FakeSession(VIEW), verify=verify) as running:
        running.types("verify\n")
        await running.shows("Checked from nothing, beside the game")
        running.types("verify\nhand\n")
        await running.shows("It is being checked already")
        await running.shows("  hand  1:R5*")
        assert not any("Everything holds" in line for line in running.lines)
        checking.set()
        await running.shows("Everything holds: 12 steps")
        running.types("verify\n")
        await until(lambda: sum("Everything holds" in line for line in running.lines) == 2)


async def test_a_check_that_cannot_be_made_says_so() -> None:
    async def verify() -> Verified:
        raise VerifyFailedError

    async with rich(FakeSession(VIEW), verify=verify) as running:
        running.types("verify\r")
        await running.shows("could not be checked beside the game")


async def test_a_check_ends_with_the_screen() -> None:
    cancelled: list[bool] = []

    async def verify() -> Verified:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(True)
        return VERIFIED

    async with plain(FakeSession(VIEW), verify=verify) as running:
        running.types("verify\n")
        await running.shows("Checked from nothing")
        await asyncio.sleep(0)
    assert cancelled == [True]


# -- what goes wrong -------------------------------------------------------------------------------


async def test_a_fault_of_our_own_is_not_hidden() -> None:
    session = FakeSession(VIEW)
    session.refuse = ZeroDivisionError("ours")
    async with plain(session) as running:
        running.types("draw\n")
        with pytest.raises(ZeroDivisionError):
            await running.task
        running.finished.cancel()
        running.task = asyncio.create_task(asyncio.sleep(0))


async def test_a_broken_pipe_leaves_the_table() -> None:
    def broken(_text: str) -> None:
        raise BrokenPipeError

    source, sink = os.pipe()
    app = App(FakeSession(VIEW), link=lambda: "up", plain=True, write=broken, descriptor=source)
    finished: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
    await app.run(finished)
    assert app.left
    os.close(sink)


async def test_a_cancelled_screen_says_how_to_come_back_and_ends_its_tasks() -> None:
    async with plain(FakeSession(VIEW)) as running:
        await running.shows("your move>")
        before = asyncio.all_tasks()
        running.task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running.task
        assert running.lines[-1].startswith("Your hand is kept")
        assert len(asyncio.all_tasks()) == len(before) - 4
        running.task = asyncio.create_task(asyncio.sleep(0))


# -- the terminal that there is --------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "terminal", "wanted"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
        ({"TERM": "xterm"}, False, False),
    ],
)
def test_color_is_for_terminals_that_want_it(
    environment: dict[str, str], terminal: bool, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal() if terminal else io.StringIO())
    assert color_wanted() is wanted


def test_where_there_is_no_terminal_the_screen_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert App(FakeSession(VIEW), link=lambda: "up")._plain
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert not App(FakeSession(VIEW), link=lambda: "up")._plain


def test_letters_that_the_output_lacks_are_written_another_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    write_out("Zoë\n")
    assert raw.getvalue() == b"Zo\\xeb\n"


# -- sitting down ----------------------------------------------------------------------------------


async def test_the_rules_are_shown_once_when_the_table_is_known() -> None:
    session = FakeSession(lobby_view(wanted=0))
    async with plain(session) as running:
        session.view = lobby_view("ann", wanted=3)
        await running.shows("Rules: official.")
        session.view = VIEW
        await running.shows("top R9")
        assert sum("Rules:" in line for line in running.lines) == 1


async def test_the_rules_come_before_the_table_where_there_was_no_lobby_to_see() -> None:
    async with plain(FakeSession(VIEW)) as running:
        await running.shows("top R9")
        assert running.lines[0] == "  Rules: official. `rules` shows them all."


async def test_nothing_is_shown_of_a_table_that_has_not_answered_until_it_is_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "SEARCH_S", 0.05)
    session = FakeSession(lobby_view(wanted=0))
    async with plain(session) as running:
        await running.shows(STILL_LOOKING)
        assert running.lines[0] == "lobby, wait>"


async def test_a_table_that_has_answered_is_not_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "SEARCH_S", 0.001)
    async with plain(FakeSession(lobby_view("ann"))) as running:
        await running.shows("-- lobby")
        await asyncio.sleep(0.01)
        assert STILL_LOOKING not in running.lines
