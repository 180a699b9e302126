"""Which faces suit a top card: the remembered answers against the plain reading of the rules."""

import pytest

from tests.rules.naive_cards import lies_on
from unop2p.rules.cards import Color, Face, Kind
from unop2p.rules.fits import all_fits, answering, colored_fits, forbidding, of_color


@pytest.mark.parametrize("match", ["all", "skip_only", "none"])
def test_faces_that_fit_are_those_of_the_plain_reading(match: str) -> None:
    for top in Face:
        for color in [top.color] if top.color is not None else Color:
            fitting = {f for f in Face if lies_on(f.value, top.value, color.value, match)}
            assert all_fits(color, top, match) == fitting
            assert colored_fits(color, top, match) == {f for f in fitting if not f.is_wild}


def test_before_the_first_card_no_colored_card_fits() -> None:
    assert colored_fits(None, None, "all") == frozenset()
    assert of_color(None) == ()


def test_what_answers_an_attack() -> None:
    twos = {Face.RD, Face.YD, Face.GD, Face.BD}
    assert answering(Kind.SKIP, Color.RED, ()) == {Face.RS, Face.YS, Face.GS, Face.BS}
    assert answering(Kind.DRAW_TWO, Color.RED, ()) == frozenset()
    assert answering(Kind.DRAW_TWO, Color.RED, ("two_on_two",)) == twos
    assert answering(Kind.DRAW_TWO, Color.RED, ("two_on_two", "four_on_two")) == twos | {Face.W4}
    assert answering(Kind.WILD_DRAW_FOUR, Color.RED, ("two_on_four",)) == {Face.RD}
    assert answering(Kind.WILD_DRAW_FOUR, Color.RED, ("four_on_four",)) == {Face.W4}


def test_what_a_hand_must_not_hold_for_a_wild_draw_four() -> None:
    place = (Color.RED, Face.R5, "all", (Face.W,))
    assert forbidding("any_time", *place) == ()
    assert forbidding("no_color", *place) == of_color(Color.RED)
    matching = forbidding("no_colored_match", *place)
    assert set(matching) == {*of_color(Color.RED), Face.Y5, Face.G5, Face.B5}
    assert forbidding("no_other_playable", *place) == (*matching, Face.W)
