"""`unop2p tables`: what it takes, and what is wrong with it."""

from pathlib import Path

import pytest

from tests.e2e.support import run


def test_nothing_but_this_machine_is_looked_at_unless_it_is_asked_for(tmp_path: Path) -> None:
    done = run(tmp_path, "tables", "--address", "203.0.113.9")
    assert (done.returncode, done.stdout) == (0, "No table waits on this machine.\n")


@pytest.mark.parametrize("address", ["203.0.113.9", "kitchen"])
def test_a_wrong_address_is_one_sentence(tmp_path: Path, address: str) -> None:
    done = run(tmp_path, "tables", "--lan", "--address", address)
    assert done.returncode == 10
    assert done.stderr.startswith("unop2p: The local network cannot be used")
    assert done.stderr.count("\n") == 1
