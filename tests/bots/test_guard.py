"""A bot of somebody's own is held to its promise."""

from random import Random
from typing import Any

import pytest

from tests.bots.support import position
from unop2p.bots.base import Randomness
from unop2p.bots.guard import BotFailedError, GuardedBot, copied, fault_of, is_answer, one_line
from unop2p.bots.simple import GreedyBot
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.moves import Draw, Move, Pass
from unop2p.rules.view import PlayerView


class Answers:
    name = "answers"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def asked(bot: Any) -> Move | None:
    game = position("R1 G2", top="R5")
    view = game.view(Seat(0))
    return GuardedBot(bot, "mine").choose(view, view.legal(), Random(1))


def test_a_lawful_move_goes_through() -> None:
    assert asked(GreedyBot()) is not None
    assert asked(Answers(Draw())) == Draw()


@pytest.mark.parametrize("answer", [None, Pass(), "draw", 3, object(), []])
def test_what_is_no_lawful_move_is_refused_by_name(answer: Any) -> None:
    with pytest.raises(BotFailedError, match="`mine` answers"):
        asked(Answers(answer))


@pytest.mark.parametrize(
    "error", [ValueError("so\nthere"), SystemExit(3), KeyError(), RecursionError()]
)
def test_what_raises_fails_in_one_line(error: BaseException) -> None:
    with pytest.raises(BotFailedError, match="`mine` fails") as caught:
        asked(Answers(error))
    assert "\n" not in caught.value.sentence()
    assert type(error).__name__ in caught.value.sentence()


def test_ctrl_c_is_not_the_bots_failure() -> None:
    with pytest.raises(KeyboardInterrupt):
        asked(Answers(KeyboardInterrupt()))


def test_an_answer_whose_comparison_raises_is_a_failure() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise TypeError("not with me")

        __hash__ = object.__hash__

    with pytest.raises(BotFailedError, match="not with me"):
        asked(Answers(Odd()))


def test_what_a_bot_sets_in_its_copy_stays_there() -> None:
    game = position("R1 G2", top="R5")
    view = game.view(Seat(0))
    before = repr(view)
    mine = copied(view)
    assert mine == view
    mine.round.__dict__["discards"] = (Face.W4,)
    object.__setattr__(mine.match, "totals", (500, 0))
    object.__setattr__(mine, "hand", ())
    assert repr(view) == before


def test_only_a_reaction_may_be_let_pass() -> None:
    view = position("R1 G2", top="R5").view(Seat(0))
    assert not is_answer(None, view, view.legal())


def test_words_that_are_not_ours_are_short_and_printable() -> None:
    assert one_line("a\x1b[31m\nb" + "c" * 500).startswith("a?[31m b")
    assert len(one_line("c" * 500)) == 200
    assert fault_of(ValueError()) == "ValueError"
