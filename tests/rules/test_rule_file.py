"""Rule files: what they may say, and what is said of a wrong one."""

from pathlib import Path

import pytest

from unop2p.rules.blanks import BlankCard
from unop2p.rules.describe import describe
from unop2p.rules.options import PRESETS, options_from_dict, options_to_dict, with_overrides
from unop2p.rules.rule_file import BYTES_MAX, RuleFileError, parse_rule_file
from unop2p.words import Said

EXAMPLES = Path(__file__).parents[2] / "examples"
THUNDER = """
preset = "polish"

[set]
deck = "112_shuffle"
target = 300

[[cards]]
name = "Thunder"
count = 2
effects = ["Skip next", "choose  color", "draw 2 next"]

[[cards]]
name = "broom"
effects = ["discard color"]
"""


def test_a_file_gives_preset_overrides_and_cards() -> None:
    options = parse_rule_file(THUNDER)
    assert (options.target, options.deck, options.wd4_challenge) == (
        300,
        "112_shuffle",
        "card_stays",
    )
    assert options.blank_cards == (
        BlankCard(name="Thunder", count=2, effects=("choose color", "draw 2 next", "skip next")),
        BlankCard(name="broom", effects=("discard color",)),
    )


def test_an_empty_file_is_the_official_rules() -> None:
    assert parse_rule_file("") == PRESETS["official"]


def test_the_cards_travel_with_the_options() -> None:
    options = parse_rule_file(THUNDER)
    told = options_to_dict(options)
    assert told["blank_cards"] == [
        "Thunder x2: choose color, draw 2 next, skip next",
        "broom x1: discard color",
    ]
    assert options_from_dict(told) == options
    assert with_overrides(PRESETS["polish"], told) == options


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[set", "cannot be read as TOML"),
        ("\nmartian = 1", "Line 2, key `martian`: there is no such key"),
        ("target = 300", "Options go under [set]"),
        ('preset = "martian"', "Line 1, key `preset`: it is one of official,"),
        ("preset = 3", "Line 1, key `preset`: it is one of official,"),
        ("set = 3", "it is written as [set]"),
        ("[set]\nmartian = 1", "Line 2, key `set.martian`: there is no option `martian`"),
        ("[set]\ndeck = 108\ntarget = 0", "Line 3, key `set.target`: `target` cannot be 0"),
        ('[set]\nmatch_end = "eliminate"', "Line 2, key `set.match_end`: `match_end=eliminate`"),
        ("cards = 3", "each card is written as [[cards]]"),
        ('[[cards]]\nname = "abc"', "Line 1, key `cards`: card number 1 has no `effects`"),
        ('[[cards]]\neffects = ["reverse"]', "card number 1 has no `name`"),
        (
            '[[cards]]\nname = "abc"\neffects = "reverse"',
            "Line 3, key `cards.effects`: it is a list",
        ),
        ('[[cards]]\nname = "a b"\neffects = ["reverse"]', "Line 2, key `cards.name`:"),
        ('[[cards]]\nname = "Red"\neffects = ["reverse"]', "cannot be called 'Red'"),
        ('[[cards]]\nname = "123"\neffects = ["reverse"]', "cannot be called '123'"),
        ('[[cards]]\nname = "Draw"\neffects = ["reverse"]', "that word means something else"),
        (
            '[[cards]]\nname = "abc"\neffects = ["fly"]',
            "Line 3, key `cards.effects`: the card `abc`",
        ),
        ('[[cards]]\nname = "abc"\neffects = []', "has no effect"),
        ('[[cards]]\nname = "abc"\neffects = ["reverse", "reverse"]', "does the same twice"),
        ('[[cards]]\nname = "abc"\neffects = ["draw 1 next", "draw 2 next"]', "the same twice"),
        ('[[cards]]\nname = "abc"\neffects = ["swap hands", "rotate hands"]', "hands twice"),
        ('[[cards]]\nname = "abc"\neffects = ["skip next", "play again"]', "cannot both skip"),
        ('[[cards]]\nname = "abc"\neffects = ["draw 10 next"]', "N from 1 to 9"),
        ('[[cards]]\nname = "abc"\ncount = 4\neffects = ["reverse"]', "Line 3, key `cards.count`:"),
        ('[[cards]]\nname = "abc"\ncount = true\neffects = ["reverse"]', "cannot be True"),
        ('[[cards]]\nname = "abc"\nsize = 4\neffects = ["reverse"]', "Line 3, key `cards.size`:"),
        (
            2 * '[[cards]]\nname = "abc"\neffects = ["reverse"]\n',
            "two blank cards are called `abc`",
        ),
        (2 * '[[cards]]\nname = "abc"\neffects = ["reverse"]\n', "Line 4, "),
        (4 * '[[cards]]\nname = "abc"\neffects = ["reverse"]\n', "there are 4 [[cards]]"),
        (
            '[[cards]]\nname = "abc"\ncount = 3\neffects = ["reverse"]\n'
            '[[cards]]\nname = "xyz"\neffects = ["reverse"]\n',
            "the deck has 3 blank cards, and 4 were given",
        ),
        ('preset = "polish"\n[[cards]]\nname = "abc"\neffects = ["reverse"]', "no blank cards"),
        (
            '[set]\nblank_cards = []\n[[cards]]\nname = "abc"\neffects = ["reverse"]',
            "Line 2, key `set.blank_cards`: give the cards once",
        ),
        ("# " + "x" * BYTES_MAX, "longer than 64 KiB"),
    ],
)
def test_a_wrong_file_is_refused_with_the_line_and_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        parse_rule_file(text)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["thunder", "carousel", "partners"])
def test_the_examples_are_rule_files_with_cards(name: str) -> None:
    options = parse_rule_file((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))
    assert options.blank_cards


def test_cards_are_told_in_sentences() -> None:
    told = " ".join(describe(parse_rule_file(THUNDER)))
    assert "Thunder (2 blanks WB1): you name the color, the next player draws 2" in told
    assert "Broom (the blank WB2): you may put down all your cards of one color" in told
    assert "A blank card is" not in told


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[" * 20_000, "Its brackets are nested too deeply."),
        ("1" * 10_000, "It holds a number that is too large."),
        ("0x" + "f" * 10_000, "It holds a number that is too large."),
    ],
)
def test_a_value_too_deep_or_long_to_read_is_a_wrong_file(value: str, said: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        parse_rule_file(f"[set]\ntarget = {value}")
    assert caught.value.sentence() == f"The rule file is wrong. {said}"


@pytest.mark.parametrize("written", ["16", '"16"', "0x10", '"0x10"', "'1_6'"])
def test_a_number_in_quotes_is_that_number(written: str) -> None:
    assert parse_rule_file(f"[set]\ntarget = {written}").target == 16


@pytest.mark.parametrize("written", ["true", '"true"', '"TRUE"'])
def test_true_in_quotes_is_true(written: str) -> None:
    assert parse_rule_file(f"[set]\nteams = {written}").teams is True


@pytest.mark.parametrize(
    "text", ["[set]\ntarget = 0", '[[cards]]\nname = "x"\neffects = ["reverse"]']
)
def test_the_reason_can_be_told_in_another_language(text: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        parse_rule_file(text)
    told = caught.value.detail()
    assert isinstance(told, Said)
    assert isinstance(told.values["reason"], Said)
