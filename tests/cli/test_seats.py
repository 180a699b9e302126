"""Several seats in one process: the first that cannot go on is named, with a code of its own."""

import asyncio

import pytest

from unop2p.cli.seats import SeatFailedError, failure_of, first_failure
from unop2p.edge.errors import DiskFullError
from unop2p.peer.events import Stop

FINE = Stop(reason="", exit_code=0)


async def seat(ending: Stop | Exception | None, turns: int = 0) -> Stop:
    for _ in range(turns):
        await asyncio.sleep(0)
    if ending is None:
        await asyncio.Event().wait()
    if isinstance(ending, Exception):
        raise ending
    assert ending is not None
    return ending


async def first(*endings: Stop | Exception | None) -> SeatFailedError | None:
    tasks = {
        asyncio.create_task(seat(ending, turns=index)): f"bot-{index}"
        for index, ending in enumerate(endings)
    }
    try:
        async with asyncio.timeout(5):
            return await first_failure(tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_seats_that_end_well_are_no_failure() -> None:
    assert await first(FINE, FINE, FINE) is None


@pytest.mark.parametrize(
    ("ending", "words", "code"),
    [
        (DiskFullError("/there."), "It is bot-1's: The disk is full", 14),
        (
            Stop(reason="The journal is an old copy.", exit_code=31),
            "It is bot-1's: The journal is",
            31,
        ),
        (ZeroDivisionError("division\nby zero"), "(ZeroDivisionError division by zero)", 1),
    ],
)
async def test_a_seat_that_fails_is_named_while_others_run(
    ending: Stop | Exception, words: str, code: int
) -> None:
    failure = await first(FINE, ending, None)
    assert failure is not None
    assert words in failure.sentence()
    assert "\n" not in failure.sentence()
    assert failure.exit_code == code
    assert (failure.__cause__ is ending) is isinstance(ending, Exception)


async def test_a_seat_that_was_cancelled_has_not_failed() -> None:
    task = asyncio.create_task(seat(None))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert failure_of("bot", task) is None
