"""A view as lines."""

from dataclasses import replace
from random import Random

import pytest

from tests.bots.support import any_options, decisions, position
from tests.repl.support import lobby_view, table_view, view_of
from unop2p.ids import Seat
from unop2p.repl.render import (
    WAIT,
    YOUR_MOVE,
    Renderer,
    join_lines,
    prompt_text,
)
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import Draw, NameColor, Pass, Play
from unop2p.rules.options import PRESETS, with_overrides
from unop2p.rules.position import TurnPhase
from unop2p.table.notices import Warned
from unop2p.table.view import ShuffleProgress, Stage, TableView

PLAIN = Renderer(color=False)
VIEW = view_of("W R7 G3 R5", top="R9", others=("B1 B2 B3", "B4 B5"))


def attacked_view() -> TableView:
    game = position("W4 G1 G2 G3", top="R9", others=("B1 B2", "B3"))
    assert game.act(Seat(0), Play(cards=(Face.W4,), color=Color.GREEN))
    return table_view(game, 1)


def reaction_view(seat: int) -> TableView:
    game = position("R1 R2", top="R9", others=("B1 B2", "B3 B4"))
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    return table_view(game, seat)


# -- the table -------------------------------------------------------------------------------------


def test_the_table_shows_all_that_a_player_needs() -> None:
    assert PLAIN.table(VIEW) == [
        "-- round 1, step 12 -- score: ann 0, ben 0, Cleo 0",
        "  -->  [ann (you): 4]  ben: 3  Cleo: 2",
        "  top R9  color red  pile 30  your turn",
        "  hand  1:R5*  2:R7*  3:G3  4:W*",
    ]


def test_without_color_no_byte_is_beyond_ascii_or_a_code() -> None:
    for seed in range(6):
        rng = Random(seed)
        for game, player, _ in decisions(any_options(rng), rng.randrange(2, 6), rng, 10):
            view = table_view(game, player.seat)
            text = join_lines([*PLAIN.table(view), *PLAIN.legal(view), prompt_text(view)])
            assert text.isascii()
            assert "\x1b" not in text


def test_color_adds_codes_to_the_same_letters() -> None:
    painted = join_lines(Renderer(color=True).table(VIEW))
    assert "\x1b[1;31mR7\x1b[0m" in painted
    assert "\x1b[1;32mG3\x1b[0m" in painted


def test_others_see_counts_and_not_cards() -> None:
    text = join_lines(PLAIN.table(table_view(position("W R7 G3 R5", top="R9"), 1)))
    assert "ann: 4" in text
    assert "G3" not in text
    assert "ann's turn" in text


def test_direction_turns_the_arrow() -> None:
    assert VIEW.round is not None
    turned = replace(VIEW, round=replace(VIEW.round, direction=-1))
    assert PLAIN.table(turned)[1].startswith("  <--  ")


def test_seats_are_shown_in_turn_order() -> None:
    shown = PLAIN.table(replace(VIEW, order=(Seat(2), Seat(0), Seat(1))))[1]
    assert shown == "  -->  Cleo: 2  [ann (you): 4]  ben: 3"
    assert PLAIN.table(replace(VIEW, order=()))[1] == "  -->  [ann (you): 4]  ben: 3  Cleo: 2"


def test_a_seat_that_is_called_you_is_not_called_so_twice() -> None:
    seats = (replace(VIEW.seats[0], name="you"), *VIEW.seats[1:])
    assert PLAIN.table(replace(VIEW, seats=seats))[1] == "  -->  [you: 4]  ben: 3  Cleo: 2"


def test_seats_are_marked_for_uno_a_missing_call_and_being_away() -> None:
    seats = (
        VIEW.seats[0],
        replace(VIEW.seats[1], uno=True),
        replace(VIEW.seats[2], catchable=True),
    )
    assert VIEW.round is not None
    view = replace(VIEW, seats=seats, round=replace(VIEW.round, away=frozenset({Seat(1)})))
    shown = PLAIN.table(view)[1]
    assert "ben: 3 UNO! (away)" in shown
    assert "Cleo: 2 (UNO not called)" in shown


def test_before_the_first_card_there_is_no_top() -> None:
    assert VIEW.round is not None
    view = replace(VIEW, round=replace(VIEW.round, discards=(), color=None), legal=())
    assert "no card yet  color no color yet" in PLAIN.table(view)[2]


def test_an_attack_says_how_many_cards_and_what_can_be_done() -> None:
    view = attacked_view()
    lines = PLAIN.table(view)
    assert lines[2].endswith("your turn  4 cards to draw")
    assert lines[-1] == "  W4 is played at you: `challenge` or `accept`."


def test_a_round_that_is_over_has_no_turn() -> None:
    game = position("R1", top="R9", others=("B1 B2",))
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    assert game.round.over
    assert "turn" not in PLAIN.table(table_view(game, 1))[2]


def test_who_does_not_play_has_no_hand() -> None:
    view = replace(VIEW, seat=None, hand=(), legal=(), my_turn=False)
    assert not any("hand" in line for line in PLAIN.table(view))
    assert PLAIN.hand(view) == "  You hold no cards."


def test_names_cannot_write_to_the_terminal() -> None:
    seats = tuple(replace(seat, name="a\x1b[2Jb") for seat in VIEW.seats)
    view = replace(VIEW, seats=seats, waiting_for=(Seat(1),), my_turn=False)
    for line in [*PLAIN.table(view), *PLAIN.score(view), *PLAIN.why(view), *PLAIN.lobby(view)]:
        assert "\x1b" not in line
    assert "\x1b" not in prompt_text(view)


# -- hints -----------------------------------------------------------------------------------------


def test_nothing_fits_says_what_is_left() -> None:
    assert PLAIN.hints(view_of("B1 G2", top="R9")) == ["  Nothing fits: `draw`."]


def test_the_call_is_reminded_with_a_card_that_needs_it() -> None:
    said = PLAIN.hints(view_of("R1 B2", top="R9"))
    assert said == ["  This leaves you one card: say `uno` with it, as in `r1 uno`."]
    assert "`w g uno`" in PLAIN.hints(view_of("W B2", top="R9"))[0]


def test_nothing_is_hinted_where_any_card_will_do_or_none_is_asked() -> None:
    assert PLAIN.hints(VIEW) == []
    assert PLAIN.hints(replace(VIEW, my_turn=False)) == []


def test_after_drawing_the_drawn_card_or_keep() -> None:
    game = position("B1 G2", top="R9")
    game.pile[0] = Face.R3
    assert game.act(Seat(0), Draw())
    view = table_view(game)
    assert PLAIN.hints(view) == ["  You have drawn R3: `r3` or `keep`."]
    assert PLAIN.hints(replace(view, drawn=None)) == ["  You have drawn: `r3` or `keep`."]


def test_a_color_is_asked_for() -> None:
    assert VIEW.round is not None
    state = replace(VIEW.round, phase=TurnPhase.COLOR, color=None, discards=(Face.W,))
    legal = tuple(NameColor(color=color) for color in Color)
    view = replace(VIEW, round=state, legal=legal)
    assert PLAIN.hints(view) == ["  Name the color of the first card: `color r`, or y, g, b."]
    assert PLAIN.legal(view) == ["  You may `color r` or `color y` or `color g` or `color b`."]


def test_a_reaction_says_what_may_be_said() -> None:
    assert PLAIN.hints(reaction_view(0)) == ["  You may react: `uno`."]
    assert PLAIN.hints(reaction_view(1)) == ["  You may react: `catch ann`."]


# -- other stages ----------------------------------------------------------------------------------


def test_the_lobby_shows_who_is_here_and_the_rules_in_short() -> None:
    assert PLAIN.table(lobby_view("ann", "ben")) == [
        "-- lobby: 2 of 3 seats taken",
        "  [ready]    ann (human)  key 0000",
        "  [ready]    ben (bot)  key 0001",
        "  Rules: official. `rules` shows them all.",
    ]


def test_the_lobby_shows_who_is_not_ready() -> None:
    view = lobby_view("ann", "ben")
    waiting = replace(view, seats=(view.seats[0], replace(view.seats[1], ready=False)))
    assert PLAIN.table(waiting)[2] == "  [not yet]  ben (bot)  key 0001"


def test_the_lobby_shows_how_others_find_the_table() -> None:
    renderer = Renderer(color=False)
    renderer.invitation = ("The ticket to this table:", "unop2p:a@mqtt://b")
    shown = renderer.table(lobby_view("ann"))
    assert shown[2:4] == ["The ticket to this table:", "unop2p:a@mqtt://b"]


def test_an_unknown_table_is_said_to_be_unknown() -> None:
    assert PLAIN.table(lobby_view(wanted=0)) == [
        "-- looking for the table: nobody has answered yet"
    ]


def test_the_deal_goes_on_seat_by_seat() -> None:
    view = replace(
        VIEW,
        stage=Stage.DEALING,
        round=None,
        shuffle=ShuffleProgress(done=(Seat(1),), total=3),
        waiting_for=(Seat(0), Seat(2)),
    )
    assert PLAIN.table(view)[1] == "  shuffled and proved 1/3:  ann ...  ben done  Cleo ..."
    keys = replace(view, shuffle=None)
    assert PLAIN.table(keys)[1] == "  Keys and hands are being made; waiting for ann, Cleo."
    assert PLAIN.progress(replace(keys, stage=Stage.OVER)) == []
    nobody = replace(keys, waiting_for=())
    assert PLAIN.table(nobody)[1] == "  Keys and hands are being made; waiting for nobody."


def test_a_table_that_has_stopped_says_why() -> None:
    view = replace(VIEW, stage=Stage.STOPPED, reason="two statements")
    assert PLAIN.table(view)[1] == "  The table has stopped: two statements."
    unknown = replace(view, reason="")
    assert PLAIN.table(unknown)[1] == "  The table has stopped: no reason was given."


# -- on request ------------------------------------------------------------------------------------


def test_the_score_says_how_far_the_match_goes() -> None:
    lines = PLAIN.score(VIEW)
    assert lines[0] == f"  {'ann':24} {0:5}"
    assert lines[-1] == "  The match goes to 500 points."
    rounds = with_overrides(PRESETS["polish"], {"match_end": "rounds", "target": 3})
    assert PLAIN.score(replace(VIEW, options=rounds))[-1] == "  The match goes to 3 rounds won."


@pytest.mark.parametrize(
    ("about", "wanted"),
    [
        ("w4", "W4 is a Wild Draw Four"),
        ("r7", "R7 is a number"),
        ("YS", "YS is a Skip"),
        ("gv", "GV is a Reverse"),
        ("b+2", "B+2 is a Draw Two"),
        ("w", "W is a Wild: "),
        ("wh", "WH is a Shuffle Hands"),
        ("wx", "WX is a Swap Hands"),
        ("wb", "WB is a blank card"),
        ("draw", "draw a card"),
        (" Challenge ", "doubt a Wild Draw Four"),
        ("pass", "keep the drawn card"),
        ("x\x1b", "There is no help on 'x?'"),
    ],
)
def test_help_tells_about_one_card_or_command(about: str, wanted: str) -> None:
    said = PLAIN.help(about)
    assert len(said) == 1
    assert wanted in said[0]


def test_help_alone_tells_all() -> None:
    assert len(PLAIN.help()) > 10
    assert any("quit" in line for line in PLAIN.help())


def test_why_tells_what_has_been_proved() -> None:
    assert PLAIN.why(lobby_view("ann", "ben")) == ["  Nothing yet: the table has not begun."]
    playing = join_lines(PLAIN.why(VIEW))
    assert "every seat (ann, ben, Cleo) committed" in playing
    assert all(line.startswith("  ") for line in PLAIN.why(VIEW))


def test_notices_go_through_the_same_paint() -> None:
    assert PLAIN.notice(Warned(text="late"), VIEW) == ["! late"]


# -- the lines around the input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "wanted"),
    [
        (VIEW, "45 s, your move>"),
        (replace(VIEW, deadline_ms=None), "your move>"),
        (replace(VIEW, my_turn=False), "a moment, wait>"),
        (table_view(position("R1 R2", top="R9"), 1), "ann's turn, 45 s, wait>"),
        (replace(reaction_view(1), deadline_ms=1_900), "you may react, 1 s, wait>"),
        (lobby_view("ann"), "lobby, wait>"),
        (replace(VIEW, stage=Stage.DEALING, round=None, my_turn=False), "dealing, wait>"),
        (replace(VIEW, stage=Stage.SCORING, my_turn=False), "scoring, wait>"),
        (replace(VIEW, stage=Stage.OVER, my_turn=False), "over, wait>"),
        (replace(VIEW, stage=Stage.STOPPED, my_turn=False), "stopped, wait>"),
    ],
)
def test_the_prompt_says_whose_move_it_is(view: TableView, wanted: str) -> None:
    assert prompt_text(view) == wanted
    assert (YOUR_MOVE in wanted) == view.my_turn
    assert wanted.endswith(YOUR_MOVE if view.my_turn else WAIT)


def test_a_drawn_card_that_cannot_be_played_is_said_to_be_so() -> None:
    game = position("B1 G2", top="R9")
    game.pile[0] = Face.R3
    assert game.act(Seat(0), Draw())
    view = table_view(game)
    assert PLAIN.hints(view) == ["  You have drawn R3: `r3` or `keep`."]
    unfit = replace(view, legal=(Pass(),), drawn=Face.Y3)
    assert PLAIN.hints(unfit) == ["  You have drawn Y3, which cannot be played: `keep`."]
