"""Several seats in one process: what is to be done when one of them cannot go on."""

import asyncio
import time
from collections.abc import Mapping

from unop2p.bots.base import Bot
from unop2p.edge.roster import table_bot
from unop2p.errors import EdgeError, Unop2pError
from unop2p.peer.events import Stop
from unop2p.words import said

GRACE_S = 3.0
"""A proved fault stops every seat, a moment after each other: then each has its own words for it."""


class SeatFailedError(EdgeError):
    """A bot's seat cannot go on, so the table stops here."""

    def __init__(self, detail: str = "", exit_code: int = 1) -> None:
        """Take what is wrong, and the code that the program ends with."""
        super().__init__(detail)
        self.exit_code = exit_code


def seated_bot(name: str) -> Bot:
    """Return a bot for a seat at a table, which answers in time whatever the machine does.

    Args:
        name: a level, or a bot of one's own as `edge.roster` knows it.

    Raises:
        UnknownBotError: there is none of that name.
        PluginError: it cannot be had.
    """
    return table_bot(name, lambda: time.monotonic_ns() // 1_000_000)


def failure_of(name: str, seat: "asyncio.Task[Stop]") -> SeatFailedError | None:
    """Return why a seat's task has ended, where it ended otherwise than it should."""
    if seat.cancelled():
        return None
    error = seat.exception()
    if error is None:
        stop = seat.result()
        return (
            SeatFailedError(
                said("It is {name}'s: {reason}", name=name, reason=stop.reason), stop.exit_code
            )
            if stop.exit_code
            else None
        )
    if isinstance(error, Unop2pError):
        failure = SeatFailedError(
            said("It is {name}'s: {error}", name=name, error=error.sentence()), error.exit_code
        )
    else:
        text = " ".join(f"{type(error).__name__} {error}".split())
        failure = SeatFailedError(
            said("It is {name}'s: our own program has failed ({text}).", name=name, text=text), 1
        )
    failure.__cause__ = error
    return failure


async def first_failure(seats: Mapping["asyncio.Task[Stop]", str]) -> SeatFailedError | None:
    """Wait until a seat fails, and return why; or None when all have ended well.

    Args:
        seats: the running seats, and what each is called.
    """
    pending = set(seats)
    while pending:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        for seat in done:
            failure = failure_of(seats[seat], seat)
            if failure is not None:
                return failure
    return None
