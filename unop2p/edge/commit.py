"""Group commit: the journals of one process are synced together, away from the event loop.

A sync is a wait for the disk. Those that are asked for at the same time run at the same time, and
mostly cost the disk one wait: file systems with a log of their own commit all of them at once.
"""

import asyncio
import contextlib
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from unop2p.edge.journal import Journal

THREADS_MAX = 10
"""One for each seat that one process may run; each only waits for the disk."""


@dataclass(slots=True)
class _Group:
    """Syncs that run together; all their waiters go on when the last has ended."""

    loop: asyncio.AbstractEventLoop
    left: int
    ended: "list[tuple[Future[None], asyncio.Future[None]]]" = field(default_factory=list)

    def end(self, work: "Future[None]", waiter: "asyncio.Future[None]") -> None:
        """Note that one has ended. Called in the worker threads."""
        self.ended.append((work, waiter))
        # A list's append and len are whole under the interpreter's lock: exactly one is the last.
        if len(self.ended) == self.left:
            # A loop that is closed has nobody left who waits.
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        for work, waiter in self.ended:
            if waiter.cancelled():
                continue
            failure = work.exception()
            if failure is not None:
                waiter.set_exception(failure)
            else:
                waiter.set_result(None)


class Commits:
    """Syncs journals for the peers of one event loop."""

    def __init__(self) -> None:
        """Begin with no thread; they are made when needed."""
        self._executor = ThreadPoolExecutor(
            max_workers=THREADS_MAX, thread_name_prefix="unop2p-disk"
        )
        self._wanted: list[tuple[Journal, asyncio.Future[None]]] = []

    async def sync(self, journal: Journal) -> None:
        """Return when the disk has all that was written to a journal.

        Raises:
            DiskFullError: there is no room; the journal is as it was after the last sync.
            JournalError: the disk failed.
        """
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        if not self._wanted:
            loop.call_soon(self._begin, loop)
        self._wanted.append((journal, waiter))
        await waiter

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start what this turn of the loop has asked for."""
        wanted, self._wanted = self._wanted, []
        group = _Group(loop, len(wanted))
        for journal, waiter in wanted:
            work = self._executor.submit(journal.sync)
            work.add_done_callback(lambda done, waiter=waiter: group.end(done, waiter))  # type: ignore[misc]  # bound early

    def close(self) -> None:
        """Let the threads go; nothing may be asked for any more."""
        self._executor.shutdown(wait=False)
