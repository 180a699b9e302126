"""A bot at a table answers in its pace, whatever it holds and however long it thinks."""

import heapq
from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from threading import Event

import pytest

from tests.bots.support import decisions, position
from unop2p.bots.base import Bot, Randomness
from unop2p.bots.deadline import LIMIT_MS
from unop2p.bots.levels import make_bot
from unop2p.bots.pace import FAST, HUMAN, Pace, read_pace
from unop2p.edge.thinker import Thinker
from unop2p.ids import Seat
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Draw, Move, Pass
from unop2p.rules.options import PRESETS, with_overrides
from unop2p.rules.view import PlayerView


class Time:
    """An event loop whose time goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self.later: list[tuple[float, int, Callable[[], object]]] = []

    def call_later(self, delay: float, callback: Callable[[], object], /) -> object:
        heapq.heappush(self.later, (self.now + delay, len(self.later), callback))
        return None

    def call_soon_threadsafe(self, callback: Callable[[], object], /) -> object:
        callback()
        return None

    def until(self, now: float) -> None:
        while self.later and self.later[0][0] <= now:
            self.now, _, callback = heapq.heappop(self.later)
            callback()
        self.now = now


class Slow:
    """Thinks elsewhere, until the test says that it is done."""

    name = "search"

    def __init__(self) -> None:
        self.future: Future[Move | None] = Future()

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        raise AssertionError

    def submit(self, view: PlayerView, legal: tuple[Move, ...], seed: int) -> Future[Move | None]:
        return self.future


class Broken:
    """A homemade bot with an error."""

    name = "homemade"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        raise ValueError(self.name)


class Stubborn:
    """A homemade bot that passes whatever is asked."""

    name = "homemade"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        return Pass()


class Asked:
    """One question, and when it was answered."""

    def __init__(self, bot: Bot, pace: Pace, hand: str = "R1 R2 B5") -> None:
        game = position(hand, top="R5")
        self.view = game.view(Seat(0))
        self.time = Time()
        self.answers: list[tuple[float, Move | None]] = []
        self.thinker = Thinker(bot, Random(4), pace)
        self.ask()

    def ask(self) -> None:
        self.thinker.ask(
            self.view,
            self.view.legal(),
            lambda move: self.answers.append((self.time.now, move)),
            loop=self.time,
            most_ms=30_000,
        )

    @property
    def below(self) -> Move | None:
        return make_bot("linear").choose(self.view, self.view.legal(), Random(1))


@pytest.mark.parametrize("level", ["random", "greedy", "linear", "net"])
def test_when_a_bot_answers_does_not_hang_on_its_hand(level: str) -> None:
    times = set[float]()
    for hand in ("R1", "R1 R2 R3 G5 W W4", "Y1 Y2 Y3 G9"):
        asked = Asked(make_bot(level), HUMAN, hand)
        asked.time.until(10)
        times.add(asked.answers[0][0])
    assert len(times) == 1
    assert times.pop() >= 0.6


def test_when_a_search_answers_does_not_hang_on_how_long_it_thought() -> None:
    times = set[float]()
    for thought in (0.0, 0.3, 0.59):
        bot = Slow()
        asked = Asked(bot, HUMAN)
        asked.time.until(thought)
        bot.future.set_result(Draw())
        asked.time.until(10)
        assert asked.answers[0][1] == Draw()
        times.add(asked.answers[0][0])
    assert len(times) == 1


def test_with_nothing_to_say_a_bot_takes_as_long_as_with_a_catch_or_a_card_to_jump_in() -> None:
    options = with_overrides(PRESETS["official"], {"jump_in": "numbers"})
    said: list[tuple[float, bool]] = []
    for game, view, _ in decisions(options, 3, Random(2), 200):
        if not isinstance(view.round.due, ReactionDue):
            continue
        for seat in view.round.active:
            own, time, found = game.view(seat), Time(), list[Move | None]()
            thinker = Thinker(make_bot("greedy"), Random(9), HUMAN)
            thinker.ask(own, own.legal(), found.append, loop=time, most_ms=30_000)
            due = time.later[0][0]
            time.until(due - 0.001)
            assert not found
            time.until(due)
            said.append((due, found != [None]))
    assert {silent for _, silent in said} == {False, True}
    assert len({due for due, _ in said}) == 1


def test_a_seat_outside_the_round_takes_its_time_too() -> None:
    time, found = Time(), list[Move | None]()
    Thinker(make_bot("greedy"), Random(9), HUMAN).ask(
        None, (), found.append, loop=time, most_ms=30_000
    )
    assert not found
    time.until(2)
    assert found == [None]


def test_a_search_that_thinks_past_its_pace_is_answered_for_and_then_not_listened_to() -> None:
    bot = Slow()
    asked = Asked(bot, HUMAN)
    asked.time.until(10)
    assert [move for _, move in asked.answers] == [asked.below]
    assert asked.answers[0][0] <= 3
    assert asked.thinker.fell == 1
    assert bot.future.cancelled()


@pytest.mark.parametrize("pace", [FAST, read_pace("100")])
def test_in_a_hurry_a_search_has_its_second_and_no_more(pace: Pace) -> None:
    quick = Slow()
    asked = Asked(quick, pace)
    asked.time.until(0.4)
    assert not asked.answers
    quick.future.set_result(Draw())
    assert asked.answers == [(0.4, Draw())]
    asked.time.until(10)
    assert len(asked.answers) == 1
    assert asked.thinker.fell == 0

    late = Asked(Slow(), pace)
    late.time.until(10)
    assert late.answers == [(LIMIT_MS / 1000, late.below)]


@pytest.mark.parametrize("bot", [Broken(), Stubborn()])
def test_a_homemade_bot_that_fails_is_answered_for_by_greedy(bot: Bot) -> None:
    asked = Asked(bot, FAST)
    assert [move for _, move in asked.answers] == [
        make_bot("greedy").choose(asked.view, asked.view.legal(), Random(4))
    ]
    assert asked.thinker.fell == 1


class Waiting:
    """A homemade bot that waits for somebody else's answer."""

    name = "homemade"
    waits = True

    def __init__(self) -> None:
        self.go, self.gone = Event(), Event()

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        assert self.go.wait(60)
        self.gone.set()
        return Draw()


def test_a_homemade_bot_that_waits_is_asked_in_a_thread_and_the_table_goes_on_without_it() -> None:
    bot = Waiting()
    asked = Asked(bot, FAST)
    assert not asked.answers
    asked.time.until(2)
    assert len(asked.answers) == 1
    assert asked.thinker.fell == 1
    asked.ask()  # it still thinks about what it was asked first
    assert len(asked.answers) == 2
    assert asked.thinker.fell == 2
    bot.go.set()
    assert bot.gone.wait(60)
    assert len(asked.answers) == 2


def test_a_process_that_has_ended_costs_one_answer_and_no_table() -> None:
    bot = Slow()
    bot.future.set_exception(RuntimeError())
    asked = Asked(bot, FAST)
    assert [move for _, move in asked.answers] == [asked.below]
