"""Who is away, back, leaving or guilty, as one peer knows it: what it carries on its next statement.

Source: protocol section 4. What settled closes say about it is in the table's state; here is what has
not ridden on a statement yet.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from unop2p.ids import Seat
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed
from unop2p.peer.desk import Desk
from unop2p.table.genesis import Table
from unop2p.table.riders import RIDERS_MAX, Back, Carried, Proof, Rider
from unop2p.table.state import TableState

BACK_EVERY_MS = 2_000
"""How often a seat that was left out says that it is back."""
THINKS_MS = 500
"""How long whoever is back waits for a move of our player before our word goes without one."""
RETURN_MS = 5_000
"""Each further return of a seat in one round is carried so much later."""


class Returning(NamedTuple):
    """A seat's word that it is back."""

    signed: Signed
    step: int
    """Which left it out."""
    ready_ms: int
    """From when on it may be carried."""


@dataclass(slots=True, kw_only=True)
class Attendance:
    """What one peer has heard of who is there."""

    desk: Desk
    table: Table
    backs: dict[Seat, Returning] = field(default_factory=dict)
    """Each seat's word that it is back."""
    proofs: dict[Seat, Evidence] = field(default_factory=dict)
    """What proves each guilty seat guilty."""
    leaving: bool = False
    """Our own player wants to leave."""
    said_ms: int = -BACK_EVERY_MS
    """When we last said that we are back."""

    def guilty(self) -> frozenset[Seat]:
        """Return the seats that are proved to have broken the protocol."""
        return frozenset(self.proofs)

    def on_back(self, state: TableState, signed: Signed, back: Back, head: bytes | None) -> None:
        """Note that a seat says it is back, where that is so.

        Args:
            state: as all settled steps have left it.
            signed: its word; the signature holds.
            back: what it says.
            head: of the chain before the step that it names; None for a step to come.
        """
        seat = Seat(self.table.keys.index(signed.author))
        if state.away.get(seat) != back.step or back.head != head:
            return
        held = self.backs.get(seat)
        if seat not in self.proofs and (held is None or held.step != back.step):
            ready_ms = self.desk.now_ms + RETURN_MS * state.returns.get(seat, 0)
            self.backs[seat] = Returning(signed, back.step, ready_ms)

    def riders(self, state: TableState) -> tuple[Rider, ...]:
        """Return what our next statement has to carry, but for our own leaving."""
        if not self.backs and not self.proofs:
            return ()
        # It may have come back, and gone again: the word of then brings nobody back now.
        self.backs = {s: held for s, held in self.backs.items() if state.away.get(s) == held.step}
        found: list[Rider] = [
            Proof(step=evidence.step, items=evidence.items, close=evidence.close)
            for seat, evidence in sorted(self.proofs.items())
            if state.gone.get(seat) != "expelled"
        ]
        for seat, held in sorted(self.backs.items()):
            if held.ready_ms <= self.desk.now_ms and seat not in self.proofs:
                found.append(Carried(signed=held.signed))
        return tuple(found[: RIDERS_MAX - 1])

    def urgent(self, state: TableState) -> bool:
        """Say whether our next statement carries something."""
        return self.leaving or bool(self.riders(state))

    def presses(self, state: TableState) -> bool:
        """Say whether somebody is back, and has waited for the move of our player for long enough.

        All others have said their words in this step: only ours can carry it.
        """
        since = [
            held.ready_ms for seat, held in self.backs.items() if state.away.get(seat) == held.step
        ]
        if not since:
            return False
        until = min(since) + THINKS_MS
        self.desk.wake(until)
        return self.desk.now_ms >= until and any(
            isinstance(rider, Carried) for rider in self.riders(state)
        )

    def next_ready_ms(self) -> int | None:
        """Return when the next seat that is back may be carried."""
        return min((held.ready_ms for held in self.backs.values()), default=None)

    def wake_for_next(self) -> None:
        """Be woken when the next seat that is back may be carried."""
        ready_ms = self.next_ready_ms()
        if ready_ms is not None and ready_ms > self.desk.now_ms:
            self.desk.wake(ready_ms)

    def say_back(self, state: TableState, seat: Seat, head_at: Callable[[int], bytes]) -> None:
        """Say that we are back, if we were left out; again and again until it is settled."""
        step = state.away.get(seat)
        if step is None:
            return
        if self.desk.now_ms - self.said_ms >= BACK_EVERY_MS:
            self.said_ms = self.desk.now_ms
            word = Back(table=self.table.offer.table, step=step, head=head_at(step))
            self.desk.publish(self.desk.sign(word))
        self.desk.wake(self.said_ms + BACK_EVERY_MS)
