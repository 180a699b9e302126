"""A page on a contest: tables, and every figure drawn with its interval. Nothing from outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite
from typing import Final

STYLE: Final = (
    "body{font-family:sans-serif;margin:2rem;max-width:60rem}"
    "table{border-collapse:collapse;margin:1rem 0}"
    "td,th{border:1px solid #ccc;padding:.3rem .6rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}"
)
WIDTH: Final = 640
LEFT: Final = 220
RIGHT: Final = 20
ROW: Final = 26
TOP: Final = 40
TICKS: Final = 5


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and how far it is sure."""

    name: str
    value: float
    low: float
    high: float


def contest_page(
    title: str,
    told: str,
    tables: Sequence[tuple[Sequence[str], Sequence[Sequence[str]]]],
    plots: Sequence[tuple[str, Sequence[Interval]]],
) -> str:
    """Return one HTML page.

    Args:
        title: of the page.
        told: what was played.
        tables: heads and rows.
        plots: titles, and what is drawn below one another.
    """
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(told)} Intervals hold in 95 of 100 such contests.</p>",
    ]
    for head, rows in tables:
        parts.append("<table>" + _row("th", head) + "".join(_row("td", row) for row in rows))
        parts.append("</table>")
    parts += [interval_plot(name, intervals) for name, intervals in plots]
    return "\n".join([*parts, "</body></html>", ""])


def _row(cell: str, values: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{cell}>{escape(value)}</{cell}>" for value in values) + "</tr>"


def interval_plot(title: str, intervals: Sequence[Interval]) -> str:
    """Return an SVG element with one line for each interval, its figure as a dot on it."""
    ends = [end for i in intervals for end in (i.low, i.value, i.high) if isfinite(end)]
    low, high = min(ends), max(ends)
    if high <= low:
        low, high = low - 1, high + 1
    height = TOP + ROW * len(intervals) + 30

    def across(value: float) -> float:
        kept = min(max(value, low), high)
        return round(LEFT + (kept - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<text x="8" y="20" font-size="14">{escape(title)}</text>',
    ]
    for tick in range(TICKS):
        value = low + (high - low) * tick / (TICKS - 1)
        x = across(value)
        parts += [
            f'<line x1="{x}" y1="{TOP - 8}" x2="{x}" y2="{height - 24}" stroke="#ddd"/>',
            f'<text x="{x}" y="{height - 8}" text-anchor="middle">{value:.4g}</text>',
        ]
    for place, interval in enumerate(intervals):
        y = TOP + ROW * place + ROW // 2
        parts += [
            f'<text x="8" y="{y + 4}">{escape(interval.name)}</text>',
            f'<line x1="{across(interval.low)}" y1="{y}" x2="{across(interval.high)}" y2="{y}" '
            'stroke="#1b6ca8" stroke-width="3"/>',
            f'<circle cx="{across(interval.value)}" cy="{y}" r="5" fill="#1b6ca8"/>',
        ]
    return "\n".join([*parts, "</svg>"])
