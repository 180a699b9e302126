"""What cannot be meant so: every command ends with 2 and one sentence, and has done nothing."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from unop2p.cli.main import app

TICKET = "unop2p:lusab-babad-gutih-tugad-mudof@mqtt://127.0.0.1:1"
WRONG_TICKET = TICKET.replace("lusab", "lusax")
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
    *((command, "--name", "two words") for command in TABLES[:2]),
    *((command, TICKET, "--name", "two words") for command in SITTING[:2]),
    *((command, "--profile", "../up") for command in (*TABLES[:2], "id")),
    *((command, TICKET, "--profile", "../up") for command in SITTING[:2]),
    *((command, "--port", port) for command in ("host", "broker") for port in ("70000", "-1")),
    ("broker", "--embedded", "pigeon"),
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


@pytest.mark.parametrize("command", ["play", "host"])
def test_a_broker_that_is_not_there_leaves_no_table_to_go_on_with(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    done = CliRunner().invoke(app, [command, "--plain", "--broker", "mqtt://127.0.0.1:1"])
    assert done.exit_code == 10
    assert not list(tmp_path.rglob("*-default.json"))
