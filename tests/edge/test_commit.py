"""Group commit: what is asked for together is synced together, and a failure reaches who asked."""

import asyncio
import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from unop2p.edge.commit import Commits
from unop2p.edge.errors import DiskFullError
from unop2p.edge.journal import Journal

Sync = Callable[[int], None]


def journals(folder: Path, count: int) -> list[Journal]:
    return [Journal.open(folder / f"j{index}") for index in range(count)]


async def test_after_a_sync_a_second_opening_reads_what_was_written(tmp_path: Path) -> None:
    commits = Commits()
    for journal in journals(tmp_path, 3):
        journal.write([b"one", b"two"])
        await commits.sync(journal)
        journal.close()
        with Journal.open(journal.path) as again:
            assert list(again.entries()) == [b"one", b"two"]
            assert again.repaired_bytes == 0
    commits.close()


async def test_syncs_that_are_asked_for_together_run_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = journals(tmp_path, 4)
    together = threading.Barrier(4)
    commits = Commits()

    def fsync(_descriptor: int) -> None:
        together.wait(20)  # breaks, and so fails the test, unless all four are in here

    monkeypatch.setattr(os, "fsync", fsync)
    for journal in opened:
        journal.write([b"entry"])
    await asyncio.gather(*(commits.sync(journal) for journal in opened))
    assert not together.broken
    commits.close()


async def test_the_event_loop_goes_on_while_the_disk_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (journal,) = journals(tmp_path, 1)
    released = threading.Event()
    monkeypatch.setattr(os, "fsync", lambda _descriptor: released.wait(20))
    commits = Commits()
    journal.write([b"entry"])
    waiting = asyncio.create_task(commits.sync(journal))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not waiting.done()
    released.set()
    await waiting
    commits.close()


async def test_one_full_disk_fails_its_own_journal_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = journals(tmp_path, 2)
    real = os.fsync
    full = first._frames.file.fileno()

    def fsync(descriptor: int) -> None:
        if descriptor == full:
            raise OSError(errno.ENOSPC, "no space")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    commits = Commits()
    first.write([b"lost"])
    second.write([b"kept"])
    results = await asyncio.gather(
        commits.sync(first), commits.sync(second), return_exceptions=True
    )
    assert isinstance(results[0], DiskFullError)
    assert results[1] is None
    assert list(first.entries()) == []
    assert list(second.entries()) == [b"kept"]
    commits.close()


async def test_who_is_cancelled_while_waiting_leaves_the_others_waiting_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = journals(tmp_path, 2)
    released = threading.Event()
    monkeypatch.setattr(os, "fsync", lambda _descriptor: released.wait(20))
    commits = Commits()
    first.write([b"a"])
    second.write([b"b"])
    gone = asyncio.create_task(commits.sync(first))
    stays = asyncio.create_task(commits.sync(second))
    await asyncio.sleep(0)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    released.set()
    await stays
    commits.close()
