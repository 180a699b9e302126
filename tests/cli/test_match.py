"""What `unop2p match` prints."""

import pytest

from unop2p.cli.match import show


def test_results_are_words_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    result: dict[str, object] = {
        "seats": ["ada", "ben"],
        "winner": [],
        "deal_ms": None,
        "step_ms": {"median": 1.5, "p99": 9},
        "rounds": 3,
    }
    show(result, as_json=False)
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        ["seats", "ada, ben"],
        ["winner", "-"],
        ["deal_ms", "-"],
        ["step_ms", "median 1.5, p99 9"],
        ["rounds", "3"],
    ]
