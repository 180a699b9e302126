"""A ring: the peers of one table in one process, on a network and a clock that are plain values.

Everything grows out of one seed. Messages wait in one queue; a `Network` may lose, repeat and reorder
them, or keep some from a receiver. A peer can be killed before any effect, and comes back from what it
had persisted until then: later effects of that call never happen.
"""

import hashlib
import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.bots.levels import make_bot
from unop2p.deal.entropy import seeded_entropy
from unop2p.errors import RemoteError
from unop2p.log.messages import Signed, Statement
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.peer.lobby import Role
from unop2p.rules.moves import Move
from unop2p.rules.options import Options, options_to_dict
from unop2p.rules.view import PlayerView
from unop2p.table.commands import Command
from unop2p.table.genesis import Offer, Timers
from unop2p.table.notices import Notice
from unop2p.wire import codec
from unop2p.wire.reading import Reader
from unop2p.wire.record import evidence_line, fork_line, genesis_line, step_line
from unop2p.wire.sealing import Sealer

SEALING_KEY = hashlib.sha256(b"unop2p/sim/sealing key").digest()
IDLE_MS = 200
"""How far the clock moves where nobody has asked for a tick."""
STUCK_MS = 600_000
"""A ring in which no step has been settled for so long never will settle one."""

Player = Callable[[int, PlayerView, tuple[Move, ...], random.Random], Move | None]
"""What a seat's player decides: seat, view, legal moves, chance."""


class StuckError(AssertionError):
    """The ring stands still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """What becomes of messages; chances are in percent."""

    loss: int = 0
    repeat: int = 0
    reorder: int = 0
    blocked: Callable[[int, int, bytes], bool] = lambda _sender, _receiver, _data: False
    """Whether a message of a sender never comes to a receiver."""


@dataclass(slots=True, kw_only=True)
class Place:
    """One peer and all that lies outside it."""

    peer: Peer
    key: Ed25519PrivateKey
    entries: list[bytes] = field(default_factory=list)
    """Its journal."""
    secrets: dict[int, bytes] = field(default_factory=dict, repr=False)
    record: list[bytes] = field(default_factory=list)
    """Lines with their newlines."""
    notices: list[Notice] = field(default_factory=list)
    said: list[Signed] = field(default_factory=list)
    """What it has published, opened."""
    stop: events.Stop | None = None
    wake_ms: int = 0
    effects: int = 0
    """How many it has had carried out."""
    crashes: int = 0


def greedy(
    _seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
) -> Move | None:
    """Play as the greedy bot does."""
    return make_bot("greedy").choose(view, legal, rng)


class Ring:
    """`seats` peers at one table."""

    def __init__(
        self,
        seats: int,
        options: Options,
        *,
        seed: int = 1,
        player: Player = greedy,
        network: Network | None = None,
        argument: str = "proved",
        peers: Mapping[int, type[Peer]] | None = None,
        crash: Callable[[int, int, events.Effect], bool] | None = None,
        tap: Callable[["Ring", int, bytes], None] | None = None,
        bots: bool = True,
        table: bytes | None = None,
        think_ms: int = 0,
        resilience: int = 0,
        reader: Reader | None = None,
    ) -> None:
        """Set up peers that have not begun; the first opens the table.

        Args:
            seats: 2 to 10.
            options: what is played.
            seed: of everything.
            player: decides for every seat.
            network: what becomes of messages; by default nothing bad.
            argument: the name of the shuffle argument.
            peers: other classes than `Peer` for some of them: adversaries.
            crash: asked before each effect (peer, its number among the peer's effects, effect).
            tap: told of each message that is published (ring, sender, data): a broker that adds some.
            bots: whether `player` plays; else each seat waits for what is given to `submit`.
            table: the table's id; else it grows out of the seed, as the keys do.
            think_ms: how long a player thinks before each move; else a table of bots takes no time.
            resilience: for how many seats others can stand in.
            reader: opens envelopes for all of them; else each has its own.
        """
        self.options = options
        self.player = player
        self.network = network or Network()
        self.rng = random.Random(seed)  # noqa: S311  # a simulation
        self.now_ms = 0
        self._moved_ms = 0
        self._steps: list[int] = []
        self.published: list[tuple[int, bytes]] = []
        self.seed = seed
        self.argument = argument
        self._crash = crash
        self._tap = tap
        self._bots = bots
        self._think_ms = think_ms
        self._reader = reader
        self._classes = dict(peers or {})
        self._queue: deque[tuple[int, events.Event]] = deque()
        self._results: dict[tuple[str, bytes], object] = {}
        self._asleep: dict[int, list[tuple[int, events.Event]]] = {}
        """Answers of workers and players that wait for a peer that does not run."""
        self.down: set[int] = set()
        """Peers that do not run now: nothing reaches them, and they do nothing."""
        self._sealer = Sealer(SEALING_KEY)
        self._offer = Offer(
            table=table or hashlib.sha256(b"table %d" % seed).digest()[:16],
            version=1,
            rules=options_to_dict(options),
            timers=Timers(),
            seats_wanted=seats,
            argument=argument,
            resilience=resilience,
        )
        self.places: list[Place] = []
        for index in range(seats):
            key = Ed25519PrivateKey.from_private_bytes(
                hashlib.sha256(b"key %d %d" % (seed, index)).digest()
            )
            self.places.append(Place(peer=self._new_peer(index, key, 0), key=key))

    def _new_peer(self, index: int, key: Ed25519PrivateKey, life: int) -> Peer:
        make = self._classes.get(index, Peer)
        return make(
            key=key,
            role=Role.JOINER if index else Role.OPENER,
            name=f"p{index}",
            bot=self._bots,
            sealing_key=SEALING_KEY,
            entropy=seeded_entropy(b"entropy %d %d %d" % (self.seed, index, life)),
            terms=None if index else self._offer,
            reader=self._reader,
        )

    # -- running -------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin every peer."""
        for index in range(len(self.places)):
            self._handle(index, events.Started())

    def run(self, until: Callable[["Ring"], bool] | None = None) -> None:
        """Go on until every peer has stopped, or `until` says so after an event.

        Raises:
            StuckError: nothing happens any more, or a peer never rests.
        """
        if not self.published:
            self.start()
        while any(
            place.stop is None and index not in self.down for index, place in enumerate(self.places)
        ):
            if until is not None and until(self):
                return
            if self._queue:
                index, event = self._queue.popleft()
                self._handle(index, event)
            else:
                self._pass_time()

    def run_round(self, number: int = 1) -> None:
        """Go on until every peer that goes on has settled this many rounds."""
        self.run(lambda ring: all(_rounds(place) >= number for place in ring.places))

    def _pass_time(self) -> None:
        waits = [
            place.wake_ms
            for index, place in enumerate(self.places)
            if place.stop is None and index not in self.down
        ]
        later = [at_ms for at_ms in waits if at_ms > self.now_ms]
        self.now_ms = min(later, default=self.now_ms + IDLE_MS)
        chains = (place.peer.chain for place in self.places)
        steps = [chain.state.step if chain is not None else -1 for chain in chains]
        if steps != self._steps:
            self._steps, self._moved_ms = steps, self.now_ms
        if self.now_ms - self._moved_ms > STUCK_MS:
            message = f"nothing has happened since {self._moved_ms} ms; steps {steps}"
            raise StuckError(message)
        for index in range(len(self.places)):
            self._handle(index, events.Tick())

    def submit(self, index: int, command: Command) -> None:
        """Let a peer's own player ask for something.

        Raises:
            LocalError: it is not allowed; nothing was said.
        """
        self._handle(index, events.Asked(command=command))

    def stop(self, index: int) -> None:
        """Let a peer not run any more; `wake` lets it go on as it is, `crash` from its journal."""
        self.down.add(index)
        mine = [item for item in self._queue if item[0] == index]
        self._queue = deque(item for item in self._queue if item[0] != index)
        self._asleep[index] = [item for item in mine if not isinstance(item[1], events.Received)]

    def wake(self, index: int) -> None:
        """Let a peer that was stopped go on: it has missed what was sent meanwhile."""
        self.down.discard(index)
        self._queue.extend(self._asleep.pop(index, []))
        self._handle(index, events.Tick())

    def crash(self, index: int) -> None:
        """Kill a peer, and start it again from its journal."""
        self.down.discard(index)
        self._asleep.pop(index, None)
        place = self.places[index]
        place.crashes += 1
        place.peer = self._new_peer(index, place.key, place.crashes)
        place.record = []
        place.notices = []
        self._queue = deque(
            (receiver, event)
            for receiver, event in self._queue
            if receiver != index or isinstance(event, events.Received)
        )
        started = events.Started(entries=tuple(place.entries), secrets=dict(place.secrets))
        self._handle(index, started)

    def _handle(self, index: int, event: events.Event) -> None:
        place = self.places[index]
        if place.stop is not None or index in self.down:
            return
        effects = place.peer.handle(event, now_ms=self.now_ms)
        if isinstance(event, events.Tick) and all(isinstance(e, events.Wake) for e in effects):
            self._check_sleep(index, effects)
        for effect in effects:
            place.effects += 1
            if self._crash is not None and self._crash(index, place.effects, effect):
                self.crash(index)
                return
            self._carry_out(index, place, effect)

    def _check_sleep(self, index: int, effects: tuple[events.Effect, ...]) -> None:
        """See that a peer for which time brought nothing sleeps a while: else it would never rest.

        Raises:
            StuckError: it wants to be woken at once.
        """
        for effect in effects:
            if isinstance(effect, events.Wake) and effect.at_ms <= self.now_ms:
                message = (
                    f"p{index} does not sleep: woken at {self.now_ms} ms for {effect.at_ms} ms"
                )
                raise StuckError(message)

    def _carry_out(self, index: int, place: Place, effect: events.Effect) -> None:
        match effect:
            case events.Persist(entries=entries):
                place.entries += entries
            case events.KeepSecret(round_index=number, data=data):
                place.secrets[number] = data
            case events.DropSecret(round_index=number):
                place.secrets.pop(number, None)
            case events.Publish(data=data):
                place.said.append(codec.unpack(self._sealer.open(data)))
                self.published.append((index, data))
                self._send(index, data)
            case events.Compute():
                self._queue.append(
                    (index, events.Computed(job=effect.job, result=self._do(effect)))
                )
            case events.AskPlayer(step=step):
                self.now_ms += self._think_ms
                self._queue.append((index, events.Decided(step=step, move=self._decide(index))))
            case events.Notify(notice=notice):
                place.notices.append(notice)
            case events.Wake(at_ms=at_ms):
                place.wake_ms = at_ms
            case events.Begun(genesis=genesis):
                place.record.append(genesis_line(genesis) + b"\n")
            case events.Settled(certificate=certificate):
                place.record.append(step_line(certificate) + b"\n")
            case events.Proved(evidence=evidence):
                place.record.append(evidence_line(evidence) + b"\n")
            case events.Forked(step=step, items=items):
                place.record.append(fork_line(step, items) + b"\n")
            case events.Stop():
                place.stop = effect

    def deliver(self, receiver: int, data: bytes) -> None:
        """Put bytes into a peer's inbox, whoever they are from."""
        self._queue.append((receiver, events.Received(data=data)))

    def _send(self, sender: int, data: bytes) -> None:
        network = self.network
        if self._tap is not None:
            self._tap(self, sender, data)
        for receiver in range(len(self.places)):
            if receiver in self.down or network.blocked(sender, receiver, data):
                continue
            for _ in range(2 if self._chance(network.repeat) else 1):
                if self._chance(network.loss):
                    continue
                item = (receiver, events.Received(data=data))
                if self._chance(network.reorder):
                    self._queue.insert(self.rng.randrange(len(self._queue) + 1), item)
                else:
                    self._queue.append(item)

    def _chance(self, percent: int) -> bool:
        return bool(percent) and self.rng.randrange(100) < percent

    def _do(self, effect: events.Compute) -> object:
        """Do work at once; what checks one statement is done once for all peers."""
        name = (effect.job[0], effect.shared or b"")
        if effect.shared is not None and name in self._results:
            return self._results[name]
        result: object
        try:
            result = effect.work()
        except RemoteError as error:
            result = error
        if effect.shared is not None:
            self._results[name] = result
        return result

    def _decide(self, index: int) -> Move | None:
        view = self.places[index].peer.view()
        if view.player is None or not view.legal or view.seat is None:
            return None
        return self.player(view.seat, view.player, view.legal, self.rng)

    # -- looking -------------------------------------------------------------------------------

    def heads(self) -> set[bytes]:
        """Return the heads at which the peers stand."""
        return {p.peer.chain.state.head for p in self.places if p.peer.chain is not None}

    def statements(self, index: int) -> dict[int, set[bytes]]:
        """Return by step the payloads of every statement that a peer has published as its own."""
        found: dict[int, set[bytes]] = {}
        public = self.places[index].key.public_key().public_bytes_raw()
        for signed in self.places[index].said:
            message = codec.decode(signed.payload)
            if isinstance(message, Statement) and signed.author == public:
                found.setdefault(message.step, set()).add(signed.payload)
        return found


def _rounds(place: Place) -> int:
    chain = place.peer.chain
    if place.stop is not None:
        return 1 << 30
    return chain.state.round_index if chain is not None else 0
