"""Where a bot of somebody's own fails, a level answers for it."""

from random import Random

from tests.bots.support import position
from unop2p.bots.base import Randomness
from unop2p.bots.fallback import FallbackBot
from unop2p.bots.guard import BotFailedError
from unop2p.bots.simple import GreedyBot
from unop2p.ids import Seat
from unop2p.rules.moves import Draw, Move
from unop2p.rules.view import PlayerView


class Moody:
    name = "moody"

    def __init__(self) -> None:
        self.fails, self.closed = False, False

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        if self.fails:
            raise BotFailedError("not today.")
        return Draw()

    def close(self) -> None:
        self.closed = True


def test_a_level_answers_only_where_the_bot_fails() -> None:
    own, below = Moody(), GreedyBot()
    bot = FallbackBot(own, below)
    view = position("R1 G2", top="R5").view(Seat(0))
    legal = view.legal()
    assert (bot.name, bot.choose(view, legal, Random(1)), bot.fell) == ("moody", Draw(), 0)
    own.fails = True
    assert bot.choose(view, legal, Random(1)) == below.choose(view, legal, Random(1))
    assert bot.fell == 1
    assert "ot today" in bot.failure


def test_what_the_bot_has_started_is_ended_with_it() -> None:
    own = Moody()
    FallbackBot(own, GreedyBot()).close()
    FallbackBot(GreedyBot(), GreedyBot()).close()
    assert own.closed
