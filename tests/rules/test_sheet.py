"""The sheet of a rule set against what the parts of the rules say one by one."""

import copy

import pytest

from unop2p.rules.blanks import BlankCard
from unop2p.rules.cards import STAY, Color, Face, effect_of, points
from unop2p.rules.fits import WILDS, all_fits, colored_fits
from unop2p.rules.moves import Pass
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.sheet import play_of, quiet_faces, sheet_of


@pytest.mark.parametrize("options", PRESETS.values(), ids=PRESETS)
def test_a_place_holds_what_suits_its_top_card_and_what_bars_a_wild(options: Options) -> None:
    sheet = sheet_of(options)
    for color in Color:
        for top in Face:
            place = sheet[color, top]
            assert place.fitting == all_fits(color, top, options.symbol_match)
            assert set(place.bars) == WILDS
            free = options.wild_condition == "any_time"
            fitting = colored_fits(color, top, options.symbol_match)
            assert place.bars[Face.W] == (frozenset() if free else fitting)
    four = sheet[Color.RED, Face.Y5].bars[Face.W4]
    assert {Face.R1, Face.RD} <= four
    assert (Face.B5 in four) == (options.wd4_condition != "no_color")
    assert (Face.W in four) == (options.wd4_condition == "no_other_playable")


def test_one_way_holds_where_no_colored_card_leaves_a_choice() -> None:
    found = {name: sheet_of(options).one_way for name, options in PRESETS.items()}
    assert [name for name, one_way in found.items() if not one_way] == ["romanian"]
    swapping = with_overrides(PRESETS["official"], {"hand_moves": ("seven_swaps",)})
    assert not sheet_of(swapping).one_way
    assert Face.R7 not in sheet_of(swapping).ways
    assert sheet_of(PRESETS["official"]).only_way(Face.R7) is play_of(
        (Face.R7,), None, None, uno=False
    )


def test_quiet_faces_move_no_hands_and_deal_no_cards() -> None:
    official = PRESETS["official"]
    assert set(Face) - quiet_faces(official) == {Face.WH, Face.WX}
    for effect in ("swap_hands", "others_draw_one"):
        others = quiet_faces(with_overrides(official, {"blank_effect": effect}))
        assert quiet_faces(official) - others == {Face.WB}
    told = {
        "blank_cards": (
            BlankCard(name="storm", effects=("choose color", "skip next")),
            BlankCard(name="broom", effects=("discard color", "choose color")),
            BlankCard(name="still", effects=("play again",)),
        )
    }
    named = quiet_faces(with_overrides(official, told))
    assert {Face.WB1, Face.WB2, Face.WB3} & named == {Face.WB1}
    moving = with_overrides(official, {"hand_moves": ("zero_swaps", "seven_swaps")})
    assert {Face.R0, Face.G7} & quiet_faces(moving) == set()
    assert quiet_faces(PRESETS["romanian"]) == frozenset(), "somebody may jump in"


def test_what_a_sheet_lists_ahead_are_the_ways_to_play_a_card() -> None:
    for options in PRESETS.values():
        sheet = sheet_of(options)
        for face, ways in sheet.ways.items():
            calls = options.uno_penalty > 0 and effect_of(face, options) is STAY
            assert len(sheet.ways_of_two[face]) == len(ways) * (2 if calls else 1)
            assert {way for way in sheet.ways_of_two[face] if not way.uno} == set(ways)
            assert sheet.points(face) == points(face, options)
        for face, moves in sheet.if_drawn.items():
            assert moves[0] is sheet.only_way(face)
            assert moves[1:] == (Pass(),) * (options.drawn_card == "may_play")


def test_a_card_that_the_deck_has_not_is_played_in_no_way() -> None:
    assert sheet_of(PRESETS["polish"]).ways[Face.WB] == ()
    assert len(sheet_of(PRESETS["official"]).ways[Face.WB]) == 4


def test_a_sheet_is_one_for_equal_options_and_for_copies() -> None:
    sheet = sheet_of(PRESETS["polish"])
    assert sheet_of(with_overrides(PRESETS["polish"], {})) is sheet
    assert copy.deepcopy(sheet) is sheet
