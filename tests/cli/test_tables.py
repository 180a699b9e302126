"""`unop2p tables` and `resume`: what is remembered of a seat, and what is not."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unop2p.cli.common import UsageError
from unop2p.cli.main import app
from unop2p.cli.tables import choose, remember, resumed_words
from unop2p.edge.errors import BrokerOptionsError
from unop2p.edge.paths import data_home
from unop2p.edge.tables import TableStore, table_mark
from unop2p.wire.ticket import Ticket, new_ticket

BROKER = "mqtt://127.0.0.1:1883"


def ticket(seed: int) -> Ticket:
    """Return a ticket of its own for each number."""
    return new_ticket(lambda n: bytes([seed]) * n, (BROKER,))


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TableStore:
    """Return a store of an empty data folder, in a working folder of its own."""
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "home"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return TableStore(data_home())


def given(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Let the program have been started with these words."""
    monkeypatch.setattr(sys, "argv", ["unop2p", *words])


def test_a_seat_is_remembered_with_its_command_and_forgotten_at_the_end(
    store: TableStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given(monkeypatch, "join", ticket(1).text(), "--name", "ben")
    remember(store, ticket(1), "default")
    (table,) = store.waiting()
    assert table.words == ("join", ticket(1).text(), "--name", "ben")
    assert table.folder == str(tmp_path / "here")
    assert table.mark == table_mark(ticket(1))
    store.ended(ticket(1), "default")
    store.ended(ticket(1), "default")
    assert store.waiting() == []


def test_a_password_and_new_are_not_remembered(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, "host", "--new", "--broker", "mqtts://ann:se:sa@me@broker.example.org")
    remember(store, ticket(1), "default")
    (table,) = store.waiting()
    assert "--new" not in table.words
    assert table.words[-1] == "mqtts://ann@broker.example.org"


def test_the_note_is_private_and_shows_no_ticket(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, "join", ticket(1).text())
    remember(store, ticket(1), "default")
    (path,) = (data_home() / "tables").glob("*.command")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert ticket(1).words() not in repr(store.waiting())
    shown = CliRunner().invoke(app, ["tables"])
    assert shown.exit_code == 0
    assert table_mark(ticket(1))[:8] in shown.stdout
    assert ticket(1).words() not in shown.stdout


def test_the_last_table_comes_first_and_a_damaged_note_is_left_out(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in (1, 2, 3):
        given(monkeypatch, "join", ticket(seed).text())
        remember(store, ticket(seed), "default")
        path = data_home() / "tables" / f"{table_mark(ticket(seed))}-default.command"
        os.utime(path, (1000 + seed, 1000 + seed))
    for number, text in enumerate(("", "{}", '{"words": 3, "folder": "x"}', "[]")):
        (data_home() / "tables" / f"odd{number}-default.command").write_text(text)
    order = [table.mark for table in store.waiting()]
    assert order == [table_mark(ticket(seed)) for seed in (3, 2, 1)]
    listed = json.loads(CliRunner().invoke(app, ["tables", "--json"]).stdout)
    assert [row["table"] for row in listed] == [mark[:8] for mark in order]
    assert choose(store.waiting(), None).mark == order[0]
    assert choose(store.waiting(), order[2][:5].upper()).mark == order[2]


def test_resume_gives_the_words_and_goes_where_they_were_given(
    store: TableStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given(monkeypatch, "play", "--record", "mine.jsonl")
    remember(store, ticket(1), "default")
    monkeypatch.chdir(tmp_path)
    assert resumed_words(None) == ["play", "--record", "mine.jsonl"]
    assert Path.cwd() == tmp_path / "here"


def test_resume_of_a_folder_that_is_gone_is_an_error(
    store: TableStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given(monkeypatch, "play")
    remember(store, ticket(1), "default")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").rmdir()
    with pytest.raises(UsageError, match="folder"):
        resumed_words(None)


def test_resume_says_where_no_table_or_more_than_one_is_meant(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = CliRunner().invoke(app, ["resume"])
    assert (result.exit_code, "No table waits" in result.stderr) == (2, True)
    for profile in ("default", "work"):
        given(monkeypatch, "join", ticket(1).text(), "--profile", profile)
        remember(store, ticket(1), profile)
    result = CliRunner().invoke(app, ["resume", table_mark(ticket(1))])
    assert (result.exit_code, "2 seats" in result.stderr) == (2, True)
    result = CliRunner().invoke(app, ["resume", "zz"])
    assert (result.exit_code, "No seat" in result.stderr) == (2, True)
    assert CliRunner().invoke(app, ["tables"]).exit_code == 0


def test_options_of_a_broker_are_told_of_where_none_is_asked() -> None:
    done = CliRunner().invoke(app, ["tables", "--json", "--cert", "a.pem", "--mqtt5"])
    assert (done.exit_code, json.loads(done.stdout)) == (0, [])
    assert "These options have no effect here: `--cert`, `--mqtt5`." in done.stderr


def test_tables_of_a_broker_take_a_certificate_as_other_commands_do() -> None:
    broker = ["--broker", "mqtt://127.0.0.1:9"]
    done = CliRunner().invoke(app, ["tables", *broker, "--cert", "a.pem", "--key", "b.pem"])
    assert done.exit_code == BrokerOptionsError.exit_code
    assert "Only mqtts:// and wss:// use `--cert`, `--key`" in done.stderr
