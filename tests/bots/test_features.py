"""What a network is told of a move; that training is told the same is in `test_batch.py`."""

from random import Random

import pytest

from tests.bots.support import any_options, decisions, position
from unop2p.bots import layout as at
from unop2p.bots.features import Sight, describe
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Draw, Move, Play


def told(
    hand: str, move: Move, top: str = "R9", others: tuple[str, ...] = ("B1 B2 B3",)
) -> list[float]:
    return describe(Sight(position(hand, top=top, others=others).view(Seat(0))), move)


def test_a_hand_is_told_as_the_move_leaves_it() -> None:
    found = told("R1 R5 B3 W", Play(cards=(Face.R1,)))
    assert found[at.HELD + 3] == 1
    assert found[at.POINTS] == pytest.approx(0.58)
    assert found[at.CARDS + 5] == 0.5
    assert found[at.CARDS + 1] == 0
    assert found[at.WILDS] == 0.5
    assert found[at.TOP + 1] == 1
    assert found[at.FOLLOW] == 0.25


def test_equal_hands_in_other_colors_are_told_alike() -> None:
    red = told("R1 R5 B3 G4 G7", Play(cards=(Face.R1,)), top="R9", others=("Y1 Y2",))
    blue = told("B1 B5 R3 G4 G7", Play(cards=(Face.B1,)), top="B9", others=("Y1 Y2",))
    assert red == blue


def test_a_bluff_is_told_as_one() -> None:
    bluff = Play(cards=(Face.W4,), color=Color.GREEN)
    assert told("W4 R1 G2", bluff)[at.BLUFF] == 1
    assert told("W4 G1 G2", bluff)[at.BLUFF] == 0


def test_who_moves_again_after_a_skip_for_two_is_told() -> None:
    assert told("RS R1", Play(cards=(Face.RS,)))[at.AGAIN] == 1
    assert told("R2 R1", Play(cards=(Face.R2,)))[at.AGAIN] == 0
    three = ("B1 B2", "G1 G2")
    view = position("RS R1", top="R9", others=three).view(Seat(0))
    assert describe(Sight(view), Play(cards=(Face.RS,)))[at.AGAIN] == 0


def test_a_color_in_which_a_rival_has_drawn_is_told() -> None:
    game = position("R1 R2 R3", top="R9", others=("B1 B2",))
    game.pile[0] = Face.Y1
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    assert game.act(Seat(1), Draw())
    found = describe(Sight(game.view(Seat(0))), Play(cards=(Face.R2,), uno=True))
    assert found[at.RIVALS + 5 : at.RIVALS + 9] == [1, 0, 0, 0]


@pytest.mark.parametrize("seed", range(12))
def test_under_any_rules_every_move_can_be_told(seed: int) -> None:
    rng = Random(seed)
    seen = 0
    for game, view, legal in decisions(any_options(rng), 2 + seed % 4, rng, 60):
        if isinstance(game.round.due, ReactionDue):
            continue
        sight = Sight(view)
        for move in legal:
            found = describe(sight, move)
            assert len(found) == at.SIZE
            assert all(-1 <= value <= 30 for value in found)
            seen += 1
    assert seen
