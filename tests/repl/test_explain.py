"""What may be played and why not, and the rules in force."""

from dataclasses import replace

import pytest

from tests.bots.support import position
from tests.repl.support import lobby_view, table_view, view_of
from tests.repl.test_render import VIEW, attacked_view, reaction_view
from unop2p.ids import Seat
from unop2p.repl.explain import SHORT_RULES, legal_lines, rules_lines, rules_name, telling_rules
from unop2p.repl.paint import Paint
from unop2p.rules.cards import Face
from unop2p.rules.describe import describe
from unop2p.rules.moves import Draw
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.table.view import TableView


def legal(view: TableView) -> list[str]:
    return [line.removeprefix("  ") for line in legal_lines(view, Paint(color=False))]


def line_of(face: str, view: TableView) -> str:
    """Return what is said of one card."""
    (found,) = [line for line in legal(view) if line.split()[0] == face]
    return found.removeprefix(face).strip()


def test_legal_says_of_each_card_whether_it_can_be_played() -> None:
    assert legal(VIEW) == [
        "R5   yes.",
        "R7   yes.",
        "G3   no: it does not match R9 (red).",
        "W    yes; name a color, `w g`.",
        "Or `draw`.",
    ]


def test_legal_names_what_is_open_beside_cards() -> None:
    assert legal(attacked_view()) == [
        "B1   no: it is no answer to W4.",
        "B2   no: it is no answer to W4.",
        "You may `challenge` or `accept`.",
    ]
    assert legal(reaction_view(1)) == ["You may `catch ann`."]


def test_legal_says_whose_turn_it_is_where_nothing_is_open() -> None:
    others = table_view(position("R1 R2", top="R9", others=("B1 B2",)), 1)
    assert legal(others) == ["It is ann's turn: nothing is yours to do now."]
    assert legal(replace(VIEW, legal=())) == ["Your word is said: a moment."]
    assert legal(lobby_view("ann")) == ["Nothing is yours to do now."]


def test_legal_says_what_has_to_be_named_with_a_card() -> None:
    swap = view_of("R7 G1 G2", top="R9", others=("B1", "B2"), hand_moves=["seven_swaps"])
    assert line_of("R7", swap) == "yes; say with whom you swap hands: ben, Cleo."
    assert line_of("R7", view_of("R7 G1", top="R9")) == "yes; it leaves one card: add `uno`."
    pair = view_of("R7 R7 G1 G2", top="R9", play_pairs="numbers")
    assert line_of("R7", pair) == "yes; two at once, `r7 r7`."


@pytest.mark.parametrize(
    ("condition", "hand", "reason"),
    [
        ("no_color", "W4 G1 G2", "you hold G1, a card of the color in force."),
        ("no_colored_match", "W4 B9 Y2", "you hold B9, a colored card that fits."),
        ("no_other_playable", "W4 W B1", "you hold W, which can be played."),
    ],
)
def test_a_wild_draw_four_is_refused_in_the_words_of_the_rule(
    condition: str, hand: str, reason: str
) -> None:
    view = view_of(hand, top="G9", wd4_challenge="off", wd4_condition=condition)
    assert line_of("W4", view) == f"no: {reason}"


def test_a_wild_draw_four_that_may_be_risked_says_what_it_risks() -> None:
    view = view_of("W4 G1 G2", top="G9")
    assert line_of("W4", view) == (
        "yes; name a color, `w4 g`; but a challenge would find you guilty, as you hold G1, "
        "a card of the color in force."
    )
    innocent = view_of("W4 R1 R2", top="G9")
    assert line_of("W4", innocent) == "yes; name a color, `w4 g`."


def test_a_wild_with_a_condition_is_refused_in_the_words_of_the_rule() -> None:
    view = view_of("W G1 R2", top="G9", wild_condition="no_colored_match")
    assert line_of("W", view) == "no: you hold G1, a colored card that fits."


def test_a_symbol_that_is_no_match_here_says_so() -> None:
    assert line_of("RS", view_of("RS G1", top="GS", symbol_match="none")) == (
        "no: it does not match GS (green). Here a symbol alone is no match."
    )
    assert line_of("RS", view_of("RS G1 G2", top="GS")) == "yes."


def test_a_draw_that_is_refused_says_what_can_be_played() -> None:
    view = view_of("G1 R2", top="G9", voluntary_draw=False)
    assert legal(view)[-1] == "Draw refused: you hold G1, which can be played."


def test_after_drawing_only_the_drawn_card_can_be_played() -> None:
    game = position("R1 G2", top="R9")
    game.pile[0] = Face.R3
    assert game.act(Seat(0), Draw())
    view = table_view(game)
    assert line_of("R3", view) == "yes."
    assert "only the drawn card (R3) may be played" in line_of("R1", view)
    assert legal(view)[-1] == "Or `keep`."


# -- the rules in force ----------------------------------------------------------------------------


def short(options: Options) -> list[str]:
    return rules_lines(options, describe(options), short=True)


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_preset_is_called_by_its_name_also_to_other_points(name: str) -> None:
    assert rules_name(PRESETS[name]) == name
    more = replace(PRESETS[name], target=77)
    assert rules_name(more).startswith(f"{name}, to 77 ")


def test_rules_that_are_no_preset_are_called_the_tables_own() -> None:
    changed = with_overrides(PRESETS["official"], {"jump_in": "numbers"})
    assert short(changed) == [
        "  Rules: this table's own.",
        "    Who holds the identical number card may jump in.",
        "    All: `rules`.",
    ]


def test_a_few_lines_say_what_differs_from_official_and_how_much_is_left_out() -> None:
    assert short(PRESETS["official"]) == ["  Rules: official. `rules` shows them all."]
    lines = short(PRESETS["romanian"])
    told = telling_rules(PRESETS["romanian"])
    assert lines[1:-1] == [f"    {line}" for line in told[:SHORT_RULES]]
    assert lines[-1] == f"    ... and {len(told) - SHORT_RULES} more: `rules`."


@pytest.mark.parametrize("name", list(PRESETS))
def test_all_rules_are_told_once_what_differs_first(name: str) -> None:
    options = PRESETS[name]
    lines = [line.strip() for line in rules_lines(options, describe(options), short=False)]
    told = [line for line in lines[1:] if "`official`:" not in line]
    assert sorted(told) == sorted(describe(options))
    different = telling_rules(options)
    assert told[: len(different)] == different


def test_what_changes_moves_is_told_before_what_is_in_the_box() -> None:
    told = telling_rules(PRESETS["romanian"])
    box = "The deck has 108 cards; the two spares of the box stay out."
    assert told.index("A 0 passes all hands on.") < told.index(box)
