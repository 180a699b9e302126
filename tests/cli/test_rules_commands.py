"""`unop2p rules` and its commands, run as typer runs them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unop2p.cli.main import app
from unop2p.cli.rules_commands import SCENARIOS_EXIT_CODE
from unop2p.rules.describe import TOPICS, describe, meanings
from unop2p.rules.options import FIELD_NAMES, PRESETS, options_from_dict

SCENARIOS = Path(__file__).parent.parent / "scenarios" / "scenarios.toml"

WRONG = """
[[scenario]]
id = "X"
presets = ["official", "greek"]
seats = ["A", "B"]
top = "R5"
hands = { B = ["R1", "G7", "B8"] }
do = ["B play R1"]
[[scenario.expect]]
top = "R2"
"""


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["rules", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_list_names_every_preset_option_and_value() -> None:
    code, shown, _ = run()
    assert code == 0
    lines = shown.splitlines()
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in PRESETS)
    for name in FIELD_NAMES:
        at = lines.index(f"  {name}: {TOPICS[name]}")
        values = [line.split("  ")[-2:] for line in lines[at + 1 : at + 1 + len(meanings(name))]]
        assert len(values) == len(meanings(name))


def test_the_list_marks_the_official_value_of_every_option_that_has_one_value() -> None:
    _, shown, _ = run()
    assert "    * card_stays  " in shown
    assert "      card_returns  " in shown
    assert "    * 20  Colored action cards are worth 20" in shown


@pytest.mark.parametrize("preset", PRESETS)
def test_show_prints_the_sentences_of_a_preset(preset: str) -> None:
    code, shown, _ = run("show", preset)
    assert code == 0
    assert shown.splitlines() == describe(PRESETS[preset])


def test_show_takes_overrides_and_gives_option_values_as_json() -> None:
    code, shown, _ = run(
        "show", "polish", "--set", "match_end=rounds", "--set", "target=3", "--json"
    )
    assert code == 0
    options = options_from_dict(json.loads(shown))
    assert (options.match_end, options.target, options.deck) == ("rounds", 3, "108")


def test_diff_names_the_options_that_differ_and_no_other() -> None:
    code, shown, _ = run("diff", "greek", "polish")
    assert code == 0
    named = {line.split()[0] for line in shown.splitlines() if line.split()} & set(FIELD_NAMES)
    assert named == {"deck", "wd4_condition", "wd4_challenge", "voluntary_draw"}
    assert "You may draw only when nothing fits." in shown


def test_diff_of_equal_rules_says_so() -> None:
    code, shown, _ = run("diff", "greek", "greek")
    assert (code, shown) == (0, "greek and greek are the same rules.\n")


def test_check_says_that_all_examples_hold() -> None:
    code, shown, _ = run("check", str(SCENARIOS))
    assert code == 0
    assert shown.strip().endswith("all hold.")
    assert "E01a     official   ok\n" in shown


def test_check_names_example_preset_and_difference_and_has_a_code_of_its_own(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WRONG, encoding="utf-8")
    code, shown, _ = run("check", str(file))
    assert code == SCENARIOS_EXIT_CODE
    assert "X        official   differs:" in shown
    assert "X        greek      differs:" in shown
    assert "R2" in shown
    code, shown, _ = run("check", str(file), str(SCENARIOS), "--json")
    assert code == SCENARIOS_EXIT_CODE
    told = json.loads(shown)
    failures = [result for result in told["results"] if not result["ok"]]
    assert [failure["preset"] for failure in failures] == ["official", "greek"]
    assert len(told["results"]) > 300


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[[scenario]\n", "In "),
        (b"\xff\xfe", "not a text file"),
        (None, "cannot be read"),
    ],
)
def test_check_of_a_file_that_is_none_is_a_sentence_and_exit_code_two(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    file = tmp_path / "file.toml"
    if content is not None:
        file.write_bytes(content)
    code, _, error = run("check", str(file))
    assert code == 2
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("command", ["show", "diff"])
def test_an_unknown_preset_is_one_sentence(command: str) -> None:
    code, _, error = run(command, *["martian"] * (1 + (command == "diff")))
    assert code == 2
    assert "martian" in error
    assert error.count("\n") == 1


MINE = """
preset = "polish"

[set]
deck = "112_shuffle"
target = 300

[[cards]]
name = "thunder"
effects = ["choose color", "draw 2 next", "skip next"]
"""


def test_a_rule_file_stands_wherever_a_preset_can_and_overrides_go_on_top(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE, encoding="utf-8")
    code, shown, _ = run("show", str(file), "--set", "target=200", "--json")
    assert code == 0
    options = options_from_dict(json.loads(shown))
    assert (options.target, options.deck) == (200, "112_shuffle")
    assert [card.name for card in options.blank_cards] == ["thunder"]
    code, shown, _ = run("show", str(file))
    assert "Thunder" in shown
    code, shown, _ = run("diff", str(file), "polish")
    assert (code, "Thunder" in shown) == (0, True)


def test_a_wrong_rule_file_is_one_sentence_that_names_file_and_key(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE.replace("target", "tarot"), encoding="utf-8")
    code, _, error = run("show", str(file))
    assert code == 2
    assert "mine.toml" in error
    assert "tarot" in error
    assert error.count("\n") == 1


def test_a_mark_that_an_editor_puts_before_the_text_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE, encoding="utf-8-sig")
    assert run("show", str(file))[0] == 0


def test_what_a_file_says_reaches_the_terminal_without_what_it_would_obey(tmp_path: Path) -> None:
    rules, examples = tmp_path / "mine.toml", tmp_path / "cases.toml"
    rules.write_text(r'"\u001b[2J" = 1', encoding="utf-8")
    examples.write_text(WRONG.replace('"X"', r'"\u001b[2J"'), encoding="utf-8")
    for command, file in (("show", rules), ("check", examples)):
        _, shown, error = run(command, str(file))
        assert "?[2J" in shown + error
        assert "\x1b" not in shown + error
