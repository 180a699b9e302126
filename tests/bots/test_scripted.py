"""The bot that does as it is told."""

from random import Random

import pytest

from tests.bots.support import position
from unop2p.bots.scripted import ScriptedBot
from unop2p.ids import Seat
from unop2p.rules.moves import Challenge, Draw, Move
from unop2p.rules.view import PlayerView


def test_a_scripted_bot_asks_its_policy_with_view_and_moves() -> None:
    view = position("R1 B2", top="R9").view(Seat(0))
    seen: list[tuple[PlayerView, tuple[Move, ...]]] = []

    def policy(got: PlayerView, legal: tuple[Move, ...]) -> Move:
        seen.append((got, legal))
        return legal[0]

    bot = ScriptedBot(policy, name="parrot")
    assert bot.choose(view, view.legal(), Random(1)) == view.legal()[0]
    assert seen == [(view, view.legal())]
    assert bot.name == "parrot"


def test_a_scripted_bot_may_let_a_reaction_pass() -> None:
    view = position("R1 B2", top="R9").view(Seat(0))
    assert ScriptedBot(lambda _view, _legal: None).choose(view, view.legal(), Random(1)) is None


def test_a_policy_that_leaves_the_rules_is_our_own_bug() -> None:
    view = position("R1 B2", top="R9").view(Seat(0))
    assert Draw() in view.legal()
    with pytest.raises(AssertionError, match="Challenge"):
        ScriptedBot(lambda _view, _legal: Challenge()).choose(view, view.legal(), Random(1))
