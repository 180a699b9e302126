"""Group commit: the journals of one process are synced together, away from the event loop.

A sync is a wait for the disk. Those that are asked for at the same time run at the same time, and
mostly cost the disk one wait: file systems with a log of their own commit all of them at once.

The threads do next to nothing but wait: whatever they did in Python would hold up the event loop.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue

from unop2p.edge.journal import Journal

THREADS_MAX = 10
"""One for each seat that one process may run."""


Work = Callable[[], None]
"""What waits for the disk; called in a worker thread."""
Done = Callable[[Exception | None], None]
"""Told, in the event loop, when the disk has what was written; or why not. It must not raise."""


@dataclass(slots=True)
class _Group:
    """Syncs that run together; all who wait for them go on when the last has ended."""

    commits: "Commits"
    loop: asyncio.AbstractEventLoop
    wanted: list[tuple[Work, Done]]
    ended: list[tuple[Done, Exception | None]] = field(default_factory=list)
    ending: threading.Lock = field(default_factory=threading.Lock)
    """Exactly one of the syncs sees itself as the last."""

    def sync(self, index: int) -> None:
        """Sync one of the journals. Called in a worker thread."""
        work, done = self.wanted[index]
        failure: Exception | None = None
        try:
            work()
        except Exception as error:  # noqa: BLE001  # it is raised where it is waited for
            failure = error
        with self.ending:
            self.ended.append((done, failure))
            is_last = len(self.ended) == len(self.wanted)
        if is_last:
            # A loop that is closed has nobody left who waits.
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self.commits.running_count -= len(self.wanted)
        for done, failure in self.ended:
            done(failure)


class Commits:
    """Syncs journals for the peers of one event loop."""

    def __init__(self) -> None:
        """Begin with no thread; they are made when needed."""
        self._queue: SimpleQueue[tuple[_Group, int] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._wanted: list[tuple[Work, Done]] = []
        self.running_count = 0
        """Syncs that were begun, and have not been told of."""

    async def sync(self, journal: Journal) -> None:
        """Return when the disk has all that was written to a journal.

        Raises:
            DiskFullError: there is no room; the journal is as it was after the last sync.
            JournalError: the disk failed.
        """
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(failure: Exception | None) -> None:
            if waiter.cancelled():
                return
            if failure is not None:
                waiter.set_exception(failure)
            else:
                waiter.set_result(None)

        self.begin(journal, done)
        await waiter

    def begin(self, journal: Journal, done: Done) -> None:
        """Have the disk keep all that was written to a journal, and go on meanwhile.

        Args:
            journal: what is synced.
            done: gets what `sync` would raise, or None.
        """
        self._want(journal.sync, done)

    def begin_compacting(self, journal: Journal, done: Done) -> None:
        """Have a journal made small, and go on meanwhile; nothing may be written to it until then.

        Args:
            journal: whose round is over.
            done: gets what `compact` would raise, or None.
        """
        self._want(journal.compact, done)

    def _want(self, work: Work, done: Done) -> None:
        if not self._wanted:
            loop = asyncio.get_running_loop()
            loop.call_soon(self._begin, loop)
        self._wanted.append((work, done))

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start what this turn of the loop has asked for."""
        wanted, self._wanted = self._wanted, []
        group = _Group(self, loop, wanted)
        self.running_count += len(wanted)
        while len(self._threads) < min(self.running_count, THREADS_MAX):
            thread = threading.Thread(
                target=_work, args=(self._queue,), name="unop2p-disk", daemon=True
            )
            self._threads.append(thread)
            thread.start()
        for index in range(len(wanted)):
            self._queue.put((group, index))

    def close(self) -> None:
        """Let the threads go; nothing may be asked for any more."""
        for _ in self._threads:
            self._queue.put(None)
        self._threads = []


def _work(queue: "SimpleQueue[tuple[_Group, int] | None]") -> None:
    while (item := queue.get()) is not None:
        group, index = item
        group.sync(index)
