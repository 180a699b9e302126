"""What `unop2p lab` does: it reads what was asked for, runs experiments, and shows what they say."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unop2p.cli.common import UsageError, check_writable, say, write_text
from unop2p.deal.shuffle import CARDS_MAX
from unop2p.edge.arguments import load_argument
from unop2p.ids import SEATS_MAX, SEATS_MIN, Seat
from unop2p.sim.lab.cheats import COLLUDING, Cheat, UnknownDefenseError, near
from unop2p.sim.lab.cost import (
    DealCost,
    PieceCost,
    Prices,
    deal_cost,
    piece_costs,
    prices,
)
from unop2p.sim.lab.defenses import DEFENSES
from unop2p.sim.lab.matrix import matrix
from unop2p.sim.lab.reader import Coalition, Learned
from unop2p.sim.lab.registry import CHEATS, find
from unop2p.sim.lab.report import cost_json, cost_lines, matrix_json, matrix_lines, page, summary
from unop2p.sim.lab.run import BAD, Outcome, Plan, Report, run

GROUPS = ("ristretto255", "toy")
MATRIX_PEERS = (2, 3, 4)
MATRIX_CARDS = (20, 54, 112)
"""What the page of a matrix measures beside it."""
DIGITS_MAX = 9
NEEDED = {
    "proof": "it needs some that carry a proof",
    "replay": "it needs some that are replayed after the round",
    "known": "it needs the insides of the proof",
}
"""What a cheat needs, by `Cheat.needs`, for a person."""
THROUGH_EXIT_CODE = 50
"""A cheat got through, or an honest seat was blamed."""
UNTRIED_EXIT_CODE = 51
"""A cheat had no occasion, so nothing is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What `lab run` was asked for."""

    peers: int
    deal: str
    cheats: tuple[str, ...]
    seed: int
    without: tuple[str, ...]
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRequest:
    """What `lab matrix` was asked for."""

    peers: int
    deals: tuple[str, ...]
    cheats: tuple[str, ...]
    """Families, or single cheats; empty: all."""
    seed: int
    seeds: int
    group: str
    teeth: bool
    html: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRequest:
    """What `lab cost` was asked for."""

    deals: tuple[str, ...]
    peers: str
    cards: str
    html: Path | None


def show_list(*, as_json: bool) -> int:
    """Show the zoo and the defenses, and return the exit code."""
    if as_json:
        _print_json(
            {
                "cheats": [
                    {
                        "name": cheat.name,
                        "family": cheat.family,
                        "sentence": cheat.sentence,
                        "attacks": cheat.attacks.value,
                        "seated": cheat.seated,
                        "stopped_by": list(cheat.stopped_by),
                    }
                    for cheat in CHEATS.values()
                ],
                "defenses": {defense.name: defense.sentence for defense in DEFENSES.values()},
            }
        )
        return 0
    width = max(map(len, (*CHEATS, *DEFENSES)))
    family = ""
    for cheat in CHEATS.values():
        if cheat.family != family:
            family = cheat.family
            print(f"{family}:")  # noqa: T201  # the command's result
        print(f"  {cheat.name:{width}}  {cheat.attacks.value}  {cheat.sentence}")  # noqa: T201
    print("defenses that --without leaves out:")  # noqa: T201
    for defense in DEFENSES.values():
        print(f"  {defense.name:{width}}      {defense.sentence}")  # noqa: T201
    return 0


def run_one(request: RunRequest, *, as_json: bool) -> int:
    """Run one experiment, show it, and return the exit code.

    Raises:
        UsageError: a number of peers, a seat or an argument that cannot be, or a cheat that does
            not apply to such shuffles.
        UnknownCheatError: no cheat of that name.
        UnknownDefenseError: no defense of that name.
    """
    argument = load_argument(request.deal)
    peers = read_peers(request.peers)
    cheats = read_cheats(request.cheats, peers)
    for cheat, _ in cheats:
        if not cheat.fits(argument):
            message = (
                f"`{cheat.name}` does not apply to {argument} shuffles: {NEEDED[cheat.needs]}."
            )
            raise UsageError(message)
    report = run(
        Plan(
            peers=peers,
            argument=argument,
            cheats=cheats,
            seed=request.seed,
            without=read_defenses(request.without),
            group=read_group(request.group),
            audit=not request.without,
        )
    )
    if as_json:
        _print_json(report_json(report))
    else:
        print("\n".join(report_lines(report)))  # noqa: T201  # the command's result
    return exit_code([report])


def run_matrix(request: MatrixRequest, *, as_json: bool) -> int:
    """Run every cheat against every protocol, show it, and return the exit code.

    Raises:
        UsageError: a number of peers or seeds that cannot be, or a page that cannot be written.
        UnknownCheatError: neither a family nor a cheat.
        DealError: no such shuffle argument.
    """
    if request.seeds < 1:
        message = f"`--seeds {request.seeds}`: at least one."
        raise UsageError(message)
    plan = Plan(peers=read_peers(request.peers), seed=request.seed, group=read_group(request.group))
    deals = [load_argument(deal) for deal in request.deals]
    cheats = read_families(request.cheats)
    if request.html is not None:
        check_writable("--html", request.html)
    cells = matrix(
        cheats,
        deals,
        plan,
        seeds=request.seeds,
        teeth=request.teeth,
        told=lambda cell: say(f"{cell.argument}  {cell.cheat.name}  {cell.outcome}"),
    )
    if request.html is not None:
        costs = measure(deals, MATRIX_PEERS, MATRIX_CARDS)
        told = (
            f"{plan.peers} peers, seed {plan.seed}, {request.seeds} seeds each, group {plan.group}, "
            f"{'each without its defense too' if request.teeth else 'all defenses on'}. "
            "The costs below are of the real group."
        )
        write_text(
            "--html", request.html, page("Cheats against fair deals", cells, costs, told=told)
        )
    if as_json:
        _print_json({"cells": matrix_json(cells), "summary": summary(cells)})
    else:
        print("\n".join(matrix_lines(cells)))  # noqa: T201  # the command's result
    code = exit_code([report for cell in cells for report in cell.reports])
    return THROUGH_EXIT_CODE if any(cell.is_bad for cell in cells) else code


def run_cost(request: CostRequest, *, as_json: bool) -> int:
    """Measure what deals cost, show it, and return the exit code.

    Raises:
        UsageError: numbers that cannot be, or a page that cannot be written.
        DealError: no such shuffle argument.
    """
    peers = tuple(read_peers(number) for number in read_numbers(request.peers))
    cards = read_numbers(request.cards)
    if not all(1 <= count <= CARDS_MAX for count in cards):
        message = f"`--cards {request.cards[:60]}`: from 1 to {CARDS_MAX}."
        raise UsageError(message)
    if request.html is not None:
        check_writable("--html", request.html)
    unit, pieces, deals = measure([load_argument(deal) for deal in request.deals], peers, cards)
    if request.html is not None:
        write_text(
            "--html", request.html, page("What a fair deal costs", (), (unit, pieces, deals))
        )
    if as_json:
        _print_json(cost_json(unit, pieces, deals))
    else:
        print("\n".join(cost_lines(unit, pieces, deals)))  # noqa: T201  # the command's result
    return 0


def measure(
    deals: list[str], peers: tuple[int, ...], cards: tuple[int, ...]
) -> tuple[Prices, list[PieceCost], list[DealCost]]:
    """Measure operations and whole deals, and one multiplication in the same run."""
    unit = prices()
    pieces = piece_costs(deals, cards, unit)
    return unit, pieces, [deal_cost(deal, count, unit) for deal in deals for count in peers]


def exit_code(reports: list[Report]) -> int:
    """Return how a command ends that has run these experiments."""
    if any(report.outcome in BAD for report in reports):
        return THROUGH_EXIT_CODE
    if any(report.outcome is Outcome.UNTRIED for report in reports):
        return UNTRIED_EXIT_CODE
    return 0


# -- what was asked for ------------------------------------------------------------------------


def read_peers(peers: int) -> int:
    """Return a number of seats.

    Raises:
        UsageError: UNO is not played with so many.
    """
    if not SEATS_MIN <= peers <= SEATS_MAX:
        message = f"`--peers {peers}`: a table has {SEATS_MIN} to {SEATS_MAX} seats."
        raise UsageError(message)
    return peers


def read_group(name: str) -> str:
    """Return the name of a group.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in GROUPS:
        message = f"`--group {name[:60]}`: there are {' and '.join(GROUPS)}."
        raise UsageError(message)
    return name


def is_number(text: str) -> bool:
    """Return whether text is a number as the laboratory takes it: one to nine digits."""
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX


def read_numbers(text: str) -> tuple[int, ...]:
    """Return numbers written as `20,54,112`.

    Raises:
        UsageError: something else.
    """
    numbers = text.split(",")
    if not all(is_number(number) for number in numbers):
        message = f"'{text[:60]}': write numbers with commas between, such as 20,54,112."
        raise UsageError(message)
    return tuple(int(number) for number in numbers)


def read_families(names: tuple[str, ...]) -> list[Cheat]:
    """Return the cheats of some families, or the one cheat of that name; all where none is named.

    Raises:
        UnknownCheatError: neither a family nor a cheat.
    """
    if not names:
        return list(CHEATS.values())
    found: dict[str, Cheat] = {}
    for name in names:
        chosen = [cheat for cheat in CHEATS.values() if cheat.family == name]
        for cheat in chosen or [find(name)]:
            found[cheat.name] = cheat
    return list(found.values())


def read_cheats(texts: tuple[str, ...], peers: int) -> tuple[tuple[Cheat, Seat | None], ...]:
    """Read cheats as they are typed, `NAME@SEAT`, or `NAME` alone for what no seat does.

    Raises:
        UnknownCheatError: no cheat of that name.
        UsageError: no seat, or one that is not at the table; or nobody is left who is honest.
    """
    found: list[tuple[Cheat, Seat | None]] = []
    for text in texts:
        name, at, number = text.partition("@")
        cheat = find(name)
        if not cheat.seated:
            if at:
                message = f"`{text[:60]}`: no seat does this; write `{name}`."
                raise UsageError(message)
            found.append((cheat, None))
            continue
        if not is_number(number) or int(number) >= peers:
            message = f"`{text[:60]}`: write it as {name}@SEAT, with a seat from 0 to {peers - 1}."
            raise UsageError(message)
        found.append((cheat, Seat(int(number))))
    for cheat, _ in found:
        if cheat.name in COLLUDING and sum(other is cheat for other, _ in found) < 2:  # two seats
            message = f"`{cheat.name}` takes two seats: give it twice, with a seat each."
            raise UsageError(message)
    seats = {seat for _, seat in found if seat is not None}
    if len(seats) < sum(seat is not None for _, seat in found):
        message = "a seat can do one cheat in a run."
        raise UsageError(message)
    if len(seats) == peers:
        message = "every seat cheats: leave one honest."
        raise UsageError(message)
    return tuple(found)


def read_defenses(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of defenses.

    Raises:
        UnknownDefenseError: there is none of that name.
    """
    for name in names:
        if name not in DEFENSES:
            message = f"'{name[:60]}'.{near(name, list(DEFENSES))}"
            raise UnknownDefenseError(message)
    return names


# -- what is shown -----------------------------------------------------------------------------


def report_lines(report: Report) -> list[str]:
    """Return a report for people."""
    plan = report.plan
    names = ", ".join(
        cheat.name + (f"@{seat}" if seat is not None else "") for cheat, seat in plan.cheats
    )
    lines = [
        f"table    {plan.peers} peers, deal {plan.argument}, seed {report.seed}"
        + (f", without {', '.join(plan.without)}" if plan.without else ""),
        f"cheat    {names or 'nobody'}",
        f"outcome  {report.outcome.value}: {report.reason}",
    ]
    if report.tried_step is not None:
        lines.append(f"tried    at step {report.tried_step} ({report.phase})")
    if report.caught_step is not None:
        when = "at once" if report.steps_late == 0 else f"{report.steps_late} steps later"
        lines.append(f"caught   at step {report.caught_step}, {when}")
    if report.blamed:
        lines.append(f"blamed   seat {', '.join(map(str, report.blamed))}")
    if report.evidence:
        lines.append(f"evidence {'; '.join(report.evidence)}")
    if report.waits_for:
        lines.append(f"waits    for seat {', '.join(map(str, report.waits_for))}")
    if report.audited:
        lines.append(f"records  audited: {', '.join(report.audited)}")
    for coalition, learned in report.learned.items():
        lines.append(f"learned  {_who(coalition)}: {_learned(coalition, learned)}")
    cost = report.cost
    lines.append(
        f"cost     {cost.steps} steps, {cost.messages} messages, {cost.bytes} bytes, "
        f"{cost.wall_ms:.0f} ms; {cost.table_ms} ms at the table"
    )
    return lines


def _who(coalition: Coalition) -> str:
    if not coalition:
        return "who only listens"
    return f"seat {' with '.join(map(str, coalition))}"


def _learned(coalition: Coalition, learned: Learned) -> str:
    own = f"{len(learned.own)} cards of its own, " if coalition else ""
    return f"{own}{len(learned.hands)} in other hands, {len(learned.pile)} in the pile"


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as JSON holds it."""
    plan = report.plan
    return {
        "peers": plan.peers,
        "deal": plan.argument,
        "seed": report.seed,
        "without": list(plan.without),
        "cheats": [{"name": cheat.name, "seat": seat} for cheat, seat in plan.cheats],
        "outcome": report.outcome.value,
        "bad": report.outcome in BAD,
        "reason": report.reason,
        "tried_step": report.tried_step,
        "phase": report.phase,
        "caught_step": report.caught_step,
        "steps_late": report.steps_late,
        "blamed": list(report.blamed),
        "evidence": list(report.evidence),
        "waits_for": list(report.waits_for),
        "audited": list(report.audited),
        "learned": [
            {
                "seats": list(coalition),
                "own": len(learned.own),
                "hands": len(learned.hands),
                "pile": len(learned.pile),
            }
            for coalition, learned in report.learned.items()
        ],
        "cost": {**asdict(report.cost), "wall_ms": round(report.cost.wall_ms, 1)},
    }


def _print_json(value: object) -> None:
    print(json.dumps(value))  # noqa: T201  # the command's result
