"""What a move would do, as the rules engine has it."""

from dataclasses import replace
from random import Random

import pytest

from tests.bots.support import any_options, decisions, position
from tests.repl.support import table_view, view_of
from unop2p.ids import Seat
from unop2p.repl.preview import outcome, preview
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import OpenHands, RoundOver, TurnDue
from unop2p.rules.moves import Accept, Catch, Challenge, Draw, Move, Pass, Play
from unop2p.rules.position import TurnPhase
from unop2p.table.view import TableView

HAND = "R7 RS RV R+2 W W4 WH G3 R1"
THREE = view_of(HAND, top="R9", others=("B1 B2", "G1 G2"))
TWO = view_of(HAND, top="R9", others=("B1 B2",))


def play(*cards: Face, **rest: object) -> Play:
    return Play(cards=cards, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("view", "move", "said"),
    [
        (THREE, play(Face.R7), "then ben"),
        (THREE, play(Face.RS), "ben misses a turn; then Cleo"),
        (THREE, play(Face.RV), "play turns round; then Cleo"),
        (THREE, play(Face.RD), "ben draws 2 cards; ben misses a turn; then Cleo"),
        (THREE, play(Face.W, color=Color.GREEN), "color green; then ben"),
        (THREE, play(Face.W, color=Color.RED), "then ben"),
        (
            THREE,
            play(Face.W4, color=Color.RED),
            "ben draws 4 cards, or challenges; guilty if challenged: you hold R7, a card of the "
            "color in force",
        ),
        (THREE, play(Face.WH, color=Color.RED), "all hands are shuffled and dealt again; then ben"),
        (THREE, Draw(), "you draw 1 card; you play it or keep it"),
        (TWO, play(Face.RS), "ben misses a turn; you move again"),
        (TWO, play(Face.RV), "play turns round; ben misses a turn; you move again"),
        (TWO, play(Face.RD), "ben draws 2 cards; ben misses a turn; you move again"),
        (view_of("R7 G3", top="R9"), play(Face.R7), "then ben; UNO is not called"),
        (view_of("R7 G3", top="R9"), play(Face.R7, uno=True), "then ben"),
        (view_of("R7", top="R9"), play(Face.R7), "you go out"),
        (
            view_of("W4", top="R9"),
            play(Face.W4, color=Color.RED),
            "ben draws 4 cards; you go out",
        ),
    ],
)
def test_a_preview_says_what_follows(view: TableView, move: Move, said: str) -> None:
    assert preview(view, move) == said


def test_hands_that_pass_on_are_told_with_their_size() -> None:
    moves = ["zero_rotates", "seven_swaps"]
    view = view_of("R7 R0 B2", top="R9", others=("B1 B2 B3", "G1 G2"), hand_moves=moves)
    assert (
        preview(view, play(Face.R7, target=Seat(1))) == "you get the hand of ben, 3 cards; then ben"
    )
    assert preview(view, play(Face.R0)) == "you get the hand of Cleo, 2 cards; then ben"


def test_a_card_that_may_be_answered_is_not_yet_drawn() -> None:
    view = view_of("RS R+2 B2", top="R9", others=("B1 B2", "G1 G2"), rules="ukrainian")
    assert preview(view, play(Face.RD)) == "ben draws 2 cards, or answers"
    assert preview(view, play(Face.RS)) == "ben misses a turn, or answers"


def test_a_challenge_is_told_both_ways() -> None:
    game = position("W4 R2 R3", top="R9", others=("B1 B2", "B3 B4"))
    game.act(Seat(0), play(Face.W4, color=Color.BLUE))
    view = table_view(game, 1)
    assert preview(view, Challenge()) == "if guilty, ann draws 4 cards; if not, you draw 6 cards"
    assert preview(view, Accept()) == "you draw 4 cards; then Cleo"


def test_a_catch_is_told_by_what_it_costs() -> None:
    game = position("R1 R2", top="R9", others=("B1 B2", "B3 B4"))
    game.act(Seat(0), play(Face.R1))
    assert preview(table_view(game, 1), Catch(seat=Seat(0))) == "ann draws 2 cards"
    assert "nobody can catch you" in preview(table_view(game, 0), table_view(game, 0).legal[0])


def test_a_move_that_is_not_lawful_says_why_and_a_spectator_is_told_nothing() -> None:
    assert preview(THREE, play(Face.G3)) == "G3 refused: it does not match R9 (red)."
    assert preview(THREE, Pass()).endswith(".")
    assert preview(replace(THREE, seat=None), Draw()) == ""


def test_a_preview_changes_nothing() -> None:
    before = THREE.round
    for move in THREE.legal:
        preview(THREE, move)
    assert THREE.round is before


@pytest.mark.parametrize("seed", range(12))
def test_every_legal_move_of_any_rules_leads_on_to_a_question_or_the_end(seed: int) -> None:
    rng = Random(seed)
    for game, view, legal in decisions(any_options(rng), rng.choice([2, 3, 4]), rng, 60):
        seen = table_view(game, view.seat)
        for move in legal:
            assert preview(seen, move), move
            after = outcome(view.round, view.seat, move).after
            asked = type(after.due).__name__
            assert asked in {"TurnDue", "AnswerChallenge", "OpenHands", "RoundOver"}, asked


@pytest.mark.parametrize("seed", range(6))
def test_what_a_preview_says_of_the_next_seat_is_what_comes(seed: int) -> None:
    """Who moves next in the real game, where nobody reacts, is who the preview names."""
    rng = Random(seed)
    for game, view, legal in decisions(any_options(rng), 3, rng, 40):
        move = legal[0]
        if not isinstance(view.round.due, TurnDue) or not isinstance(move, Play):
            continue
        found = outcome(view.round, view.seat, move).after
        if isinstance(found.due, OpenHands | RoundOver) or found.phase is TurnPhase.ATTACKED:
            continue
        assert found.hand_counts[view.seat] >= 0
        assert found.turn in game.round.active
