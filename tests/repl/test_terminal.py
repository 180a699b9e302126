"""What a terminal can show is found out from its environment."""

from dataclasses import astuple

import pytest
from prompt_toolkit.output import ColorDepth
from wcwidth import wcwidth

from unop2p.repl.terminal import ASCII, UNICODE, depth_for, symbols_for


@pytest.mark.parametrize("symbols", [ASCII, UNICODE], ids=["ascii", "unicode"])
def test_every_sign_is_one_cell(symbols: object) -> None:
    for signs in astuple(symbols):  # type: ignore[call-overload]  # a dataclass
        assert signs
        assert all(wcwidth(sign) == 1 for sign in signs)


def test_the_signs_of_ascii_are_ascii() -> None:
    assert all(signs.isascii() for signs in astuple(ASCII))


@pytest.mark.parametrize(
    ("environment", "encoding", "wanted"),
    [
        ({"LANG": "en_US.UTF-8", "TERM": "xterm"}, "utf-8", UNICODE),
        ({"LANG": "el_GR.utf8", "TERM": "screen"}, "UTF-8", UNICODE),
        ({"LC_ALL": "C.UTF-8", "TERM": "xterm"}, "utf-8", UNICODE),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8", "TERM": "xterm"}, "utf-8", ASCII),
        ({"LC_CTYPE": "C.UTF-8", "LANG": "C", "TERM": "xterm"}, "utf-8", ASCII),
        ({"LC_CTYPE": "el_GR.UTF-8", "LANG": "C", "TERM": "xterm"}, "utf-8", UNICODE),
        ({"LANG": "el_GR.ISO-8859-7", "TERM": "xterm"}, "utf-8", ASCII),
        ({"LANG": "en_US.UTF-8", "TERM": "xterm"}, "iso8859-1", ASCII),
        ({"LANG": "en_US.UTF-8", "TERM": "xterm"}, None, ASCII),
        ({"LANG": "en_US.UTF-8", "TERM": "linux"}, "utf-8", ASCII),
        ({"LANG": "ja_JP.UTF-8", "TERM": "xterm"}, "utf-8", ASCII),
        ({"TERM": "xterm"}, "utf-8", ASCII),
        ({"WT_SESSION": "1"}, "utf-8", UNICODE),
        ({"WT_SESSION": "1"}, "cp437", ASCII),
    ],
)
def test_signs_beyond_ascii_need_a_locale_and_a_terminal_that_have_them(
    environment: dict[str, str], encoding: str | None, wanted: object
) -> None:
    assert symbols_for(environment, encoding) is wanted


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, ColorDepth.DEPTH_1_BIT),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ColorDepth.DEPTH_24_BIT),
        ({"TERM": "xterm-direct"}, ColorDepth.DEPTH_24_BIT),
        ({"TERM": "screen-256color"}, ColorDepth.DEPTH_8_BIT),
        ({"TERM": "xterm"}, ColorDepth.DEPTH_4_BIT),
        ({"TERM": "linux"}, ColorDepth.DEPTH_4_BIT),
        ({"TERM": "xterm", "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_24_BIT"}, None),
        ({}, None),
    ],
)
def test_how_many_colors_there_are(environment: dict[str, str], wanted: ColorDepth | None) -> None:
    assert depth_for(environment) is wanted
