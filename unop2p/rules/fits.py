"""Which faces suit a top card or an attack. Remembered: asked for every card."""

from functools import lru_cache
from typing import Final

from unop2p.rules.cards import Color, Face, Kind

WILDS: Final = frozenset(face for face in Face if face.is_wild)
PLACES_MAX: Final = 2048
"""More than all pairs of color and top card, with each way of matching symbols, that a game brings."""


@lru_cache(maxsize=PLACES_MAX)
def colored_fits(color: Color | None, top: Face | None, symbol_match: str) -> frozenset[Face]:
    """Return the colored faces that may lie on the top, by color, number or symbol.

    Args:
        color: in force.
        top: the top card; None where there is none yet.
        symbol_match: the option.
    """
    if top is None:
        return frozenset()
    return frozenset(
        face
        for face in Face
        if not face.is_wild and (face.color is color or _same(face, top, symbol_match))
    )


@lru_cache(maxsize=PLACES_MAX)
def all_fits(color: Color | None, top: Face | None, symbol_match: str) -> frozenset[Face]:
    """Return the faces that may lie on the top, wilds and all; arguments as `colored_fits`."""
    return colored_fits(color, top, symbol_match) | WILDS


def _same(face: Face, top: Face, symbol_match: str) -> bool:
    if face.number is not None:
        return face.number == top.number
    if symbol_match == "skip_only":
        return face.kind is top.kind is Kind.SKIP
    return symbol_match == "all" and face.kind is top.kind


@lru_cache(maxsize=PLACES_MAX)
def answering(kind: Kind, color: Color | None, stack_on: tuple[str, ...]) -> frozenset[Face]:
    """Return the faces that answer an attack.

    Args:
        kind: what attacks: Skip, Reverse, Draw Two or Wild Draw Four.
        color: in force.
        stack_on: which stacks the table allows; none where it has no stacking.
    """
    match kind:
        case Kind.SKIP | Kind.REVERSE:
            return frozenset(face for face in Face if face.kind is kind)
        case Kind.DRAW_TWO:
            two, four = "two_on_two" in stack_on, "four_on_two" in stack_on
            color = None
        case _:
            two, four = "two_on_four" in stack_on, "four_on_four" in stack_on
    return frozenset(
        face
        for face in Face
        if (two and face.kind is Kind.DRAW_TWO and color in {None, face.color})
        or (four and face.kind is Kind.WILD_DRAW_FOUR)
    )


@lru_cache(maxsize=PLACES_MAX)
def forbidding(
    condition: str,
    color: Color | None,
    top: Face | None,
    symbol_match: str,
    wilds: tuple[Face, ...],
) -> tuple[Face, ...]:
    """Return the faces that a hand must not hold for a Wild Draw Four to be lawful.

    Args:
        condition: the option `wd4_condition`.
        color: in force.
        top: the top card.
        symbol_match: the option.
        wilds: the other wilds of the deck.
    """
    if condition == "any_time":
        return ()
    if condition == "no_color":
        return of_color(color)
    fitting = colored_fits(color, top, symbol_match)
    colored = tuple(face for face in Face if face in fitting)
    return colored if condition == "no_colored_match" else (*colored, *wilds)


@lru_cache(maxsize=8)
def of_color(color: Color | None) -> tuple[Face, ...]:
    """Return the faces of a color; with None, none."""
    return tuple(face for face in Face if color is not None and face.color is color)
