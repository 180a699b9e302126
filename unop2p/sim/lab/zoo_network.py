"""Brokers that do harm, and floods from outside and inside; every seat but a flooding one is honest."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.log.messages import Adopt, Signed, Statement
from unop2p.peer.chain import Chain
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.trick import CheatChain, Trick
from unop2p.sim.ring import SEALING_KEY, Network, Ring
from unop2p.table import bodies
from unop2p.table.genesis import Join
from unop2p.table.talk import Accuse, Ask, Chat, Heartbeat
from unop2p.wire import codec
from unop2p.wire.sealing import NONCE_BYTES, PADDING_STEPS, TAG_BYTES, Sealer

JUNK_EACH = 3
"""Pieces of junk for each message that is published."""
FLOOD_EACH = 150
"""Messages that a flooding seat adds to each of its statements, a few times."""
FLOODS_MAX = 20
CUT_MS = 40_000
"""How long a part of the table is cut off: longer than any patience, shorter than a run waits."""


class Broker(Trick):
    """Does something to messages; nobody at the table cheats."""

    lawful = True

    def __init__(self, network: Network | None = None) -> None:
        self.first_step = 0
        self.made = network
        self.rng = random.Random(0)  # noqa: S311  # a simulation

    def network(self, seats: frozenset[int]) -> Network | None:
        """Return the network of this broker."""
        return self.made


class Delays(Broker):
    """Holds messages back for a while, each for every receiver by itself."""

    def __init__(self) -> None:
        super().__init__(Network(blocked=self.blocked))
        self.held: list[tuple[int, int, bytes]] = []
        """Due time, receiver, message."""
        self.now_ms = 0

    def blocked(self, sender: int, receiver: int, data: bytes) -> bool:
        """Hold back one message in four."""
        if sender == receiver or self.rng.randrange(4):
            return False
        self.held.append((self.now_ms + self.rng.randrange(8_000), receiver, data))
        return True

    def tap(self, ring: Ring, sender: int, data: bytes) -> None:
        """Deliver what is due."""
        self.now_ms = ring.now_ms
        due = [item for item in self.held if item[0] <= self.now_ms]
        self.held = [item for item in self.held if item[0] > self.now_ms]
        for _, receiver, late in due:
            ring.deliver(receiver, late)


class Cuts(Broker):
    """Cuts the table in two for a while, in the middle of the deal."""

    think_ms = 2_000  # The others play on, and are still there when the cut is over.

    def __init__(self, group: Callable[[int], bool]) -> None:
        super().__init__(Network(blocked=self.blocked))
        self.group = group
        self.began_ms: int | None = None
        self.now_ms = 0
        self.count = 0

    def tap(self, ring: Ring, sender: int, data: bytes) -> None:
        """Begin after some messages, with the deal under way."""
        self.now_ms = ring.now_ms
        self.count += 1
        if self.began_ms is None and self.count > 10 * len(ring.places):
            self.began_ms = self.now_ms

    def blocked(self, sender: int, receiver: int, data: bytes) -> bool:
        """Let nothing through between the parts."""
        if self.began_ms is None or self.now_ms - self.began_ms > CUT_MS:
            return False
        return self.group(sender) != self.group(receiver)


class ShowsOther(Broker):
    """Gives each receiver now and then an older message in place of the new one."""

    def __init__(self) -> None:
        super().__init__(Network(blocked=self.blocked))
        self.ring: Ring | None = None

    def tap(self, ring: Ring, sender: int, data: bytes) -> None:
        """Have a ring to deliver old messages in."""
        self.ring = ring

    def blocked(self, sender: int, receiver: int, data: bytes) -> bool:
        """Exchange one message in five, by chance and for each receiver by itself."""
        if self.ring is None or sender == receiver or self.rng.randrange(5):
            return False
        _, old = self.ring.published[self.rng.randrange(len(self.ring.published))]
        self.ring.deliver(receiver, old)
        return True


class Replays(Broker):
    """Sends old messages again, to everybody: this table's, or those of yesterday's."""

    def __init__(self, *, yesterday: bool) -> None:
        super().__init__()
        self.yesterday = yesterday
        self.old: list[bytes] = []

    def tap(self, ring: Ring, sender: int, data: bytes) -> None:
        """Add some to each message, once the table has begun."""
        if any(place.peer.chain is None for place in ring.places):
            return
        if not self.yesterday:
            self.old.append(data)
        elif not self.old:
            self.old = yesterdays(ring)
        for _ in range(JUNK_EACH):
            again = self.old[self.rng.randrange(len(self.old))]
            for receiver in range(len(ring.places)):
                ring.deliver(receiver, again)


def yesterdays(ring: Ring) -> list[bytes]:
    """Return what the same seats, with the same keys and ticket, said at a table before."""
    before = Ring(
        len(ring.places),
        ring.options,
        seed=ring.seed,
        argument=ring.argument,
        table=hashlib.sha256(b"yesterday").digest()[:16],
    )
    before.run(lambda old: all(p.peer.chain and p.peer.chain.open.step > 5 for p in old.places))
    return [data for _, data in before.published]


class Junk(Broker):
    """Adds junk to each message; `make` says what, given the ring and chance."""

    def __init__(self, make: Callable[[Ring, random.Random], bytes]) -> None:
        super().__init__()
        self.make = make

    def tap(self, ring: Ring, sender: int, data: bytes) -> None:
        """Send it to everybody, once the table has begun: before, a ticket alone can spoil a lobby."""
        if any(place.peer.chain is None for place in ring.places):
            return
        for _ in range(JUNK_EACH):
            junk = self.make(ring, self.rng)
            for receiver in range(len(ring.places)):
                ring.deliver(receiver, junk)


def noise(_ring: Ring, rng: random.Random) -> bytes:
    """Return bytes of a size that an envelope may have; who makes them has no ticket."""
    return rng.randbytes(NONCE_BYTES + rng.choice(PADDING_STEPS) + TAG_BYTES)


def sealed_noise(ring: Ring, rng: random.Random) -> bytes:
    """Return a well sealed envelope with what is no message, or is not signed by who it says."""
    data = ring.published[-1][1] if ring.published else b""
    sealer = Sealer(SEALING_KEY)
    if not data or rng.randrange(3) == 0:
        return sealer.seal(rng.randbytes(rng.randrange(1, 400)), rng.randbytes(NONCE_BYTES))
    plain = bytearray(sealer.open(data))
    plain[rng.randrange(len(plain))] ^= 1 + rng.randrange(255)
    return sealer.seal(bytes(plain), rng.randbytes(NONCE_BYTES))


def strangers_word(ring: Ring, rng: random.Random) -> bytes:
    """Return a rightly signed message of somebody who has the ticket and no seat."""
    key = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
    public = key.public_key().public_bytes_raw()
    chain = ring.places[0].peer.chain
    table = chain.table.offer.table if chain is not None else bytes(16)
    step, head = (chain.open.step, chain.open.head) if chain is not None else (0, bytes(32))
    nonce = rng.randbytes(16)
    body = bodies.Drew()
    messages: list[codec.Message] = [
        Join(offer=rng.randbytes(32), name="eve", bot=True, nonce=nonce),
        Ask(table=table, step=0, head=b"", held=(), restart=True, nonce=nonce),
        Heartbeat(table=table, step=step, head=head, over=True, count=1),
        Chat(table=table, text="hello", nonce=nonce),
        Statement(table=table, step=step, head=head, body=body),
        Adopt(table=table, step=step, head=head, attempt=0, close=rng.randbytes(32)),
    ]
    if chain is not None and chain.open.statements:
        items = tuple(held.signed for held in chain.open.statements.values())[:1]
        messages.append(Accuse(table=table, step=step, reason="it lied", items=items))
    return _sealed(codec.sign(key, public, rng.choice(messages)), rng)


def _sealed(signed: Signed, rng: random.Random) -> bytes:
    return Sealer(SEALING_KEY).seal(codec.pack(signed), rng.randbytes(NONCE_BYTES))


class Floods(Trick):
    """A seat that adds a heap of talk and of words for far steps to each of its statements."""

    lawful = True

    def __init__(self) -> None:
        self.floods = 0

    def after(self, chain: CheatChain, statement: Signed) -> None:
        """Pour it out."""
        if self.floods >= FLOODS_MAX:
            return
        self.floods += 1
        self.tried(chain)
        for number in range(FLOOD_EACH):
            message = self.message(chain, self.floods * FLOOD_EACH + number)
            chain.desk.publish(chain.desk.sign(message))

    @staticmethod
    def message(chain: Chain, number: int) -> codec.Message:
        """Return one of several kinds."""
        table, step, head = chain.table.offer.table, chain.open.step, chain.open.head
        nonce = number.to_bytes(16, "big")
        far = Statement(table=table, step=step + 1 + number, head=head, body=bodies.Drew())
        match number % 5:
            case 0:
                return Chat(table=table, text="so much to say", nonce=nonce)
            case 1:
                return Ask(
                    table=table,
                    step=0,
                    head=b"",
                    held=(),
                    restart=False,
                    nonce=nonce,
                )
            case 2:
                return far
            case 3:
                return replace(far, step=step + 1, head=nonce * 2)
            case _:
                return Heartbeat(
                    table=table, step=step + number, head=head, over=True, count=number
                )


def _broker(
    name: str, sentence: str, make: Callable[[], Trick], attacks: Promise = Promise.AGREEMENT
) -> Cheat:
    return Cheat(
        name=name,
        family="network",
        sentence=sentence,
        attacks=attacks,
        make=make,
        seated=False,
    )


CHEATS = (
    _broker(
        "broker-drops", "A broker loses three messages of ten.", lambda: Broker(Network(loss=30))
    ),
    _broker(
        "broker-repeats", "A broker repeats most messages.", lambda: Broker(Network(repeat=70))
    ),
    _broker(
        "broker-reorders", "A broker mixes up most messages.", lambda: Broker(Network(reorder=70))
    ),
    _broker(
        "broker-does-all",
        "A broker loses, repeats and mixes up messages.",
        lambda: Broker(Network(loss=15, repeat=30, reorder=50)),
    ),
    _broker("broker-delays", "A broker holds messages back, up to eight seconds.", Delays),
    _broker(
        "broker-cuts-the-table",
        "A broker cuts the table in two for a while.",
        lambda: Cuts(lambda index: index % 2 == 0),
        Promise.PROGRESS,
    ),
    _broker(
        "broker-cuts-one-off",
        "A broker cuts one seat off for a while.",
        lambda: Cuts(lambda index: index == 1),
        Promise.PROGRESS,
    ),
    _broker(
        "broker-shows-different-messages",
        "A broker gives some receivers an old message in place of a new one.",
        ShowsOther,
    ),
    _broker(
        "broker-replays",
        "A broker sends old messages of the table again and again.",
        lambda: Replays(yesterday=False),
    ),
    _broker(
        "broker-replays-yesterday",
        "A broker sends what the same seats said at another table under the same ticket.",
        lambda: Replays(yesterday=True),
    ),
    _broker(
        "junk-without-ticket",
        "Somebody without the ticket sends noise.",
        lambda: Junk(noise),
        Promise.ADMISSION,
    ),
    _broker(
        "junk-with-ticket",
        "Somebody with the ticket seals noise, and messages with a byte changed.",
        lambda: Junk(sealed_noise),
        Promise.ADMISSION,
    ),
    _broker(
        "stranger-with-ticket",
        "Somebody with the ticket and no seat joins, asks, states, adopts and accuses.",
        lambda: Junk(strangers_word),
        Promise.ADMISSION,
    ),
    Cheat(
        name="seat-floods",
        family="network",
        sentence="A seat pours out talk, questions and words for steps far ahead.",
        attacks=Promise.PROGRESS,
        make=Floods,
    ),
)
