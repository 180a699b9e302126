"""What a deal costs: time, bytes, messages and steps by peers and cards, and multiplications counted.

Times are of one machine in one hour. So beside each stands how many group multiplications were made,
and how long one took in the same run: their product is what arithmetic alone must take.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

from unop2p.deal import group
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import BASE, Backend, base_mul, hash_to_point, mul
from unop2p.deal.masking import MaskedCard, trivial_cards
from unop2p.deal.secret import Secret
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.shuffle import ReplayedArgument
from unop2p.deal.transcript import ProofContext
from unop2p.sim.lab.run import options_for
from unop2p.sim.ring import Ring
from unop2p.table.phases import Phase
from unop2p.table.work import ARGUMENTS

UNIT_CALLS = 400
"""Multiplications that one is measured by; the best of three such rows counts."""
HAND = 7


@dataclass(slots=True)
class Counted:
    """Calls to the group's library."""

    mul: int = 0
    """Of any point."""
    base: int = 0
    """Of the base point: with libsodium about a third of the price."""
    add: int = 0

    def units(self, base_price: float, add_price: float) -> float:
        """Return the calls in multiplications, given what the others cost in them."""
        return self.mul + base_price * self.base + add_price * self.add


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What one call costs in this run."""

    mul_us: float
    base: float
    """In multiplications."""
    add: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceCost:
    """One operation on so many cards."""

    argument: str
    what: str
    cards: int
    ms: float
    bytes: int
    counted: Counted
    units: float
    """All calls in multiplications."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCost:
    """One whole deal among peers in one process: from the first commitment to the hands."""

    argument: str
    peers: int
    cards: int
    ms: float
    """With checks of one statement done once for all peers."""
    bytes: int
    messages: int
    steps: int
    counted: Counted
    units: float


@contextmanager
def counting() -> Iterator[Counted]:
    """Count the calls to the group's library for as long as it lasts."""
    real = group.backend
    counted = Counted()

    def counter(name: str, call: Callable[..., bytes]) -> Callable[..., bytes]:
        def counts(*arguments: bytes) -> bytes:
            setattr(counted, name, getattr(counted, name) + 1)
            return call(*arguments)

        return counts

    names = {"raw_mul": "mul", "raw_base": "base", "raw_add": "add", "raw_sub": "add"}
    calls = {call: counter(name, getattr(real, call)) for call, name in names.items()}
    rest = {name: getattr(real, name) for name in ("raw_valid", "raw_from_hash")}
    group.use(cast("Backend", SimpleNamespace(GROUP=real.GROUP, **calls, **rest)))
    try:
        yield counted
    finally:
        group.use(real)


def prices() -> Prices:
    """Measure one multiplication, and the other calls in it."""
    point = hash_to_point("lab", b"prices")
    scalar = group.Q - 12345
    mul_s = _best(lambda: mul(scalar, point))
    return Prices(
        mul_us=mul_s * 1e6,
        base=_best(lambda: base_mul(scalar)) / mul_s,
        add=_best(lambda: group.add(point, BASE)) / mul_s,
    )


def _best(call: Callable[[], object]) -> float:
    rows: list[float] = []
    for _ in range(3):
        began = time.process_time()
        for _ in range(UNIT_CALLS):
            call()
        rows.append((time.process_time() - began) / UNIT_CALLS)
    return min(rows)


def piece_costs(arguments: Sequence[str], cards: Sequence[int], unit: Prices) -> list[PieceCost]:
    """Measure shuffle, its verification, and a batch of shares, for each number of cards."""
    found: list[PieceCost] = []
    context = ProofContext(
        table_id=bytes(16),
        round_index=0,
        step=2,
        head=bytes(32),
        author=bytes(32),
        joint_key=b"",
    )
    joint = base_mul(12345)
    for count in cards:
        faces = [hash_to_point("lab-face", index.to_bytes(4, "big")) for index in range(count)]
        deck = trivial_cards(faces, joint)
        for name in arguments:
            found += _shuffle_costs(name, context, deck, unit)
        found += _share_costs(context, deck, unit)
    return found


def _measured(
    work: Callable[[], object], unit: Prices, argument: str, what: str, cards: int, size: int
) -> PieceCost:
    with counting() as counted:
        work()
    began = time.process_time()
    work()
    return PieceCost(
        argument=argument,
        what=what,
        cards=cards,
        ms=(time.process_time() - began) * 1000,
        bytes=size,
        counted=counted,
        units=counted.units(unit.base, unit.add),
    )


def _shuffle_costs(
    name: str, context: ProofContext, deck: Sequence[MaskedCard], unit: Prices
) -> list[PieceCost]:
    argument = ARGUMENTS[name]
    joint = base_mul(12345)
    outputs, proof = argument.shuffle(context, joint, deck, seeded_entropy(b"cost"))
    size = len(outputs) + len(proof)

    def shuffle() -> object:
        return argument.shuffle(context, joint, deck, seeded_entropy(b"cost"))

    def verify() -> object:
        return argument.verify(context, joint, deck, outputs, proof)

    count = len(deck)
    found = [
        _measured(shuffle, unit, name, "shuffle", count, size),
        _measured(verify, unit, name, "verify", count, size),
    ]
    if isinstance(argument, ReplayedArgument):

        def replay() -> object:
            return argument.replay(joint, deck, seeded_entropy(b"cost"))

        found.append(_measured(replay, unit, name, "replay", count, 0))
    return found


def _share_costs(
    context: ProofContext, deck: Sequence[MaskedCard], unit: Prices
) -> list[PieceCost]:
    secret = Secret(54321)
    public = base_mul(54321)
    argument = ARGUMENTS["commit-reveal"]
    mixed = argument.shuffle(context, base_mul(12345), deck, seeded_entropy(b"cost"))
    cards = argument.verify(context, base_mul(12345), deck, *mixed)
    data = make_shares(context, secret, cards, seeded_entropy(b"cost"))

    def make() -> object:
        return make_shares(context, secret, cards, seeded_entropy(b"cost"))

    def verify() -> object:
        return verify_shares(context, public, cards, data)

    count = len(deck)
    return [
        _measured(make, unit, "any", "make shares", count, len(data)),
        _measured(verify, unit, "any", "check shares", count, len(data)),
    ]


def deal_cost(argument: str, peers: int, unit: Prices, *, seed: int = 7) -> DealCost:
    """Run one deal among peers, and count what it takes.

    Args:
        argument: name of a shuffle argument.
        peers: 2 to 10.
        unit: what calls cost in this run.
        seed: of the run.
    """
    ring = Ring(peers, options_for("official", 1), seed=seed, argument=argument)
    with counting() as counted:
        began = time.perf_counter()
        ring.run(_is_dealt)
        ms = (time.perf_counter() - began) * 1000
    chain = ring.places[0].peer.chain
    assert chain is not None
    return DealCost(
        argument=argument,
        peers=peers,
        cards=len(chain.state.deck_faces()),
        ms=ms,
        bytes=sum(len(data) for _, data in ring.published),
        messages=len(ring.published),
        steps=chain.open.step,
        counted=counted,
        units=counted.units(unit.base, unit.add),
    )


def _is_dealt(ring: Ring) -> bool:
    chains = [place.peer.chain for place in ring.places]
    return all(
        chain is not None
        and bool(chain.state.hands)
        and len(min(chain.state.hands.values(), key=len)) >= HAND
        and chain.state.plan.phase is not Phase.DEAL
        for chain in chains
    )
