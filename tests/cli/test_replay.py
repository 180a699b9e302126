"""`unop2p replay`: through whose eyes, from where, and what is refused."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.wire.records import fault, proved
from unop2p.cli.main import app
from unop2p.edge.errors import ProfileError

NAMES = ("p0", "p1")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a round among two."""
    path = tmp_path_factory.mktemp("records") / "match.jsonl"
    path.write_bytes(b"".join(proved()))
    return path


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "home"))


def replayed(*words: object) -> Result:
    return CliRunner().invoke(app, ["replay", *map(str, words)])


pytestmark = pytest.mark.slow


def test_a_record_is_told_from_its_beginning_to_its_end(record: Path) -> None:
    done = replayed(record)
    assert done.exit_code == 0
    assert "Round 1:" in done.stdout
    assert "The match is over" in done.stdout
    assert "hand" not in done.stdout.partition("left")[0]


def test_a_seat_is_chosen_by_name_and_sees_its_cards(record: Path) -> None:
    done = replayed(record, "--as", "P1")
    assert "       hand  1:" in done.stdout
    assert "You play" in done.stdout


def test_who_has_no_key_in_it_sees_what_a_spectator_sees_and_gets_none_made(
    record: Path, tmp_path: Path
) -> None:
    assert replayed(record, "--spectator").stdout == replayed(record).stdout
    assert not (tmp_path / "home" / "identities").exists()


def test_a_profile_that_is_no_name_is_refused(record: Path) -> None:
    assert replayed(record, "--profile", "../default").exit_code == ProfileError.exit_code


def test_a_step_is_the_table_as_it_stood(record: Path) -> None:
    done = replayed(record, "--step", 6, "--open")
    assert "-- round 1, step 6" in done.stdout
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [words[0] for words in lines[-2:]] == list(NAMES)
    assert all(len(words) > 1 for words in lines[-2:])


def test_a_round_begins_where_it_does(record: Path) -> None:
    assert replayed(record, "--round", 1).stdout.lstrip().split()[1:3] == ["Turn", "order:"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as", "zoe"), "Nobody in this record is called 'zoe': it has p0, p1."),
        (("--round", 9), "The record has 1 round"),
        (("--step", 999), "The record has steps 0 to"),
    ],
)
def test_what_is_not_in_the_record_is_refused(
    words: tuple[object, ...], said: str, record: Path
) -> None:
    done = replayed(record, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_what_is_no_record_is_a_sentence(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    assert replayed(empty).exit_code == 2
    empty.write_text("nonsense\n")
    assert "Nothing can be shown" in replayed(empty).stderr
    assert replayed(tmp_path / "none").exit_code == 14
    assert replayed(tmp_path).exit_code == 14


def test_a_record_that_is_spoiled_is_shown_up_to_there_and_that_is_said(
    record: Path, tmp_path: Path
) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    path = tmp_path / "spoiled.jsonl"
    path.write_bytes(b"".join([*lines[:9], b"nonsense\n", *lines[9:]]))
    done = replayed(path)
    assert done.exit_code == 0
    assert "The record does not hold from here on" in done.stderr
    assert "The match is over" not in done.stdout


def test_a_record_that_ends_with_evidence_says_who_and_how(tmp_path: Path) -> None:
    path = tmp_path / "fault.jsonl"
    path.write_bytes(b"".join(fault("one")))
    done = replayed(path)
    assert done.exit_code == 0
    assert re.search(r"p2 broke the protocol at step \d+: .+\.\n", done.stderr)


def test_a_seat_is_judged_by_a_bot_and_a_spectator_has_no_moves(record: Path) -> None:
    done = replayed(record, "--as", "p0", "--analyze", "--level", "greedy")
    assert done.exit_code == 0
    assert done.stdout.startswith("What `greedy` would have played (a hint, no truth):")
    assert " as `greedy`; " in done.stdout
    assert replayed(record, "--as", "p1", "--analyze", "--level", "genius").exit_code == 2
    nobody = replayed(record, "--analyze")
    assert nobody.exit_code == 2
    assert "name one with `--as`" in nobody.stderr
