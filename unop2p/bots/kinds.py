"""Cards and moves as small numbers: what the fast engines and the networks count in.

Kinds 0 to 51 are the colored faces, `color * 13 + rank`; ranks 0 to 9 are numbers, then Skip,
Reverse, Draw Two. Then come Wild, Wild Draw Four, Shuffle Hands and the blank.
"""

from typing import Final

from unop2p.rules.cards import Color, Face, Kind

RANKS: Final = 13
COLORED: Final = 52
SKIP_RANK: Final = 10
REVERSE_RANK: Final = 11
DRAW_TWO_RANK: Final = 12
W: Final = 52
WD4: Final = 53
WH: Final = 54
WB: Final = 55
KINDS: Final = 56

DRAW: Final = COLORED + 16
"""Actions below are plays: a colored kind, or a wild in a color, `52 + 4 * wild + color`.

Draw, and once a card is drawn to keep it.
"""
CHALLENGE: Final = DRAW + 1
ACCEPT: Final = DRAW + 2
ACTIONS: Final = DRAW + 3

SPARE_MAX: Final = 7
"""With more cards than that, who can play does; else two learners may draw on for ever."""

COLORS: Final = tuple(Color)
_SYMBOLS: Final = {Kind.SKIP: 10, Kind.REVERSE: 11, Kind.DRAW_TWO: 12}
_WILD_KINDS: Final = {
    Kind.WILD: W,
    Kind.WILD_DRAW_FOUR: WD4,
    Kind.SHUFFLE_HANDS: WH,
    Kind.SWAP_HANDS: WH,
    Kind.BLANK: WB,
}


def _kind_of(face: Face) -> int:
    if face.color is None:
        return _WILD_KINDS[face.kind]
    rank = face.number if face.number is not None else _SYMBOLS[face.kind]
    return COLORS.index(face.color) * RANKS + rank


KIND_OF: Final[dict[Face, int]] = {face: _kind_of(face) for face in Face}
"""A Swap Hands card counts as Shuffle Hands, every blank as a blank."""
FACE_OF: Final = (*(face for face in Face if not face.is_wild), Face.W, Face.W4, Face.WH, Face.WB)
COLOR_OF: Final = tuple(kind // RANKS if kind < COLORED else -1 for kind in range(KINDS))
RANK_OF: Final = tuple(kind % RANKS if kind < COLORED else -1 for kind in range(KINDS))
POINTS: Final = tuple(
    (RANK_OF[kind] if RANK_OF[kind] < SKIP_RANK else 20) if kind < COLORED else value
    for kind, value in zip(range(KINDS), (0,) * COLORED + (50, 50, 40, 40), strict=True)
)
"""What a card counts by the `official` rules."""

_COLORED_COUNTS: Final = tuple(1 if RANK_OF[kind] == 0 else 2 for kind in range(COLORED))
PILE_COUNTS: Final = {
    "108": (*_COLORED_COUNTS, 4, 4, 0, 0),
    "112_shuffle": (*_COLORED_COUNTS, 4, 4, 1, 3),
}
"""How many cards of each kind are in a deck."""


def fits_table() -> list[list[list[bool]]]:
    """Return whether a kind may lie on a top card while a color is in force: [color][top][kind]."""
    return [
        [
            [
                kind >= COLORED
                or COLOR_OF[kind] == color
                or (top < COLORED and RANK_OF[kind] == RANK_OF[top])
                for kind in range(KINDS)
            ]
            for top in range(KINDS)
        ]
        for color in range(4)
    ]
