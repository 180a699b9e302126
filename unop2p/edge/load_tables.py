"""Many tables of bots in one process, and what became of what they said: for `unop2p load`."""

import asyncio
import hashlib
import os
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.bots.base import Bot
from unop2p.bots.pace import Pace
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.commit import Commits
from unop2p.edge.driver import SharedChecks
from unop2p.edge.histogram import Histogram
from unop2p.edge.link_state import LinkState
from unop2p.edge.meter import Meter, Work
from unop2p.edge.processes import rss_bytes
from unop2p.edge.seat import SeatRunner, SeatSetup
from unop2p.errors import Unop2pError
from unop2p.peer.events import Settled
from unop2p.peer.lobby import Role
from unop2p.table.genesis import Offer
from unop2p.table.phases import Phase
from unop2p.wire.ticket import TableSecrets

NAMES: Final = ("ada", "ben", "cleo", "dan", "eva", "fay", "gus", "hal", "ivy", "jon")
KEY_BYTES: Final = 32
DIGEST_BYTES: Final = 12
STALLED_S: Final = 10.0
"""A table without a step for so long at the end is told as one that stands still."""
SETTLE_S: Final = 3.0
"""After the end what is still on its way may take so long before it counts as lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadPlan:
    """What one process plays."""

    tables: int
    urls: tuple[tuple[BrokerURL, ...], ...]
    """By seat, in turn: the brokers that it uses."""
    offer: Callable[[], Offer]
    bot: Callable[[], Bot]
    pace: Pace
    shared: bool
    """Whether the peers of a table check each proof once for all of them."""
    journals: Path | None
    """A folder for their journals, synced as ever; None: they keep none."""


@dataclass(slots=True)
class Post:
    """How many seats each message of a table has come to."""

    seats: int
    counting: bool = False
    published: int = 0
    heard: dict[bytes, int] = field(default_factory=dict)
    """By digest, until all have it."""

    def sent(self, data: bytes) -> None:
        """Note a message that somebody says."""
        digest = _digest(data)
        if self.counting and digest not in self.heard:
            self.heard[digest] = 0
            self.published += 1

    def came(self, data: bytes) -> None:
        """Note a message that somebody hears."""
        digest = _digest(data)
        count = self.heard.get(digest)
        if count is None:
            return
        if count + 1 == self.seats:
            del self.heard[digest]
        else:
            self.heard[digest] = count + 1

    def lost(self) -> int:
        """Return how many times a message did not come to a seat."""
        return sum(self.seats - count for count in self.heard.values())


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


class _Tapped:
    """A transport that is looked at."""

    def __init__(self, runner: SeatRunner, post: Post) -> None:
        self._publish, self._post = runner.transport.publish, post

    def publish(self, data: bytes) -> None:
        """Send, and note it."""
        self._post.sent(data)
        self._publish(data)


@dataclass(slots=True)
class LoadTable:
    """One table; where its match ends, another begins in its place."""

    number: int
    plan: LoadPlan
    meter: Meter
    executor: Executor
    commits: Commits
    post: Post = field(init=False)
    runners: list[SeatRunner] = field(default_factory=list)
    steps: int = 0
    last_s: float = 0.0
    """When the first seat has settled a step the last time."""
    gap_s: float = 0.0
    """The longest time between two of them, while it is counted."""
    step_s: Histogram = field(default_factory=Histogram)
    deal_s: Histogram = field(default_factory=Histogram)
    """From the end of a round to the first turn of the next."""
    counting_s: float = 0.0
    began: bool = False
    """Whether a first round was dealt."""
    failure: str = ""
    trouble: str = ""
    """Why a seat could not reach the broker the last time that it could not."""
    _dealing_s: float | None = None

    def __post_init__(self) -> None:
        """Make its post."""
        self.post = Post(seats=self._seats())

    def _seats(self) -> int:
        return self.plan.offer().seats_wanted

    async def run(self) -> None:
        """Play until cancelled."""
        try:
            while True:
                await self._match()
        except Unop2pError as error:
            self.failure = error.sentence()

    async def _match(self) -> None:
        offer = self.plan.offer()
        table = TableSecrets(secrets.token_bytes(KEY_BYTES), f"unop2p/v1/{secrets.token_hex(16)}")
        shared = SharedChecks() if self.plan.shared else None
        mark = secrets.token_hex(8)
        self.runners = []
        for seat in range(self._seats()):
            urls = self.plan.urls[(self.number + seat) % len(self.plan.urls)]
            folder = self.plan.journals
            runner = SeatRunner(
                SeatSetup(
                    key=Ed25519PrivateKey.generate(),
                    name=NAMES[seat],
                    role=Role.JOINER if seat else Role.OPENER,
                    url=urls[0],
                    more_urls=urls[1:],
                    table=table,
                    executor=self.executor,
                    bot=self.plan.bot(),
                    terms=None if seat else offer,
                    pace=self.plan.pace,
                    shared=shared,
                    commits=self.commits,
                    journal_path=folder / f"{mark}-{seat}.journal" if folder else None,
                    meter=self.meter,
                    tap=self.post.came,
                ),
                on_state=self._linked,
            )
            runner.driver.attach(_Tapped(runner, self.post))
            self.runners.append(runner)
        self.runners[0].driver.on_settled = self._settled
        seats = [asyncio.create_task(runner.run()) for runner in self.runners]
        try:
            for seat_task in asyncio.as_completed(seats):
                stop = await seat_task
                if stop.exit_code:
                    self.failure = str(stop.reason)
        finally:
            for task in seats:
                task.cancel()
            await asyncio.gather(*seats, return_exceptions=True)
            for runner in self.runners:
                runner.forget_journal()

    def _linked(self, state: LinkState) -> None:
        self.trouble = state.reason or self.trouble

    def _settled(self, _: Settled) -> None:
        now_s = time.monotonic()
        if self.last_s:
            self.step_s.add(now_s - self.last_s)
            self.gap_s = max(self.gap_s, now_s - self.last_s)
        self.steps += 1
        self.last_s = now_s
        chain = self.runners[0].driver.peer.chain
        assert chain is not None
        phase = chain.state.plan.phase
        if phase is Phase.COMMIT:
            self._dealing_s = now_s
        elif phase is Phase.TURN:
            self.began = True
            if self._dealing_s is not None:
                self.deal_s.add(now_s - self._dealing_s)
                self._dealing_s = None

    def begin_count(self) -> None:
        """Count from now on."""
        self.steps, self.gap_s, self.counting_s = 0, 0.0, time.monotonic()
        self.step_s, self.deal_s = Histogram(), Histogram()
        self.post.counting, self.post.published = True, 0
        self.post.heard.clear()

    def end_count(self, now_s: float) -> None:
        """Count no more: what is said from now on was not said."""
        self.gap_s = max(self.gap_s, now_s - max(self.last_s, self.counting_s))
        self.post.counting = False


class LoadTables:
    """The tables of one process."""

    def __init__(self, plan: LoadPlan, executor: Executor) -> None:
        """Take what is to be played, and who does heavy work."""
        self.meter = Meter()
        self._commits = Commits()
        self.tables = [
            LoadTable(number, plan, self.meter, executor, self._commits)
            for number in range(plan.tables)
        ]
        self._tasks: list[asyncio.Task[None]] = []
        self._before: dict[str, float] = {}

    @property
    def began(self) -> int:
        """How many tables have begun."""
        return sum(table.began for table in self.tables)

    def failure(self) -> str:
        """Return why a table could not go on, or has not begun; empty where none says why."""
        ended = (table.failure for table in self.tables)
        waiting = (table.trouble for table in self.tables if not table.began)
        return next((why for why in (*ended, *waiting) if why), "")

    async def open(self, every_s: float) -> None:
        """Open one table after another."""
        for table in self.tables:
            self._tasks.append(asyncio.create_task(table.run()))
            await asyncio.sleep(every_s)

    def begin_count(self) -> None:
        """Count from now on."""
        for table in self.tables:
            table.begin_count()
        self._before = self._sums()
        self.meter.step_s = Histogram()
        self._trips = self.meter.links().round_trip_s

    def _sums(self) -> dict[str, float]:
        links, repairs = self.meter.links(), self.meter.repairs()
        used = os.times()
        sums = {
            "sent": links.sent_count,
            "sent_bytes": links.sent_bytes,
            "received": links.received_count,
            "resent": links.resent_count,
            "dropped": links.dropped_count,
            "reconnects": links.reconnected_count,
            "asked": repairs.asked,
            "mended": repairs.mended,
            "cpu_s": used.user + used.system,
        }
        for kind in ("check", "make", "prepare"):
            work = self.meter.work.get(kind, Work())
            sums[f"{kind}s"], sums[f"{kind}_cpu_s"] = work.count, work.cpu_s
        return sums

    async def end_count(self) -> dict[str, object]:
        """Return what was counted; what is still on its way is waited for."""
        now_s = time.monotonic()
        after = self._sums()
        trips = self.meter.links().round_trip_s
        trips.merge([-count for count in self._trips.counts], -self._trips.sum_s)
        steps, deals = Histogram(), Histogram()
        for table in self.tables:
            table.end_count(now_s)
            steps.merge(table.step_s.counts, table.step_s.sum_s)
            deals.merge(table.deal_s.counts, table.deal_s.sum_s)
        found: dict[str, object] = {key: after[key] - self._before[key] for key in after}
        found |= {
            "tables": self.began,
            "steps": sum(table.steps for table in self.tables),
            "stalled": sum(now_s - table.last_s > STALLED_S for table in self.tables),
            "longest_gap_s": max((table.gap_s for table in self.tables), default=0.0),
            "published": sum(table.post.published for table in self.tables),
            "rss_bytes": rss_bytes() or 0,
            "step_s": asdict(steps),
            "deal_s": asdict(deals),
            "round_trip_s": asdict(trips),
        }
        deadline = now_s + SETTLE_S
        while time.monotonic() < deadline and any(table.post.heard for table in self.tables):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        found["lost"] = sum(table.post.lost() for table in self.tables)
        return found

    async def close(self) -> None:
        """End all tables."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._commits.close()
