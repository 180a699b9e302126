"""Every cheat against every protocol, and each once more without the defense that should stop it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from unop2p.ids import Seat
from unop2p.sim.lab.cheats import COLLUDING, Cheat
from unop2p.sim.lab.run import BAD, Outcome, Plan, Report, run
from unop2p.table.replay import is_replayed


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cheat against one protocol."""

    cheat: Cheat
    argument: str
    reports: tuple[Report, ...]
    """With every defense on, one for each seed; empty where it does not apply."""
    bare: Report | None
    """Without the defenses that should stop it; None where none is named."""

    @property
    def outcome(self) -> str:
        """The worst outcome over the seeds, or a dash where the cheat does not apply."""
        if not self.reports:
            return "-"
        return worst(report.outcome for report in self.reports).value

    @property
    def is_bad(self) -> bool:
        """Whether it got through, or its test does not bite."""
        return any(report.outcome in BAD for report in self.reports) or not self.bites

    @property
    def bites(self) -> bool:
        """Whether it gets through without its defenses; true where none is named."""
        return self.bare is None or self.bare.outcome in BAD


def worst(outcomes: Iterator[Outcome]) -> Outcome:
    """Return the worst of some outcomes: bad ones first, then those that say nothing."""
    order = (Outcome.FRAMED, Outcome.THROUGH, Outcome.SPLIT, Outcome.UNNAMED, Outcome.UNTRIED)
    rank = {outcome: place for place, outcome in enumerate(order)}
    return min(outcomes, key=lambda outcome: rank.get(outcome, len(rank)))


def plan_for(cheat: Cheat, plan: Plan) -> Plan:
    """Return a plan in which the last seat cheats; two seats where it takes two."""
    if not cheat.seated:
        return replace(plan, cheats=((cheat, None),))
    count = 2 if cheat.name in COLLUDING and plan.peers > 2 else 1
    seats = range(plan.peers - count, plan.peers)
    return replace(plan, cheats=tuple((cheat, Seat(seat)) for seat in seats))


def matrix(
    cheats: list[Cheat],
    arguments: list[str],
    plan: Plan,
    *,
    seeds: int = 1,
    teeth: bool = True,
    told: Callable[[Cell], None] = lambda _cell: None,
) -> list[Cell]:
    """Run every cheat against every protocol.

    Args:
        cheats: which.
        arguments: names of shuffle arguments.
        plan: how many peers, the first seed, the group; its cheats are replaced.
        seeds: how many runs each, with following seeds.
        teeth: whether each is run without its defenses too.
        told: called after each.
    """
    cells: list[Cell] = []
    for argument in arguments:
        for cheat in cheats:
            cell = _cell(cheat, argument, replace(plan, argument=argument), seeds, teeth=teeth)
            cells.append(cell)
            told(cell)
    return cells


def _cell(cheat: Cheat, argument: str, plan: Plan, seeds: int, *, teeth: bool) -> Cell:
    if not cheat.fits(argument):
        return Cell(cheat=cheat, argument=argument, reports=(), bare=None)
    base = plan_for(cheat, plan)
    reports = tuple(run(replace(base, seed=plan.seed + index)) for index in range(seeds))
    defenses = cheat.teeth(replayed=is_replayed(argument))
    bare = run(replace(base, without=defenses)) if teeth and defenses else None
    return Cell(cheat=cheat, argument=argument, reports=reports, bare=bare)
