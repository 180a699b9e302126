"""The thirty example positions of the rules, under every preset; and what is wrong in a file."""

from pathlib import Path

import pytest

from unop2p.rules.scenario import Scenario, ScenarioError, load_scenarios, run_scenario

FILE = Path(__file__).parent.parent / "scenarios" / "scenarios.toml"
SCENARIOS = load_scenarios(FILE.read_text(encoding="utf-8"))
MORE = load_scenarios((FILE.parent / "more.toml").read_text(encoding="utf-8"))

PLAIN = """
[[scenario]]
id = "X"
seats = ["A", "B"]
top = "R5"
hands = { B = ["R1", "G7", "B8"] }
do = ["B play R1"]
[[scenario.expect]]
"""


@pytest.mark.parametrize("scenario", [*SCENARIOS, *MORE], ids=lambda scenario: scenario.id)
def test_scenario_holds_under_each_of_its_presets(scenario: Scenario) -> None:
    results = run_scenario(scenario)
    assert len(results) == len(scenario.presets)
    assert [(result.preset, result.differences) for result in results if not result.ok] == []


def test_all_thirty_examples_are_there() -> None:
    assert {scenario.id[:3] for scenario in SCENARIOS} == {f"E{n:02}" for n in range(1, 31)}


@pytest.mark.parametrize(
    "line",
    [
        'turn = "B"',
        'top = "R2"',
        'result = "refused"',
        "attack = 2",
        "hands = { B = 3 }",
        'illegal = ["draw"]',
        "round_over = true",
    ],
)
def test_a_wrong_expectation_is_reported(line: str) -> None:
    (scenario,) = load_scenarios(PLAIN + line)
    assert not any(result.ok for result in run_scenario(scenario))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('top = "R5"', 'top = "Q5"', "top"),
        ('top = "R5"', 'top = "W"', "top"),
        ("B play R1", "Z play R1", "do"),
        ("B play R1", "B sing", "do"),
        ('seats = ["A", "B"]', 'seats = ["A", "A"]', "seats"),
        ('id = "X"', 'id = "X"\nodd = 1', "odd"),
        ('id = "X"', 'id = "X"\npresets = ["martian"]', "presets"),
        ('id = "X"', 'id = "X"\noptions = { deck = "7" }', "options"),
        ('id = "X"', 'id = "X"\ndirection = "up"', "direction"),
        ('id = "X"', 'id = "X"\nattack = 2', "attack"),
        ('id = "X"', 'id = "X"\nattack = { by = "A", cards = "2" }', "attack"),
        ('id = "X"', 'id = "X"\nattack = { by = "A", cards = 2 }', "attack"),
        ('id = "X"', 'id = "X"\npile = "R1"', "pile"),
        ('id = "X"', 'id = "X"\ndeal = 1', "deal"),
        ('id = "X"', 'id = "X"\ntotals = { A = "many" }', "totals"),
        ('id = "X"', 'id = "X"\noptions = 3', "options"),
        ('id = "X"', 'id = "X"\npresets = "official"', "presets"),
        ("hands = {", "hands = 7 #", "hands"),
        ("hands = {", "hands = { A = 0 } #", "hands"),
        ("hands = {", "hands = { A = 100_000_000_000 } #", "hands"),
        ('id = "X"', 'id = "X"\npresets = [["official"]]', "presets"),
        ("[[scenario.expect]]", "[[scenario.expect]]\npresets = [{}]", "expect.presets"),
        ('top = "R5"', 'top = "R+2"\nattack = { by = "A", cards = -5 }', "attack"),
        ('top = "R5"', 'top = "R+2"\nattack = { by = "A", cards = 999 }', "attack"),
        ('seats = ["A", "B"]', 'seats = ["A", "B C"]', "seats"),
        ('seats = ["A", "B"]', 'seats = ["A", ""]', "seats"),
        ('top = "R5"', "", "top"),
        ('top = "R5"', 'turned = ["W4"]\npile = ["R1"]', "turned"),
        ('top = "R5"', "deal = true\npile = []", "turned"),
        ('top = "R5"', 'draws = "A"', "draws"),
        ('top = "R5"', 'draws = [{ A = "R1" }]', "draws"),
        ("[[scenario.expect]]", "[[scenario.expect]]\nodd = 1", "expect.odd"),
        ("[[scenario.expect]]", "[[scenario.expect]]\npile = true", "expect.pile"),
        ("[[scenario.expect]]", '[[scenario.expect]]\nresult = "fine"', "expect.result"),
        ("[[scenario.expect]]", "[[scenario.expect]]\npresets = 1", "expect.presets"),
        (
            "[[scenario.expect]]",
            'presets = ["greek"]\n[[scenario.expect]]\npresets = ["polish"]',
            "expect.presets",
        ),
        ("[[scenario.expect]]", "expect = 1", "expect"),
    ],
)
def test_a_wrong_file_is_refused_with_scenario_and_key(old: str, new: str, key: str) -> None:
    with pytest.raises(ScenarioError, match=f"Scenario X, key `{key}`"):
        for scenario in load_scenarios(PLAIN.replace(old, new)):
            run_scenario(scenario)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[scenario", "Expected"),
        ("other = 1", "Unknown key `other`"),
        ("", "no \\[\\[scenario"),
        ("scenario = [1]", "Scenario number 1"),
        ("[[scenario]]\ntitle = 'x'", "Scenario number 1, key `id`"),
        (PLAIN + PLAIN, "two scenarios"),
    ],
)
def test_what_is_no_scenario_file_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ScenarioError, match=reason):
        load_scenarios(text)


def test_an_expectation_about_cards_needs_a_table() -> None:
    (scenario,) = load_scenarios(
        """
        [[scenario]]
        id = "D"
        seats = ["A", "B"]
        draws = [{ A = "R1", B = "R2" }]
        [[scenario.expect]]
        dealer = "B"
        pile = 3
        """
    )
    with pytest.raises(ScenarioError, match="`expect.pile`: this scenario has no cards"):
        run_scenario(scenario)


def test_a_table_at_which_nobody_has_a_partner_opposite_is_refused() -> None:
    text = """
[[scenario]]
id = "T"
options = { teams = true }
seats = ["A", "B", "C"]
deal = true
[[scenario.expect]]
result = "refused"
"""
    (scenario,) = load_scenarios(text)
    assert all(result.ok for result in run_scenario(scenario))
    (four,) = load_scenarios(text.replace('"C"]', '"C", "D"]'))
    assert not any(result.ok for result in run_scenario(four))


@pytest.mark.parametrize("value", ["[" * 20_000, "1" * 10_000])
def test_a_value_too_deep_or_long_to_read_is_a_wrong_file(value: str) -> None:
    with pytest.raises(ScenarioError):
        load_scenarios(f"x = {value}")
