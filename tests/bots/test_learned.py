"""The levels that learned."""

from random import Random

import pytest

from tests.bots.support import decisions, position
from unop2p.bots.kinds import SPARE_MAX
from unop2p.bots.learned import LearnedBot, looked_at
from unop2p.bots.weights import shipped
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Draw, Play
from unop2p.rules.options import PRESETS


def looked(hand: str, **rest: object) -> list[object]:
    view = position(hand, top="R9", **rest).view(Seat(0))  # type: ignore[arg-type]
    return list(looked_at(view, view.legal()))


def test_a_wild_names_colors_of_the_hand_only() -> None:
    colors = {m.color for m in looked("W G1 B2 B3") if isinstance(m, Play)}
    assert colors == {Color.GREEN, Color.BLUE}


def test_without_colors_in_hand_a_wild_may_name_any() -> None:
    plays = [m for m in looked("W W4") if isinstance(m, Play) and m.cards == (Face.W,)]
    assert {play.color for play in plays} == set(Color)
    assert all(play.uno for play in plays)


def test_who_holds_many_cards_and_can_play_does_not_draw() -> None:
    many = " ".join(["R1"] + ["B2"] * SPARE_MAX)
    assert Draw() not in looked(many)
    assert Draw() in looked("R1 B2")
    assert looked(" ".join(["B2"] * (SPARE_MAX + 1))) == [Draw()]


@pytest.mark.parametrize("level", ["linear", "net"])
def test_plain_python_chooses_as_numpy_does(level: str) -> None:
    fast, plain = LearnedBot(level), LearnedBot(level, fast=False)
    same = asked = 0
    for game, view, legal in decisions(PRESETS["official"], 3, Random(6), 120):
        if isinstance(game.round.due, ReactionDue):
            continue
        asked += 1
        same += fast.choose(view, legal, Random(1)) == plain.choose(view, legal, Random(1))
    assert same >= 0.98 * asked  # rounding decides between moves that are worth the same


def test_weights_given_take_the_place_of_those_that_ship() -> None:
    given = LearnedBot("mine", two=shipped("linear-two"))
    linear = LearnedBot("linear")
    for _, view, legal in decisions(PRESETS["official"], 2, Random(9), 60):
        assert given.choose(view, legal, Random(1)) == linear.choose(view, legal, Random(1))


@pytest.mark.parametrize("level", ["linear", "net"])
def test_a_seven_swaps_with_the_smallest_hand(level: str) -> None:
    game = position(
        "R7 G1 G2 G3 G4 B7 B8",
        top="R9",
        others=("B1 B2 B3 B5 B6 B9", "Y4", "B5 B6 Y1 Y2 Y3"),
        hand_moves=["seven_swaps"],
    )
    view = game.view(Seat(0))
    move = LearnedBot(level).choose(view, view.legal(), Random(1))
    assert move == Play(cards=(Face.R7,), target=Seat(2))
