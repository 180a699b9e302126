"""What the deal costs, in units of one group multiplication (mu) of the very same run.

Each row has the bound that it must keep, and the floor: the library's calls that it makes, counted,
each at the price measured in this run. What is above the floor is Python.
"""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace

from tests.bench.standin import sharing
from unop2p.deal import group
from unop2p.deal.commit_reveal import CommitRevealShuffle, list_entropy
from unop2p.deal.group import hash_to_point
from unop2p.deal.keys import derive_round_keys, joint_key
from unop2p.deal.masking import FaceTable, MaskedCard, open_card, trivial_cards
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.statements import prove_none_of, verify_none_of
from unop2p.deal.transcript import ProofContext
from unop2p.rules.cards import deck_for
from unop2p.rules.options import preset

CARDS = 108
SEATS = 10
CALLS = ("raw_mul", "raw_base", "raw_add", "raw_sub", "raw_valid")
RUNS = 5


def timed(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the best CPU time of some runs, in ms: noise only ever adds."""
    best = float("inf")
    for _ in range(runs):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One step of the deal."""

    work: Callable[[], object]
    bound_mu: int
    """At most so many multiplications."""


def prices() -> dict[str, float]:
    """Return what each call of the library costs now, in ms."""
    point = hash_to_point("bench", b"point").encoded
    other = hash_to_point("bench", b"other").encoded
    scalar = (secrets.randbits(251)).to_bytes(32, "little")
    inputs = {
        "raw_mul": (scalar, point),
        "raw_base": (scalar,),
        "raw_add": (point, other),
        "raw_sub": (point, other),
        "raw_valid": (point,),
    }
    count = 400
    return {
        name: timed(lambda n=name: [getattr(group.backend, n)(*inputs[n]) for _ in range(count)])  # type: ignore[misc]
        / count
        for name in CALLS
    }


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the calls to the library."""
    calls: Counter[str] = Counter()
    real = group.backend

    def counting(name: str) -> Callable[..., object]:
        def call(*inputs: bytes) -> object:
            calls[name] += 1
            return getattr(real, name)(*inputs)

        return call

    names = (*CALLS, "raw_from_hash")
    group.backend = SimpleNamespace(GROUP=real.GROUP, **{name: counting(name) for name in names})
    try:
        yield calls
    finally:
        group.backend = real


def rows() -> dict[str, Row]:
    """Return every step with its bound."""
    context = ProofContext(
        table_id=bytes(16), round_index=0, step=2, head=bytes(32), author=bytes(32), joint_key=b""
    )
    keys = [
        derive_round_keys(secrets.token_bytes(32), table_id=bytes(16), round_index=0, seat=seat)
        for seat in range(SEATS)
    ]
    joint = joint_key([key.public for key in keys])
    labels = [str(face) for face in deck_for(preset("official"))][:CARDS]
    faces = FaceTable(sorted(set(labels)))
    deck = trivial_cards([faces.point(label) for label in labels], joint)
    proved, replayed = ProvedShuffle(), CommitRevealShuffle()
    outputs, proof = proved.shuffle(context, joint, deck, secrets.token_bytes)
    cards = proved.verify(context, joint, deck, outputs, proof)
    ready = proved.prepare(context, joint, CARDS, secrets.token_bytes)
    own = keys[0]
    seeded, _ = replayed.shuffle(context, joint, deck, list_entropy(own.shuffle_seed, 0, deck))
    batch = cards[:63]
    shares = make_shares(context, own.secret, batch, secrets.token_bytes)
    single = [make_shares(context, key.secret, cards[:1], secrets.token_bytes) for key in keys]

    def draw() -> None:
        """What the drawer does: check nine shares, and read the card."""
        points = [
            verify_shares(context, key.public, cards[:1], data)[0]
            for key, data in zip(keys[1:], single[1:], strict=True)
        ]
        mine = group.mul(own.secret.expose(), cards[0].c1)
        assert faces.find(open_card(cards[0], [*points, mine])) is not None

    allowed = [faces.point(label) for label in sorted(set(labels)) if label[0] != "R"][:27]
    secret = own.secret.expose()
    hand = []
    for place in range(7):
        card, shown = cards[place], allowed[place]
        hand.append(MaskedCard(card.c1, group.add(shown, group.mul(secret, card.c1))))
    claim = prove_none_of(context, own.secret, own.public, hand, allowed, secrets.token_bytes)
    (four_give, four_take), (ten_give, ten_take) = sharing(4, 3), sharing(10, 9)
    return {
        "proved: verify a shuffle": Row(
            work=lambda: proved.verify(context, joint, deck, outputs, proof), bound_mu=1350
        ),
        "proved: shuffle and prove": Row(
            work=lambda: proved.shuffle(context, joint, deck, secrets.token_bytes), bound_mu=1250
        ),
        "proved: the same, prepared": Row(
            work=lambda: proved.shuffle_prepared(context, joint, deck, ready), bound_mu=750
        ),
        "commit-reveal: shuffle or replay": Row(
            work=lambda: replayed.replay(joint, deck, list_entropy(own.shuffle_seed, 0, deck)),
            bound_mu=250,
        ),
        "commit-reveal: verify at once": Row(
            work=lambda: replayed.verify(context, joint, deck, seeded, b""), bound_mu=40
        ),
        "check 63 shares, one proof": Row(
            work=lambda: verify_shares(context, own.public, batch, shares), bound_mu=200
        ),
        "draw 1 of 10 seats, the drawer": Row(work=draw, bound_mu=55),
        "prove 7 cards, 27 faces": Row(
            work=lambda: prove_none_of(
                context, own.secret, own.public, hand, allowed, secrets.token_bytes
            ),
            bound_mu=700,
        ),
        "check 7 cards, 27 faces": Row(
            work=lambda: verify_none_of(context, own.public, hand, allowed, claim), bound_mu=900
        ),
        "share out a key, 4 seats": Row(work=four_give, bound_mu=20),
        "look at the shares of 3 others": Row(work=four_take, bound_mu=60),
        "share out a key, 10 seats": Row(work=ten_give, bound_mu=45),
        "look at the shares of 9 others": Row(work=ten_take, bound_mu=300),
    }


def crypto() -> dict[str, object]:
    """Return every row in mu, with floor and bound; and the Python share of the dearest."""
    price = prices()
    mu = price["raw_mul"]
    found: dict[str, object] = {
        "mu_us": round(mu * 1000, 1),
        "cards": CARDS,
        "prices_mu": {name: round(price[name] / mu, 2) for name in CALLS},
    }
    for name, row in rows().items():
        row.work()  # what is computed once is computed now
        with counted() as calls:
            row.work()
        floor = sum(price[call] * number for call, number in calls.items() if call in price)
        took = timed(row.work)
        found[name] = {
            "mu": round(took / mu),
            "bound_mu": row.bound_mu,
            "kept": took / mu <= row.bound_mu,
            "floor_mu": round(floor / mu),
            "python_percent": round(100 * max(0.0, took - floor) / took, 1),
        }
    return found
