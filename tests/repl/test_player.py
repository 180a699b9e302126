"""Stepping through a record: where one stands, what is shown, what keys do."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.repl.test_replay import played, replay_of
from unop2p.ids import Seat
from unop2p.repl.fold import width_of
from unop2p.repl.player import SPEEDS, STEP_S, Player, plain_lines, run_player
from unop2p.repl.render import Renderer
from unop2p.repl.replay import Replay
from unop2p.sim.toy import in_toy_group


@pytest.fixture(scope="module")
def replay() -> Iterator[Replay]:
    """Return the record of a match of some rounds among three."""
    with in_toy_group():
        yield replay_of(played())


def player(replay: Replay, seat: int | None = None) -> Player:
    return Player(replay, Renderer(color=False), Seat(seat) if seat is not None else None)


def test_a_step_goes_to_where_something_is_told_and_stays_inside(replay: Replay) -> None:
    here = player(replay)
    here.step(-1)
    assert here.place == 0
    for _ in range(len(replay.frames) + 5):
        here.step(1)
        assert here.events_here()
    assert here.at_end
    assert here.place == len(replay.frames) - 1


def test_rounds_are_jumped_to_by_number_and_one_by_one(replay: Replay) -> None:
    here, begins = player(replay), replay.rounds()
    assert here.to_round(2)
    assert here.place == begins[1]
    assert here.seen().view.round_number == 2
    assert not here.to_round(99)
    assert not here.to_round(0)
    assert here.place == begins[1]
    here.next_round(-1)
    assert here.place == begins[0]
    here.next_round(1)
    assert here.place == begins[1]
    for _ in begins:
        here.next_round(1)
    assert here.at_end
    here.next_round(-1)
    assert here.place == begins[-1]


def test_playing_goes_on_and_pauses_at_the_end(replay: Replay) -> None:
    here = player(replay)
    here.playing = True
    here.go(replay.frames[-1].step)
    here.step(-2)
    here.tick()
    assert here.playing
    here.tick()
    assert here.at_end
    assert not here.playing


def test_the_speed_has_bounds(replay: Replay) -> None:
    here = player(replay)
    assert here.wait_s == STEP_S
    here.faster(1)
    assert here.wait_s == STEP_S / 2
    for count in (9, -99):
        here.faster(count)
    assert here.wait_s == STEP_S / SPEEDS[0]


def test_each_seats_cards_can_be_seen_and_then_nobodys(replay: Replay) -> None:
    here = player(replay)
    here.go(8)
    seen = []
    for _ in range(4):
        here.next_seat()
        seen.append((here.seat, here.seen().view.hand))
    assert [seat for seat, _ in seen] == [0, 1, 2, None]
    assert seen[-1][1] == ()
    assert len({hand for _, hand in seen[:3]}) == 3


def test_all_hands_can_be_opened(replay: Replay) -> None:
    here = player(replay)
    here.go(8)
    names = [line.split()[0] for line in here.table()]
    here.open_hands = True
    opened = here.table()[len(names) :]
    assert [line.split()[0] for line in opened] == list(replay.names)
    for seat, line in enumerate(opened):
        assert sorted(line.split()[1:]) == sorted(replay.hand_of(here.place, Seat(seat)))


@pytest.mark.parametrize(("rows", "columns"), [(18, 60), (24, 80), (50, 200), (6, 20)])
@pytest.mark.parametrize("seat", [None, 1])
def test_a_screen_fits_at_every_place(
    replay: Replay, rows: int, columns: int, seat: int | None
) -> None:
    here = player(replay, seat)
    here.open_hands = True
    for at in range(0, len(here.stops), 7):
        here.at = at
        lines = here.screen(rows, columns)
        assert len(lines) <= rows
        assert max(width_of(line) for line in lines) <= columns


def test_the_screen_shows_what_happened_the_table_and_where_one_stands(replay: Replay) -> None:
    here = player(replay, 0)
    here.go(8)
    here.typed = "12"
    text = "\n".join(here.screen(30, 120))
    assert here.events_here()[0] in text
    assert "-- round 1, step" in text
    assert f"of {replay.frames[-1].step} | round 1 of" in text
    assert "paused | speed x1 | seen by p0 | to round 12_" in text
    assert "space play or pause" in text


def test_plain_lines_tell_every_step_and_the_own_hand_when_it_has_changed(replay: Replay) -> None:
    said = list(plain_lines(player(replay, 1)))
    hands = [line for line in said if line.startswith("       hand  ")]
    assert hands
    assert all(one != other for one, other in zip(hands, hands[1:], strict=False))
    assert any("The match is over" in line for line in said)
    assert not any("hand  " in line for line in plain_lines(player(replay)))


def test_plain_lines_of_one_round_end_before_the_next(replay: Replay) -> None:
    here = player(replay)
    here.to_round(1)
    said = list(plain_lines(here, last=replay.rounds()[1]))
    assert sum("Round " in line and "deals" in line or "You deal" in line for line in said) == 1
    assert not any("Round 2" in line for line in said)


class Terminal(DummyOutput):
    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


async def pressed(here: Player, keys: str, done: Callable[[], object]) -> None:
    """Run a player on a terminal, press keys, and leave when something is so."""
    with create_pipe_input() as source:
        task = asyncio.create_task(run_player(here, terminal=(source, Terminal())))
        source.send_text(keys)
        async with asyncio.timeout(5):
            while not done():
                await asyncio.sleep(0.001)
        source.send_text("q")
        await task


async def test_keys_move(replay: Replay) -> None:
    here = player(replay)
    await pressed(here, "\x1b[C" * 3, lambda: here.at == 3)
    await pressed(here, "\x1b[D", lambda: here.at == 2)
    await pressed(here, "2\r", lambda: here.place == replay.rounds()[1])
    assert here.typed == ""
    await pressed(here, "\x1b[A", lambda: here.place == replay.rounds()[0])
    await pressed(here, "\x1b[B", lambda: here.place == replay.rounds()[1])
    await pressed(here, "\x1b[F", lambda: here.at_end)
    await pressed(here, "\x1b[H", lambda: here.place == 0)


async def test_keys_change_how_one_looks(replay: Replay) -> None:
    here = player(replay)
    await pressed(here, "+vo7", lambda: here.typed == "7")
    assert (here.wait_s, here.seat, here.open_hands) == (STEP_S / 2, 0, True)
    await pressed(here, "\x7f-", lambda: here.wait_s == STEP_S)
    assert here.typed == ""


async def test_space_plays_by_itself_and_a_step_by_hand_pauses(replay: Replay) -> None:
    here = player(replay)
    here.faster(9)
    await pressed(here, " ", lambda: here.at >= 2)
    assert here.playing
    await pressed(here, "\x1b[D", lambda: not here.playing)


async def test_space_at_the_end_begins_anew(replay: Replay) -> None:
    here = player(replay)
    here.go(10**6)
    await pressed(here, " ", lambda: here.playing and here.at <= 1)
