"""Drivers: work on the spot or in workers, shared or not, and the journal before the network."""

import asyncio
import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from unop2p.edge.commit import Commits
from unop2p.edge.driver import Driver, SharedChecks
from unop2p.edge.errors import JournalError
from unop2p.edge.journal import Journal
from unop2p.errors import IllegalMoveError, ProofError
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.table.commands import Begin
from unop2p.table.view import TableView


class Script(Peer):
    """A peer that says what a test wants: effects for each event, in order."""

    def __init__(self, *answers: tuple[events.Effect, ...]) -> None:
        self.heard: list[events.Event] = []
        self._answers = list(answers)

    def handle(self, event: events.Event, *, now_ms: int) -> tuple[events.Effect, ...]:
        del now_ms
        self.heard.append(event)
        return self._answers.pop(0) if self._answers else STOP

    def sift(self, data: bytes, *, now_ms: int) -> events.Received | None:
        del now_ms
        return events.Received(data=data)

    def view(self) -> TableView:
        raise AssertionError

    def results(self) -> list[object]:
        return [event.result for event in self.heard if isinstance(event, events.Computed)]


class NoWorkers(Executor):
    """Fails the test where work goes to a worker."""

    def submit(self, *_args: object, **_more: object) -> "Future[object]":  # type: ignore[override]  # never called
        pytest.fail("it went to a worker")


class Wire:
    """A network that remembers."""

    def __init__(self) -> None:
        self.said: list[bytes] = []

    def publish(self, data: bytes) -> None:
        self.said.append(data)


STOP = (events.Stop(reason="", exit_code=0),)


def compute(
    work: Callable[[], object], *, shared: bytes | None = None, small: bool = False
) -> events.Compute:
    return events.Compute(job=("check", 1, 0), work=work, shared=shared, small=small)


async def run(driver: Driver) -> Wire:
    wire = Wire()
    driver.attach(wire)
    async with asyncio.timeout(20):
        await driver.run()
    return wire


@pytest.mark.parametrize("shared", [None, b"statement"])
async def test_small_work_is_done_on_the_spot(shared: bytes | None) -> None:
    peer = Script((compute(lambda: "done", shared=shared, small=True),))
    await run(Driver(peer, executor=NoWorkers(), shared=SharedChecks()))
    assert peer.results() == ["done"]


async def test_other_work_is_done_away_from_the_event_loop() -> None:
    here = threading.get_ident()
    with ThreadPoolExecutor(1) as executor:
        peer = Script((compute(threading.get_ident),))
        await run(Driver(peer, executor=executor))
    (there,) = peer.results()
    assert there != here


@pytest.mark.parametrize("small", [False, True])
async def test_peers_that_share_checks_make_one_check_once_and_others_each_its_own(
    small: bool,
) -> None:
    for sharing in (SharedChecks(), None):
        made: list[int] = []

        def check(made: list[int] = made) -> int:
            made.append(1)
            return len(made)

        with ThreadPoolExecutor(1) as executor:
            peers = [Script((compute(check, shared=b"one", small=small),)) for _ in range(3)]
            for peer in peers:
                await run(Driver(peer, executor=executor, shared=sharing))
        found = [peer.results() for peer in peers]
        assert found == ([[1], [1], [1]] if sharing else [[1], [2], [3]])


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("sharing", [False, True])
async def test_a_proof_that_does_not_hold_is_an_answer(small: bool, sharing: bool) -> None:
    def false() -> object:
        message = "it does not hold"
        raise ProofError(message)

    with ThreadPoolExecutor(1) as executor:
        peer = Script((compute(false, shared=b"one", small=small),))
        await run(Driver(peer, executor=executor, shared=SharedChecks() if sharing else None))
    (answer,) = peer.results()
    assert isinstance(answer, ProofError)


@pytest.mark.parametrize("small", [False, True])
async def test_a_bug_in_work_ends_the_driver(small: bool) -> None:
    def bug() -> object:
        message = "ours"
        raise ZeroDivisionError(message)

    with ThreadPoolExecutor(1) as executor:
        peer = Script((compute(bug, small=small),), ())
        with pytest.raises(ZeroDivisionError):
            await run(Driver(peer, executor=executor))


async def test_what_is_to_be_kept_is_on_the_disk_before_anything_is_published(
    tmp_path: Path,
) -> None:
    with Journal.open(tmp_path / "j") as journal:
        kept: list[list[bytes]] = []

        class Watching(Wire):
            def publish(self, data: bytes) -> None:
                super().publish(data)
                kept.append(list(journal.entries()))
                assert journal.is_synced

        effects = (
            events.Publish(data=b"first"),
            events.KeepSecret(round_index=3, data=b"secret"),
            events.Persist(entries=(b"a", b"b")),
            events.Publish(data=b"second"),
            *STOP,
        )
        driver = Driver(Script(effects), executor=NoWorkers(), journal=journal)
        wire = Watching()
        driver.attach(wire)
        await driver.run()
        assert wire.said == [b"first", b"second"]
        assert kept == [[b"a", b"b"]] * 2
        assert journal.read_secret("round-3") == b"secret"


async def test_a_tick_comes_at_the_earliest_time_that_was_asked_for() -> None:
    peer = Script((events.Wake(at_ms=1 << 40),), (events.Wake(at_ms=0), events.Wake(at_ms=1 << 41)))
    driver = Driver(peer, executor=NoWorkers())
    driver.receive(b"something")
    await run(driver)
    assert [type(event) for event in peer.heard] == [events.Started, events.Received, events.Tick]


async def test_a_refused_wish_is_told_to_the_player_alone_and_the_table_goes_on() -> None:
    class Refusing(Script):
        def handle(self, event: events.Event, *, now_ms: int) -> tuple[events.Effect, ...]:
            if isinstance(event, events.Asked):
                message = "not your turn"
                raise IllegalMoveError(message)
            return super().handle(event, now_ms=now_ms)

    driver = Driver(Refusing((), ()), executor=NoWorkers())
    wire = Wire()
    driver.attach(wire)
    running = asyncio.create_task(driver.run())
    with pytest.raises(IllegalMoveError):
        await driver.submit(Begin())
    assert not running.done()
    driver.receive(b"something")
    await asyncio.sleep(0.01)
    assert not running.done()
    driver.leave()
    assert (await running).exit_code == 0


async def test_a_wish_is_done_once_what_came_of_it_is_kept_and_said(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal:
        said = (events.Persist(entries=(b"move",)), events.Publish(data=b"move"))
        driver = Driver(Script((), said), executor=NoWorkers(), journal=journal)
        wire = Wire()
        driver.attach(wire)
        running = asyncio.create_task(driver.run())
        await driver.submit(Begin())
        assert wire.said == [b"move"]
        assert list(journal.entries()) == [b"move"]
        driver.leave()
        await running
        await driver.submit(Begin())  # nobody is there any more: it returns


async def test_a_disk_that_fails_ends_the_driver_before_anything_is_said_and_whoever_waits_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(tmp_path / "j") as journal:
        said = (events.Persist(entries=(b"move",)), events.Publish(data=b"move"))
        commits = Commits()
        driver = Driver(Script((), said), executor=NoWorkers(), journal=journal, commits=commits)
        wire = Wire()
        driver.attach(wire)
        running = asyncio.create_task(driver.run())
        await asyncio.sleep(0)

        def fsync(_descriptor: int) -> None:
            raise OSError(errno.EIO, "broken")

        monkeypatch.setattr(os, "fsync", fsync)
        with pytest.raises(JournalError):
            await driver.submit(Begin())
        with pytest.raises(JournalError):
            await running
        assert wire.said == []
        commits.close()


async def test_what_comes_in_while_the_disk_is_waited_for_is_handled_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(tmp_path / "j") as journal:
        released = threading.Event()
        monkeypatch.setattr(os, "fsync", lambda _descriptor: released.wait(20))
        commits = Commits()
        peer = Script((events.Persist(entries=(b"first",)), events.Publish(data=b"first")))
        driver = Driver(peer, executor=NoWorkers(), journal=journal, commits=commits)
        wire = Wire()
        driver.attach(wire)
        running = asyncio.create_task(driver.run())
        await asyncio.sleep(0.01)
        driver.receive(b"something")
        await asyncio.sleep(0.01)
        assert driver.busy
        assert len(peer.heard) == 1
        assert wire.said == []
        released.set()
        await running
        assert wire.said == [b"first"]
        assert [type(event) for event in peer.heard] == [events.Started, events.Received]
        assert not driver.busy
        commits.close()


async def test_a_bug_in_the_peer_ends_the_driver_with_it() -> None:
    class Broken(Script):
        def handle(self, event: events.Event, *, now_ms: int) -> tuple[events.Effect, ...]:
            if isinstance(event, events.Received):
                raise ZeroDivisionError
            return super().handle(event, now_ms=now_ms)

    driver = Driver(Broken(()), executor=NoWorkers())
    driver.receive(b"something")
    with pytest.raises(ZeroDivisionError):
        await run(driver)
