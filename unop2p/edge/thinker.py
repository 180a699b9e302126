"""A bot at a table: it thinks, where need be in another process or thread, and answers in its pace.

A bot says so itself: it is an `Elsewhere`, or has `waits = True` and is asked in a thread of its own.

When it answers is drawn before it thinks. Who has no answer by then, or fails, or answers what the rules
refuse, is answered for by the level below: a bot never holds a table up.
"""

import contextlib
import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Thread
from typing import Final, Protocol, runtime_checkable

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.deadline import LIMIT_MS
from unop2p.bots.levels import LEVELS, level_below, make_bot
from unop2p.bots.pace import FAST, Pace
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView

HIDING_MS: Final = 500
"""From this on a pace hides how long was thought: at its end an answer is given, whoever's."""
SEED_SIDES: Final = 1 << 63


@runtime_checkable
class Elsewhere(Protocol):
    """A bot that thinks outside this thread, besides being a `Bot`."""

    name: str

    def submit(self, view: PlayerView, legal: tuple[Move, ...], seed: int) -> "Future[Move | None]":
        """Begin to think, with chance that grows out of a seed; see `Bot.choose`."""
        ...


class Loop(Protocol):
    """What a thinker needs of an event loop."""

    def call_later(self, delay: float, callback: Callable[[], object], /) -> object:
        """Call back after so many seconds."""
        ...

    def call_soon_threadsafe(self, callback: Callable[[], object], /) -> object:
        """Call back soon, asked for by another thread."""
        ...


@dataclass(slots=True)
class _Thought:
    """One question, answered once."""

    thinker: "Thinker"
    view: PlayerView
    legal: tuple[Move, ...]
    answer: Callable[[Move | None], None]
    future: "Future[Move | None]"
    due: bool = False
    """The pace lets it answer."""
    done: bool = False

    def ready(self) -> None:
        """Answer if the pace lets and there is an answer."""
        if self.done or not self.due or not self.future.done():
            return
        self.done = True
        self.answer(self.thinker.checked(self.view, self.legal, self.future))

    def pace_over(self) -> None:
        """Answer as soon as there is an answer."""
        self.due = True
        self.ready()

    def time_up(self) -> None:
        """Answer now, whoever's answer it is."""
        self.due = True
        self.ready()
        if not self.done:
            self.done = True
            self.future.cancel()
            self.answer(self.thinker.fall_back(self.view, self.legal))


@dataclass(slots=True)
class Thinker:
    """Asks one seat's bot."""

    bot: Bot
    rng: Randomness
    pace: Pace = FAST
    fell: int = 0
    """How often the level below had to answer."""
    below: Bot = field(init=False)
    asked: "Future[Move | None] | None" = None
    """What a bot that waits was asked last: it is asked one thing at a time."""

    def __post_init__(self) -> None:
        """Choose who answers where the bot does not."""
        name = self.bot.name
        self.below = make_bot(level_below(name) if name in LEVELS else "greedy")

    def ask(
        self,
        view: PlayerView | None,
        legal: tuple[Move, ...],
        answer: Callable[[Move | None], None],
        *,
        loop: Loop,
        most_ms: int,
    ) -> None:
        """Ask for a move.

        Args:
            view: what the seat sees, None where it has nothing to move.
            legal: its lawful moves, perhaps none.
            answer: given the move, once.
            loop: where time goes on.
            most_ms: the longest that a pace may take here.
        """
        reacting = view is None or isinstance(view.round.due, ReactionDue)
        delay_ms = self.pace.delay_ms(self.rng, reacting=reacting, most_ms=most_ms)
        if view is None or not legal:
            self._later(loop, delay_ms, lambda: answer(None))
            return
        future = self._begin(view, legal, reacting=reacting)
        if future.done():
            move = self.checked(view, legal, future)
            self._later(loop, delay_ms, lambda: answer(move))
            return
        thought = _Thought(self, view, legal, answer, future)
        if delay_ms < HIDING_MS:
            self._later(loop, delay_ms, thought.pace_over)
            self._later(loop, max(delay_ms, LIMIT_MS), thought.time_up)
        else:
            self._later(loop, delay_ms, thought.time_up)

        def ready(_: object) -> None:
            # A loop that is closed has nobody left who waits for the answer.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(thought.ready)

        future.add_done_callback(ready)

    @staticmethod
    def _later(loop: Loop, delay_ms: int, callback: Callable[[], object]) -> None:
        if delay_ms > 0:
            loop.call_later(delay_ms / 1000, callback)
        else:
            callback()

    def _begin(
        self, view: PlayerView, legal: tuple[Move, ...], *, reacting: bool
    ) -> "Future[Move | None]":
        """Let the bot think: where it said that it would, and at once where that takes no time."""
        bot = self.bot
        if isinstance(bot, Elsewhere) and not reacting:
            return bot.submit(view, legal, self.rng.randrange(SEED_SIDES))
        future: Future[Move | None] = Future()
        waits = bool(getattr(bot, "waits", False))
        if waits and self.asked is not None and not self.asked.done():
            future.cancel()
            return future
        rng = random.Random(self.rng.randrange(SEED_SIDES)) if waits else self.rng  # noqa: S311

        def think() -> None:
            found: Move | None = None
            failure: Exception | None = None
            try:
                found = bot.choose(view, legal, rng)
            except Exception as error:  # noqa: BLE001  # whatever a bot does, the table goes on
                failure = error
            if failure is None:
                future.set_result(found)
            else:
                future.set_exception(failure)

        future.set_running_or_notify_cancel()  # it is not done before it is done
        if waits:
            self.asked = future
            # The program ends without waiting for such a thread.
            Thread(target=think, name=f"unop2p[{bot.name}].thinks", daemon=True).start()
        else:
            think()
        return future

    def checked(
        self, view: PlayerView, legal: tuple[Move, ...], future: "Future[Move | None]"
    ) -> Move | None:
        """Return what a bot has answered if that can be; else what the level below does."""
        if future.cancelled() or future.exception() is not None:
            return self.fall_back(view, legal)
        move = future.result()
        silent = move is None and isinstance(view.round.due, ReactionDue)
        return move if silent or move in legal else self.fall_back(view, legal)

    def fall_back(self, view: PlayerView, legal: tuple[Move, ...]) -> Move | None:
        """Return what the level below does."""
        self.fell += 1
        return self.below.choose(view, legal, self.rng)
