"""What cannot be meant so: every command ends with 2 and one sentence, and has done nothing."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from unop2p.cli.main import app
from unop2p.edge.tables import TableStore
from unop2p.wire.ticket import new_ticket

TICKET = new_ticket(lambda size: bytes(range(size)), ("mqtt://127.0.0.1:1",)).text()
WRONG_TICKET = "unop2p:lusax-babad-gutih-tugad-mudof@mqtt://127.0.0.1:1"
TABLES = ("play", "host", "match")
SITTING = ("join", "bot", "watch")
COMMANDS = (*TABLES, *SITTING, "audit", "broker", "id", "rules", "lab")

CASES = [
    *(
        (command, *words)
        for command in TABLES
        for words in (
            ("--rules", "nonsense"),
            ("--set", "nonsense"),
            ("--set", "nonsense=1"),
            ("--set", "target=x"),
            ("--to", "0"),
            ("--broker", "http://127.0.0.1"),
            ("--embedded", "pigeon"),
        )
    ),
    *(
        (command, *words)
        for command in SITTING
        for words in (
            ("nonsense",),
            (WRONG_TICKET,),
            (TICKET, "--broker", "http://127.0.0.1"),
        )
    ),
    *((command, "--turn-time", seconds) for command in TABLES[:2] for seconds in ("0", "nan")),
    *(("host", "--patience", seconds) for seconds in ("0", "3601", "nan")),
    *((command, "--name", "two words") for command in TABLES[:2]),
    *((command, TICKET, "--name", "two words") for command in SITTING[:2]),
    *((command, "--profile", "../up") for command in (*TABLES[:2], "id")),
    *((command, TICKET, "--profile", "../up") for command in SITTING[:2]),
    *((command, "--port", port) for command in ("host", "broker") for port in ("70000", "-1")),
    ("broker", "--embedded", "pigeon"),
    *(
        (command, *words, option, "/dev/null")
        for command, *words in (
            ("host",),
            ("host", "--broker", "mqtt://127.0.0.1:1"),
            ("match",),
            ("match", "--broker", "ws://127.0.0.1:1"),
            *((command, TICKET) for command in SITTING),
        )
        for option in ("--ca-file", "--cert")
    ),
    ("play", "--bots", "0"),
    ("play", "--bots", "10"),
    ("host", "--seats", "1"),
    ("host", "--seats", "11"),
    ("match", "--bots", "1"),
    ("match", "--bots", "11"),
    ("match", "--rounds", "0"),
    ("play", "--level", "nonsense"),
    ("host", "--bot", "nonsense"),
    ("bot", TICKET, "--level", "nonsense"),
    ("match", "--level", "nonsense"),
    ("audit", "/dev/null", "--expect", "/nonexistent"),
    ("rules", "show", "nonsense"),
    ("rules", "diff", "official", "nonsense"),
    ("rules", "check", "/nonexistent"),
    ("lab", "run", "--cheat", "nonsense@1"),
    ("lab", "run", "--peers", "1"),
    ("lab", "run", "--deal", "nonsense"),
]


@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_a_wrong_word_ends_with_2_and_one_sentence_before_anything_is_done(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "home"))
    done = CliRunner().invoke(app, list(words))
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert done.stderr.startswith("unop2p: ")
    assert done.stderr.count("\n") == 1
    assert not list((tmp_path / "home").rglob("*.journal"))
    assert not list((tmp_path / "home").rglob("*-default.json"))


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_ends_with_2_and_names_the_help(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--nonsense"])
    assert done.exit_code == 2
    assert "--nonsense" in done.stderr
    assert "--help" in done.stderr or "-h" in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.parametrize("command", ["host", "match", "join"])
def test_a_certificate_for_a_plain_connection_is_refused_by_name_and_not_if_the_environment_has_it(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    plain = [command, *([TICKET] if command == "join" else []), "--broker", "mqtt://127.0.0.1:1"]
    done = CliRunner().invoke(app, [*plain, "--cert", "c.pem", "--key", "k.pem"])
    assert done.exit_code == 2
    assert "`--cert`, `--key`" in done.stderr
    assert "mqtts://" in done.stderr
    monkeypatch.setenv("UNOP2P_CA_FILE", "ca.pem")
    assert CliRunner().invoke(app, plain).exit_code == 10


def noted(home: Path, command: str, words: list[str]) -> str:
    """Return what is said at a table that goes on, over a broker that is not there."""
    note = {
        "ticket": TICKET,
        "port": 1,
        "broker": "mqtt://127.0.0.1:1",
        "deal": "proved",
        "terms": {"--set": "['target=300']", "--to": "['target=300']", "--turn-time": "60.0"},
    }
    TableStore(home).save(command, "default", note)
    line = [command, "--plain", "--broker", "mqtt://127.0.0.1:1", *words]
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 10, done.output
    return done.output


@pytest.mark.parametrize("command", ["play", "host"])
def test_a_table_that_goes_on_tells_which_options_come_too_late(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    same = noted(tmp_path, command, ["--to", "300", "--turn-time", "60"])
    assert "Going on" in same
    assert "no effect" not in same
    late = ["--name", "ann", "--to", "200", "--turn-time", "9", "--embedded", "amqtt"]
    other = noted(tmp_path, command, late)
    said = "These options have no effect here: `--name`, `--to`, `--turn-time`, `--embedded`."
    assert said in " ".join(other.split())


def test_where_there_is_a_broker_the_options_of_our_own_are_told_to_have_no_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    line = ["host", "--plain", "--broker", "mqtt://127.0.0.1:1", "--address", "foo", "--port", "9"]
    done = CliRunner().invoke(app, line)
    assert "no effect here: `--address`, `--port`." in " ".join(done.output.split())


@pytest.mark.parametrize("command", ["play", "host"])
def test_a_broker_that_is_not_there_leaves_no_table_to_go_on_with(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    done = CliRunner().invoke(app, [command, "--plain", "--broker", "mqtt://127.0.0.1:1"])
    assert done.exit_code == 10
    assert not list(tmp_path.rglob("*-default.json"))
