"""After a fork: what two closes of one step come to, and where the table goes on.

Source: protocol section 4, Fork. Contradictions have made two closes of one step settle. Who has signed
both is expelled, everything from that step on is void, and the others begin a new round on a head of
its own.
"""

from dataclasses import dataclass

from unop2p.log.messages import void_head
from unop2p.table import notices
from unop2p.table.apply import plan_next
from unop2p.table.presence import PLAYERS_MIN, expel, last_one_wins
from unop2p.table.riders import Guilt
from unop2p.table.state import TableState
from unop2p.words import said


@dataclass(frozen=True, slots=True, kw_only=True)
class Void:
    """A fork that was found."""

    step: int
    """Of which two closes have settled."""
    base: bytes
    """The head before that step."""
    guilty: tuple[Guilt, ...]
    """By rising seat; at least one."""

    @property
    def head(self) -> bytes:
        """Where the chain goes on, at the same step."""
        return void_head(self.base, tuple(guilt.seat for guilt in self.guilty))


def apply_void(state: TableState, void: Void) -> tuple[notices.Notice, ...]:
    """Go on after a fork.

    Args:
        state: as the steps before the forked one have left it; changed in place.
        void: the fork.

    Returns:
        What players are told, in order.
    """
    seats = tuple(guilt.seat for guilt in void.guilty)
    told: list[notices.Notice] = [notices.HistoryForked(step=void.step, seats=seats)]
    for guilt in void.guilty:
        expel(state, guilt, told)
        state.away.pop(guilt.seat, None)
    if not state.active and state.voters:
        state.away = {}
    if state.match is not None:
        state.match = state.match.without(frozenset(state.gone))
    state.head = void.head
    state.voids += 1
    if len(state.voters) < PLAYERS_MIN:
        last_one_wins(state, told)
    else:
        state.void = said("two closes of step {step} had settled", step=void.step)
        plan_next(state, told)
    return tuple(told)
