"""Plots as inline SVG: lines through points, with axes, and nothing from outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 34, 44
COLORS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2", "#b8860b", "#444444", "#008b8b", "#d2691e")
TICKS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A named row of points."""

    name: str
    points: tuple[tuple[float, float], ...]


def plot(title: str, x_label: str, y_label: str, lines: Sequence[Line]) -> str:
    """Return a plot as one SVG element; both axes begin at zero.

    Args:
        title: above it.
        x_label: under the horizontal axis.
        y_label: at the top of the vertical one.
        lines: at least one point in all.
    """
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points]
    right, top = _round_up(max(xs)), _round_up(max(ys))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="16" font-size="13">{escape(title)}</text>',
        f'<text x="{LEFT - 8}" y="{TOP - 6}" text-anchor="end">{escape(y_label)}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) // 2}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{escape(x_label)}</text>",
    ]
    for index in range(TICKS + 1):
        share = index / TICKS
        y = _down(share)
        x = _across(share)
        parts += [
            f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#ddd"/>',
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{_number(top * share)}</text>',
            f'<text x="{x}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
            f"{_number(right * share)}</text>",
        ]
    for index, line in enumerate(lines):
        color = COLORS[index % len(COLORS)]
        places = [(_across(x / right), _down(y / top)) for x, y in sorted(line.points)]
        path = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>' for x, y in places]
        at = TOP + 14 * index
        parts.append(
            f'<text x="{WIDTH - RIGHT + 12}" y="{at + 4}" fill="{color}">{escape(line.name)}</text>'
        )
    return "\n".join([*parts, "</svg>"])


def _across(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _down(share: float) -> float:
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _round_up(value: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, ... that is no less.

    >>> _round_up(7), _round_up(1200), _round_up(0)
    (10.0, 2000.0, 1.0)
    """
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return next(float(step * power) for step in (1, 2, 5, 10) if step * power >= value)


def _number(value: float) -> str:
    """Write a tick.

    >>> _number(0), _number(2.5), _number(1500), _number(2e6)
    ('0', '2.5', '1.5k', '2M')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{round(value, 3):g}"
