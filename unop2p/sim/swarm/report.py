"""What many seeds have come to: for people, as JSON, and as a report that can be gone on with."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from unop2p.sim.swarm.campaign import Campaign, Totals
from unop2p.sim.swarm.faults import Kind, ScriptError
from unop2p.sim.swarm.plan import Plan, dump
from unop2p.sim.swarm.run import Outcome

FORMAT = "unop2p-sim-report-1"
FAILURES_KEPT = 100
UNITS = {
    Kind.LOSS: "messages lost",
    Kind.REPEAT: "messages that came twice",
    Kind.REORDER: "messages overtaken",
    Kind.DELAY: "messages late",
    Kind.CUT: "messages kept back",
    Kind.ONE_WAY: "messages kept back in one direction",
    Kind.OUTAGE: "messages to a broker that was down",
    Kind.JUNK: "things that strangers wrote",
    Kind.CRASH: "peers killed before an effect",
    Kind.FREEZE: "peers stopped for a while",
    Kind.GONE: "peers killed until the healing, or for good",
    Kind.SLOW_DISK: "slow writes",
    Kind.SLOW_WORK: "slow proofs and checks",
    Kind.CLOCK: "jumps of a clock",
    Kind.LEAVE: "players who left for good",
    Kind.CHEAT: "cheats that were tried",
}
"""What is counted of each kind of fault."""
STORIES = {
    "MoveMade": "moves told to players",
    "SeatAway": "seats found away",
    "SeatBack": "seats back",
    "RoundVoid": "rounds void",
    "RoundEnded": "rounds ended",
    "MatchEnded": "matches ended",
    "PileShuffled": "piles shuffled",
    "SeatLeft": "seats left for good",
    "FaultProved": "faults proved",
    "SeatExpelled": "seats expelled",
}
"""Notices that say what a run has been through; each is counted once for each honest peer."""


@dataclass(slots=True, kw_only=True)
class Report:
    """A campaign with what is done of it."""

    campaign: Campaign
    commit: str = ""
    """Of the program, where it is known."""
    done: set[int] = field(default_factory=set)
    """The seeds that were played."""
    totals: Totals = field(default_factory=Totals)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Add one seed."""
        self.done.add(outcome.plan.seed)
        self.totals.add(outcome)
        if outcome.violations and len(self.failures) < FAILURES_KEPT:
            self.failures.append(failure_json(outcome))


def failure_json(outcome: Outcome, script: Plan | None = None) -> dict[str, Any]:
    """Return a seed that has failed, as JSON holds it."""
    return {
        "seed": outcome.plan.seed,
        "violations": [asdict(violation) for violation in outcome.violations],
        "script": dump(script or outcome.plan),
    }


def ranges(seeds: Iterable[int]) -> list[tuple[int, int]]:
    """Return numbers as ranges, both ends in them."""
    found: list[tuple[int, int]] = []
    for seed in sorted(seeds):
        if found and seed == found[-1][1] + 1:
            found[-1] = (found[-1][0], seed)
        else:
            found.append((seed, seed))
    return found


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as JSON holds it."""
    values = {item.name: getattr(report.totals, item.name) for item in fields(Totals)}
    # `asdict` would make a counter of pairs of a counter.
    totals = {name: dict(v) if isinstance(v, Counter) else v for name, v in values.items()}
    totals["cpu_s"] = round(report.totals.cpu_s, 1)
    return {
        "format": FORMAT,
        "campaign": asdict(report.campaign),
        "commit": report.commit,
        "done": ranges(report.done),
        "totals": totals,
        "failures": report.failures,
    }


def read_report(data: object) -> Report:
    """Read a report, to go on with it.

    Raises:
        ScriptError: it is none.
    """
    try:
        assert isinstance(data, dict)
        assert data["format"] == FORMAT
        totals = dict(data["totals"])
        for item in fields(Totals):
            if item.default_factory is Counter:
                totals[item.name] = Counter(totals[item.name])
        return Report(
            campaign=Campaign(**data["campaign"]),
            commit=str(data["commit"]),
            done={seed for first, last in data["done"] for seed in range(first, last + 1)},
            totals=Totals(**totals),
            failures=list(data["failures"]),
        )
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        message = f"It is no report of the simulator: it does not say `{FORMAT}`, or is damaged."
        raise ScriptError(message) from error


def totals_lines(totals: Totals) -> Iterator[str]:
    """Yield what some seeds have come to, for people."""
    yield (
        f"{totals.seeds} seeds, {totals.tables} tables, {totals.peers} peers, {totals.steps} steps "
        f"settled, {totals.messages} messages, {totals.events} events; "
        f"{totals.table_ms / 3_600_000:.1f} hours at the tables."
    )
    if totals.hit:
        yield "faults that acted:"
    for kind in Kind:
        if totals.hit[kind]:
            yield (
                f"  {kind.value:10} {totals.hit[kind]:6} seeds  "
                f"{totals.acted[kind]:8} {UNITS[kind]}"
            )
    told = [f"{totals.told[name]} {text}" for name, text in STORIES.items() if totals.told[name]]
    if told:
        yield "told to honest peers: " + ", ".join(told) + "."
    yield (
        f"{totals.acted['forks']} times an honest peer found two closes of a step, and made it void; "
        f"{totals.acted['audited']} records were audited."
    )
    if totals.failed:
        found = ", ".join(f"{name} ({count})" for name, count in totals.broken.most_common())
        yield f"{totals.failed} seeds failed: {found}."
    else:
        yield "No seed failed."


def outcome_lines(outcome: Outcome) -> Iterator[str]:
    """Yield one run, for people: what was played, what went wrong on purpose, what came of it."""
    plan = outcome.plan
    for number, setup in enumerate(plan.tables):
        rules = " ".join([setup.rules, *(f"{name}={value}" for name, value in setup.changes)])
        yield (
            f"table {number}: {setup.seats} seats, {setup.argument}, {rules}, "
            f"{setup.rounds} rounds at most, resilience {setup.resilience}"
        )
    for number, fault in enumerate(plan.faults):
        yield f"fault {number}: {fault}"
    yield (
        f"{outcome.steps} steps, {outcome.events} events, {outcome.now_ms} ms at the tables, "
        f"trace {outcome.digest}"
    )
    for violation in outcome.violations:
        yield f"FAILED  {violation}"
    if not outcome.violations:
        yield "well"
