"""Cheats where others stand in: false shares of a key, false complaints, false parts, none at all.

A network takes away what one honest seat says, from the first turn of the round on: it hears the others
and is left out, so that they have to stand in for it.
"""

from dataclasses import replace

from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.sealed import SEALED_BYTES
from unop2p.deal.shares import make_shares
from unop2p.peer.attendance import Attendance
from unop2p.peer.chain import Chain
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.trick import CheatChain, Trick, others_of
from unop2p.sim.lab.zoo_shares import best_proof
from unop2p.sim.ring import Network, Ring
from unop2p.table import bodies
from unop2p.table.checks import held_share, standin_task
from unop2p.table.phases import Phase
from unop2p.table.riders import Complaint, Rider
from unop2p.table.state import TableState
from unop2p.table.work import SharesTask, take_shares


class Standing(Trick):
    """Does something at a table where others stand in."""

    resilience = 1

    def is_lost(self, chain: Chain) -> bool:
        """See whether the round is over in which it should have come."""
        return chain.state.round_index > 0 or chain.state.plan.phase is Phase.HANDS


class Muting(Standing):
    """Does something once an honest seat is away; who that is the network says."""

    def __init__(self) -> None:
        self.victim = 0
        self.muted = False

    def network(self, seats: frozenset[int]) -> Network:
        """Return a network that takes away what an honest seat says."""
        self.victim = next(index for index in (1, 2, 0) if index not in seats)
        return Network(blocked=self.blocked)

    def blocked(self, sender: int, receiver: int, data: bytes) -> bool:
        """Take away what the seat says; it hears itself."""
        del data
        return self.muted and sender == self.victim and receiver != sender

    def tap(self, ring: Ring, sender: int, data: bytes) -> None:
        """Begin with the first turn."""
        del sender, data
        chain = ring.places[self.victim].peer.chain
        self.muted |= chain is not None and chain.state.plan.phase is Phase.TURN


class FalseShare(Standing):
    """Seals another share to one seat than that seat should get."""

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Change the share of the first of the others."""
        if not isinstance(body, bodies.Sealed):
            return body
        self.tried(chain)
        spoiled = bytes(SEALED_BYTES - 1) + b"\x01"
        first = bytes(a ^ b for a, b in zip(body.boxes[:SEALED_BYTES], spoiled, strict=True))
        return replace(body, boxes=first + body.boxes[SEALED_BYTES:])


class TakenOver(Standing):
    """Seals its shares with what another has sealed its own with, to have one of those opened."""

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
        """Wait for another's, and take it over with its proof."""
        if not isinstance(body, bodies.Sealed):
            return body
        for other in others_of(chain):
            held = chain.said_now().get(other)
            if held is not None and isinstance(held.body, bodies.Sealed):
                self.tried(chain)
                return replace(body, ephemeral=held.body.ephemeral, proof=held.body.proof)
        return body

    def holds(self, chain: CheatChain) -> bool:
        """Let another speak first."""
        return chain.state.plan.phase is Phase.SHARE and not chain.said_now()


class Complaining(Attendance):
    """Carries a complaint about a share that is as it should be."""

    __slots__ = ("complaint",)
    complaint: Complaint

    def riders(self, state: TableState) -> tuple[Rider, ...]:
        """Add it."""
        return (*super().riders(state), self.complaint)


class FalseComplaint(Standing):
    """Complains about a share that is as it should be."""

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Let the complaint ride on the first statement after the shares."""
        standing, seat = chain.state.standing, chain.seat
        if self.first_step is not None or standing is None or not chain.state.stands:
            return body
        assert seat is not None
        assert chain.keys is not None
        self.tried(chain)
        share = held_share(chain.state, others_of(chain)[0], seat)
        old = chain.attendance
        carrying = Complaining(
            desk=old.desk, table=old.table, backs=old.backs, proofs=old.proofs, said_ms=old.said_ms
        )
        carrying.complaint = share.complain(
            chain.state.context(seat), chain.keys, seeded_entropy(b"complaint" * 4)
        )
        chain.attendance = carrying
        return body


class FalsePart(Muting):
    """Gives a false partial share, with the best proof for it."""

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Give as a partial share what it gives as its own."""
        if self.first_step is not None or not isinstance(body, bodies.StoodIn):
            return body
        assert chain.seat is not None
        assert chain.keys is not None
        self.tried(chain)
        (task, *_) = standin_task(chain.state, chain.seat).parts
        context = chain.state.context(chain.seat)
        own = make_shares(context, chain.keys.secret, task.cards, seeded_entropy(b"part" * 8))
        shares = SharesTask(
            context=context, key=task.held.public, positions=task.positions, cards=task.cards
        )
        points = take_shares(own, len(task.cards))
        data = best_proof(shares, chain.keys.secret, points)
        return replace(body, parts=(bodies.Part(seat=task.seat, data=data), *body.parts[1:]))


class PartForAHand(Muting):
    """Gives a partial share of a card that lies in the hand of who is away, beside those due."""

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Add it."""
        if self.first_step is not None or not isinstance(body, bodies.StoodIn):
            return body
        assert chain.seat is not None
        assert chain.keys is not None
        self.tried(chain)
        state = chain.state
        (task, *_) = standin_task(state, chain.seat).parts
        hand = state.hands[task.seat][:1]
        more = replace(
            task, positions=tuple(hand), cards=tuple(state.cards[place] for place in hand)
        )
        part = more.make(state.context(chain.seat), chain.keys, seeded_entropy(b"hand" * 8))
        return replace(body, parts=(*body.parts, part))


class Withheld(Muting):
    """Says nothing where it should stand in."""

    lawful = True

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body | None:
        """Say nothing any more."""
        if isinstance(body, bodies.StoodIn):
            self.tried(chain)
        return body if self.first_step is None else None


def _cheat(name: str, sentence: str, trick: type[Trick], attacks: Promise) -> Cheat:
    return Cheat(
        name=name,
        family="stand-in",
        sentence=sentence,
        attacks=attacks,
        make=trick,
        needs="proof",
    )


CHEATS = (
    _cheat(
        "false-key-share",
        "One seat gets a share of a round key that does not fit what was committed to.",
        FalseShare,
        Promise.PROGRESS,
    ),
    _cheat(
        "taken-over-seal",
        "Shares are sealed with what another seat has sealed its own with, to have one opened.",
        TakenOver,
        Promise.SECRECY,
    ),
    _cheat(
        "false-complaint",
        "A seat complains about a share of a round key that is as it should be.",
        FalseComplaint,
        Promise.BLAME,
    ),
    _cheat(
        "false-part",
        "A partial share for a seat that is away is another than its sharing gives.",
        FalsePart,
        Promise.FAIR_DEAL,
    ),
    _cheat(
        "part-for-a-hand",
        "A partial share is given of a card in the hand of a seat that is away.",
        PartForAHand,
        Promise.SECRECY,
    ),
    _cheat(
        "withheld-part",
        "A seat says nothing where it should stand in for another.",
        Withheld,
        Promise.PROGRESS,
    ),
)
