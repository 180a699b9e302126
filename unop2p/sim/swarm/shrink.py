"""A seed that fails, made short: as few faults as still make it fail in the same way.

Faults are taken out in halves, quarters and so on down to single ones (delta debugging: Zeller and
Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, IEEE TSE 28(2), 2002); then what is
left is made simpler, one value at a time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from unop2p.sim.swarm.faults import Fault, Kind
from unop2p.sim.swarm.plan import Plan
from unop2p.sim.swarm.run import Outcome

RUNS_MAX = 200
"""How many runs shrinking may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shrunk:
    """What shrinking has come to."""

    plan: Plan
    outcome: Outcome
    runs: int


class Shrinker:
    """Makes one failing plan short."""

    def __init__(
        self, outcome: Outcome, play: Callable[[Plan], Outcome], *, runs_max: int = RUNS_MAX
    ) -> None:
        """Begin with what failed.

        Args:
            outcome: of the plan that fails.
            play: plays a plan.
            runs_max: how many may be played.
        """
        self.plan, self.outcome = outcome.plan, outcome
        self._play = play
        self._left = runs_max
        self._runs = 0
        first = outcome.violations[0]
        self._kind = (first.promise, first.check)

    def shrink(self) -> Shrunk:
        """Return the shortest plan that was found."""
        before = None
        while before != self.plan and self._left > 0:
            before = self.plan
            self._fewer()
            self._sooner()
            self._simpler()
        return Shrunk(plan=self.plan, outcome=self.outcome, runs=self._runs)

    def _holds(self, plan: Plan) -> bool:
        """Keep a plan if it fails as the first one did."""
        if self._left <= 0 or plan == self.plan:
            return False
        self._left -= 1
        self._runs += 1
        outcome = self._play(plan)
        if all((found.promise, found.check) != self._kind for found in outcome.violations):
            return False
        self.plan, self.outcome = plan, outcome
        return True

    def _fewer(self) -> None:
        size = max(1, len(self.plan.faults))
        while size and self._left > 0:
            first = 0
            while first < len(self.plan.faults):
                faults = self.plan.faults
                kept = (*faults[:first], *faults[first + size :])
                if not self._holds(replace(self.plan, faults=kept)):
                    first += size
            size //= 2

    def _sooner(self) -> None:
        """End the run where it fails, and look at nothing that does not matter."""
        self._holds(replace(self.plan, audit=False, read=False))
        if len(self.plan.tables) > 1:
            for number in range(len(self.plan.tables)):
                if self._holds(_one_table(self.plan, number)):
                    break
        step = max(1, self.outcome.violations[0].step)
        for steps in (step // 2, step, step + 2):
            if 0 < steps < self.plan.steps and self._holds(replace(self.plan, steps=steps)):
                break

    def _simpler(self) -> None:
        number = 0
        while number < len(self.plan.faults):
            for simpler in _simpler(self.plan.faults[number]):
                faults = list(self.plan.faults)
                faults[number] = simpler
                self._holds(replace(self.plan, faults=tuple(faults)))
            number += 1


def _simpler(fault: Fault) -> Iterator[Fault]:
    """Yield faults that are easier to think about."""
    if fault.after_ms:
        yield replace(fault, after_ms=0)
    if fault.kind in {Kind.LOSS, Kind.REPEAT, Kind.REORDER} and fault.percent < 100:
        yield replace(fault, percent=100)
    if fault.kind is Kind.CRASH and fault.percent:
        yield replace(fault, percent=0)
    if fault.for_ms > 1:
        yield replace(fault, for_ms=fault.for_ms // 4)
    if len(fault.seats) > 1:
        for seat in fault.seats:
            yield replace(fault, seats=(seat,))
    if fault.amount > 1:
        yield replace(fault, amount=fault.amount // 4)


def _one_table(plan: Plan, number: int) -> Plan:
    """Return a plan with one of its tables; an outage of the broker may be another table's fault.

    What is drawn at a table hangs on its number, so the result may be another.
    """
    kept = tuple(
        replace(fault, table=0)
        for fault in plan.faults
        if fault.table == number or fault.kind is Kind.OUTAGE
    )
    return replace(plan, tables=(plan.tables[number],), faults=kept)
