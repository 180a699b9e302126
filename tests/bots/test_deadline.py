"""A bot that is late is answered for by the level below."""

from random import Random

import pytest

from tests.bots.support import decisions
from unop2p.bots.deadline import DeadlineBot
from unop2p.bots.levels import LEVELS, UnknownBotError, make_bot
from unop2p.rules.options import PRESETS


class Clock:
    """Goes on by so much each time it is looked at."""

    def __init__(self, step_ms: int) -> None:
        self.now_ms, self.step_ms = 0, step_ms

    def __call__(self) -> int:
        self.now_ms += self.step_ms
        return self.now_ms


def test_a_search_without_time_does_as_the_level_below() -> None:
    bot, below = DeadlineBot("search", Clock(2_000)), make_bot("linear")
    for _, view, legal in decisions(PRESETS["official"], 3, Random(2), 60):
        assert bot.choose(view, legal, Random(7)) == below.choose(view, legal, Random(7))
    assert bot.fell


@pytest.mark.parametrize("level", LEVELS)
def test_in_time_every_level_does_as_ever(level: str) -> None:
    bot, same = DeadlineBot(level, Clock(0)), make_bot(level)
    for _, view, legal in decisions(PRESETS["official"], 3, Random(2), 12):
        assert bot.choose(view, legal, Random(7)) == same.choose(view, legal, Random(7))
    assert bot.name == level
    assert not bot.fell


def test_an_unknown_level_is_refused_at_once() -> None:
    with pytest.raises(UnknownBotError):
        DeadlineBot("genius", Clock(0))
