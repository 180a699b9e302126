"""One input of the fuzzer, and how inputs are changed: everything that reads the bytes of strangers.

An input is one byte for the way in, one for where the peer stands and how long it has stood there, and
payloads with line feeds between them (canonical JSON holds none). Each input has a peer of its own, so
whatever fails fails again when it is run alone. Whatever the bytes are, nothing but a clean refusal may
come of them: no exception, no growth, and no change of what is settled. What a seat has signed may become
evidence against that seat, and nobody else.
"""

import base64
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.peer.test_core import FEW, STRANGER, bounded, carry, sealed
from tests.peer.test_ring import SHORT
from unop2p.errors import MalformedError, Unop2pError
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.peer import events
from unop2p.peer.core import Peer
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import bodies
from unop2p.table.phases import Phase
from unop2p.table.riders import Back, Carried, Leave, Proof
from unop2p.table.talk import Accuse, Forked, Heads, Tell
from unop2p.wire import codec
from unop2p.wire.audit import audit
from unop2p.wire.record import decode_line
from unop2p.wire.ticket import parse_ticket

PHASES = (Phase.COMMIT, Phase.REVEAL, Phase.SHUFFLE, Phase.DEAL, Phase.TURN)
INSIDER = 1
LINES_MAX = 12
"""Payloads of an input that are heard, a second after each other."""
STOOD_MS = (0, 6_000, 30_000)
"""How long the peer has been back: it asks for its own words, it speaks again, its patience is out."""


@dataclass(frozen=True, slots=True)
class Place:
    """A table that stands in a phase, and for how long its first peer has been back."""

    ring: Ring
    stood_ms: int

    def peer(self) -> Peer:
        """Return a new peer of the first seat."""
        peer = peer_of(self.ring)
        for since_ms in range(1_000, self.stood_ms + 1, 1_000):
            now_ms = self.ring.now_ms + since_ms
            carry(peer, peer.handle(events.Tick(), now_ms=now_ms), now_ms)
        return peer

    def at_ms(self, index: int) -> int:
        """Return when the peer hears a payload."""
        return self.ring.now_ms + self.stood_ms + 1_000 * (index + 1)


def peer_of(ring: Ring) -> Peer:
    place = ring.places[0]
    peer = ring._new_peer(0, place.key, 1)
    peer.limits = peer.lobby.limits = peer.gossip.limits = FEW
    started = events.Started(entries=tuple(place.entries), secrets=dict(place.secrets))
    carry(peer, peer.handle(started, now_ms=ring.now_ms), ring.now_ms)
    return peer


@cache
def ring_in(phase: Phase) -> Ring:
    """Return the table in a phase. The toy group is entered by whoever runs inputs."""
    ring = Ring(3, SHORT, seed=4)
    first = ring.places[0].peer

    def there(_: Ring) -> bool:
        return first.chain is not None and first.chain.state.plan.phase is phase

    ring.run(there)
    return ring


@cache
def _some_words() -> tuple[bytes, ...]:
    with in_toy_group():
        return real_words()


@cache
def place_in(phase: Phase, stood_ms: int = 0) -> Place:
    """Return a place. The toy group is entered by whoever runs inputs."""
    return Place(ring=ring_in(phase), stood_ms=stood_ms)


@cache
def alone(place: Place, count: int) -> tuple[tuple[object, ...], ...]:
    """Return what a peer does that hears nothing, at each of the times at which it could."""
    peer = place.peer()
    return tuple(did(peer, None, now_ms) for now_ms in map(place.at_ms, range(count)))


def did(peer: Peer, data: bytes | None, now_ms: int) -> tuple[object, ...]:
    """Return all that a peer does at a time, whether or not it hears something in that moment."""
    effects: list[events.Effect] = []
    if data is not None:
        effects += carry(peer, peer.handle(events.Received(data=data), now_ms=now_ms), now_ms)
    # What nobody of the table has written may be dropped before the peer looks at the time.
    effects += carry(peer, peer.handle(events.Tick(), now_ms=now_ms), now_ms)
    return tuple(shape(effect) for effect in effects if not isinstance(effect, events.Wake))


def shape(effect: events.Effect) -> object:
    """Return an effect so that it can be compared: work is named by its job."""
    return (effect.job, effect.shared) if isinstance(effect, events.Compute) else effect


@cache
def real_words() -> tuple[bytes, ...]:
    """Return one payload of each kind and body that a table says."""
    found: dict[str, bytes] = {}
    for place in place_in(Phase.TURN).ring.places:
        for signed in place.said:
            said = json.loads(signed.payload)
            body = said.get("body") or {}
            found.setdefault(f"{said['kind']} {body.get('kind')}", signed.payload)
    return (*found.values(), *map(codec.encode, _rare_words()))


def _rare_words() -> list[codec.Message]:
    """Return messages that a table in good order does not say."""
    place = place_in(Phase.TURN)
    chain = place.peer().chain
    assert chain is not None
    table, step, head = chain.table.offer.table, chain.open.step, chain.open.head
    certificate = chain.history[0]
    items = (*certificate.statements, *certificate.adopts)
    key = place.ring.places[INSIDER].key
    public = key.public_key().public_bytes_raw()
    here = place.ring.places[0].key.public_key().public_bytes_raw()
    back = Back(table=table, step=0, head=chain.head_at(0))
    carried = Carried(signed=codec.sign(key, public, back))
    proof = Proof(step=0, items=items[:2], close=(items[0].hash, b""))
    nonce = bytes(16)
    return [
        back,
        Statement(table=table, step=step, head=head, body=bodies.Assent(), riders=(carried, proof)),
        Statement(table=table, step=step, head=head, body=bodies.Assent(), riders=(Leave(),)),
        Try(table=table, step=step, head=head, attempt=1, close=certificate.close, seal=None),
        Adopt(table=table, step=step, head=head, attempt=1, close=certificate.close),
        Accuse(table=table, step=0, reason="it lied", items=items[:2]),
        Accuse(table=table, step=0, reason="it lied", items=items[-2:], close=(items[0].hash,)),
        Heads(table=table, to=here, points=((0, chain.head_at(0)), (step, bytes(32))), nonce=nonce),
        Forked(table=table, step=0, items=items, nonce=nonce),
        Tell(to=here, items=items, step=step, nonce=nonce),
    ]


# -- the ways in -------------------------------------------------------------------------------


def _raw(place: Place, payloads: list[bytes]) -> None:
    _is_as_nothing(place, payloads)


def _broken_signature(place: Place, payloads: list[bytes]) -> None:
    author = place.ring.places[INSIDER].key.public_key().public_bytes_raw()
    signed = (Signed(author=author, signature=bytes(64), payload=data) for data in payloads)
    _is_as_nothing(place, [sealed(codec.pack(item), index) for index, item in enumerate(signed)])


def _is_as_nothing(place: Place, envelopes: list[bytes]) -> None:
    """See that a peer does the same as one that hears nothing at all."""
    peer = place.peer()
    before = _settled(peer)
    for index, effects in enumerate(alone(place, LINES_MAX)[: len(envelopes)]):
        assert did(peer, envelopes[index], place.at_ms(index)) == effects
    assert _settled(peer) == before
    bounded(peer)


def _stranger(place: Place, payloads: list[bytes]) -> None:
    effects, peer = _hear(place, STRANGER, payloads)
    # Time alone may make it speak; what it says is its own.
    assert not any(isinstance(effect, events.Settled | events.Proved) for effect in effects)
    assert _settled(peer) == _settled(place.peer())


def _seat(place: Place, payloads: list[bytes]) -> None:
    key = place.ring.places[INSIDER].key
    effects, peer = _hear(place, key, payloads)
    blamed = {effect.evidence.author for effect in effects if isinstance(effect, events.Proved)}
    assert blamed <= {key.public_key().public_bytes_raw()}, blamed
    peer.view()


def _hear(
    place: Place, key: Ed25519PrivateKey, payloads: list[bytes]
) -> tuple[list[events.Effect], Peer]:
    """Let a new peer hear what somebody says; return all that it does, and the peer."""
    peer = place.peer()
    public = key.public_key().public_bytes_raw()
    effects: list[events.Effect] = []
    for index, data in enumerate(payloads):
        envelope = sealed(codec.pack(codec.sign_payload(key, public, data)), index)
        now_ms = place.at_ms(index)
        effects += carry(peer, peer.handle(events.Received(data=envelope), now_ms=now_ms), now_ms)
    bounded(peer)
    return effects, peer


def _sealed(place: Place, payloads: list[bytes]) -> None:
    """Let a new peer hear any bytes of somebody who has the ticket: words of honest seats, too."""
    peer = place.peer()
    now_ms = place.at_ms(0)
    envelope = sealed(b"\n".join(payloads), 0)
    effects = carry(peer, peer.handle(events.Received(data=envelope), now_ms=now_ms), now_ms)
    assert not any(isinstance(effect, events.Proved | events.Stop) for effect in effects)
    bounded(peer)


def _record(place: Place, payloads: list[bytes]) -> None:
    data = b"\n".join(payloads)
    try:
        decode_line(data)
    except MalformedError:
        return
    audit([*place.ring.places[0].record[:2], data + b"\n"])


def _ticket(_place: Place, payloads: list[bytes]) -> None:
    try:
        parse_ticket(b"\n".join(payloads).decode("utf-8", "replace"))
    except Unop2pError:
        return


WAYS: tuple[Callable[[Place, list[bytes]], None], ...] = (
    _raw,
    _broken_signature,
    _stranger,
    _seat,
    _seat,
    _seat,
    _record,
    _ticket,
    _sealed,
)


def _settled(peer: Peer) -> tuple[int, bytes, object] | None:
    chain = peer.chain
    if chain is None:
        return None
    return chain.state.step, chain.state.head, dict(chain.state.gone)


def run_one(data: bytes) -> None:
    """Give one input to what it is for; raises where anything but a clean refusal comes of it."""
    if len(data) < 2:
        return
    way, phase = WAYS[data[0] % len(WAYS)], PHASES[data[1] % len(PHASES)]
    stood_ms = STOOD_MS[data[1] // len(PHASES) % len(STOOD_MS)]
    with in_toy_group():
        way(place_in(phase, stood_ms), data[2:].split(b"\n", LINES_MAX)[:LINES_MAX])


def kept() -> list[bytes]:
    """Return inputs that the fuzzer found worth keeping: one a line, in base64."""
    lines = Path(__file__).with_name("corpus.txt").read_text(encoding="ascii").split()
    return [base64.b64decode(line) for line in lines]


def seeds() -> list[bytes]:
    """Return inputs to begin with: real messages, by every way in and at every place."""
    with in_toy_group():
        words = real_words()
        said = [codec.pack(item) for place in ring_in(Phase.TURN).places for item in place.said]
        lines = [line[:-1] for line in place_in(Phase.TURN).ring.places[0].record[:4]]
    found = []
    for index, word in enumerate(words):
        for way in range(6):
            found.append(bytes([way, (index + way) % (len(PHASES) * len(STOOD_MS))]) + word)
    for stood in range(len(STOOD_MS)):
        for phase in range(len(PHASES)):
            found.append(bytes([3, phase + stood * len(PHASES)]) + b"\n".join(words[-LINES_MAX:]))
    found += [bytes([6, 4]) + line for line in lines]
    found += [bytes([8, index % len(PHASES)]) + item for index, item in enumerate(said)]
    return found


# -- how inputs are changed --------------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 7, 2**31, 2**63, 2**64, 10**30, True, None, "", "A" * 44, "AAAA", "a", [], {}, 1.5,
    "\x00", "\u202e", "A" * 5000,
)  # fmt: skip


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return an input with something in the JSON of a payload changed, in canonical form; else as it is."""
    if len(data) < 2:
        return data
    payloads = data[2:].split(b"\n")
    at = rng.randrange(len(payloads))
    roll = rng.random()
    if roll < 0.1 and len(payloads) > 1:
        del payloads[at]
    elif roll < 0.2:
        payloads.insert(rng.randrange(len(payloads) + 1), payloads[at])
    elif roll < 0.4:
        payloads.insert(rng.randrange(len(payloads) + 1), rng.choice(_some_words()))
    else:
        try:
            value = json.loads(payloads[at])
        except (ValueError, RecursionError):
            return data
        for _ in range(rng.randint(1, 3)):
            value = _changed(value, rng)
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        payloads[at] = text.encode("utf-8", "replace")
    way = rng.randrange(len(WAYS)) if rng.random() < 0.2 else data[0]
    phase = rng.randrange(len(PHASES) * len(STOOD_MS)) if rng.random() < 0.2 else data[1]
    return bytes([way, phase]) + b"\n".join(payloads)


def _changed(value: Any, rng: random.Random) -> Any:
    places: list[tuple[Any, Any]] = []
    _find(value, places)
    if not places:
        return rng.choice(VALUES)
    inside, name = rng.choice(places)
    roll = rng.random()
    held = inside[name]
    if roll < 0.3:
        inside[name] = rng.choice(VALUES)
    elif roll < 0.5 and isinstance(held, int) and not isinstance(held, bool):
        inside[name] = held + rng.choice((-2, -1, 1, 2, 100))
    elif roll < 0.6 and isinstance(held, str) and held:
        at = rng.randrange(len(held))
        inside[name] = held[:at] + rng.choice("ABab01_-= ") + held[at + 1 :]
    elif roll < 0.7 and isinstance(held, str):
        inside[name] = held[: rng.randrange(len(held) + 1)]
    elif roll < 0.8 and isinstance(held, list):
        inside[name] = held * 2 if rng.random() < 0.5 else held[1:]
    elif roll < 0.9:
        other_inside, other = rng.choice(places)
        inside[name] = json.loads(json.dumps(other_inside[other]))
    elif isinstance(inside, dict):
        del inside[name]
    return value


def _find(value: Any, places: list[tuple[Any, Any]]) -> None:
    if not isinstance(value, dict | list):
        return
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in items:
        places.append((value, name))
        _find(inner, places)
