"""How long one peer waits for whom. Its own clock's matter: no rule of the chain depends on it.

Source: protocol section 5. Patience is also a budget: a seat that was late for a minute in all in one
round is waited for no longer than a few seconds from then on.
"""

from dataclasses import dataclass, field

from unop2p.ids import Seat

LATE_MS = 2_000
"""A word that comes so long after it could have is late."""
BUDGET_MS = 60_000
"""So much lateness in one round is borne of a seat."""
SHORT_MS = 3_000
"""How long a seat is waited for that has used it up."""
FOR_GOOD_TIMES = 3
"""So many times the patience is spent where a seat that is left out is out for good."""
AGAIN_MS = 2_000
"""Between the first attempt at a close and the second; twice as long before each further one."""
SILENT_MS = 15_000
"""Three heartbeats: who was not heard for so long is taken to be gone, and is no help to a majority."""


@dataclass(slots=True, kw_only=True)
class Patience:
    """How late each seat was in the round, and when those of the open step have spoken."""

    patience_ms: int
    round_index: int = 0
    late_ms: dict[Seat, int] = field(default_factory=dict)

    def of(self, seat: Seat, *, for_good: bool = False) -> int:
        """Return how long a seat is waited for, once its time is over.

        Args:
            seat: who is silent.
            for_good: it could not come back from being left out: much patience, however late it was.
        """
        if for_good:
            return FOR_GOOD_TIMES * self.patience_ms
        if self.late_ms.get(seat, 0) >= BUDGET_MS:
            return min(SHORT_MS, self.patience_ms)
        return self.patience_ms

    def note(self, round_index: int, seat: Seat, waited_ms: int) -> None:
        """Note how long a seat let others wait in a step that has closed.

        Args:
            round_index: of the step; each round begins with nothing noted.
            seat: who.
            waited_ms: from when it could have spoken.
        """
        if round_index != self.round_index:
            self.round_index = round_index
            self.late_ms = {}
        if waited_ms > LATE_MS:
            self.late_ms[seat] = self.late_ms.get(seat, 0) + waited_ms

    def again(self, attempt: int) -> int:
        """Return how long after our try of the attempt before an attempt (2 or more) is made."""
        return min(int(AGAIN_MS * 2 ** min(attempt - 2, 20)), self.patience_ms)
