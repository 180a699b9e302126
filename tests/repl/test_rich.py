"""The drawn screen: one frame at every size, an input line that nothing disturbs, keys that answer."""

import asyncio
from dataclasses import replace

import pytest
from prompt_toolkit.completion import CompleteEvent, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import DEFAULT_ATTRS

from tests.repl.glass import Glass, drawn
from tests.repl.running import VIEW, WAITING, until
from tests.repl.support import FakeSession
from unop2p.ids import Seat
from unop2p.repl.rich import Asked, MoreColors, fragments
from unop2p.rules.cards import Face
from unop2p.rules.moves import Draw, Play
from unop2p.table import notices
from unop2p.table.commands import MakeMove
from unop2p.table.view import Stage

SIZES = [(60, 18), (80, 24), (200, 50)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_screen_is_table_story_input_line_and_toolbar(columns: int, rows: int) -> None:
    async with drawn(FakeSession(VIEW), columns, rows) as running:
        await running.sees("top R9")
        lines = running.glass.lines
        assert len(lines) == rows
        assert "YOUR MOVE, 45 s" in lines[0]
        assert lines[-2] == "45 s, your move>"
        assert lines[-1].startswith(" broker up | heard 1/1 | step 12")
        assert any("Rules: official." in line for line in lines)
        assert running.glass.screen.cursor.y == rows - 2


async def test_a_window_of_another_size_is_drawn_anew_with_what_was_typed() -> None:
    async with drawn(FakeSession(VIEW), 80, 24) as running:
        running.types("say hel")
        await running.sees("your move> say hel")
        for columns, rows in [(60, 18), (200, 50), (40, 10), (80, 24)]:
            running.glass.resize(columns, rows)
            running.redraws()
            await until(lambda row=rows - 2: running.glass.lines[row].endswith("> say hel"))  # type: ignore[misc]  # bound
            assert len([line for line in running.glass.lines if "your move>" in line]) == 1
            assert max(map(len, running.glass.lines)) <= columns
        running.types("lo\r")
        await until(lambda: running.session.asked)


async def test_a_storm_of_events_leaves_a_half_typed_line_as_it_is() -> None:
    session = FakeSession(replace(VIEW, my_turn=False))
    async with drawn(session, 80, 24) as running:
        typed = ""
        for number, letter in enumerate("say hello to all of them"):
            for _ in range(20):
                session.notices.put_nowait(notices.ChatSaid(name="ben", text=f"event {number}"))
            running.types(letter)
            typed += letter
            await until(lambda now=typed: running.glass.cursor_line.endswith(f"> {now}".rstrip()))  # type: ignore[misc]  # bound
            assert running.glass.screen.cursor.y == 22
            assert running.glass.lines[-1].startswith(" broker up")
        await running.sees("event 23")
        await running.sees("of 481")
        running.types("\r")
        await until(lambda: session.asked)


async def test_no_frame_is_torn_by_what_happens() -> None:
    session = FakeSession(WAITING)
    async with drawn(session, 60, 18) as running:
        await running.sees("top R9")
        for number in range(60):
            played = notices.MoveMade(seat=Seat(1), move=Play(cards=(Face.R9,)))
            session.notices.put_nowait(played)
            session.view = replace(WAITING, step=13 + number)
            await asyncio.sleep(0.004)
            lines = running.glass.lines
            assert "Round 1" in lines[0]
            assert lines[6].startswith("  top R9")
            assert "wait>" in lines[16]
            assert "broker up" in lines[17]


async def test_pages_are_turned_and_a_line_brings_back_the_end() -> None:
    session = FakeSession(VIEW)
    async with drawn(session, 80, 24) as running:
        for number in range(1, 41):
            session.notices.put_nowait(notices.ChatSaid(name="ben", text=f"number {number}."))
        await running.sees("number 40.")
        running.types("\x1b[5~")
        await running.sees("PgDn: more")
        assert not any("number 40." in line for line in running.glass.lines)
        running.types("\x1b[6~")
        await running.sees("number 40.")
        running.types("\x1b[5~\x1b[5~")
        await running.sees("PgDn: more")
        running.types("\r")
        await running.sees("number 40.")
        assert session.asked == []


async def test_a_question_takes_the_place_of_the_line_and_gives_it_back() -> None:
    async with drawn(FakeSession(VIEW)) as running:
        running.types("say hel")
        await running.sees("> say hel")
        running.types("\x03")
        await running.sees("Leave the table?")
        assert running.glass.cursor_line.startswith("Leave the table?")
        running.types("no\r")
        await running.sees("> say hel")
        running.types("\x15draw\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [MakeMove(move=Draw())]


async def test_the_end_key_of_a_line_deletes_where_there_is_something_to_delete() -> None:
    async with drawn(FakeSession(VIEW)) as running:
        running.types("drax\x1b[D\x04w\r")
        await until(lambda: running.session.asked)
        assert running.session.asked == [MakeMove(move=Draw())]


async def test_a_screen_that_was_spoiled_is_drawn_anew() -> None:
    async with drawn(FakeSession(VIEW)) as running:
        await running.sees("top R9")
        running.glass.write("\x1b[2J")
        assert not any("top R9" in line for line in running.glass.lines)
        running.types("\x0c")
        await running.sees("top R9")


async def test_the_deal_is_watched_seat_by_seat() -> None:
    session = FakeSession(replace(VIEW, stage=Stage.DEALING, round=None, my_turn=False))
    async with drawn(session) as running:
        await running.sees("Keys and hands are being made")


async def test_completions_lie_over_the_story_and_go() -> None:
    async with drawn(FakeSession(VIEW)) as running:
        running.types("\x1b[B")
        await running.sees("your move> r5")
        running.types("\x15help\r")
        await running.sees("PgDn: more")
        await asyncio.sleep(0.05)
        assert running.glass.cursor_line == "45 s, your move>"
        assert not [line for line in running.glass.lines[-8:] if line.strip().endswith(" r5")]


def test_an_empty_line_is_completed_when_that_is_asked_for() -> None:
    completer = Asked(WordCompleter(["draw"]))
    typing, asking = CompleteEvent(text_inserted=True), CompleteEvent(completion_requested=True)
    assert not list(completer.get_completions(Document(""), typing))
    assert list(completer.get_completions(Document(""), asking))
    assert list(completer.get_completions(Document("d"), typing))


@pytest.mark.parametrize(
    ("depth", "code"),
    [
        (ColorDepth.DEPTH_4_BIT, "\x1b[0;31;1m"),
        (ColorDepth.DEPTH_8_BIT, "\x1b[0;38;5;203;1m"),
        (ColorDepth.DEPTH_24_BIT, "\x1b[0;38;2;255;107;107;1m"),
    ],
)
async def test_cards_are_drawn_in_as_many_colors_as_there_are(
    depth: ColorDepth, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unop2p.repl.app.depth_for", lambda _environment: depth)
    async with drawn(FakeSession(WAITING), color=True) as running:
        await running.sees("top R9")
        assert f"{code}R9" in running.glass.written


async def test_without_colors_nothing_is_colored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with drawn(FakeSession(VIEW), color=False) as running:
        await running.sees("top R9")
        assert "\x1b[0;3" not in running.glass.written
        assert "38;5" not in running.glass.written
        (hand,) = [line for line in running.glass.lines if "hand" in line]
        assert "1:R5*" in hand


def test_the_sixteen_colors_are_kept_where_there_are_no_more() -> None:
    red = DEFAULT_ATTRS._replace(color="ansired", bgcolor="ansiblue")
    assert MoreColors(lambda: ColorDepth.DEPTH_4_BIT).transform_attrs(red) == red
    better = MoreColors(lambda: ColorDepth.DEPTH_8_BIT)
    assert better.transform_attrs(red).color != "ansired"
    assert better.transform_attrs(DEFAULT_ATTRS) == DEFAULT_ATTRS
    assert better.invalidation_hash() is ColorDepth.DEPTH_8_BIT


def test_a_line_is_cut_into_pieces_of_one_look() -> None:
    pieces = fragments("top \x1b[1;31mR9\x1b[0m.")
    assert "".join(text for _, text in pieces) == "top R9."
    assert ("ansired bold", "R") in [(style.strip(), text) for style, text in pieces]


async def test_a_glass_shows_what_is_written() -> None:
    glass = Glass(20, 3)
    glass.output.write("hello")
    glass.output.flush()
    assert glass.lines == ["hello", "", ""]
