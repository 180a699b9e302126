"""The thinking process: the same move as here, and another process where it has ended."""

from random import Random

import pytest

from tests.bots.support import position
from unop2p.bots.levels import UnknownBotError, make_bot
from unop2p.edge.elsewhere import ElsewhereBot, choose_elsewhere
from unop2p.ids import Seat


@pytest.mark.slow
def test_a_search_in_its_process_makes_the_move_that_it_makes_here() -> None:
    view = position("R1 R2 B5 W", top="R5").view(Seat(0))
    bot = ElsewhereBot("search")
    found = bot.submit(view, view.legal(), 7).result(60)
    assert found == choose_elsewhere("search", view, view.legal(), 7)
    assert found == make_bot("search").choose(view, view.legal(), Random(7))
    assert bot.choose(view, view.legal(), Random(7)) == found


@pytest.mark.slow
def test_after_a_process_was_ended_the_next_question_starts_another() -> None:
    view = position("R1 R2 B5 W", top="R5").view(Seat(0))
    bot = ElsewhereBot("search")
    assert ElsewhereBot.pool is not None
    ElsewhereBot.pool.shutdown()
    with pytest.raises(RuntimeError):
        bot.submit(view, view.legal(), 7).result(60)
    assert bot.submit(view, view.legal(), 7).result(60) in view.legal()


def test_an_unknown_level_is_refused_before_a_process_is_started() -> None:
    with pytest.raises(UnknownBotError):
        ElsewhereBot("genius")
