"""One table of the world: real peers on machines that fail, and a network that does."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unop2p.errors import LocalError
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.sim.lab.trick import Trick
from unop2p.sim.ring import SEALING_KEY, Place, Ring, greedy
from unop2p.sim.swarm.faults import Fault, Kind
from unop2p.sim.swarm.judge import Judge
from unop2p.sim.swarm.machine import Machine
from unop2p.sim.swarm.plan import Setup
from unop2p.sim.swarm.weather import Weather
from unop2p.table.commands import LeaveTable
from unop2p.wire.reading import Reader

if TYPE_CHECKING:
    from unop2p.sim.swarm.world import World

CLOCK_MS_MAX = 10_000_000
"""Machines have been on for up to so long when a table begins, or after a restart."""
SOCKET_MS = 30_000
"""A stopped program's connection lasts so long; then what comes in is lost."""
START_MS = 400
"""Peers begin within so long of each other."""
Make = Callable[[int, int], type[Peer] | None]
"""Which class a peer has, by table and place: for peers with a fault that the checkers must find."""


@dataclass(slots=True)
class Waiting:
    """A fault that has not begun."""

    fault: Fault
    at_ms: int | None = None
    """When it begins, once its step has come."""


class Table(Ring):
    """A ring of which messages take time, and in which machines fail."""

    def __init__(self, world: "World", number: int, setup: Setup, make: Make | None) -> None:
        """Set up peers that have not begun."""
        from unop2p.sim.swarm import cheating  # noqa: PLC0415  # the zoo takes long to load

        self.world = world
        self.number = number
        self.setup = setup
        self.tricks: dict[int, Trick] = {}
        self.reader = Reader(SEALING_KEY, shared=True)
        seed = world.plan.seed * 1_000 + number
        self.chance = random.Random(f"machines {seed}")  # noqa: S311  # a simulation
        self.weather = Weather(seed=seed, latency_ms=world.plan.latency_ms, counts=world.counts)
        peers: dict[int, type[Peer]] = {}
        for index in range(setup.seats):
            own = make(number, index) if make is not None else None
            if own is not None:
                peers[index] = own
        for fault in world.plan.cheats(number):
            seat = fault.seats[0]
            self.tricks[seat], peers[seat] = cheating.make(fault.name, seat)
            network = self.tricks[seat].network(frozenset({seat}))
            if network is not None:
                self.weather.blocked.append(network.blocked)
        self.honest = tuple(index for index in range(setup.seats) if index not in self.tricks)
        """The places of those who do not cheat."""
        self.machines = [
            Machine(clock_ms=self.chance.randrange(CLOCK_MS_MAX)) for _ in range(setup.seats)
        ]
        self.waiting = [
            Waiting(fault)
            for fault in world.plan.faults
            if fault.table == number and fault.kind is not Kind.CHEAT
        ]
        super().__init__(
            setup.seats,
            setup.options(),
            seed=seed,
            player=greedy,
            argument=setup.argument,
            peers=peers,
            think_ms=setup.think_ms,
            resilience=setup.resilience,
            reader=self.reader,
        )
        self.judge = Judge(self)

    def begin(self) -> None:
        """Let every peer begin, within a moment."""
        for index in range(len(self.places)):
            self.world.at(self.chance.randrange(START_MS), self._switcher(index, 0))

    # -- machines ------------------------------------------------------------------------------

    def _switcher(self, index: int, life: int) -> Callable[[], None]:
        def switch_on() -> None:
            machine = self.machines[index]
            if not machine.up and machine.life == life and not machine.never:
                self.switch_on(index)

        return switch_on

    def switch_on(self, index: int) -> None:
        """Start a peer, from its journal if it has one."""
        machine, place = self.machines[index], self.places[index]
        machine.up = True
        if machine.life:
            place.peer = self._new_peer(index, place.key, machine.life)
            place.record = []
            place.notices = []
            machine.clock_ms = self.chance.randrange(CLOCK_MS_MAX)
            self.judge.restarted(index)
        self.take(index, events.Started(entries=tuple(place.entries), secrets=dict(place.secrets)))

    def kill(self, index: int, *, for_ms: int | None) -> None:
        """Kill a peer; start it again after a while, or (None) at the healing."""
        machine, place = self.machines[index], self.places[index]
        if not machine.up or place.stop is not None:
            return
        machine.up = machine.frozen = machine.disk_busy = False
        machine.rest = ()
        machine.inbox.clear()
        machine.life += 1
        machine.wake_ms = machine.crash_at = None
        place.crashes += 1
        if for_ms is not None:
            self.world.at(for_ms, self._switcher(index, machine.life))

    def freeze(self, index: int, for_ms: int) -> None:
        """Stop a peer for a while, as it is."""
        machine = self.machines[index]
        if not machine.runs:
            return
        machine.frozen = True
        life, since_ms = machine.life, self.world.now_ms

        def go_on() -> None:
            if machine.life != life or not machine.frozen:
                return
            machine.frozen = False
            if self.world.now_ms - since_ms > SOCKET_MS:
                kept = [e for e in machine.inbox if not isinstance(e, events.Received)]
                machine.inbox.clear()
                machine.inbox.extend(kept)
            self.take(index, events.Tick())
            self._go_on(index)

        self.world.at(for_ms, go_on)

    def thaw_all(self) -> None:
        """Let everybody go on who is stopped, and start everybody who is not there."""
        for index, machine in enumerate(self.machines):
            if machine.never:
                continue
            machine.crash_at = None
            if machine.frozen:
                machine.frozen = False
                self.take(index, events.Tick())
                self._go_on(index)
            if not machine.up and self.places[index].stop is None:
                self.switch_on(index)

    def local_ms(self, index: int) -> int:
        """Return what a machine's clock says."""
        return self.world.now_ms + self.machines[index].clock_ms

    # -- events and effects --------------------------------------------------------------------

    def take(self, index: int, event: events.Event) -> None:
        """Let a peer take an event, now or once its machine goes on."""
        machine, place = self.machines[index], self.places[index]
        if not machine.up or place.stop is not None:
            return
        if machine.frozen or machine.disk_busy:
            if not isinstance(event, events.Tick):
                machine.inbox.append(event)
            return
        self.now_ms = self.world.now_ms
        self.world.trace(self.number, index, event)
        effects = place.peer.handle(event, now_ms=self.local_ms(index))
        self.judge.handled(index, event, effects)
        self._do_all(index, effects)
        self.judge.looked(index)

    def _go_on(self, index: int) -> None:
        machine = self.machines[index]
        while machine.inbox and machine.runs and not machine.disk_busy:
            self.take(index, machine.inbox.popleft())

    def _do_all(self, index: int, effects: tuple[events.Effect, ...]) -> None:
        machine, place = self.machines[index], self.places[index]
        for number, effect in enumerate(effects):
            if machine.crash_at is not None and place.effects >= machine.crash_at:
                self._killed(index)
                return
            if isinstance(effect, events.Persist | events.KeepSecret):
                wait_ms = self._disk_ms(index)
                if wait_ms:
                    machine.disk_busy = True
                    machine.rest = effects[number:]
                    self.world.at(wait_ms, self._disk_done(index, machine.life))
                    return
            place.effects += 1
            self._carry_out(index, place, effect)

    def _disk_done(self, index: int, life: int) -> Callable[[], None]:
        def done() -> None:
            machine, place = self.machines[index], self.places[index]
            if machine.life != life or not machine.disk_busy:
                return
            first, *rest = machine.rest
            machine.rest = ()
            machine.disk_busy = False
            place.effects += 1
            self._carry_out(index, place, first)
            self._do_all(index, tuple(rest))
            self.judge.looked(index)
            self._go_on(index)

        return done

    def _killed(self, index: int) -> None:
        machine = self.machines[index]
        self.world.counts[Kind.CRASH] += 1
        for_ms = machine.crash_for_ms
        if machine.cut_sends:
            self.world.forget(self.number, index)
        self.kill(index, for_ms=for_ms)

    def _disk_ms(self, index: int) -> int:
        for fault, rng in self.weather.on:
            if fault.kind is Kind.SLOW_DISK and index in fault.seats:
                self.world.counts[Kind.SLOW_DISK] += 1
                return 1 + rng.randrange(fault.amount)
        return 0

    def _carry_out(self, index: int, place: Place, effect: events.Effect) -> None:
        self.judge.effect(index, effect)
        machine = self.machines[index]
        match effect:
            case events.Publish(data=data):
                self.world.published(self.number, data)
                self._send(index, data)
            case events.Compute():
                result = self._do(effect)
                done = events.Computed(job=effect.job, result=result)
                self._later(index, self._work_ms(index), done)
            case events.AskPlayer(step=step):
                chosen = events.Decided(step=step, move=self._decide(index))
                self._later(index, self.chance.randrange(self.setup.think_ms + 1), chosen)
            case events.Wake(at_ms=at_ms):
                self._wake(index, max(at_ms - machine.clock_ms, self.world.now_ms + 1))
            case _:
                super()._carry_out(index, place, effect)

    def _work_ms(self, index: int) -> int:
        wait_ms = self.chance.randrange(self.world.plan.work_ms + 1)
        for fault, _ in self.weather.on:
            if fault.kind is Kind.SLOW_WORK and index in fault.seats:
                self.world.counts[Kind.SLOW_WORK] += 1
                wait_ms += fault.amount
        return wait_ms

    def _later(self, index: int, wait_ms: int, event: events.Event) -> None:
        life = self.machines[index].life

        def arrive() -> None:
            if self.machines[index].life == life:
                self.take(index, event)

        self.world.at(wait_ms, arrive)

    def _wake(self, index: int, at_ms: int) -> None:
        machine = self.machines[index]
        if machine.wake_ms is not None and self.world.now_ms < machine.wake_ms <= at_ms:
            return
        machine.wake_ms = at_ms
        life = machine.life

        def tick() -> None:
            if machine.life == life and machine.wake_ms == at_ms:
                machine.wake_ms = None
                self.take(index, events.Tick())

        self.world.at(at_ms - self.world.now_ms, tick)

    def _send(self, sender: int, data: bytes) -> None:
        for trick in self.tricks.values():
            if trick.resilience <= self.setup.resilience:  # else it has no occasion
                trick.tap(self, sender, data)
        for receiver in range(len(self.places)):
            if receiver == sender:
                continue  # a peer drops its own words at once
            for at_ms in self.weather.arrivals(self.world.now_ms, sender, receiver, data):
                self.world.deliver(at_ms, self.number, sender, receiver, data)

    def deliver(self, receiver: int, data: bytes) -> None:
        """Put bytes into a peer's inbox, whoever they are from."""
        self.take(receiver, events.Received(data=data))

    # -- faults --------------------------------------------------------------------------------

    def top(self) -> int:
        """Return the highest step that an honest peer has open; -1 before the table has begun."""
        chains = (self.places[index].peer.chain for index in self.honest)
        return max((chain.open.step for chain in chains if chain is not None), default=-1)

    def begin_faults(self) -> None:
        """Begin what is due by now, at the step that the table has come to."""
        top = max(self.top(), 0)
        for item in self.waiting:
            if item.at_ms is None and item.fault.step <= top:
                item.at_ms = self.world.now_ms + item.fault.after_ms
                self.world.at(item.fault.after_ms, self._beginner(item.fault))
        self.waiting = [item for item in self.waiting if item.at_ms is None]

    def _beginner(self, fault: Fault) -> Callable[[], None]:
        def begin() -> None:
            if not self.world.healed:
                self.world.began[fault.kind] += 1
                self.begin_fault(fault)

        return begin

    def begin_fault(self, fault: Fault) -> None:
        """Let a fault act."""
        match fault.kind:
            case Kind.CRASH:
                machine, place = self.machines[fault.seats[0]], self.places[fault.seats[0]]
                machine.crash_at = place.effects + fault.amount
                machine.crash_for_ms = fault.for_ms
                machine.cut_sends = bool(fault.percent)
            case Kind.FREEZE:
                self.world.counts[Kind.FREEZE] += self.machines[fault.seats[0]].runs
                self.freeze(fault.seats[0], fault.for_ms)
            case Kind.GONE:
                self.world.counts[Kind.GONE] += self.machines[fault.seats[0]].up
                self.machines[fault.seats[0]].never = bool(fault.amount)
                self.kill(fault.seats[0], for_ms=None)
            case Kind.CLOCK:
                self.world.counts[Kind.CLOCK] += 1
                self.machines[fault.seats[0]].clock_ms += fault.amount
                self.take(fault.seats[0], events.Tick())
            case Kind.LEAVE:
                self._leave(fault.seats[0])
            case Kind.JUNK:
                self._junk(fault, 0)
            case Kind.OUTAGE:
                self.world.outage(fault)
            case _:
                self.weather.begin(fault)
                self.world.at(fault.for_ms, lambda: self.weather.end(fault))

    def _leave(self, index: int) -> None:
        machine, place = self.machines[index], self.places[index]
        if not machine.runs or machine.disk_busy or place.stop is not None:
            return
        try:
            self.take(index, events.Asked(command=LeaveTable()))
        except LocalError:
            return  # the table has not begun: nothing was said
        self.world.counts[Kind.LEAVE] += 1
        self.judge.left.add(index)

    def _junk(self, fault: Fault, number: int) -> None:
        """Write as a stranger does, and again a while later."""
        if self.world.healed or number >= fault.amount:
            return
        rng = random.Random(f"{self.seed} {fault} {number}")  # noqa: S311  # a simulation
        self.world.counts[Kind.JUNK] += 1
        data, harmless = self.world.junk(self.number, rng)
        receiver = rng.randrange(len(self.places))
        machine = self.machines[receiver]
        if machine.runs and not machine.disk_busy:
            self.judge.expect_nothing(receiver, data if harmless else None)
            self.deliver(receiver, data)
            self.judge.expect_nothing(receiver, None)
        wait_ms = max(1, fault.for_ms // fault.amount)
        self.world.at(wait_ms, lambda: self._junk(fault, number + 1))


def digest_of(event: events.Event) -> bytes:
    """Return what tells events apart, for the trace of a run."""
    match event:
        case events.Received(data=data):
            return hashlib.blake2b(data, digest_size=16).digest()
        case events.Computed(job=job):
            return repr(job).encode()
        case events.Decided():
            return repr(event).encode()
        case events.Started():
            return b"%d entries" % len(event.entries)
        case _:
            return type(event).__name__.encode()
