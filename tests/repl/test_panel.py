"""The table as a panel: whole at every size, and legible without color."""

import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bots.support import any_options, decisions, position
from tests.repl.support import lobby_view, table_view, view_of
from unop2p.edge.languages import load
from unop2p.ids import Seat
from unop2p.repl.fold import width_of
from unop2p.repl.panel import Panel, Size, flow
from unop2p.repl.render import Renderer
from unop2p.repl.story import Story
from unop2p.repl.terminal import ASCII, UNICODE
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import Play
from unop2p.table.view import ShuffleProgress, Stage, TableView
from unop2p.words import said

PLAIN = Panel(Renderer(color=False), ASCII)
SIZES = [Size(columns=60, rows=16), Size(columns=80, rows=22), Size(columns=200, rows=48)]
VIEW = view_of("W R7 G3 R5 B2 YS", top="R9", others=("B1 B2 B3", "B4"))


def seen(view: TableView, size: Size = SIZES[1], story: Story | None = None) -> list[str]:
    return [line.rstrip() for line in PLAIN.compose(view, story or Story(), size)]


def ten_seats() -> TableView:
    names = tuple(f"{number}player" for number in range(10))
    return table_view(position("R1 R2 W", top="R9", others=("B1 B2",) * 9), 0, names)


def attacked() -> TableView:
    game = position("W4 G1 G2 G3", top="R9", others=("B1 B2", "B3"))
    assert game.act(Seat(0), Play(cards=(Face.W4,), color=Color.GREEN))
    return table_view(game, 1)


def test_a_whole_screen_of_60_by_18_looks_so() -> None:
    story = Story()
    story.add(["ben plays R9.", "<ben> hello"])
    assert seen(VIEW, SIZES[0], story) == [
        " Round 1, play goes down v                  YOUR MOVE, 45 s",
        " .-------.  > ann (you)   6 cards  0 points",
        " | R9    |    ben         3 cards  0 points",
        " |   9   |    Cleo        1 card   0 points",
        " |    R9 |",
        " '-------'",
        "  top R9   color red   pile 30",
        "  hand  1:R5*  2:R7* | 3:YS | 4:G3 | 5:B2 | 6:W*",
        "----------------------------------------------- 1-2 of 2 ---",
        "ben plays R9.",
        "<ben> hello",
        *[""] * 5,
    ]


@pytest.mark.parametrize("size", SIZES, ids=["60x18", "80x24", "200x50"])
@pytest.mark.parametrize("seats", [3, 10])
def test_everything_is_on_it_from_60_by_18_on(seats: int, size: Size) -> None:
    view = VIEW if seats == 3 else ten_seats()
    lines = seen(view, size)
    said = "\n".join(lines)
    for wanted in ("top R9", "pile ", "color red", "play goes down", "YOUR MOVE, 45 s", "1:R"):
        assert wanted in said
    for shown in view.seats:
        assert re.search(rf"{shown.name}( \(you\))? +{shown.hand_count}\b", said), shown.name
    rule = next(index for index, line in enumerate(lines) if line.startswith("---"))
    assert size.rows - rule - 1 >= 4, "so much of the story is to be seen"


def test_marks_are_on_the_seats_they_are_about() -> None:
    assert VIEW.round is not None
    ann, ben, cleo = VIEW.seats
    seats = (ann, replace(ben, uno=True), replace(cleo, catchable=True))
    view = replace(VIEW, seats=seats, round=replace(VIEW.round, away=frozenset({Seat(2)})))
    for size in SIZES:
        lines = seen(view, size)
        assert any("ben" in line and "UNO!" in line for line in lines)
        assert any("Cleo" in line and "no UNO?" in line and "away" in line for line in lines)
    silent = replace(VIEW, seats=(ann, ben, replace(cleo, heard_ms=20_000)))
    assert any("Cleo" in line and "silent 20 s" in line for line in seen(silent))
    out = replace(VIEW, round=replace(VIEW.round, players=(Seat(0), Seat(1))))
    assert any("Cleo" in line and "sits out" in line for line in seen(out))


def test_who_is_to_move_is_pointed_at_and_the_direction_told() -> None:
    assert VIEW.round is not None
    state = replace(VIEW.round, turn=Seat(1), direction=-1)
    view = replace(VIEW, round=state, my_turn=False, legal=())
    for size in SIZES:
        lines = seen(view, size)
        assert "play goes up ^" in lines[0]
        assert "ben's turn, 45 s" in lines[0]
        assert [line for line in lines if "> ben" in line]
        assert not [line for line in lines if "> ann" in line]


def test_a_reaction_is_asked_for() -> None:
    game = position("R1 R2", top="R9", others=("B1 B2", "B3 B4"))
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    lines = seen(table_view(game, 1), SIZES[0])
    assert "YOU MAY REACT" in lines[0]
    assert "  You may react: `catch ann`." in lines


def test_an_attack_tells_how_many_cards() -> None:
    said = "\n".join(seen(attacked()))
    assert "4 cards to draw" in said
    assert "W4 is played at you: `challenge` or `accept`." in said


def test_the_deal_is_told_seat_by_seat() -> None:
    shuffle = ShuffleProgress(done=(Seat(1),), total=3)
    view = replace(VIEW, stage=Stage.DEALING, round=None, shuffle=shuffle, waiting_for=(Seat(2),))
    lines = seen(view)
    said = {line.split()[0]: " ".join(line.split()[1:]) for line in lines if line.startswith("   ")}
    assert said == {
        "ann": "later",
        "ben": "* shuffled, and the proof holds (1)",
        "Cleo": "is at work",
    }
    keys = replace(view, shuffle=None)
    assert any("Keys and hands are being made" in line for line in seen(keys))


def test_a_table_that_has_stopped_says_why() -> None:
    view = replace(VIEW, stage=Stage.STOPPED, reason="ben lied", my_turn=False, legal=())
    lines = seen(view)
    assert "  The table has stopped: ben lied." in lines
    assert "stopped" in lines[0]


def test_a_table_that_has_stopped_before_cards_were_dealt_says_why() -> None:
    view = replace(VIEW, stage=Stage.STOPPED, reason="ben lied", round=None, hand=(), legal=())
    assert "  The table has stopped: ben lied." in seen(view)


def test_why_a_table_has_stopped_is_said_in_the_own_language() -> None:
    polish = load("pl")
    reason = said("It is not your turn.")
    assert polish.tell(reason) != reason
    view = replace(VIEW, stage=Stage.STOPPED, reason=reason, my_turn=False, legal=())
    lines = Panel(Renderer(color=False, words=polish), ASCII).compose(view, Story(), SIZES[2])
    assert any(polish.tell(reason) in line for line in lines)


def test_the_lobby_shows_who_is_here() -> None:
    said = "\n".join(seen(lobby_view("ann", "ben"), SIZES[0]))
    assert "lobby: 2 of 3" in said
    assert "ben (bot)" in said


def test_a_spectator_sees_no_hand() -> None:
    view = replace(VIEW, seat=None, hand=(), legal=(), my_turn=False, player=None)
    assert not any("hand" in line for line in seen(view))
    assert any("You hold no cards" in line for line in seen(replace(view, seat=Seat(0))))


def test_a_large_window_has_a_line_for_each_color() -> None:
    lines = [line.strip() for line in seen(VIEW, SIZES[2])]
    assert "red     1:R5*  2:R7*" in lines
    assert "wild    6:W*" in lines


def test_what_can_be_played_stands_out_in_color_and_has_a_star_without() -> None:
    colored = Panel(Renderer(color=True), UNICODE)
    (hand,) = [line for line in colored.compose(VIEW, Story(), SIZES[1]) if "hand" in line]
    assert "1:\x1b[1;7;31mR5\x1b[0m*" in hand
    assert "4:\x1b[32mG3\x1b[0m" in hand
    assert "G3\x1b[0m*" not in hand
    waiting = replace(VIEW, my_turn=False, legal=())
    (hand,) = [line for line in colored.compose(waiting, Story(), SIZES[1]) if "hand" in line]
    assert "\x1b[1;7" not in hand
    assert "*" not in hand


@pytest.mark.parametrize(("columns", "rows"), [(59, 15), (40, 10), (30, 8), (20, 4), (20, 2)])
def test_a_window_that_is_too_small_keeps_what_is_asked_and_the_hand(
    columns: int, rows: int
) -> None:
    lines = seen(attacked(), Size(columns=columns, rows=rows))
    assert lines[0]
    if rows >= 8:
        said = " ".join(" ".join(lines).split())
        assert "1:B1" in said
        assert "played at you" in said


@given(
    seed=st.integers(0, 50),
    seats=st.integers(2, 10),
    columns=st.integers(20, 220),
    rows=st.integers(1, 60),
    color=st.booleans(),
)
def test_whatever_is_on_the_table_the_panel_has_the_size_of_the_window(
    *, seed: int, seats: int, columns: int, rows: int, color: bool
) -> None:
    rng = Random(seed)
    panel = Panel(Renderer(color=color), UNICODE if seed % 2 else ASCII)
    names = tuple("x" * rng.randint(1, 24) for _ in range(seats))
    story = Story()
    story.add(["word " * rng.randint(1, 60) for _ in range(rng.randint(0, 20))])
    for game, player, _ in decisions(any_options(rng), seats, rng, 4):
        view = table_view(game, int(player.seat), names)
        lines = panel.compose(view, story, Size(columns=columns, rows=rows))
        assert len(lines) == rows
        assert max(map(width_of, lines)) <= columns
        assert color or not any("\x1b" in line for line in lines)


def test_groups_flow_and_break_between_cards() -> None:
    assert flow("  hand  ", [["1:R1", "2:R2"], ["3:G3"]], 40, "|") == ["  hand  1:R1  2:R2 | 3:G3"]
    assert flow("  hand  ", [["1:R1", "2:R2"], ["3:G3"]], 20, "|") == [
        "  hand  1:R1  2:R2",
        "        3:G3",
    ]


def test_a_hand_that_is_too_large_says_how_to_see_it_all() -> None:
    hand = " ".join(f"{color}{number}" for color in "RYGB" for number in range(1, 10))
    lines = seen(view_of(hand, top="R9"), Size(columns=60, rows=10))
    assert any(line.endswith("... `hand`") for line in lines)
