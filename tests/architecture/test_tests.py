"""Every module has its test file at the same path, or stands in a list that may only get shorter."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ELSEWHERE: dict[str, tuple[str, str]] = {
    # room: (where its behaviour is tested instead, which modules have no test file of their own)
    "bots": ("tests/bots/test_levels.py", "base"),
    "cli": ("tests/e2e/test_match.py", "play table"),
    "edge": (
        "tests/e2e/test_match.py",
        "errors link link_state seat",
    ),
    "peer": (
        "tests/peer/test_ring.py",
        "chain events own view",
    ),
    "repl": ("tests/repl/test_app.py", "session"),
    "rules": (
        "tests/rules/test_play.py",
        "cards consequences dealt describe due facts legal match moves options position public round "
        "scenario scenario_run transition view",
    ),
    "sim": ("tests/peer/test_ring.py", "ring"),
    "table": (
        "tests/sim/test_special_cases.py",
        "apply bodies commands notices phases state talk view work",
    ),
}
"""Tested from outside, as a whole: an interface, a value without logic, or a part of a larger machine.

A new module is not added here: it gets a test file. A module that gets one leaves.
"""


def modules(room: str) -> set[str]:
    return {path.stem for path in (ROOT / "unop2p" / room).glob("*.py")} - {"__init__"}


def has_test(room: str, module: str) -> bool:
    return (ROOT / "tests" / room / f"test_{module}.py").exists()


ROOMS = sorted(path.parent.name for path in (ROOT / "unop2p").glob("*/__init__.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_module_without_a_test_file_is_a_listed_one(room: str) -> None:
    listed = set(ELSEWHERE.get(room, ("", ""))[1].split())
    bare = {module for module in modules(room) if not has_test(room, module)}
    assert bare - listed == set(), "write tests/ROOM/test_MODULE.py"
    assert listed - bare == set(), "it has a test file now, or is gone: take it off the list"


@pytest.mark.parametrize("room", sorted(ELSEWHERE))
def test_what_stands_in_for_a_missing_test_file_is_there(room: str) -> None:
    text = (ROOT / ELSEWHERE[room][0]).read_text(encoding="utf-8")
    assert "def test_" in text
