"""Bots that may take their time think in a thread of their own: the event loop never waits for them."""

import asyncio
import contextlib
from collections.abc import Callable
from threading import Thread

from unop2p.bots.base import Bot, Randomness
from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView

Answer = Callable[[Move | None, Exception | None], None]
"""Takes the move, or why there is none."""


def takes_its_time(bot: Bot) -> bool:
    """Say whether a bot may keep who asks waiting."""
    return bool(getattr(bot, "waits", False))


def think_apart(
    bot: Bot, view: PlayerView, legal: tuple[Move, ...], rng: Randomness, answer: Answer
) -> None:
    """Ask a bot in a thread; its answer comes in the running event loop.

    The program ends without waiting for such a thread.
    """
    loop = asyncio.get_running_loop()

    def think() -> None:
        move, failure = None, None
        try:
            move = bot.choose(view, legal, rng)
        except Exception as error:  # noqa: BLE001  # it is raised by who asked
            failure = error
        with contextlib.suppress(RuntimeError):  # nobody is left who waits for it
            loop.call_soon_threadsafe(answer, move, failure)

    Thread(target=think, name=f"unop2p[{bot.name}].thinks", daemon=True).start()
