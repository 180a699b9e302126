"""A seat that cheats: a real peer, of which one thing is otherwise.

A `Trick` is what it does otherwise; a `CheatChain` is the chain of a peer that asks its trick before
it speaks. One trick may sit on several seats: then they collude. The product knows nothing of this:
a cheating peer is an own class of peer, which only a `Ring` can be given.
"""

from collections.abc import Mapping
from typing import ClassVar

from unop2p.errors import RemoteError
from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Signed, Statement
from unop2p.peer.chain import Chain
from unop2p.peer.core import Peer
from unop2p.sim.ring import Network, Ring
from unop2p.table import bodies
from unop2p.table.checks import Said, check_for
from unop2p.table.phases import Phase
from unop2p.table.work import Checked


class Trick:
    """What a cheat does otherwise than it should; this one does nothing. One object for one run."""

    options: ClassVar[Mapping[str, object]] = {}
    """Rules that the table must have, so that there is an occasion."""
    rounds = 1
    """How many rounds the match needs, so that there is an occasion."""
    think_ms = 0
    """How long players think, so that there is an occasion; else a table of bots takes no time."""
    resilience = 0
    """For how many seats others can stand in at the table, so that there is an occasion."""
    stacked = ""
    """Which hand of `stack.HANDS` the seat needs, so that there is an occasion."""
    gives_away = False
    """Whether the seats that do it give to others what they could as well tell them."""
    lawful = False
    """Whether what it says is allowed, so that its being settled is no harm."""
    seats: frozenset[Seat] = frozenset()
    """Who does it."""
    first_step: int | None = None
    """The step at which it first did what it is there for."""

    def tried(self, chain: Chain) -> None:
        """Note that it did it."""
        if self.first_step is None:
            self.first_step = chain.open.step

    def body(self, chain: "CheatChain", body: bodies.Body) -> bodies.Body | None:
        """Return what the seat says instead of what is due; None: nothing at all."""
        return body

    def after(self, chain: "CheatChain", statement: Signed) -> None:
        """Do something more, once the seat has spoken."""

    def holds(self, chain: "CheatChain") -> bool:
        """Say whether the seat does not speak yet, though it could."""
        return False

    def adopts(self, chain: "CheatChain", adopt: Adopt) -> None:
        """Do something more, once the seat has adopted a close."""

    def is_lost(self, chain: Chain) -> bool:
        """Say whether there will be no occasion any more."""
        return False

    def network(self, seats: frozenset[int]) -> Network | None:
        """Return a network that helps; `seats` are those of the cheats."""
        return None

    def tap(self, ring: Ring, sender: int, data: bytes) -> None:
        """See a message as the broker does, and add others."""

    def effect(self, ring: Ring, honest: tuple[int, ...]) -> str | None:
        """Say what the cheat has got by it, or None. Asked at the end, where nobody was blamed."""
        return None


class CheatChain(Chain):
    """The chain of a seat that cheats; a subclass for each run says by which trick."""

    __slots__ = ()
    trick: ClassVar[Trick]

    def said_now(self) -> dict[Seat, Said]:
        """Return every statement of the open step that the seat holds."""
        return self.said()

    def _say_own(self) -> None:
        if not self.trick.holds(self):
            super()._say_own()

    def _say(self, body: bodies.Body, checked: Checked) -> None:
        told = self.trick.body(self, body)
        if told is None:
            self.making = True  # never asked again in this step
            return
        if told is not body:
            checked = self._yields(told, checked)
        super()._say(told, checked)
        assert self.seat is not None
        held = self.open.statements.get(self.seat)
        if held is not None and held.statement.body is told:
            self.trick.after(self, held.signed)

    def _yields(self, told: bodies.Body, honest: Checked) -> Checked:
        """Return what others take out of a statement where they do not look at its proofs."""
        assert self.seat is not None
        said = self.said()
        said[self.seat] = _said(told)
        try:
            check = check_for(self.state, self.seat, said, trusted=True)
            checked = check() if callable(check) else check
        except RemoteError:
            return honest
        return checked if checked is not None else honest

    def _adopt(self) -> None:
        before = self.adopted
        super()._adopt()
        if self.adopted and not before:
            assert self.seat is not None
            votes = [vote for _, vote in self.open.votes[self.seat]]
            self.trick.adopts(self, next(vote for vote in votes if isinstance(vote, Adopt)))


def _said(body: bodies.Body) -> Said:
    return Said(hash=bytes(32), body=body)


def cheating_peer(trick: Trick) -> type[Peer]:
    """Return a class of peers that do as a trick says."""
    chain_class = type("TrickChain", (CheatChain,), {"__slots__": (), "trick": trick})

    class CheatingPeer(Peer):
        def _begin_chain(self) -> None:
            super()._begin_chain()
            if self.chain is not None and not isinstance(self.chain, CheatChain):
                self.chain.__class__ = chain_class

    return CheatingPeer


def speaks_in(chain: Chain, phase: Phase) -> bool:
    """Say whether the open step is of this phase, and the seat owes a piece of its own in it."""
    return chain.state.plan.phase is phase and chain.seat in chain.state.plan.speakers


def statement_of(chain: Chain, body: bodies.Body) -> Statement:
    """Return a statement of the open step with this body."""
    return Statement(
        table=chain.table.offer.table, step=chain.open.step, head=chain.open.head, body=body
    )


def others_of(chain: Chain) -> tuple[Seat, ...]:
    """Return every seat but the chain's own."""
    return tuple(seat for seat in chain.state.seats if seat != chain.seat)
