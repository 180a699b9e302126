"""`config show`, `config edit`, `config path`."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unop2p.cli.config_commands import EditorError, editor, rows
from unop2p.cli.main import app
from unop2p.edge.settings import SETTINGS


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the settings file of this test, which is not there yet."""
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    return tmp_path / "config.toml"


def writing(text: str) -> str:
    """Return an editor that appends a text to the file."""
    script = f"import sys; open(sys.argv[1], 'a').write({text!r})"
    return f'{sys.executable} -c "{script}"'


def test_show_says_of_every_setting_where_its_value_comes_from(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text('bots = 2\nrules = "greek"\n')
    monkeypatch.setenv("UNOP2P_RULES", "polish")
    done = CliRunner().invoke(app, ["config", "show", "--json"])
    shown = json.loads(done.stdout)
    found = {row["setting"]: (row["value"], row["from"]) for row in shown["settings"]}
    assert shown["file"] == str(path)
    assert found["bots"] == ("2", "config.toml")
    assert found["rules"] == ("polish", "UNOP2P_RULES")
    assert found["level"] == ('"greedy"', "default")
    assert list(found) == [known.key for known in SETTINGS]


def test_show_is_a_table_for_people(path: Path) -> None:
    done = CliRunner().invoke(app, ["config", "show"])
    assert done.exit_code == 0
    assert f"{path} (not there yet)" in done.stdout
    assert "turn_time" in done.stdout


def test_an_empty_variable_counts_as_none(tmp_path: Path) -> None:
    found = rows({"UNOP2P_HOME": str(tmp_path), "UNOP2P_BOTS": ""})
    assert {"setting": "bots", "value": "3", "from": "default"} in found


def test_edit_makes_the_file_and_checks_what_was_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", writing("bots = 2"))
    done = CliRunner().invoke(app, ["config", "edit"])
    assert (done.exit_code, done.stdout) == (0, f"{path}: 1 setting, all right.\n")
    assert path.read_text().startswith("# Settings of unop2p.")
    assert path.stat().st_mode & 0o077 == 0


def test_edit_names_what_is_wrong_and_keeps_what_was_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("bots = 1\n")
    monkeypatch.setenv("VISUAL", writing("botz = 2"))
    done = CliRunner().invoke(app, ["config", "edit"])
    assert done.exit_code == 2
    assert "line 2: there is no setting `botz`" in done.stderr
    assert path.read_text() == "bots = 1\nbotz = 2"


@pytest.mark.parametrize(
    "command", ["/nonexistent/editor", f'{sys.executable} -c "raise SystemExit(3)"']
)
def test_an_editor_that_fails_is_a_sentence(
    command: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", command)
    done = CliRunner().invoke(app, ["config", "edit"])
    assert done.exit_code == 2
    assert done.stderr.startswith("unop2p: The editor cannot be used")
    assert path.exists()


def test_visual_counts_before_editor() -> None:
    assert editor({"VISUAL": "one -w", "EDITOR": "two"}) == ["one", "-w"]
    assert editor({"VISUAL": "", "EDITOR": "two"}) == ["two"]


def test_no_editor_at_all_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(EditorError):
        editor({})


def test_path_prints_the_place_alone(path: Path) -> None:
    assert CliRunner().invoke(app, ["config", "path"]).stdout == f"{path}\n"


@pytest.mark.parametrize("variable", ["VISUAL", "EDITOR"])
def test_an_editor_with_a_quote_that_does_not_end_is_named(variable: str) -> None:
    with pytest.raises(EditorError) as caught:
        editor({variable: "vi 'a"})
    assert variable in caught.value.sentence()
