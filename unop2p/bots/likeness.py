"""Which learned weights a table plays with: those of the preset that its rules are most like."""

from functools import lru_cache
from typing import Final

from unop2p.rules.options import PRESETS, Options

OFFICIAL: Final = "official"
COUNTED: Final = (
    "deck",
    "symbol_match",
    "wild_condition",
    "wd4_condition",
    "wd4_challenge",
    "draw_until_playable",
    "voluntary_draw",
    "drawn_card",
    "stacking",
    "stack_on",
    "deflect",
    "last_draw_counts",
    "hand_moves",
    "jump_in",
    "play_pairs",
    "scoring",
    "action_points",
)
"""Options that change what a move brings. The others are about who deals, calls, fines and the end."""

TRAINED: Final[dict[str, tuple[str, ...]]] = {
    "linear-two": (),
    "linear-more": (),
    "net-two": ("hebrew", "ukrainian", "romanian"),
    "net-more": (),
}
"""For which presets beside `official` there are weights of their own: where they gained something."""


def shipped_names() -> tuple[str, ...]:
    """Return the names of all weights that ship."""
    own = (f"{name}-{rules}" for name, presets in TRAINED.items() for rules in presets)
    return (*TRAINED, *own)


@lru_cache(maxsize=64)
def likest(options: Options) -> str:
    """Return the preset from which the fewest of the counted options differ.

    Of equals the first in the order of `PRESETS`, which is `official` before all others.
    """

    def differing(name: str) -> int:
        known = PRESETS[name]
        return sum(getattr(known, item) != getattr(options, item) for item in COUNTED)

    return min(PRESETS, key=differing)


def weights_for(level: str, options: Options, seats: int) -> str:
    """Return the name of the weights that ship for a level, rules and a number of seats."""
    name = f"{level}-{'two' if seats == 2 else 'more'}"
    rules = likest(options)
    return f"{name}-{rules}" if rules in TRAINED[name] else name
