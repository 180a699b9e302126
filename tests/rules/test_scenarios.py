"""The thirty example positions of the rules, under every preset; and what is wrong in a file."""

from pathlib import Path

import pytest

from unop2p.rules.scenario import Scenario, ScenarioError, load_scenarios, run_scenario

FILE = Path(__file__).parent.parent / "scenarios" / "scenarios.toml"
SCENARIOS = load_scenarios(FILE.read_text(encoding="utf-8"))

PLAIN = """
[[scenario]]
id = "X"
seats = ["A", "B"]
top = "R5"
hands = { B = ["R1", "G7", "B8"] }
do = ["B play R1"]
[[scenario.expect]]
"""


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
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
    ],
)
def test_a_wrong_file_is_refused_with_scenario_and_key(old: str, new: str, key: str) -> None:
    with pytest.raises(ScenarioError, match=f"Scenario X, key `{key}`"):
        for scenario in load_scenarios(PLAIN.replace(old, new)):
            run_scenario(scenario)
