"""Bots that take their time do it elsewhere."""

import asyncio
import threading
from random import Random

from tests.bots.support import position
from unop2p.bots.base import Randomness
from unop2p.bots.simple import GreedyBot
from unop2p.edge.thinking import takes_its_time, think_apart
from unop2p.ids import Seat
from unop2p.rules.moves import Draw, Move
from unop2p.rules.view import PlayerView


class Slow:
    name = "slow"
    waits = True

    def __init__(self, failure: Exception | None = None) -> None:
        self.go_on, self.failure = threading.Event(), failure

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        assert self.go_on.wait(30)
        if self.failure is not None:
            raise self.failure
        return Draw()


async def answer_of(bot: Slow) -> tuple[Move | None, Exception | None]:
    """Ask, and let the bot answer only once the loop has seen to something else."""
    view = position("R1 G2", top="R5").view(Seat(0))
    got: asyncio.Future[tuple[Move | None, Exception | None]] = asyncio.Future()
    think_apart(bot, view, view.legal(), Random(1), lambda *answer: got.set_result(answer))
    asyncio.get_running_loop().call_later(0.01, bot.go_on.set)
    return await got


async def test_the_loop_goes_on_while_a_bot_thinks() -> None:
    assert await answer_of(Slow()) == (Draw(), None)


async def test_a_failure_comes_back_as_one() -> None:
    failure = ValueError()
    assert await answer_of(Slow(failure)) == (None, failure)


def test_levels_are_asked_on_the_spot() -> None:
    assert not takes_its_time(GreedyBot())
    assert takes_its_time(Slow())
