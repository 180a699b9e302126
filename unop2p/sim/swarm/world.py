"""The world of one seed: its tables, one clock, one queue of all that is to happen.

Two phases, as TigerBeetle's simulator has them: first everything may fail and nothing wrong may
happen; then all is healed, and everything has to go on.
"""

import hashlib
import heapq
import random
from collections import Counter
from collections.abc import Callable

from unop2p.peer import events
from unop2p.sim.ring import SEALING_KEY
from unop2p.sim.swarm.faults import Fault
from unop2p.sim.swarm.judge import Violation
from unop2p.sim.swarm.plan import Plan
from unop2p.sim.swarm.table import Make, Table, digest_of
from unop2p.wire.sealing import Sealer

LIVE_MS = 400_000
"""So long after the healing every table must have gone on."""
LOST_MS = 120_000
LOST_STEPS = 150
"""Who is not where it should be after so long, while the table has gone so far, will not come."""
KEPT = 64
"""Envelopes that are kept, for strangers to send again."""
EVENTS_MAX = 2_000_000
"""A seed that takes more events has a peer that never rests."""


class World:
    """Everything there is in one run."""

    def __init__(self, plan: Plan, make: Make | None = None) -> None:
        """Set all up; nothing has happened."""
        self.plan = plan
        self.now_ms = 0
        self.healed = False
        self.healed_ms = 0
        self.counts: Counter[str] = Counter()
        """How often each kind of fault has acted."""
        self.began: Counter[str] = Counter()
        """How many faults of each kind have begun."""
        self.told: Counter[str] = Counter()
        """How often players were told what."""
        self.messages = 0
        self.events = 0
        self.violations: list[Violation] = []
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        self._digest = hashlib.blake2b(digest_size=16)
        self._kept: list[list[bytes]] = [[] for _ in plan.tables]
        self._unsent: dict[tuple[int, int], int] = {}
        self.tables = [Table(self, number, setup, make) for number, setup in enumerate(plan.tables)]

    @property
    def digest(self) -> str:
        """The digest of every event that peers have taken: the same run has the same."""
        return self._digest.hexdigest()

    def at(self, wait_ms: int, call: Callable[[], None]) -> None:
        """Have something happen after a while."""
        self._order += 1
        heapq.heappush(self._queue, (self.now_ms + wait_ms, self._order, call))

    def trace(self, table: int, index: int, event: events.Event) -> None:
        """Take an event into the digest."""
        self.events += 1
        self._digest.update(b"%d %d %d " % (self.now_ms, table, index) + digest_of(event))

    # -- the broker ----------------------------------------------------------------------------

    def published(self, table: int, data: bytes) -> None:
        """Note an envelope."""
        self.messages += 1
        kept = self._kept[table]
        if len(kept) < KEPT:
            kept.append(data)
        else:
            kept[self.messages % KEPT] = data

    def deliver(self, at_ms: int, table: int, sender: int, receiver: int, data: bytes) -> None:
        """Bring a message to a peer at a time, unless its sender takes it along when it is killed."""
        order = self._order + 1
        event = events.Received(data=data)

        def arrive() -> None:
            if order > self._unsent.get((table, sender), 0):
                self.tables[table].take(receiver, event)

        self.at(at_ms - self.now_ms, arrive)

    def forget(self, table: int, sender: int) -> None:
        """Lose what a peer has sent and nobody has got yet."""
        self._unsent[table, sender] = self._order

    def outage(self, fault: Fault) -> None:
        """Take the broker down, for all tables: what is on its way is lost."""
        for table in self.tables:
            for sender in range(len(table.places)):
                self.forget(table.number, sender)
            table.weather.begin(fault)
            self.at(fault.for_ms, lambda table=table: table.weather.end(fault))  # type: ignore[misc]

    def junk(self, table: int, rng: random.Random) -> tuple[bytes, bool]:
        """Return what a stranger sends, and whether a peer has to do nothing at all about it."""
        old = rng.choice(self._kept[table]) if self._kept[table] else b"x" * 300
        match rng.randrange(5):
            case 0:
                return rng.randbytes(rng.randrange(2_000)), True
            case 1:
                return old[: rng.randrange(len(old))], True
            case 2:
                spot = rng.randrange(len(old))
                return old[:spot] + bytes([old[spot] ^ (1 << rng.randrange(8))]) + old[
                    spot + 1 :
                ], True
            case 3:
                other = Sealer(hashlib.sha256(SEALING_KEY).digest())
                return other.seal(rng.randbytes(rng.randrange(97, 1_000)), rng.randbytes(24)), True
            case _:
                return old, False  # heard before, or not

    # -- running -------------------------------------------------------------------------------

    def run(self) -> None:
        """Play the safety phase, heal, and play the liveness phase; then look at what there is."""
        for table in self.tables:
            table.begin()
        self._play(self.plan.safety_ms, self._far_enough)
        self._heal()
        self._play(self.now_ms + LIVE_MS, self._well_or_lost)
        for table in self.tables:
            table.judge.at_the_end()

    def _play(self, until_ms: int, done: Callable[[], bool]) -> None:
        looked = -1
        while self._queue and not self.violations and self.events < EVENTS_MAX:
            if self.now_ms > until_ms or done():
                return
            self.now_ms, _, call = heapq.heappop(self._queue)
            call()
            if not self.healed and self.events != looked:
                looked = self.events
                for table in self.tables:
                    if table.waiting:
                        table.begin_faults()

    def _far_enough(self) -> bool:
        return all(
            table.top() >= self.plan.steps or table.judge.all_ended() for table in self.tables
        )

    def _heal(self) -> None:
        self.healed = True
        self.healed_ms = self.now_ms
        for table in self.tables:
            table.weather.clear()
            table.waiting = []
            table.judge.healed(self.plan.more)
            table.thaw_all()

    def _well(self) -> bool:
        return all(table.judge.is_well() for table in self.tables)

    def _well_or_lost(self) -> bool:
        """Say whether there is nothing more to wait for: all is well, or some are far behind."""
        lost = self.now_ms - self.healed_ms > LOST_MS and any(
            table.top() > table.judge.goal + LOST_STEPS for table in self.tables
        )
        return lost or self._well()

    def found(self, violation: Violation) -> None:
        """Note what must not be."""
        self.violations.append(violation)
