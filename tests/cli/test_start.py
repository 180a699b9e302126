"""`unop2p` alone: what waits, who one is, what was last, and what one can do next."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from unop2p.cli import tongue
from unop2p.cli.main import app
from unop2p.cli.start import NEXT, TABLES_SHOWN
from unop2p.edge.keystore import load_identity
from unop2p.edge.languages import load
from unop2p.edge.results import Result, Results, SeatResult
from unop2p.edge.tables import TableStore
from unop2p.wire.ticket import new_ticket


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty data folder."""
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    for name in ("UNOP2P_NAME", "UNOP2P_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("USER", "ann")
    return tmp_path


def shown() -> str:
    """Return what the program shows alone."""
    done = CliRunner().invoke(app, [])
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def wait(home: Path, number: int) -> None:
    """Let tables wait."""
    for index in range(number):
        ticket = new_ticket(lambda size, index=index: bytes([index]) * size, ("mqtt://h:1",))  # type: ignore[misc]  # bound
        TableStore(home).remember(ticket, "default", ["join", "secret"], str(home))


def played(*, won: bool, name: str = "ben") -> Result:
    """Return a match that has ended."""
    seats = [("ann", won), (name, not won)]
    return Result(
        ended_s=1_700_000_000,
        table="00" * 32,
        rounds=3,
        own=0,
        seats=tuple(
            SeatResult(name=n, key="00" * 32, bot=False, points=7, rounds_won=1, won=w)
            for n, w in seats
        ),
    )


def test_who_is_new_sees_what_can_be_done_and_no_key_is_made(home: Path) -> None:
    text = shown()
    assert "no key yet" in text
    assert "wait" not in text
    for command, meaning in NEXT:
        assert f"  {command}" in text
        assert meaning in text
    assert not (home / "identities").exists()


def test_who_has_played_sees_the_name_the_key_and_the_last_match(home: Path) -> None:
    identity = load_identity(home)
    Results(home, "default").add(played(won=True))
    text = shown()
    assert f"You are ann, with the key {identity.fingerprint}." in text
    assert "with ben: won, with 7 points." in text
    assert "unop2p stats" in text


def test_tables_that_wait_come_first_with_the_exact_command_and_no_ticket(home: Path) -> None:
    wait(home, TABLES_SHOWN + 1)
    text = shown()
    assert f"{TABLES_SHOWN + 1} tables wait for you:" in text
    marks = [table.mark[:8] for table in TableStore(home).waiting()]
    assert text.count("  unop2p resume ") == TABLES_SHOWN
    assert all(f"  unop2p resume {mark}  join," in text for mark in marks[:TABLES_SHOWN])
    assert "  unop2p tables  " in text
    assert "secret" not in text
    assert text.index("resume") < text.index("unop2p play")


@pytest.mark.parametrize("wrong", ["name", "profile", "key", "home"])
def test_what_is_wrong_is_said_and_the_rest_is_shown(
    home: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_identity(home)
    match wrong:
        case "name":
            monkeypatch.setenv("UNOP2P_NAME", "two words")
        case "profile":
            monkeypatch.setenv("UNOP2P_PROFILE", "../up")
        case "key":
            (home / "identities" / "default.json").write_text("{")
        case _:
            (home / "file").touch()
            monkeypatch.setenv("UNOP2P_HOME", str(home / "file"))
    text = shown()
    assert "Traceback" not in text
    assert "  unop2p play" in text
    assert text.count("\n\n") >= 2


def test_a_hostile_name_in_a_result_moves_nothing(home: Path) -> None:
    load_identity(home)
    Results(home, "default").add(played(won=False, name="\x1b[2Jb\u202een"))
    text = shown()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "not won" in text


@pytest.mark.parametrize("language", ["el", "he", "uk", "ro", "pl"])
def test_it_is_in_the_language(home: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tongue, "_spoken", [load(language)])
    load_identity(home)
    wait(home, 1)
    Results(home, "default").add(played(won=True))
    text = shown()
    for english in ("You are", "What you can do", "waits", "last", "UNO for"):
        assert english not in text
