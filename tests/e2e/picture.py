"""A session at the real program as a moving picture: `python -m tests.e2e.picture docs/table.svg`.

A person sits down, waits for the deal, looks what fits, and plays; what stands on the terminal then is
drawn, screen after screen, cell by cell.
"""

import html
import re
import sys
import tempfile
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyte

CELL, ROW, MARGIN = 8.4, 18, 10
"""Of one cell: width and height in pixels; and what is left free around all."""
FRAME_S = 1.6
INK, PAPER = "#d8d8d8", "#16161a"
NAMED = {
    "black": "#1c1c1c",
    "red": "#ff6b6b",
    "green": "#6bcb6b",
    "brown": "#e5c547",
    "blue": "#6ba8ff",
    "magenta": "#d78fff",
    "cyan": "#5fd7d7",
    "white": "#d8d8d8",
}


@dataclass(frozen=True)
class Look:
    """How a cell looks."""

    ink: str
    paper: str
    bold: bool


def _color(name: str, otherwise: str) -> str:
    if name == "default":
        return otherwise
    if re.fullmatch(r"[0-9a-f]{6}", name):
        return f"#{name}"
    return NAMED.get(name.removeprefix("bright"), otherwise)


def _look(cell: pyte.screens.Char) -> Look:
    ink, paper = _color(cell.fg, INK), _color(cell.bg, PAPER)
    if cell.reverse:
        ink, paper = paper, ink
    return Look(ink, paper, cell.bold)


def frame_of(screen: pyte.Screen) -> str:
    """Return what stands on a terminal as the inside of a picture."""
    parts: list[str] = []
    for row in range(screen.lines):
        cells = [screen.buffer[row][column] for column in range(screen.columns)]
        column = 0
        for look, group in groupby(cells, key=_look):
            text = "".join(cell.data for cell in group)
            x, y, wide = MARGIN + column * CELL, MARGIN + row * ROW, len(text) * CELL
            column += len(text)
            if look.paper != PAPER:
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{ROW + 0.6}" '
                    f'fill="{look.paper}"/>'
                )
            if text.strip():
                weight = ' font-weight="bold"' if look.bold else ""
                parts.append(
                    f'<text x="{x:.1f}" y="{y + 13}" textLength="{wide:.1f}" fill="{look.ink}"'
                    f'{weight} xml:space="preserve">{html.escape(text)}</text>'
                )
    return "".join(parts)


def picture(frames: list[str], columns: int, rows: int) -> str:
    """Return frames as one picture; each is to be seen for a while, one after the other."""
    width, height = columns * CELL + 2 * MARGIN, rows * ROW + 2 * MARGIN
    whole = FRAME_S * len(frames)
    share = 100 / len(frames)
    groups = "\n".join(
        f'<g class="f" style="animation-delay:{number * FRAME_S:.1f}s">{frame}</g>'
        for number, frame in enumerate(frames)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14">\n'
        f"<style>.f{{visibility:hidden;animation:f {whole:.1f}s infinite}}"
        f"@keyframes f{{0%{{visibility:visible}}{share:.3f}%{{visibility:hidden}}}}</style>\n"
        f'<rect width="100%" height="100%" rx="6" fill="{PAPER}"/>\n{groups}\n</svg>\n'
    )


def session(home: Path) -> list[str]:
    """Play a few moments with the real program, and return a frame of each."""
    from tests.e2e.terminal import Terminal
    from tests.e2e.test_terminal import ME, Player, first_ordinary_turn

    terminal = Terminal(
        home, "play", "--name", ME, "--bots", "3", "--turn-time", "600", LC_ALL="C.UTF-8"
    )
    frames: list[str] = []

    def take() -> None:
        frames.append(frame_of(terminal.screen))

    try:
        for done in range(1, 4):
            terminal.wait(lambda done=done: terminal.sees(f"({done}/4)"), "a shuffle")  # type: ignore[misc]  # bound
            take()
        player = Player(terminal)
        for _ in range(3):
            table = first_ordinary_turn(player)
            take()
            card = next((card for card in table.stars if not card.startswith("W")), "")
            line = card.lower() or "draw"
            terminal.keys(line)
            terminal.wait(lambda line=line: terminal.typed() == line, "what is typed")  # type: ignore[misc]  # bound
            take()
            terminal.keys("\r")
        first_ordinary_turn(player)
        terminal.ask("why", "audit")
        take()
    finally:
        terminal.close()
    return frames


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(sys.argv[1]).write_text(picture(session(Path(folder)), 80, 24), encoding="utf-8")
