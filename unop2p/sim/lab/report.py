"""Tables and plots of the laboratory, as text and as one HTML page that needs nothing from outside."""

from collections.abc import Sequence
from dataclasses import asdict
from html import escape

from unop2p.sim.lab.cost import DealCost, PieceCost, Prices
from unop2p.sim.lab.matrix import Cell
from unop2p.sim.lab.run import BAD, Outcome
from unop2p.sim.lab.svg import Line, plot

STYLE = """
body { font: 14px/1.45 sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { border: 1px solid #ccc; padding: .25rem .5rem; text-align: left; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.good { background: #e4f4e4; } .bad { background: #f7d6d6; } .none { color: #888; }
"""
GOOD_WORDS = frozenset({Outcome.CAUGHT.value, Outcome.HARMLESS.value, Outcome.WAITS.value})


def caught_at(cell: Cell) -> str:
    """Say in which step it was caught, and how many steps after it was tried."""
    late = {report.steps_late for report in cell.reports if report.steps_late is not None}
    if not late:
        return ""
    phases = sorted({report.phase for report in cell.reports if report.phase})
    when = "at once" if late == {0} else f"{min(late)} to {max(late)} steps later"
    return f"{', '.join(phases)}: {when}"


def without_text(cell: Cell) -> str:
    """Say what it comes to without its defenses."""
    if cell.bare is None:
        return ""
    return f"{cell.bare.outcome.value} without {', '.join(cell.bare.plan.without)}"


def matrix_lines(cells: Sequence[Cell]) -> list[str]:
    """Return the matrix as a table of text, one line for each cheat and protocol."""
    width = max(len(cell.cheat.name) for cell in cells)
    deal = max(len(cell.argument) for cell in cells)
    lines = [
        f"{cell.argument:{deal}}  {cell.cheat.name:{width}}  {cell.outcome:18}  "
        f"{caught_at(cell):34}  {without_text(cell)}".rstrip()
        for cell in cells
    ]
    return [*lines, summary(cells)]


def summary(cells: Sequence[Cell]) -> str:
    """Return one line that counts."""
    reports = [report for cell in cells for report in cell.reports]
    bad = [report for report in reports if report.outcome in BAD]
    framed = sum(report.outcome is Outcome.FRAMED for report in reports)
    toothless = [cell.cheat.name for cell in cells if not cell.bites]
    untried = sum(report.outcome is Outcome.UNTRIED for report in reports)
    return (
        f"{len(reports)} runs of {len({cell.cheat.name for cell in cells})} cheats: "
        f"{len(bad)} got through, {framed} blamed an honest seat, {untried} had no occasion; "
        f"{sum(cell.bare is not None for cell in cells)} tried without their defense, "
        f"{len(toothless)} of them stopped all the same"
        + (f" ({', '.join(toothless)})" if toothless else "")
        + "."
    )


def matrix_json(cells: Sequence[Cell]) -> list[dict[str, object]]:
    """Return the matrix as JSON holds it."""
    return [
        {
            "cheat": cell.cheat.name,
            "family": cell.cheat.family,
            "attacks": cell.cheat.attacks.value,
            "deal": cell.argument,
            "outcome": cell.outcome,
            "runs": [
                {
                    "seed": report.seed,
                    "outcome": report.outcome.value,
                    "reason": report.reason,
                    "phase": report.phase,
                    "tried_step": report.tried_step,
                    "caught_step": report.caught_step,
                    "blamed": list(report.blamed),
                    "learned_too_much": report.learned_too_much,
                    "wall_ms": round(report.cost.wall_ms, 1),
                    "bytes": report.cost.bytes,
                    "messages": report.cost.messages,
                    "steps": report.cost.steps,
                }
                for report in cell.reports
            ],
            "without": list(cell.bare.plan.without) if cell.bare is not None else [],
            "outcome_without": cell.bare.outcome.value if cell.bare is not None else None,
            "reason_without": cell.bare.reason if cell.bare is not None else None,
        }
        for cell in cells
    ]


# -- costs -------------------------------------------------------------------------------------


def cost_lines(unit: Prices, pieces: Sequence[PieceCost], deals: Sequence[DealCost]) -> list[str]:
    """Return costs as tables of text."""
    lines = [
        f"one multiplication here: {unit.mul_us:.1f} us; by the base point {unit.base:.2f}, "
        f"an addition {unit.add:.2f} of it; `mult.` weighs each counted call so",
        "",
        f"{'deal':14} {'what':13} {'cards':>5} {'ms':>9} {'mult.':>8} {'bytes':>8}",
    ]
    lines += [
        f"{cost.argument:14} {cost.what:13} {cost.cards:5} {cost.ms:9.1f} {cost.units:8.0f} "
        f"{cost.bytes:8}"
        for cost in pieces
    ]
    head = (
        f"{'deal':14} {'peers':>5} {'ms':>9} {'mult.':>8} {'bytes':>8} {'messages':>8} {'steps':>5}"
    )
    lines += ["", "a whole deal of 112 cards among peers of one process, checks shared:", head]
    lines += [
        f"{cost.argument:14} {cost.peers:5} {cost.ms:9.1f} {cost.units:8.0f} {cost.bytes:8} "
        f"{cost.messages:8} {cost.steps:5}"
        for cost in deals
    ]
    return lines


def cost_json(
    unit: Prices, pieces: Sequence[PieceCost], deals: Sequence[DealCost]
) -> dict[str, object]:
    """Return costs as JSON holds them."""
    return {
        "unit": asdict(unit),
        "pieces": [asdict(cost) for cost in pieces],
        "deals": [asdict(cost) for cost in deals],
    }


def cost_plots(pieces: Sequence[PieceCost], deals: Sequence[DealCost]) -> list[str]:
    """Return plots of time, multiplications and bytes, by cards and by peers."""
    plots: list[str] = []
    if pieces:
        names = sorted({(cost.argument, cost.what) for cost in pieces})
        made = [(f"{what}, {argument}", argument, what) for argument, what in names]
        for title, label, value in (
            ("Time by cards", "ms", lambda cost: cost.ms),
            ("Multiplications by cards", "mult.", lambda cost: cost.units),
            ("Size by cards", "bytes", lambda cost: float(cost.bytes)),
        ):
            lines = [
                Line(
                    name=name,
                    points=tuple(
                        (float(cost.cards), value(cost))
                        for cost in pieces
                        if (cost.argument, cost.what) == (argument, what)
                    ),
                )
                for name, argument, what in made
            ]
            plots.append(plot(title, "cards", label, lines))
    if deals:
        arguments = sorted({cost.argument for cost in deals})
        for title, label, number in (
            ("A deal of all peers: time, checks shared", "ms", lambda cost: cost.ms),
            ("A deal of all peers: multiplications", "mult.", lambda cost: cost.units),
            ("A deal of all peers: size", "bytes", lambda cost: float(cost.bytes)),
        ):
            rows = [
                Line(
                    name=argument,
                    points=tuple(
                        (float(cost.peers), number(cost))
                        for cost in deals
                        if cost.argument == argument
                    ),
                )
                for argument in arguments
            ]
            plots.append(plot(title, "peers", label, rows))
    return plots


# -- the page ----------------------------------------------------------------------------------


def page(
    title: str,
    cells: Sequence[Cell],
    costs: tuple[Prices, Sequence[PieceCost], Sequence[DealCost]] | None,
    *,
    told: str = "",
) -> str:
    """Return one HTML page with the matrix and the costs; either may be left out.

    Args:
        title: of the page.
        cells: the matrix.
        costs: what was measured.
        told: with what it was run.
    """
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
    ]
    if told:
        parts.append(f"<p>{escape(told)}</p>")
    if cells:
        parts += [f"<p>{escape(summary(cells))}</p>", _matrix_table(cells)]
    if costs is not None:
        unit, pieces, deals = costs
        parts += [
            "<h2>What it costs</h2>",
            f"<p>One multiplication took {unit.mul_us:.1f} µs on this machine, by the base point "
            f"{unit.base:.2f} and an addition {unit.add:.2f} of that. Every call to the group is "
            "counted; `multiplications` are those counts, each call weighted by these ratios, which "
            "change a little from run to run. A whole deal is of 112 cards.</p>",
            *cost_plots(pieces, deals),
            _table(
                ("deal", "what", "cards", "ms", "multiplications", "bytes"),
                [
                    (c.argument, c.what, c.cards, round(c.ms, 1), round(c.units), c.bytes)
                    for c in pieces
                ],
            ),
            _table(
                ("deal", "peers", "ms", "multiplications", "bytes", "messages", "steps"),
                [
                    (
                        c.argument,
                        c.peers,
                        round(c.ms, 1),
                        round(c.units),
                        c.bytes,
                        c.messages,
                        c.steps,
                    )
                    for c in deals
                ],
            ),
        ]
    return "\n".join([*parts, "</body></html>", ""])


def _matrix_table(cells: Sequence[Cell]) -> str:
    arguments = list(dict.fromkeys(cell.argument for cell in cells))
    by_place = {(cell.cheat.name, cell.argument): cell for cell in cells}
    cheats = list({cell.cheat.name: cell.cheat for cell in cells}.values())
    head = "".join(f"<th>{escape(name)}</th><th>without its defense</th>" for name in arguments)
    rows = [f"<tr><th>cheat</th><th>attacks</th><th>what it does</th>{head}</tr>"]
    for cheat in cheats:
        columns = ""
        for argument in arguments:
            cell = by_place.get((cheat.name, argument))
            columns += _cell_columns(cell) if cell is not None else "<td></td><td></td>"
        rows.append(
            f"<tr><td>{escape(cheat.name)}</td><td>{cheat.attacks.value}</td>"
            f"<td>{escape(cheat.sentence)}</td>{columns}</tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _cell_columns(cell: Cell) -> str:
    kind = "good" if cell.outcome in GOOD_WORDS else "none" if not cell.reports else "bad"
    reason = cell.reports[0].reason if cell.reports else "does not apply"
    detail = caught_at(cell)
    bare = without_text(cell)
    bare_reason = cell.bare.reason if cell.bare is not None else ""
    return (
        f'<td class="{kind}" title="{escape(reason)}">{escape(cell.outcome)}'
        f"{f'<br><small>{escape(detail)}</small>' if detail else ''}</td>"
        f'<td title="{escape(bare_reason)}" class="{"" if cell.bites else "bad"}">'
        f"{escape(bare)}</td>"
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape(value)}</td>" if isinstance(value, str) else f'<td class="n">{value}</td>'
            for value in row
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><tr>{top}</tr>{body}</table>"
