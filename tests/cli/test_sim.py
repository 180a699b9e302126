"""`unop2p sim`, run as typer runs it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.sim.swarm.mutants import MUTANTS
from unop2p.cli.main import app
from unop2p.cli.sim_commands import FAILED_EXIT_CODE


def sim(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["sim", *arguments])
    return result.exit_code, result.stdout, result.stderr


def broken(*arguments: str) -> tuple[int, str, str]:
    """Run it with peers that say a word before they keep it."""
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "says before it keeps")
    with mutant.on():
        return sim(*arguments)


def test_one_seed_is_shown_with_its_tables_faults_and_trace() -> None:
    code, shown, _ = sim("--seeds", "7", "--faults", "loss", "--seats", "2")
    assert code == 0
    lines = shown.splitlines()
    assert lines[0].startswith("table 0: ")
    assert any(line.startswith("fault 0: ") for line in lines)
    assert lines[-1] == "well"
    assert shown == sim("--seeds", "7", "--faults", "loss", "--seats", "2")[1]


def test_many_seeds_are_added_up() -> None:
    code, shown, _ = sim("--seeds", "0..3", "--faults", "partition", "--seats", "2", "--jobs", "1")
    assert code == 0
    assert shown.startswith("4 seeds, ")
    assert shown.endswith("No seed failed.\n")


def test_the_resilience_of_tables_can_be_asked_for() -> None:
    four = ("--seeds", "4", "--faults", "none", "--seats", "4")
    assert "proved" in sim(*four)[1]
    for given, shown in (("0", 0), ("1", 1), ("4", 1)):
        assert f"resilience {shown}\n" in sim(*four, "--resilience", given)[1]


def test_json_holds_the_counts_and_the_failures() -> None:
    arguments = ("--seeds", "0..2", "--faults", "none", "--seats", "2", "--jobs", "1", "--json")
    code, shown, _ = sim(*arguments)
    data = json.loads(shown)
    assert code == 0
    assert data["done"] == [[0, 2]]
    assert data["totals"]["seeds"] == 3
    assert data["failures"] == []
    code, shown, _ = broken(*arguments, "--no-shrink")
    data = json.loads(shown)
    assert code == FAILED_EXIT_CODE
    assert len(data["failures"]) == 3
    assert data["failures"][0]["violations"][0]["check"] == "kept"


def test_a_seed_that_fails_says_how_it_is_played_again_and_its_script_replays(
    tmp_path: Path,
) -> None:
    script = tmp_path / "script.json"
    many = ("--seeds", "0..9", "--faults", "loss", "--seats", "2", "--jobs", "1")
    code, shown, told = broken(*many, "--failures", "2", "--script", str(script))
    assert code == FAILED_EXIT_CODE
    assert "seed 0: P3 kept: " in told
    assert "2 seeds have failed" in told
    assert "unop2p sim --seeds 0 --faults loss --seats 2" in told
    assert "2 seeds failed: P3 kept (2)." in shown
    assert json.loads(script.read_text(encoding="utf-8"))["faults"] == []
    code, shown, _ = broken("--replay", str(script))
    assert code == FAILED_EXIT_CODE
    assert "FAILED  P3 kept" in shown
    assert sim("--replay", str(script))[0] == 0


def test_only_some_faults_of_a_seed_can_be_kept() -> None:
    _, shown, _ = sim("--seeds", "7", "--faults", "loss", "--seats", "2", "--only", "1")
    whole = sim("--seeds", "7", "--faults", "loss", "--seats", "2")[1].splitlines()
    kept = [line for line in shown.splitlines() if line.startswith("fault ")]
    assert kept == ["fault 0: " + next(x for x in whole if x.startswith("fault 1: "))[9:]]
    assert (
        "fault" not in sim("--seeds", "7", "--faults", "loss", "--seats", "2", "--only", "none")[1]
    )


def test_a_report_is_gone_on_with_and_no_seed_is_played_twice(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    rest = ("--faults", "none", "--seats", "2", "--jobs", "1", "--report", str(report))
    assert sim("--seeds", "0..1", *rest)[0] == 0
    code, shown, told = sim("--seeds", "0..3", *rest)
    assert code == 0
    assert "It goes on: 2 seeds are done already (0..1)." in told
    assert shown.startswith("4 seeds, ")
    data = json.loads(report.read_text(encoding="utf-8"))
    assert data["done"] == [[0, 3]]
    code, _, told = sim("--seeds", "0..3", "--faults", "loss", *rest[2:])
    assert code == 2
    assert "other options" in told
    report.write_text("{", encoding="utf-8")
    assert sim("--seeds", "0..3", *rest)[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--seeds", "x"),
        ("--seeds", "5..1"),
        ("--seeds", "0..99999999"),
        ("--seeds", "-1"),
        ("--seeds", ""),
        ("--faults", "rain"),
        ("--seats", "11"),
        ("--seats", "1"),
        ("--tables", "101"),
        ("--rounds", "-1"),
        ("--rounds", "21"),
        ("--resilience", "-1"),
        ("--resilience", "5"),
        ("--group", "rsa"),
        ("--only", "1"),
        ("--seeds", "1", "--only", "99"),
        ("--seeds", "1", "--only", "x"),
        ("--replay", "no-such-file.json"),
        ("--script", "no/such/folder/file.json"),
        ("--report", "no/such/folder/file.json"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_in_a_sentence(arguments: tuple[str, ...]) -> None:
    code, shown, told = sim(*arguments)
    assert code == 2
    assert shown == ""
    assert told.strip()
    assert "Traceback" not in told


def test_a_file_that_is_no_script_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text('{"format": "unop2p-sim-1"}', encoding="utf-8")
    code, _, told = sim("--replay", str(file))
    assert code == 2
    assert str(file) in told.replace("\n", "")
