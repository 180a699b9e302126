"""The options of `unop2p load`."""

from pathlib import Path

import pytest

from tests.e2e.support import run


def test_a_broker_has_to_be_named(tmp_path: Path) -> None:
    done = run(tmp_path, "load", "--tables", "1")
    assert done.returncode == 2
    assert "--broker" in done.stderr


@pytest.mark.parametrize("words", [("--tables", "many"), ("--seconds", "0"), ("--each", "7")])
def test_a_wrong_value_is_one_sentence_that_names_the_option(
    tmp_path: Path, words: tuple[str, str]
) -> None:
    done = run(tmp_path, "load", "--broker", "mqtt://127.0.0.1:9", *words)
    assert done.returncode == 2
    assert words[0] in done.stderr
    assert done.stderr.count("\n") == 1
