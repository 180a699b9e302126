"""The driver: brings the world to `Peer.handle`, and its effects to the world, in order.

One inbox for each peer. Events that wait together are handled together, and what they persist is
synced once before anything of it is published. Heavy work runs in worker threads; what takes no longer
than a change of threads is done on the spot.
"""

import asyncio
import contextlib
import random
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.pace import FAST, Pace
from unop2p.deal.group import is_real
from unop2p.deal.keys import SECRET_BYTES
from unop2p.edge.commit import Commits
from unop2p.edge.errors import JournalError, ToyGroupError
from unop2p.edge.journal import Journal
from unop2p.edge.meter import Meter
from unop2p.edge.record_file import RecordFile
from unop2p.edge.thinker import Thinker
from unop2p.errors import LocalError, RemoteError
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.rules.due import ReactionDue
from unop2p.table.commands import Command
from unop2p.table.notices import Notice, TableBegan
from unop2p.table.view import TableView
from unop2p.wire.reading import Reader
from unop2p.words import said

NOTICES_MAX = 2_000
"""Unread notices; a screen that is that far behind loses the oldest."""
SHARED_MAX = 4_096
TURN_MAX = 64
"""Events handled in one turn of the event loop."""
SENT_MAX = 256
"""Envelopes of ours whose echo is awaited; a transport has ten on their way."""


class Transport(Protocol):
    """What a driver needs of a network."""

    def publish(self, data: bytes) -> None:
        """Send to everybody, soon, and again until it was seen to come back."""
        ...


class SharedChecks:
    """What the peers of one process check once for all of them.

    Proofs, by digest of the whole statement: its bytes name the chain before it, so its digest fixes
    all that its proofs depend on. Envelopes and signatures, by the whole bytes (`wire.reading`).
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._answers: OrderedDict[bytes, Future[object]] = OrderedDict()
        self._readers: dict[bytes, Reader] = {}

    def reader(self, sealing_key: bytes) -> Reader:
        """Return the one reader of a table, by its sealing key."""
        return self._readers.setdefault(sealing_key, Reader(sealing_key, shared=True))

    def submit(
        self, executor: Executor, key: bytes, work: Callable[[], object]
    ) -> "Future[object]":
        """Return the answer to a check, made once for all peers."""
        held = self._answers.get(key)
        if held is None:
            held = self._hold(key, executor.submit(_run, work))
        return held

    def answer(self, key: bytes, work: Callable[[], object]) -> "Future[object]":
        """Return the answer to a small check: made now, or the one that is held or being made."""
        held = self._answers.get(key)
        if held is None:
            held = Future()
            held.set_result(_run(work))
            self._hold(key, held)
        return held

    def _hold(self, key: bytes, answer: "Future[object]") -> "Future[object]":
        self._answers[key] = answer
        if len(self._answers) > SHARED_MAX:
            self._answers.popitem(last=False)
        return answer


def _run(work: Callable[[], object]) -> object:
    """Run work; a proof that does not hold is an answer, anything else is our own bug."""
    try:
        return work()
    except RemoteError as error:
        return error


Kept = Callable[[Exception | None], None]
"""Told when the disk has what was written, or why not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What our own player wants, and who waits until it is done."""

    event: events.Asked
    done: "asyncio.Future[None]"


@dataclass(slots=True)
class Statistics:
    """What a peer did, for `match --json`."""

    published: int = 0
    published_bytes: int = 0


class Driver:
    """Runs one peer."""

    def __init__(
        self,
        peer: Peer,
        *,
        executor: Executor,
        journal: Journal | None = None,
        record: RecordFile | None = None,
        bot: Bot | None = None,
        rng: Randomness | None = None,
        shared: SharedChecks | None = None,
        commits: Commits | None = None,
        pace: Pace | None = None,
    ) -> None:
        """Set up a driver; `attach` gives it a transport before `run`.

        Args:
            peer: what to drive.
            executor: worker threads for proofs.
            journal: None for spectators.
            record: where the public history goes.
            bot: who plays, where it is a program.
            rng: the bot's chance.
            shared: results shared among the peers of this process, or None.
            commits: syncs the journals of this process.
            pace: how long the bot seems to think.

        Raises:
            ToyGroupError: the group is a toy: no table with others is played in it.
        """
        if not is_real():
            raise ToyGroupError
        self.peer = peer
        self.notices: asyncio.Queue[Notice] = asyncio.Queue()
        self.statistics = Statistics()
        self.stop: events.Stop | None = None
        self.began = asyncio.Event()
        self.busy = False
        """While the disk is waited for the view is ahead of what the player was told."""
        self.on_settled: Callable[[events.Settled], None] | None = None
        """Told of each step that settles; of those that the journal brings back it is not."""
        self._old_steps = 0
        self.meter: Meter | None = None
        self._executor = executor
        self._journal = journal
        self._record = record
        self.thinker = Thinker(bot, rng or random.SystemRandom(), pace or FAST) if bot else None
        self._shared = shared
        self._commits = commits or Commits()
        self._own_commits = commits is None
        self._transport: Transport | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Future[None] | None = None
        """While it runs: the end, or the failure that has brought it."""
        self._inbox: deque[events.Event | _Wish] = deque()
        self._planned = False
        """Whether a turn is to come."""
        self._round_over = False
        """Whether the journal is to be made small."""
        self._wishes: set[asyncio.Future[None]] = set()
        """Those of our player that somebody waits for."""
        self._keeping: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = 0
        self._sent: dict[bytes, bool] = {}

    # -- for whoever plays ---------------------------------------------------------------------

    def snapshot(self) -> TableView:
        """Return what the player may see now."""
        return self.peer.view()

    async def submit(self, command: Command) -> None:
        """Do what the player wants; return when it is done and kept.

        Raises:
            LocalError: it is not allowed; nothing was signed.
            EdgeError: the disk failed.
        """
        if self._over is not None and self._over.done():
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wishes.add(done)
        try:
            self._put(_Wish(event=events.Asked(command=command), done=done))
            await done
        finally:
            self._wishes.discard(done)

    def leave(self) -> None:
        """Stop here: the table waits, and the journal knows how to go on."""
        self.stop = events.Stop(reason="", exit_code=0)
        if not self.busy:
            self._finish()

    # -- the world -----------------------------------------------------------------------------

    def attach(self, transport: Transport) -> None:
        """Give the driver its network."""
        self._transport = transport

    def receive(self, data: bytes) -> bool:
        """Take bytes from the network, in the event loop; False: they are junk, and fill no queue."""
        if self._sent.pop(data, False):
            return True  # our own echo says nothing new
        event = self.peer.sift(data, now_ms=time.monotonic_ns() // 1_000_000)
        if event is not None:
            self._put(event)
        return event is not None

    async def run(self) -> events.Stop:
        """Run until the peer has nothing more to do.

        Raises:
            EdgeError: the disk failed; nothing was said that is not kept.
        """
        self._loop = asyncio.get_running_loop()
        over = self._over = self._loop.create_future()
        try:
            effects = list(self._begin())
            self._old_steps = sum(isinstance(effect, events.Settled) for effect in effects)
            self._carry_out(effects, [])
            self._plan()
            await over
        finally:
            over.cancel()
            if self._keeping is not None:
                self._keeping.cancel()
            if self._timer is not None:
                self._timer.cancel()
            self._end_wishes(over)
            if self._own_commits:
                self._commits.close()
            if self._record is not None:
                self._record.close()
        assert self.stop is not None
        return self.stop

    def _begin(self) -> tuple[events.Effect, ...]:
        """Feed the journal through the peer.

        Raises:
            JournalError: it holds what this peer cannot have written.
        """
        try:
            return self._handle(self._started())
        except RemoteError as error:
            where = self._journal.path if self._journal is not None else "memory"
            message = said("{where}: it cannot be read back.", where=where)
            raise JournalError(message) from error

    def _started(self) -> events.Started:
        if self._journal is None:
            return events.Started()
        secrets: dict[int, bytes] = {}
        for name in self._journal.secret_names():
            data = self._journal.read_secret(name)
            number = name.removeprefix("round-")
            if number.isdecimal() and data is not None and len(data) == SECRET_BYTES:
                secrets[int(number)] = data
        return events.Started(entries=tuple(self._journal.entries()), secrets=secrets)

    def _handle(self, event: events.Event) -> tuple[events.Effect, ...]:
        return self.peer.handle(event, now_ms=time.monotonic_ns() // 1_000_000)

    # -- turns ---------------------------------------------------------------------------------

    def _put(self, event: "events.Event | _Wish") -> None:
        self._inbox.append(event)
        self._plan()

    def _plan(self) -> None:
        """See to it that what waits is handled soon, unless the disk is waited for."""
        if self._planned or self.busy or self._loop is None:
            return
        if self._inbox and self._over is not None and not self._over.done():
            self._planned = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        """Handle what waits, and what comes of it, as far as that is a fair turn."""
        self._planned = False
        left = TURN_MAX
        while left > 0 and self._inbox and not self.busy and self._runs():
            effects: list[events.Effect] = []
            wishes: list[asyncio.Future[None]] = []
            try:
                while left > 0 and self._inbox:
                    left -= 1
                    self._take(self._inbox.popleft(), effects, wishes)
                self._carry_out(effects, wishes)
            except Exception as error:  # noqa: BLE001  # it is raised by `run`
                self._finish(error)
        self._plan()

    def _runs(self) -> bool:
        return self._over is not None and not self._over.done()

    def _take(
        self,
        event: "events.Event | _Wish",
        effects: list[events.Effect],
        wishes: list["asyncio.Future[None]"],
    ) -> None:
        """Handle an event, or our player's wish: a refusal is the player's alone."""
        if not isinstance(event, _Wish):
            effects += self._handle(event)
            return
        try:
            effects += self._handle(event.event)
        except LocalError as error:
            if not event.done.done():
                event.done.set_exception(error)
        else:
            wishes.append(event.done)

    def _carry_out(
        self, effects: list[events.Effect], wishes: list["asyncio.Future[None]"]
    ) -> None:
        """Do effects in order; all that is to be kept is synced first, in one go."""
        journal = self._journal
        entries: list[bytes] = []
        secrets: list[events.KeepSecret] = []
        if journal is not None:
            for effect in effects:
                if isinstance(effect, events.Persist):
                    entries += effect.entries
                elif isinstance(effect, events.KeepSecret):
                    secrets.append(effect)
        if journal is None or not (entries or secrets):
            self._do_all(effects, wishes)
            return
        kept = partial(self._kept, effects, wishes)
        self.busy = True
        if secrets:
            self._keeping = asyncio.create_task(self._keep(journal, secrets, entries, kept))
        else:
            self._write(journal, entries, kept)

    def _write(self, journal: Journal, entries: list[bytes], kept: Kept) -> None:
        """Write what is to be kept; go on when the disk has it."""
        try:
            journal.write(entries)
        except Exception:
            self.busy = False
            raise
        self._commits.begin(journal, kept)

    async def _keep(
        self,
        journal: Journal,
        secrets: list[events.KeepSecret],
        entries: list[bytes],
        kept: Kept,
    ) -> None:
        """Keep the secrets of a round, then what rests on them."""
        loop = asyncio.get_running_loop()
        try:
            for effect in secrets:
                name = f"round-{effect.round_index}"
                await loop.run_in_executor(None, journal.write_secret, name, effect.data)
            if entries:
                self._write(journal, entries, kept)
                return
        except Exception as error:  # noqa: BLE001  # it is raised by `run`
            kept(error)
            return
        kept(None)

    def _kept(
        self,
        effects: list[events.Effect],
        wishes: list["asyncio.Future[None]"],
        failure: Exception | None,
    ) -> None:
        """Go on after the disk, or end where it has failed."""
        self.busy = False
        if not self._runs():
            return
        if failure is not None:
            self._finish(failure)
            return
        try:
            self._do_all(effects, wishes)
        except Exception as error:  # noqa: BLE001  # it is raised by `run`
            self._finish(error)
        self._plan()

    def _do_all(self, effects: list[events.Effect], wishes: list["asyncio.Future[None]"]) -> None:
        for effect in effects:
            self._do(effect)
        for done in wishes:
            if not done.done():
                done.set_result(None)
        if self.stop is not None:
            self._finish()
        elif self._round_over and self._journal is not None:
            self._round_over, self.busy = False, True
            self._commits.begin_compacting(self._journal, partial(self._kept, [], []))

    def _finish(self, failure: Exception | None = None) -> None:
        """Bring `run` to its end."""
        if self._over is None or self._over.done():
            return
        if failure is not None:
            self._over.set_exception(failure)
        else:
            self._over.set_result(None)

    def _end_wishes(self, over: "asyncio.Future[None]") -> None:
        """Let nobody wait for what will not be done any more."""
        failure = None if over.cancelled() else over.exception()
        for done in self._wishes:
            if done.done():
                continue
            if failure is not None:
                done.set_exception(failure)
            else:
                done.set_result(None)

    def _do(self, effect: events.Effect) -> None:  # one case for each kind
        match effect:
            case events.Wake(at_ms=at_ms):
                self._wake(at_ms)
            case events.Notify(notice=notice):
                if isinstance(notice, TableBegan):
                    self.began.set()
                if self.notices.qsize() >= NOTICES_MAX:
                    self.notices.get_nowait()
                self.notices.put_nowait(notice)
            case events.Publish(data=data):
                self._publish(data)
            case events.Persist() | events.KeepSecret():
                pass
            case events.Begun() | events.Settled() | events.Proved() | events.Forked():
                self._note(effect)
            case events.Compute():
                self._compute(effect)
            case events.AskPlayer(step=step):
                self._ask(step)
            case events.DropSecret(round_index=index):
                self._round_over = True
                if self._journal is not None:
                    self._journal.delete_secret(f"round-{index}")
            case events.Stop():
                self.stop = effect

    def _note(self, effect: events.Recorded) -> None:
        """Write the public history on, and tell who waits for it."""
        if self._record is not None:
            self._record.note(effect)
        if isinstance(effect, events.Begun):
            self.began.set()
        elif isinstance(effect, events.Settled) and self._old_steps:
            self._old_steps -= 1
        elif isinstance(effect, events.Settled) and self.on_settled is not None:
            self.on_settled(effect)

    def _publish(self, data: bytes) -> None:
        assert self._transport is not None
        self.statistics.published += 1
        self.statistics.published_bytes += len(data)
        self._sent[data] = True
        if len(self._sent) > SENT_MAX:
            self._sent.pop(next(iter(self._sent)))
        self._transport.publish(data)

    def _wake(self, at_ms: int) -> None:
        """See to it that there is a tick at this time at the latest; one too early does no harm."""
        if self._timer is not None:
            if self._timer_ms <= at_ms:
                return
            self._timer.cancel()
        self._timer_ms = at_ms
        delay = max(0.0, at_ms / 1000 - time.monotonic())
        self._timer = asyncio.get_running_loop().call_later(delay, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._put(events.Tick())

    def _compute(self, effect: events.Compute) -> None:
        loop = asyncio.get_running_loop()
        shared = self._shared if effect.shared is not None else None
        work = self.meter.measured(effect.job[0], effect.work) if self.meter else effect.work
        if shared is not None and effect.shared is not None:
            future = (
                shared.answer(effect.shared, work)
                if effect.small
                else shared.submit(self._executor, effect.shared, work)
            )
            if future.done():
                self._computed(effect.job, future)
                return
        elif effect.small:
            self._put(events.Computed(job=effect.job, result=_run(work)))
            return
        else:
            future = self._executor.submit(_run, work)

        def done(finished: "Future[object]") -> None:
            # A loop that is closed has nobody left who waits for the answer.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._computed, effect.job, finished)

        future.add_done_callback(done)

    def _computed(self, job: tuple[str, int, int], future: "Future[object]") -> None:
        if future.cancelled():
            return
        failure = future.exception()
        if failure is None:
            self._put(events.Computed(job=job, result=future.result()))
        elif isinstance(failure, Exception):
            self._finish(failure)  # our own bug: the peer would wait for ever, and say nothing
        else:
            raise failure

    def _ask(self, step: int) -> None:
        """Let the bot choose, and say so after as long as it seems to think."""
        assert self.thinker is not None
        assert self.peer.chain is not None
        view, table = self.peer.view(), self.peer.chain.table
        reacting = view.player is None or isinstance(view.player.round.due, ReactionDue)
        window_ms = (
            table.reaction_ms if reacting and table.reaction_ms else table.offer.timers.turn_ms
        )
        self.thinker.ask(
            view.player,
            view.legal,
            lambda move: self._put(events.Decided(step=step, move=move)),
            loop=asyncio.get_running_loop(),
            most_ms=window_ms // 2,
        )
