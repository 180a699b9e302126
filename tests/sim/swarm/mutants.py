"""Peers with one fault each, which the checkers must find.

Some are a class of peer of their own, which one seat has; the others change one function of the
product for as long as a run lasts, for all peers alike.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from unop2p.ids import Seat
from unop2p.log import closing, evidence
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.log.steps import OpenStep
from unop2p.peer import attendance, desk, events, gossip
from unop2p.peer import chain as chains
from unop2p.peer.chain import Chain
from unop2p.peer.core import Peer
from unop2p.sim.lab.defenses import put, swap
from unop2p.sim.swarm.table import Make
from unop2p.table import bodies, phases
from unop2p.table.apply import apply_step
from unop2p.table.state import TableState
from unop2p.wire import sealing

Switch = Callable[[ExitStack], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A fault, and what finds it."""

    name: str
    found_by: tuple[str, ...]
    """Promise and check; any of them."""
    mode: str
    within: int
    """Seeds, from 0 on."""
    peer: type[Peer] | None = None
    """Of one seat;"""
    switch: Switch | None = None
    """or of all."""
    seats: int = 3
    read: bool = False
    """Whether a reader reads along."""

    @property
    def make(self) -> Make | None:
        """What the simulator is given."""
        if self.peer is None:
            return None
        return lambda _table, index: self.peer if index == 1 else None

    @contextmanager
    def on(self) -> Iterator[None]:
        """Have it, for as long as this lasts."""
        with ExitStack() as stack:
            if self.switch is not None:
                self.switch(stack)
            yield


def of_chain(changed: type[Chain]) -> type[Peer]:
    """Return a peer that has another chain."""

    class ChangedPeer(Peer):
        def _begin_chain(self) -> None:
            super()._begin_chain()
            if self.chain is not None:
                self.chain.__class__ = changed

    return ChangedPeer


class ForgetsJournal(Peer):
    """Comes back without the last that it had kept."""

    def _start(self, event: events.Started) -> None:
        super()._start(replace(event, entries=event.entries[: -len(event.entries) // 4 or None]))


class ForgetsSecret(Peer):
    """Comes back without the secret of its round."""

    def _start(self, event: events.Started) -> None:
        super()._start(replace(event, secrets={}))


class AdoptsUnchecked(Chain):
    """Adopts a close as soon as the statements are there."""

    __slots__ = ()

    def _adopt(self) -> None:
        here = all(seat in self.open.statements for seat in self.open.active)
        if here and not self.adopted and not self.open.irregular and self.seat in self.open.voters:
            self.adopted = True
            self._vote(
                Adopt(
                    table=self.table.offer.table,
                    step=self.open.step,
                    head=self.open.head,
                    attempt=0,
                    close=self.open.close(),
                )
            )
        super()._adopt()


class SpeaksAhead(Chain):
    """Says the next step's word as soon as it has adopted this one."""

    __slots__ = ()

    def _vote(self, vote: Try | Adopt) -> None:
        super()._vote(vote)
        ahead = Statement(
            table=vote.table, step=vote.step + 1, head=bytes(32), body=bodies.Assent()
        )
        self.desk.say(self.desk.sign(ahead))


def half_is_enough(stack: ExitStack) -> None:
    """Let half of the voters settle a step."""
    swap(stack, closing.majority, lambda voters: (voters + 1) // 2)
    put(stack, OpenStep, "settled", _settled_by_half)


def _settled_by_half(step: OpenStep) -> Any:
    found = closing.certificates(step, closing.all_checked)
    return found[0] if found else None


def says_before_it_keeps(stack: ExitStack) -> None:
    """Publish a word, then keep it."""

    def say(self: desk.Desk, signed: Signed) -> None:
        self.publish(signed)
        self.keep(signed)
        self.save()

    put(stack, desk.Desk, "say", say)


def loses_a_card(stack: ExitStack) -> None:
    """Take a card out of a hand at a step of the game."""
    _after_step(stack, lambda state, seat: state.hands[seat].pop())


def doubles_a_card(stack: ExitStack) -> None:
    """Put the top of the pile into a hand, and leave it where it is."""
    _after_step(stack, lambda state, seat: state.hands[seat].append(state.pile[0]))


def _after_step(stack: ExitStack, change: Callable[[TableState, Seat], object]) -> None:
    old = apply_step

    def changed(state: TableState, *rest: Any) -> Any:
        told = old(state, *rest)
        if state.step % 9 == 8 and state.plan.phase is phases.Phase.TURN and state.hands:
            change(state, min(state.hands))
        return told

    put(stack, chains, "apply_step", changed)


def never_says_that_it_is_back(stack: ExitStack) -> None:
    """Let who was left out say nothing of it."""
    put(stack, attendance.Attendance, "say_back", lambda *_: None)


def tells_nobody_what_it_lacks(stack: ExitStack) -> None:
    """Answer no question."""
    put(stack, gossip.Gossip, "on_ask", lambda *_: None)


def takes_votes_of_two_attempts_for_a_contradiction(stack: ExitStack) -> None:
    """Blame whoever has tried, or adopted, twice."""
    old = evidence.contradiction

    def contradiction(first: Any, second: Any) -> str | None:
        same = type(first) is type(second) and first != second
        place = (first.step, first.head) == (second.step, second.head)
        return "said twice" if same and place else old(first, second)

    swap(stack, old, contradiction)


def hides_its_seal(stack: ExitStack) -> None:
    """Try what is there, whatever seal is held."""
    old = closing.highest
    swap(stack, old, lambda _: None)


def gives_shares_of_its_own_cards_too(stack: ExitStack) -> None:
    """Have every seat give its share of the cards that it gets."""

    def shares_due(self: phases.StepPlan, seat: Seat) -> tuple[int, ...]:
        if seat not in self.masks:
            return ()
        return tuple(sorted([*(position for position, _ in self.dealt), *self.opened]))

    put(stack, phases.StepPlan, "shares_due", shares_due)


def seals_nothing(stack: ExitStack) -> None:
    """Send what is said as it is."""

    def seal(self: sealing.Sealer, payload: bytes, nonce: bytes) -> bytes:  # noqa: ARG001
        return nonce + payload + bytes(sealing.PADDING_STEPS[0])

    put(stack, sealing.Sealer, "seal", seal)


def falls_over_junk(stack: ExitStack) -> None:
    """Take what a stranger sends for granted."""
    old = sealing.Sealer.open

    def open_(self: sealing.Sealer, data: bytes) -> bytes:
        if len(data) < sealing.PADDING_STEPS[0]:
            raise ValueError(data[:10])
        return old(self, data)

    put(stack, sealing.Sealer, "open", open_)


MUTANTS = (
    Mutant(
        name="forgets its journal",
        peer=ForgetsJournal,
        found_by=("P5 stopped", "P4 contradiction"),
        mode="crash",
        within=10,
    ),
    Mutant(
        name="forgets its secret",
        peer=ForgetsSecret,
        found_by=("P5 stopped",),
        mode="crash",
        within=10,
    ),
    Mutant(
        name="adopts before checking",
        peer=of_chain(AdoptsUnchecked),
        found_by=("P4 unchecked",),
        mode="slow",
        within=5,
    ),
    Mutant(
        name="speaks at a step before the last is settled",
        peer=of_chain(SpeaksAhead),
        found_by=("P3 unsettled",),
        mode="none",
        within=1,
    ),
    Mutant(
        name="settles with half of the voters",
        switch=half_is_enough,
        found_by=("P3 agreement",),
        mode="partition",
        within=20,
        seats=4,
    ),
    Mutant(
        name="says before it keeps",
        switch=says_before_it_keeps,
        found_by=("P3 kept",),
        mode="none",
        within=1,
    ),
    Mutant(name="loses a card", switch=loses_a_card, found_by=("P2 cards",), mode="none", within=5),
    Mutant(
        name="doubles a card", switch=doubles_a_card, found_by=("P2 cards",), mode="none", within=5
    ),
    Mutant(
        name="never says that it is back",
        switch=never_says_that_it_is_back,
        found_by=("P5 progress",),
        mode="slow",
        within=20,
    ),
    Mutant(
        name="answers nobody",
        switch=tells_nobody_what_it_lacks,
        found_by=("P5 progress",),
        mode="loss",
        within=10,
    ),
    Mutant(
        name="blames whoever votes twice",
        switch=takes_votes_of_two_attempts_for_a_contradiction,
        found_by=("P4 blame",),
        mode="partition",
        within=40,
    ),
    Mutant(
        name="hides its seal",
        switch=hides_its_seal,
        found_by=("P4 contradiction", "P4 blame"),
        mode="partition",
        within=40,
    ),
    Mutant(
        name="gives shares of its own cards",
        switch=gives_shares_of_its_own_cards_too,
        found_by=("P1 secrecy",),
        mode="none",
        within=5,
        read=True,
    ),
    Mutant(
        name="seals nothing", switch=seals_nothing, found_by=("P6 sealed",), mode="none", within=1
    ),
    Mutant(
        name="falls over junk",
        switch=falls_over_junk,
        found_by=("P5 raised",),
        mode="loss",
        within=5,
    ),
)
