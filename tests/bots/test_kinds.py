"""Cards as small numbers."""

import pytest

from unop2p.bots.kinds import (
    COLOR_OF,
    COLORED,
    COLORS,
    FACE_OF,
    KIND_OF,
    KINDS,
    PILE_COUNTS,
    POINTS,
    RANK_OF,
    fits_table,
)
from unop2p.rules.cards import Face, copies, points
from unop2p.rules.fits import all_fits
from unop2p.rules.options import PRESETS

OFFICIAL = PRESETS["official"]


def test_kinds_and_faces_are_each_others_inverse() -> None:
    assert len(FACE_OF) == KINDS
    assert [KIND_OF[face] for face in FACE_OF] == list(range(KINDS))


def test_a_kind_knows_its_color_and_its_points() -> None:
    for kind, face in enumerate(FACE_OF):
        assert POINTS[kind] == points(face, OFFICIAL)
        if face.color is not None:
            assert COLORS[COLOR_OF[kind]] is face.color
            assert RANK_OF[kind] == RANK_OF[KIND_OF[Face("R" + face.value[1:])]]
        else:
            assert kind >= COLORED
            assert RANK_OF[kind] == COLOR_OF[kind] == -1


def test_what_fits_is_what_the_rules_say() -> None:
    table = fits_table()
    for color_number, color in enumerate(COLORS):
        for top, top_face in enumerate(FACE_OF):
            fitting = all_fits(color, top_face, "all")
            assert [face in fitting for face in FACE_OF] == table[color_number][top]


@pytest.mark.parametrize(("rules", "deck"), [("official", "112_shuffle"), ("polish", "108")])
def test_a_deck_has_as_many_of_each_as_the_rules_say(rules: str, deck: str) -> None:
    assert PILE_COUNTS[deck] == tuple(copies(face, PRESETS[rules]) for face in FACE_OF)
