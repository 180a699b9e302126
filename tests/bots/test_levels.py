"""What the shipped levels choose, and that it is always lawful."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bots.support import any_options, decisions, position
from unop2p.bots.levels import LEVELS, UnknownBotError, make_bot
from unop2p.bots.simple import favorite_color
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Accept, CallUNO, Catch, Challenge, Draw, Move, Play, move_text
from unop2p.rules.options import PRESETS, Options, with_overrides

NAMES = ("ann", "ben", "cleo", "dan")


def chosen(name: str, hand: str, seed: int = 0, **rest: Any) -> str:
    """Return what a bot does in a turn of seat 0."""
    view = position(hand, **rest).view(Seat(0))
    move = make_bot(name).choose(view, view.legal(), Random(seed))
    assert move is not None
    return move_text(move, NAMES)


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_under_any_rules_every_choice_is_lawful(level: str, seed: int) -> None:
    rng = Random(seed)
    bot = make_bot(level)
    for game, view, legal in decisions(any_options(rng), rng.randrange(2, 6), rng, 40):
        move = bot.choose(view, legal, Random(seed))
        if move is None:
            assert isinstance(game.round.due, ReactionDue)
        else:
            assert move in legal


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", PRESETS)
def test_in_each_preset_an_uno_call_is_never_forgotten(level: str, rules: str) -> None:
    rng = Random(5)
    bot = make_bot(level)
    calls = 0
    for _, view, legal in decisions(PRESETS[rules], 3, rng, 200, bot):
        move = bot.choose(view, legal, rng)
        if isinstance(move, Play) and any(isinstance(m, Play) and m.uno for m in legal):
            due = view.round.uno_due(move.cards[0], len(move.cards), view.seat)
            assert move.uno == due
            calls += due
    assert calls


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_chance_give_the_same_move(level: str) -> None:
    bot = make_bot(level)
    for _, view, legal in decisions(PRESETS["official"], 3, Random(2), 60):
        assert bot.choose(view, legal, Random(7)) == bot.choose(view, legal, Random(7))


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(UnknownBotError, match="there are random, greedy"):
        make_bot("genius")


def test_a_level_has_its_own_name() -> None:
    assert [make_bot(level).name for level in LEVELS] == list(LEVELS)


def test_random_chooses_each_playable_card_as_often() -> None:
    said = [chosen("random", "R1 R2 W B5", seed, top="R9") for seed in range(900)]
    wilds = sum("W" in move for move in said)
    assert 240 < wilds < 360
    assert {move for move in said if "W" in move} == {f"play W:{color.value}" for color in Color}
    assert not any("B5" in move for move in said)


def test_random_draws_only_when_nothing_fits() -> None:
    assert chosen("random", "B5 G4", top="R9") == "draw"


def test_greedy_plays_the_highest_points_first() -> None:
    assert chosen("greedy", "R1 RS R8", top="R9") == "play RS"


def test_greedy_keeps_its_wilds() -> None:
    assert chosen("greedy", "W R1 B3", top="R9") == "play R1"


def test_greedy_names_the_color_that_it_holds_most_of() -> None:
    assert chosen("greedy", "W G1 G2 B3", top="R9") == "play W:G"


def test_greedy_calls_uno_with_the_play() -> None:
    assert chosen("greedy", "R1 B3", top="R9") == "play R1 uno"


def test_greedy_does_not_bluff() -> None:
    assert chosen("greedy", "W4 R1 R2", top="R9") == "play R2"
    # A number match forbids nothing under the official condition, a card of the color does.
    assert chosen("greedy", "W4 G1 G2", top="R9") == "play W4:G"


def test_greedy_draws_rather_than_bluff_where_a_wild_is_another_choice() -> None:
    # Here W makes the W4 a bluff, so the W is played.
    hand = "W4 W G1 G2"
    assert chosen("greedy", hand, top="R9", rules="ukrainian") == "play W:G"


def test_greedy_prefers_two_cards_at_once() -> None:
    assert chosen("greedy", "R5 R5 R7 B1", top="R9", rules="romanian") == "play R5 R5"


def test_greedy_wins_with_its_last_card() -> None:
    assert chosen("greedy", "W", top="R9") == "play W:R"


def test_greedy_swaps_with_the_smallest_hand() -> None:
    others = ("B1 B2 B3", "B4", "B5 B6")
    move = chosen("greedy", "R7 G1 G2 G3 G4", top="R9", others=others, hand_moves=["seven_swaps"])
    assert move == "play R7 cleo"


def test_greedy_does_not_give_a_small_hand_away() -> None:
    rules: dict[str, Any] = {"hand_moves": ["seven_swaps"]}
    assert chosen("greedy", "R7 R1 G1", top="R9", others=("B1 B2 B3 B4",), **rules) == "play R1"
    rotates: dict[str, Any] = {"hand_moves": ["zero_rotates"]}
    # A zero brings the hand of the seat before: small, so it is worth more than points.
    assert (
        chosen("greedy", "R0 R8 G1 G2", top="R9", others=("B1 B2 B3 B4",), **rotates) == "play R8"
    )


def test_greedy_takes_a_better_hand_by_a_zero() -> None:
    rotates: dict[str, Any] = {"hand_moves": ["zero_rotates"]}
    assert chosen("greedy", "R0 B8 G1 G2", top="R9", others=("B1",), **rotates) == "play R0"


def test_greedy_shuffles_hands_only_where_it_gains() -> None:
    few, many = "WH R1 G1", ("B1 B2 B3 B4 B5 B6",)
    assert chosen("greedy", few, top="R9", others=many) == "play R1"
    assert chosen("greedy", "WH G1 G2 G3", top="R9", others=("B1",)) == "play WH:G"


def attacked(hand: str, rules: str = "official") -> tuple[Move, tuple[Move, ...]]:
    """Return what greedy does against a Draw Four, and what it could do."""
    game = position("W4 G1 G2 G3", top="R9", others=(hand,), rules=rules)
    assert game.act(Seat(0), Play(cards=(Face.W4,), color=Color.GREEN))
    if isinstance(game.round.due, ReactionDue):
        game.react(())
    view = game.view(Seat(1))
    move = make_bot("greedy").choose(view, view.legal(), Random(1))
    assert move is not None
    return move, view.legal()


def test_greedy_accepts_and_does_not_challenge() -> None:
    move, legal = attacked("B1 B2")
    assert Challenge() in legal
    assert move == Accept()


def test_greedy_answers_an_attack_where_it_can() -> None:
    move, _ = attacked("G+2 B2 B3", rules="romanian")
    assert move == Play(cards=(Face.GD,))


def test_random_never_challenges() -> None:
    game = position("W4 G1 G2 G3", top="R9", others=("B1 B2",))
    assert game.act(Seat(0), Play(cards=(Face.W4,), color=Color.GREEN))
    view = game.view(Seat(1))
    for seed in range(20):
        assert make_bot("random").choose(view, view.legal(), Random(seed)) == Accept()


@pytest.mark.parametrize("level", LEVELS)
def test_who_forgot_to_call_calls_late_and_the_others_catch(level: str) -> None:
    game = position("R1 R2", top="R9", others=("B1 B2", "G1 G2"))
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    assert isinstance(game.round.due, ReactionDue)
    bot = make_bot(level)
    said = [bot.choose(game.view(Seat(s)), game.legal(Seat(s)), Random(1)) for s in range(3)]
    assert said == [CallUNO(), Catch(seat=Seat(0)), Catch(seat=Seat(0))]


@pytest.mark.parametrize("level", LEVELS)
def test_an_identical_card_jumps_in(level: str) -> None:
    game = position("R1 R2 R3", top="R9", others=("B1 B2", "R1 G2"), rules="romanian")
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    bot = make_bot(level)
    move = bot.choose(game.view(Seat(2)), game.legal(Seat(2)), Random(1))
    assert move == Play(cards=(Face.R1,), uno=True)


def test_greedy_names_the_color_of_a_turned_up_wild() -> None:
    bot = make_bot("greedy")
    asked = 0
    for seed in range(200):
        for _, view, legal in decisions(PRESETS["official"], 2, Random(seed), 1):
            if view.round.top is not None and view.round.top.is_wild:
                move = bot.choose(view, legal, Random(1))
                assert move is not None
                wanted = f"color {favorite_color(view.hand).value}"
                assert move_text(move, NAMES) == wanted
                asked += 1
    assert asked


@pytest.mark.parametrize(("drawn", "said"), [("G1", "pass"), ("R1", "play R1"), ("W4", "pass")])
def test_greedy_plays_a_drawn_card_that_fits_and_is_no_bluff(drawn: str, said: str) -> None:
    game = position("B5 G4 R9", top="R8", others=("B1 B2",))
    game.pile[0] = Face(drawn)
    assert game.act(Seat(0), Draw())
    view = game.view(Seat(0))
    if said == "pass" and drawn == "G1":
        assert game.round.turn == Seat(1)  # where all is known, a card that does not fit is kept
        return
    move = make_bot("greedy").choose(view, view.legal(), Random(1))
    assert move is not None
    assert move_text(move, NAMES) == said


def test_without_colored_cards_red_is_named() -> None:
    assert favorite_color((Face.W, Face.W4)) is Color.RED


def test_greedy_bluffs_where_nothing_else_is_lawful() -> None:
    view = position("W4 R1 R2", top="R9").view(Seat(0))
    bluff = Play(cards=(Face.W4,), color=Color.RED)
    assert make_bot("greedy").choose(view, (bluff,), Random(1)) == bluff


def rare_options(rng: Random) -> tuple[Options, int]:
    """Return options with partners, many decks or blanks of a table's own, and seats for them."""
    teams = rng.random() < 0.5
    values: dict[str, object] = {
        "teams": teams,
        "decks": rng.randrange(1, 5),
        "deck": "112_shuffle",
        "blank_effect": "wild",
        "match_end": "target",
        "blank_cards": [
            "thunder x1: choose color, skip next",
            "storm x1: choose color, shuffle hands",
        ][: rng.randrange(3)],
    }
    return with_overrides(any_options(rng), values), rng.choice((4, 6) if teams else (2, 3, 7))


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_with_partners_decks_and_own_blanks_too(level: str, seed: int) -> None:
    rng = Random(seed)
    bot = make_bot(level)
    options, seats = rare_options(rng)
    for game, view, legal in decisions(options, seats, rng, 30):
        move = bot.choose(view, legal, Random(seed))
        assert move in legal or (move is None and isinstance(game.round.due, ReactionDue))
