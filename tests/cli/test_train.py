"""What `unop2p train` reads, refuses and writes."""

from pathlib import Path
from typing import Any

import pytest

from unop2p.bots.weights import WeightsError, parse
from unop2p.cli import train
from unop2p.cli.common import UsageError
from unop2p.cli.train import NumpyMissingError, TrainRequest, read_seats, run_train
from unop2p.errors import InvalidOptionsError


def request(**changes: Any) -> TrainRequest:
    values: dict[str, Any] = {
        "level": "net",
        "seats": "2",
        "samples": 1_000,
        "tables": 16,
        "spare": 7,
        "teacher": None,
        "start": None,
        "rules": "official",
        "overrides": (),
        "seed": 1,
        "out": None,
    }
    return TrainRequest(**(values | changes))


def test_numbers_of_seats_are_read() -> None:
    assert read_seats("2") == (2,)
    assert read_seats("3, 4,6") == (3, 4, 6)


@pytest.mark.parametrize("text", ["", "1", "11", "2,2", "two", "2,,3", "-2"])
def test_what_is_no_number_of_seats_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_seats(text)


def test_a_level_that_does_not_learn_is_refused() -> None:
    with pytest.raises(UsageError):
        run_train(request(level="greedy"))


@pytest.mark.parametrize(
    "changes",
    [
        {"level": "linear", "start": "official"},
        {"level": "net", "teacher": Path("any.json")},
        {"rules": "greek", "spare": 9},
    ],
)
def test_an_option_that_would_do_nothing_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        run_train(request(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": "nowhere"},
        {"overrides": ("deck=7",)},
        {"overrides": ("teams=true",), "seats": "2,3"},
    ],
)
def test_rules_that_cannot_be_played_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionsError):
        run_train(request(**changes))


def test_a_presets_own_weights_are_learned_on_from_those_that_ship(
    tmp_path: Path, monkeypatch: Any
) -> None:
    from unop2p.sim import training

    monkeypatch.setattr(training, "LOOK_ROUNDS", 10)
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    changes = {"rules": "hebrew", "overrides": ("target=300",), "out": first}
    assert run_train(request(start="official", **changes)) == 0
    command = parse(first.read_text()).trained["command"]
    assert command.endswith("--seed 1 --rules hebrew --set target=300 --start official")
    assert run_train(request(start=str(first), rules="hebrew", out=second)) == 0
    with pytest.raises(UsageError):
        run_train(request(start=str(tmp_path / "none.json")))


def test_without_numpy_the_command_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "find_spec", lambda name: None)
    with pytest.raises(NumpyMissingError):
        run_train(request())


def test_what_is_learned_is_written_down(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    from unop2p.sim import training

    monkeypatch.setattr(training, "LOOK_ROUNDS", 10)
    monkeypatch.setattr(training, "LOOK_TABLES", 10)
    file = tmp_path / "mine.json"
    assert run_train(request(level="linear", out=file)) == 0
    assert "against greedy: 2 seats" in capsys.readouterr().out
    assert parse(file.read_text()).trained["command"].startswith("unop2p train --level linear")
    second = tmp_path / "two.json"
    assert run_train(request(level="linear", teacher=file, out=second)) == 0
    assert parse(second.read_text()).trained["command"].endswith(f"--seed 1 --teacher {file}")


def test_files_that_cannot_be_read_or_written_are_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    with pytest.raises(WeightsError):
        run_train(request(level="linear", teacher=wrong))
    with pytest.raises(UsageError, match="`--out .*` cannot be written"):
        run_train(request(samples=10**9, out=tmp_path / "no" / "mine.json"))
