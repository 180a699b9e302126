"""Every example runs, as the file that a reader would run."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    "deal_four_seats.py": "ann proves in 896 bytes that she holds no R card, and shows none",
    "homemade_bot.py": "of 20 matches",
}
"""What each says at the end; it takes no argument."""
WITH_ARGUMENTS = {"audit_a_match.py"}
PARTS = {"cut_and_choose.py"}
"""Not run by themselves: tests/edge/test_arguments.py plays them."""


def run(name: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / name), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_every_example_is_run_here() -> None:
    found = {path.name for path in (ROOT / "examples").glob("*.py")}
    assert found == set(EXAMPLES) | WITH_ARGUMENTS | PARTS


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_example_runs_to_its_end(name: str) -> None:
    done = run(name)
    assert done.returncode == 0, done.stderr
    assert EXAMPLES[name] in done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_audit_example_says_that_an_empty_record_is_not_complete(tmp_path: Path) -> None:
    record = tmp_path / "empty.jsonl"
    record.touch()
    done = run("audit_a_match.py", str(record))
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("incomplete: 0 statements")
