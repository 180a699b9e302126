"""What a terminal can show: which signs, and how many colors. Pure: the environment comes in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from prompt_toolkit.output import ColorDepth

COERCED: Final = ("c.utf-8", "c.utf8", "utf-8")
"""What Python sets LC_CTYPE to where it finds the locale `C`, which is not UTF-8."""
_WIDE: Final = ("ja", "ko", "zh")
"""Languages whose terminals may draw lines and arrows two cells wide."""
_FEW_SIGNS: Final = ("linux", "vt", "ansi", "dumb", "cons", "sun", "unknown")
"""Terminals, by the beginning of TERM, whose fonts have little more than ASCII."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbols:
    """Signs of one cell each."""

    line: str
    side: str
    corners: str
    """Of a card: top left, top right, bottom left, bottom right."""
    ink: str
    """What large letters are drawn with."""
    turn: str
    """Before who is to move."""
    down: str
    up: str
    bar: str
    """Between groups."""
    done: str
    cut: str
    """Where something is cut off."""


ASCII: Final = Symbols(
    line="-",
    side="|",
    corners=".." + "''",
    ink="#",
    turn=">",
    down="v",
    up="^",
    bar="|",
    done="*",
    cut="~",
)
UNICODE: Final = Symbols(
    line="─",
    side="│",
    corners="╭╮╰╯",
    ink="█",
    turn="▶",
    down="↓",
    up="↑",
    bar="│",
    done="✓",
    cut="…",
)


def _locale(environment: Mapping[str, str]) -> str:
    """Return the locale that says which letters there are, in lower case; empty if none does.

    >>> _locale({"LANG": "el_GR.UTF-8"}), _locale({"LC_CTYPE": "C.UTF-8"})
    ('el_gr.utf-8', '')
    """
    everything = environment.get("LC_ALL", "")
    letters = environment.get("LC_CTYPE", "")
    if letters.lower() in COERCED:
        letters = ""
    return (everything or letters or environment.get("LANG", "")).lower()


def symbols_for(environment: Mapping[str, str], encoding: str | None) -> Symbols:
    """Return the signs to draw with: ASCII unless everything says that there are more.

    Args:
        environment: variables: LC_ALL, LC_CTYPE, LANG, TERM, WT_SESSION.
        encoding: of what is written to.

    >>> symbols_for({"LANG": "C"}, "utf-8") is ASCII
    True
    """
    if (encoding or "").lower().replace("-", "").replace("_", "") != "utf8":
        return ASCII
    if environment.get("WT_SESSION"):
        return UNICODE  # a Windows console that draws them; there are no locales there
    locale = _locale(environment)
    if not locale.replace("-", "").endswith("utf8") or locale.startswith(_WIDE):
        return ASCII
    return ASCII if environment.get("TERM", "dumb").startswith(_FEW_SIGNS) else UNICODE


DEPTHS: Final[Mapping[str, ColorDepth]] = {
    "never": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "true": ColorDepth.DEPTH_24_BIT,
}
"""How many colors a person may ask for; anything else is what the terminal has."""
SIGNS: Final[Mapping[str, Symbols]] = {"ascii": ASCII, "unicode": UNICODE}
"""Which signs a person may ask for."""


def depth_for(environment: Mapping[str, str]) -> ColorDepth | None:
    """Return how many colors a terminal has; None where prompt_toolkit knows better.

    Args:
        environment: variables: NO_COLOR, PROMPT_TOOLKIT_COLOR_DEPTH, COLORTERM, TERM.

    >>> depth_for({"TERM": "xterm-256color"}), depth_for({"NO_COLOR": "1", "TERM": "xterm"})
    (<ColorDepth.DEPTH_8_BIT: 'DEPTH_8_BIT'>, <ColorDepth.DEPTH_1_BIT: 'DEPTH_1_BIT'>)
    """
    if environment.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    if environment.get("PROMPT_TOOLKIT_COLOR_DEPTH"):
        return None
    if environment.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return ColorDepth.DEPTH_24_BIT
    term = environment.get("TERM", "")
    if "direct" in term:
        return ColorDepth.DEPTH_24_BIT
    if "256color" in term or term.startswith(("alacritty", "kitty", "wezterm", "foot")):
        return ColorDepth.DEPTH_8_BIT
    return ColorDepth.DEPTH_4_BIT if term else None
