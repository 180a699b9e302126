"""QR codes on the screen, read back by another program from what a terminal shows."""

import numpy as np
import numpy.typing as npt
import pyte
import pytest
import zxingcpp

from tests.repl.support import lobby_view
from unop2p.repl.fold import width_of
from unop2p.repl.panel import Panel, Size
from unop2p.repl.qr import QUIET, code_lines, matrix
from unop2p.repl.render import Renderer
from unop2p.repl.story import Story
from unop2p.repl.terminal import ASCII, UNICODE, Symbols

TICKET = "unop2p:lilub-dasup-tokug-safan-vulaj@mqtt://192.168.1.5:57709"
LONG = "unop2p:lilub-dasup-tokug-safan-vulaj@" + ",".join(
    f"wss://broker-{number}.example.org:8443/a/longer/path" for number in range(4)
)
SHADES = {"black": 0, "brightwhite": 255, "white": 229}
Image = npt.NDArray[np.uint8]


def shade(name: str, default: int) -> int:
    return SHADES.get(name, default)


def photo(lines: list[str], *, paper: int, columns: int = 200) -> Image:
    """Return what a camera sees of a terminal: a cell is 8 by 16 dots.

    Args:
        lines: with color codes.
        paper: 0 for a dark terminal with light letters, 255 for a light one with dark letters.
        columns: of the terminal.
    """
    screen = pyte.Screen(columns, max(len(lines), 1) + 1)
    pyte.Stream(screen).feed("\r\n".join(lines))
    seen: Image = np.full((screen.lines * 16, columns * 8), paper, np.uint8)
    for row in range(screen.lines):
        for column in range(columns):
            cell = screen.buffer[row][column]
            ink = shade(cell.fg, 255 - paper)
            ground = shade(cell.bg, paper)
            at = seen[row * 16 : row * 16 + 16, column * 8 : column * 8 + 8]
            at[:] = ground
            if cell.data in "▀█":
                at[:8] = ink
            if cell.data in "▄█":
                at[8:] = ink
            if cell.data == "#":  # a letter that does not fill its cell
                at[1:15, 1:7] = ink
    return seen


def read(image: Image, *, inverted: bool = False) -> list[str]:
    found = zxingcpp.read_barcodes(image, try_invert=inverted)
    return [one.text for one in found]


@pytest.mark.parametrize("symbols", [UNICODE, ASCII], ids=["halves", "ascii"])
@pytest.mark.parametrize("paper", [0, 255], ids=["dark terminal", "light terminal"])
@pytest.mark.parametrize("text", [TICKET, LONG], ids=["short", "long"])
def test_with_colors_a_code_is_read_on_dark_and_light_terminals(
    symbols: Symbols, paper: int, text: str
) -> None:
    lines = list(code_lines(text, symbols, color=True))
    assert read(photo(lines, paper=paper)) == [text]


def test_without_colors_a_code_is_dark_on_light_on_a_dark_terminal() -> None:
    lines = list(code_lines(TICKET, UNICODE, color=False))
    assert "\x1b" not in "".join(lines)
    assert read(photo(lines, paper=0)) == [TICKET]


def test_without_colors_on_a_light_terminal_it_is_the_other_way_round_and_can_be_read_so() -> None:
    image = photo(list(code_lines(TICKET, UNICODE, color=False)), paper=255)
    assert read(image) == []
    assert read(image, inverted=True) == [TICKET]


def test_in_ascii_without_colors_it_is_the_same_code() -> None:
    lines = code_lines(TICKET, ASCII, color=False)
    assert set("".join(lines)) == {"#", " "}
    shown = tuple(
        tuple(line[at : at + 2] == "  " for at in range(0, len(line), 2)) for line in lines
    )
    assert shown == matrix(TICKET)


@pytest.mark.parametrize("symbols", [UNICODE, ASCII], ids=["halves", "ascii"])
@pytest.mark.parametrize("color", [True, False])
def test_all_lines_are_of_one_width(symbols: Symbols, *, color: bool) -> None:
    for text in (TICKET, LONG):
        assert len({width_of(line) for line in code_lines(text, symbols, color=color)}) == 1


def test_the_quiet_zone_is_four_modules_on_every_side() -> None:
    dark = matrix(TICKET)
    edge = [*dark[:QUIET], *dark[-QUIET:], *zip(*dark, strict=True)]
    assert not any(map(any, [*dark[:QUIET], *dark[-QUIET:]]))
    turned = edge[2 * QUIET :]
    assert not any(map(any, [*turned[:QUIET], *turned[-QUIET:]]))
    assert any(dark[QUIET])


def lobby(size: Size, *, color: bool = True, symbols: Symbols = UNICODE) -> list[str]:
    render = Renderer(color=color)
    render.code, render.invitation = TICKET, ("The ticket to this table:", TICKET)
    return Panel(render, symbols).compose(lobby_view("ann"), Story(), size)


def test_the_lobby_of_80_by_24_shows_it_beside_who_is_there() -> None:
    lines = lobby(Size(columns=80, rows=22))
    assert read(photo(lines, paper=0, columns=80)) == [TICKET]
    assert "1 of 3 seats taken" in lines[0]
    assert all(width_of(line) <= 80 for line in lines)


def test_a_small_lobby_says_how_large_a_window_it_takes_and_that_is_enough() -> None:
    small = "\n".join(lobby(Size(columns=60, rows=16)))
    assert "The QR code needs a larger window: 68 columns and 24 lines." in small
    assert read(photo(lobby(Size(columns=68, rows=22)), paper=0, columns=68)) == [TICKET]


def test_a_full_lobby_shows_none() -> None:
    render = Renderer(color=True)
    render.code = TICKET
    view = lobby_view("ann", "ben", wanted=2)
    lines = Panel(render, UNICODE).compose(view, Story(), Size(columns=100, rows=40))
    assert read(photo(lines, paper=0, columns=100)) == []
