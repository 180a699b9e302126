"""Hints: a level's move, and what the network expects of it."""

from random import Random

import pytest

from tests.bots.support import decisions, position
from unop2p.bots.hint import Adviser, same_but_for_the_call
from unop2p.bots.levels import LEVELS, UnknownBotError, make_bot
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Draw, Play
from unop2p.rules.options import PRESETS


@pytest.mark.parametrize("level", LEVELS)
def test_a_hint_is_the_move_of_the_level(level: str) -> None:
    adviser, bot = Adviser(level), make_bot(level)
    for _, view, legal in decisions(PRESETS["official"], 3, Random(3), 25):
        hint = adviser.hint(view, legal, Random(7))
        assert hint.move == bot.choose(view, legal, Random(7))
        assert (hint.points is None) == isinstance(view.round.due, ReactionDue)


def test_the_net_expects_most_of_its_own_move_and_tells_the_others_the_best_first() -> None:
    adviser = Adviser()
    for _, view, legal in decisions(PRESETS["official"], 2, Random(4), 60):
        hint = adviser.hint(view, legal, Random(7))
        worths = [other.points for other in hint.others]
        assert worths == sorted(worths, reverse=True)
        if hint.points is not None:
            assert all(hint.points >= worth for worth in worths)


def test_going_out_is_expected_to_bring_points() -> None:
    view = position("R1", top="R5", others=("B9 B8 W W4",)).view(Seat(0))
    hint = Adviser().hint(view, view.legal(), Random(1))
    assert hint.move == Play(cards=(Face.R1,))
    assert hint.points is not None
    assert hint.points > 20
    assert {type(other.move) for other in hint.others} == {Draw}


def test_an_unknown_level_gives_no_hints() -> None:
    with pytest.raises(UnknownBotError):
        Adviser("genius")


def test_a_play_with_and_without_the_call_is_the_same_play() -> None:
    play = Play(cards=(Face.R1,))
    assert same_but_for_the_call(play, Play(cards=(Face.R1,), uno=True))
    assert not same_but_for_the_call(play, Play(cards=(Face.R2,)))
    assert not same_but_for_the_call(play, Draw())
    assert same_but_for_the_call(None, None)
