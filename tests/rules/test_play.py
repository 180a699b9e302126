"""Whole rounds by chance under chance rules: nothing is lost, and nobody is ever stuck."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unop2p.errors import IllegalMoveError, InvalidOptionsError, LocalError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.blanks import AGAIN, COLOR, DISCARD, HANDS, REVERSE, SKIP, Whom
from unop2p.rules.cards import Color, Face, deck_for, points
from unop2p.rules.dealt import DealtGame
from unop2p.rules.facts import CardTurned
from unop2p.rules.moves import Accept, Challenge, Draw, Pass, Play, move_text, parse_move
from unop2p.rules.options import (
    CHOICES,
    FLAGS,
    NUMBERS,
    PRESETS,
    SETS,
    Options,
    options_from_dict,
    options_to_dict,
    with_overrides,
)
from unop2p.rules.round import (
    advance,
    refusal,
    sleeping_move,
    start_round,
)

STEPS = 150


def some_cards(rng: Random) -> list[str]:
    """Return up to three blank cards with effects by chance."""
    found: list[str] = []
    for name in ("ant", "bee", "cow")[: rng.randrange(4)]:
        effects = [
            effect
            for effect in (DISCARD, COLOR, REVERSE, SKIP, AGAIN, rng.choice(list(HANDS)))
            if rng.random() < 0.4
        ]
        effects += [f"draw {rng.randint(1, 4)} {whom}" for whom in Whom if rng.random() < 0.3]
        if SKIP in effects and AGAIN in effects:
            effects.remove(rng.choice([SKIP, AGAIN]))
        found.append(f"{name}: {', '.join(effects or [COLOR])}")
    return found


def some_options(rng: Random, seats: int = 2) -> Options:
    """Return options by chance, those that make sense."""
    while True:
        values: dict[str, object] = {name: rng.choice(many) for name, many in CHOICES.items()}
        values |= {
            name: [value for value in many if rng.random() < 0.5] for name, many in SETS.items()
        }
        values |= {name: rng.choice(list(many)) for name, many in NUMBERS.items()}
        values |= {name: rng.random() < 0.5 for name in FLAGS}
        values |= {"decks": rng.choice([1, 1, 1, 2, 4]), "blank_cards": some_cards(rng)}
        values["teams"] = seats in {4, 6, 8, 10} and rng.random() < 0.5
        try:
            return with_overrides(PRESETS["official"], values)
        except InvalidOptionsError:
            continue


def check(game: DealtGame) -> None:
    """Assert what holds in every position."""
    held = [face for hand in game.hands.values() for face in hand if face is not None]
    cards = sorted([*held, *game.pile, *game.round.discards])
    assert cards == sorted(deck_for(game.match.options))
    assert game.round.pile_count == len(game.pile)
    for seat in game.match.players:
        assert game.round.hand_counts[seat] == len(game.hands[seat])
    for seat in game.round.called | game.round.catchable:
        assert game.round.hand_counts[seat] == 1


def play(game: DealtGame, rng: Random, steps: int) -> None:
    """Play by chance, and check every position on the way."""
    names = [f"seat{seat}" for seat in range(game.match.seat_count)]
    for _ in range(steps):
        check(game)
        if game.round.over:
            return
        legal = {seat: game.legal(seat) for seat in game.asked}
        for moves in legal.values():
            assert len(set(moves)) == len(moves)
            assert all(parse_move(move_text(move, names), names) == move for move in moves)
        if isinstance(game.round.due, dues.ReactionDue):
            said = tuple(
                (seat, rng.choice(moves))
                for seat, moves in legal.items()
                if moves and rng.random() < 0.5
            )
            assert game.react(said) in {None, *(seat for seat, _ in said)}
            continue
        (seat,) = game.asked
        assert legal[seat], game.round.text()
        for move in legal[seat]:
            assert game.lawful(seat, move) or game.match.options.wd4_challenge != "off"
        assert f"{seat}*=" in game.round.text()
        asleep = sleeping_move(game.round, seat, game.held(seat), game.drawn)
        assert asleep in legal[seat]
        assert game.act(seat, rng.choice(legal[seat]))


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_under_any_rules_cards_are_conserved_and_nobody_is_stuck(seed: int) -> None:
    rng = Random(seed)
    order = tuple(Seat(seat) for seat in range(rng.choice([2, 2, 3, 4, 6, 10])))
    game = DealtGame.start(some_options(rng, len(order)), order, order[-1], rng)
    play(game, rng, STEPS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_under_each_preset_cards_are_conserved_and_nobody_is_stuck(name: str) -> None:
    for seed in range(8):
        rng = Random(seed)
        order = tuple(Seat(seat) for seat in range(2 + seed % 4))
        play(DealtGame.start(PRESETS[name], order, order[0], rng), rng, STEPS)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_options_come_back_from_their_dict(seed: int) -> None:
    options = some_options(Random(seed))
    assert options_from_dict(options_to_dict(options)) == options


# -- the official rules ------------------------------------------------------------------------


def official(
    hands: dict[int, list[str]], first: str = "R5", pile: tuple[str, ...] = (), **other: object
) -> DealtGame:
    """Return an official game with these hands; the last seat dealt, so seat 0 moves first.

    `other` are options that differ.
    """
    order = tuple(Seat(seat) for seat in range(len(hands)))
    options = with_overrides(PRESETS["official"], other)
    game = DealtGame.start(options, order, order[-1], Random(0))
    held = {Seat(seat): [Face(text) for text in cards] for seat, cards in hands.items()}
    game.hands = {seat: list(cards) for seat, cards in held.items()}
    game.pile = [Face(first), *(Face(text) for text in pile)]
    game.turns = []
    game.position = replace(
        game.match.start_round(),
        hand_counts=tuple(len(held[seat]) for seat in order),
        pile_count=len(game.pile),
    )
    game.drawn_total = {}
    game.settle()
    return game


def seat_move(game: DealtGame, seat: int, text: str) -> bool:
    """Make a move that is written with the names a, b, c, d."""
    return game.act(Seat(seat), parse_move(text, "abcd"))


def outcome(game: DealtGame) -> dues.RoundOutcome:
    """Return what the round came to."""
    assert isinstance(game.round.due, dues.RoundOver)
    return game.round.due.outcome


def test_last_card_draw_four_is_drawn_and_counted() -> None:
    game = official({0: ["W4"], 1: ["B9"]}, pile=("B1", "B2", "B3", "B4"))
    assert seat_move(game, 0, "play W4:G")
    assert game.drawn_total == {1: 4}
    assert outcome(game).points == (9 + 1 + 2 + 3 + 4, 0)
    assert outcome(game).winner == 0


def test_shuffle_hands_as_last_card_never_wins() -> None:
    game = official({0: ["WH"], 1: ["B9", "B8"], 2: ["B7"]}, pile=("Y1",))
    assert seat_move(game, 0, "play WH:B")
    assert not game.round.over
    assert sorted(game.round.hand_counts) == [1, 1, 1]
    assert game.round.catchable == frozenset()


def test_who_gets_no_card_of_a_shuffle_draws_one() -> None:
    game = official({0: ["WH"], 1: ["B9"]}, pile=("Y1",))
    assert seat_move(game, 0, "play WH:B")
    assert game.hands == {0: [Face.Y1], 1: [Face.B9]}
    assert game.round.turn == 1


def test_a_full_lap_without_a_card_blocks_the_round() -> None:
    game = official({0: ["B1", "B2"], 1: ["B3", "B4"]})
    assert seat_move(game, 0, "draw")
    assert not game.round.over
    assert seat_move(game, 1, "draw")
    assert outcome(game) == dues.RoundOutcome(
        termination=dues.Termination.BLOCKED, winner=None, points=(0, 0)
    )


def test_a_refused_move_changes_nothing() -> None:
    game = official({0: ["B1", "B2"], 1: ["B3", "B4"]})
    before = game.round
    for text in ("play B1", "play R5", "pass", "accept", "challenge", "play B1 B1", "color R"):
        with pytest.raises(IllegalMoveError):
            seat_move(game, 0, text)
    with pytest.raises(IllegalMoveError, match="not your turn"):
        seat_move(game, 1, "draw")
    assert game.round == before


def test_two_seats_move_again_after_a_skip_and_a_reverse() -> None:
    game = official({0: ["RS", "RV", "R1", "R2"], 1: ["B3"]})
    assert seat_move(game, 0, "play RS")
    assert game.round.turn == 0
    assert seat_move(game, 0, "play RV")
    assert game.round.turn == 0


def test_a_challenge_judges_the_hand_as_the_play_left_it() -> None:
    hands = {0: ["W4", "B1"], 1: ["G3", "G4"]}
    game = official(hands, pile=("R1", "R2", *["Y1"] * 6))
    assert seat_move(game, 0, "play W4:G")
    assert seat_move(game, 1, "catch a")  # now seat 0 holds R1 and R2 as well
    assert game.hands[Seat(0)] == [Face.B1, Face.R1, Face.R2]
    assert set(game.legal(Seat(1))) == {Challenge(), Accept()}
    assert game.act(Seat(1), Challenge())
    assert game.drawn_total == {0: 2, 1: 6}
    assert game.round.turn == 0


def test_after_drawing_only_the_drawn_card_may_be_played() -> None:
    game = official({0: ["R1", "B2"], 1: ["B3"]}, pile=("R9",))
    assert game.act(Seat(0), Draw())
    assert game.round.after_draw
    assert game.legal(Seat(0)) == (Play(cards=(Face.R9,)), Pass())
    reason = refusal(game.round, Seat(0), Play(cards=(Face.R1,)), game.held(Seat(0)), game.drawn)
    assert reason is not None
    assert "drawn card (R9)" in reason


def test_points_of_cards_follow_the_options() -> None:
    options = PRESETS["romanian"]
    faces = (Face.R0, Face.R9, Face.GS, Face.W, Face.W4)
    assert [points(face, options) for face in faces] == [0, 9, 25, 50, 50]


def test_whether_one_may_draw_with_a_card_that_fits_is_up_to_the_options() -> None:
    game = official({0: ["B1", "B2"], 1: ["B3", "B4"]})
    greek = replace(game.round, options=PRESETS["greek"])
    romanian = replace(game.round, options=PRESETS["romanian"])
    assert refusal(romanian, Seat(0), Draw(), (Face.R1,)) is None
    assert "you hold R1" in str(refusal(greek, Seat(0), Draw(), (Face.R1,)))
    named = Play(cards=(Face.W,), color=Color.RED)
    assert "you hold R1" in str(refusal(romanian, Seat(0), named, (Face.R1, Face.W)))


def test_a_call_ends_with_the_hand_that_it_was_for() -> None:
    game = official({0: ["R1", "R2"], 1: ["R0", "B1", "B2"], 2: ["Y3"]}, hand_moves="zero_rotates")
    assert seat_move(game, 0, "play R1 uno")
    assert game.round.called == {0}
    assert seat_move(game, 1, "play R0")
    assert game.hands == {0: [Face.Y3], 1: [Face.R2], 2: [Face.B1, Face.B2]}
    assert game.round.called == frozenset()
    assert game.round.catchable == frozenset()


def test_jumping_in_on_a_draw_two_begins_a_new_attack() -> None:
    game = official(
        {0: ["R+2", "B1", "B2"], 1: ["B3"], 2: ["R+2", "B4", "B5"]},
        pile=("Y1", "Y2", "Y3", "Y4"),
        jump_in="colored",
        stacking="add",
        stack_on="four_on_four",
    )
    assert seat_move(game, 0, "play R+2")
    assert seat_move(game, 2, "play R+2")
    assert game.drawn_total == {0: 2}
    assert game.round.turn == 1


def test_a_reverse_can_be_answered_by_a_reverse() -> None:
    hands = {0: ["RV", "R1", "R2"], 1: ["BV", "B1", "B2"], 2: ["G1"], 3: ["G2"]}
    game = official(hands, deflect="skip,reverse")
    assert seat_move(game, 0, "play RV")
    assert (game.round.turn, game.round.direction) == (1, -1)
    assert set(game.legal(Seat(1))) == {Play(cards=(Face.BV,)), Accept()}
    assert seat_move(game, 1, "play BV")
    assert (game.round.turn, game.round.direction) == (0, 1)
    assert seat_move(game, 0, "accept")
    assert game.round.turn == 2


def test_a_fine_is_taken_once_a_turn() -> None:
    game = official({0: ["B1", "R2"], 1: ["B3", "B4"]}, pile=("Y1",) * 6, foul_penalty=2)
    assert not seat_move(game, 0, "play B1")
    assert game.round.hand_counts[0] == 4
    assert game.round.turn == 0
    with pytest.raises(IllegalMoveError, match="does not match"):
        seat_move(game, 0, "play B1")
    assert seat_move(game, 0, "play R2")
    assert not seat_move(game, 0, "catch b")
    assert seat_move(game, 1, "draw")


def test_a_call_that_is_not_due_is_fined_with_its_play() -> None:
    game = official({0: ["R1", "R2", "R3"], 1: ["B3"]}, pile=("Y1",) * 6, foul_penalty=2)
    assert seat_move(game, 0, "play R1 uno")
    assert game.hands[Seat(0)] == [Face.R2, Face.R3, Face.Y1, Face.Y1]
    assert game.round.turn == 1


def test_nobody_but_the_seat_in_turn_moves_in_a_reaction() -> None:
    game = official({0: ["R1", "R2"], 1: ["B3", "B4"], 2: ["G1", "G2"]}, pile=("Y1",) * 6)
    assert seat_move(game, 0, "play R1")
    before = game.round
    for seat, text in ((2, "draw"), (0, "catch a"), (1, "catch c"), (1, "uno"), (1, "play B3")):
        with pytest.raises(IllegalMoveError):
            seat_move(game, seat, text)
    assert game.round == before
    assert seat_move(game, 1, "draw")
    assert game.round.catchable == frozenset()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("play R1 R2", "two that are the same"),
        ("play R1 X2", "too much|Nobody"),
        ("play R1 R1", "Two cards at once"),
        ("play W", "name a color"),
        ("play R1:G", "cannot be named"),
        ("play R1 b", "needs no other seat"),
        ("play R7", "with whom"),
        ("play R7 a", "cannot swap"),
        ("play WX:G b", "not in this deck"),
        ("play W:G W:G", "Nobody"),
        ("pass", "Draw before"),
        ("accept", "nothing to accept"),
        ("challenge", "nothing to challenge"),
        ("color R", "no color to name"),
        ("uno", "nothing to call"),
        ("play R9", "do not hold it"),
    ],
)
def test_a_refusal_says_why(text: str, reason: str) -> None:
    game = official({0: ["R1", "R1", "R7", "W", "B2"], 1: ["B3"]}, hand_moves="seven_swaps")
    with pytest.raises(LocalError, match=reason):
        seat_move(game, 0, text)
    assert len(game.hands[Seat(0)]) == 5


def test_a_turned_up_wild_waits_for_its_color() -> None:
    game = official({0: ["R1", "R2"], 1: ["B3"]}, first="W")
    for text in ("draw", "play R1", "accept"):
        with pytest.raises(IllegalMoveError, match="[Nn]ame the color"):
            seat_move(game, 0, text)
    assert seat_move(game, 0, "color B")
    assert game.round.color is Color.BLUE
    assert game.round.turn == 0


def test_a_dealer_who_is_passed_over_does_not_start() -> None:
    seats = tuple(map(Seat, range(4)))
    begun = start_round(
        PRESETS["official"], seat_count=4, players=seats, dealer=Seat(0), away=frozenset({Seat(0)})
    )
    begun = advance(begun, CardTurned(face=Face.RV))
    assert (begun.turn, begun.direction) == (3, -1)
    assert begun.next_seat(Seat(1)) == 3
    assert refusal(begun, Seat(0), Draw(), (Face.R1,)) is not None
    with pytest.raises(AssertionError):
        advance(begun, CardTurned(face=Face.RV))


def test_the_next_round_is_dealt_by_the_next_seat() -> None:
    game = official({0: ["R1"], 1: ["B3"]})
    assert seat_move(game, 0, "play R1")
    assert game.asked == ()
    assert game.match.totals == (3, 0)
    game.next_round()
    assert game.match.dealer == 0
    check(game)


def test_a_catch_or_call_out_of_place_is_fined_while_another_seat_can_be_caught() -> None:
    cards = {0: ["R1", "R2"], 1: ["B3", "B4"], 2: ["G1", "G2"]}
    game = official(cards, pile=("Y1",) * 8, foul_penalty=2)
    assert seat_move(game, 0, "play R1")
    with pytest.raises(IllegalMoveError, match="catch yourself"):
        seat_move(game, 0, "catch a")
    assert not seat_move(game, 2, "catch b")
    assert not seat_move(game, 1, "uno")
    with pytest.raises(IllegalMoveError, match="cannot be caught"):
        seat_move(game, 2, "catch b")
    assert game.round.hand_counts == (1, 4, 4)
    assert game.round.catchable == {Seat(0)}
    assert seat_move(game, 2, "catch a")
    assert game.round.turn == 1
