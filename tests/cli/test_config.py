"""Settings as options: the command line before the environment, that before the file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from unop2p.cli import main
from unop2p.cli import play as play_module
from unop2p.cli.main import app
from unop2p.edge.settings import SETTINGS, Kind, Setting, Value, peek, toml_text


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[play_module.PlayRequest]:
    """Return what `play` is asked for, where it would begin."""
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    found: list[play_module.PlayRequest] = []

    async def play(request: play_module.PlayRequest) -> int:
        found.append(request)
        return 0

    monkeypatch.setattr(play_module, "play", play)
    return found


def test_the_file_counts_before_the_default(
    asked: list[play_module.PlayRequest], tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text(
        'bots = 2\nfast = true\nbell = false\nset = ["jump_in=off"]\nto = 200\nturn_time = 5\n'
    )
    assert CliRunner().invoke(app, ["play"]).exit_code == 0
    (request,) = asked
    assert (request.bots, request.pace, request.look.bell, request.turn_s) == (2, "fast", False, 5)
    assert request.overrides == ["jump_in=off", "target=200"]


def test_the_environment_counts_before_the_file_and_the_command_line_before_both(
    asked: list[play_module.PlayRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text('bots = 2\nname = "file"\nplain = true\n')
    monkeypatch.setenv("UNOP2P_BOTS", "4")
    monkeypatch.setenv("UNOP2P_NAME", "environment")
    assert CliRunner().invoke(app, ["play"]).exit_code == 0
    assert CliRunner().invoke(app, ["play", "--bots", "5", "--no-plain"]).exit_code == 0
    assert [request.bots for request in asked] == [4, 5]
    assert [request.name for request in asked] == ["environment", "environment"]
    assert [request.look.plain for request in asked] == [True, False]


def test_a_wrong_file_ends_a_command_that_reads_it_with_2_and_one_sentence(
    asked: list[play_module.PlayRequest], tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text("bots = 2\nbotz = 3\n")
    done = CliRunner().invoke(app, ["play"])
    assert (done.exit_code, done.stdout, asked) == (2, "", [])
    assert "line 2: there is no setting `botz`" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_wrong_file_is_in_nobodys_way_who_does_not_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text("botz = 3\n")
    for words in (["rules"], ["config", "path"], ["--version"]):
        assert CliRunner().invoke(app, words).exit_code == 0


def test_a_wrong_variable_ends_with_2_and_is_named(
    asked: list[play_module.PlayRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_BOTS", "many")
    done = CliRunner().invoke(app, ["play"])
    assert (done.exit_code, asked) == (2, [])
    assert "UNOP2P_BOTS" in done.output


def test_every_setting_is_an_option_with_its_variable_and_default() -> None:
    commands = dict(every_command(typer.main.get_command(app)))
    for known in SETTINGS:
        for command in known.commands:
            options = {option.name: option for option in commands[command].params}
            option = options[known.parameter]
            assert option.envvar == known.variable, (known.key, command)
            if command not in {"match", "bot"}:
                assert (option.default or None) == (known.default or None), (known.key, command)


def test_the_language_of_the_file_is_looked_up_where_the_command_line_names_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    found: list[tuple[str | None, str | None]] = []
    monkeypatch.setattr(main, "speak", lambda *asked: found.append(asked))
    (tmp_path / "config.toml").write_text('lang = "pl"\n')
    for words in (["config", "path"], ["--lang", "ro", "config", "path"]):
        monkeypatch.setattr(sys, "argv", ["unop2p", *words])
        with pytest.raises(SystemExit):
            main.run()
    assert found == [(None, "pl"), ("ro", None)]


def test_a_language_that_is_not_spoken_is_named_with_its_line(
    asked: list[play_module.PlayRequest], tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text('lang = "xx"\n')
    done = CliRunner().invoke(app, ["play"])
    assert (done.exit_code, asked, peek("lang")) == (2, [], None)
    assert "line 1: `lang` is one of en, el, he, uk, ro, pl." in done.stderr


def test_no_command_has_a_variable_that_is_no_setting() -> None:
    seen = 0
    for name, command in every_command(typer.main.get_command(app)):
        for option in command.params:
            if getattr(option, "envvar", None):
                mine = [known for known in SETTINGS if known.variable == option.envvar]
                assert mine, (name, option.name)
                # What measures takes nothing from a file that differs from machine to machine.
                measures = name in {"load", "lab run"}
                assert measures or name in mine[0].commands, (name, option.name)
                seen += 1
    assert seen > len(SETTINGS)


def every_command(group: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each command with its whole name, those of groups too."""
    for name, command in group.commands.items():
        whole = f"{above}{name}"
        yield whole, command
        if hasattr(command, "commands"):
            yield from every_command(command, f"{whole} ")


@pytest.mark.parametrize("command", [["broker", "check"], ["tables", "--broker"]])
def test_who_asks_a_broker_trusts_whom_the_file_says(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text('ca_file = "no-such.pem"\n')
    done = CliRunner().invoke(app, [*command, "mqtts://127.0.0.1:1"])
    assert done.exit_code
    assert "no-such.pem" in done.stderr


def test_the_page_of_settings_has_every_setting_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "settings.md").read_text()
    for known in SETTINGS:
        default = f"`{toml_text(known.default)}`" if known.default is not None else ""
        cells = (f"`{known.key}`", known.wanted(), default, f"`{known.option}`")
        rest = (f"`{known.variable}`", ", ".join(known.commands) or "all", known.meaning)
        assert f"| {' | '.join((*cells, *rest))} |" in page, known.key


def sample(known: Setting) -> Value:
    """Return a value of a setting that is not its default."""
    if known.choices:
        return next(choice for choice in known.choices if choice != known.default)
    match known.kind:
        case Kind.FLAG:
            return not known.default
        case Kind.WORDS:
            return ["one=1", "two=2"] if known.key == "set" else ["mqtt://a", "mqtt://b"]
        case Kind.WHOLE | Kind.NUMBER:
            return (known.least or 0) + 5
        case Kind.TEXT:
            return "linear" if known.key == "level" else "other"


def taken(command: str, known: Setting, words: list[str], in_file: dict[str, Value]) -> object:
    """Return what a command takes for a setting, as far as it can be compared."""
    commands = dict(every_command(typer.main.get_command(app)))
    takes_one = {"join", "bot", "watch", "replay", "broker check"}
    ticket = ["ticket"] if command in takes_one else []
    context = commands[command].make_context(command, [*ticket, *words], default_map=in_file)
    value = context.params[known.parameter]
    return [str(part) for part in value] if isinstance(value, list | tuple) else str(value)


@pytest.mark.parametrize(
    ("known", "command"),
    [(known, command) for known in SETTINGS for command in known.commands],
    ids=lambda part: part if isinstance(part, str) else part.key,
)
def test_a_setting_says_the_same_in_the_file_the_environment_and_on_the_command_line(
    known: Setting, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = sample(known)
    positive, _, negative = known.option.partition("/")
    if isinstance(value, bool):
        line = [positive if value else negative]
    else:
        line = [
            w
            for one in (value if isinstance(value, list) else [value])
            for w in (positive, str(one))
        ]
    wanted = [str(part) for part in value] if isinstance(value, list) else str(value)
    if known.kind is Kind.NUMBER:
        wanted = str(float(str(value)))
    monkeypatch.delenv(known.variable, raising=False)
    assert taken(command, known, [], {}) != wanted
    assert taken(command, known, [], {known.parameter: value}) == wanted
    assert taken(command, known, line, {}) == wanted
    text = " ".join(value) if isinstance(value, list) else str(value).lower()
    monkeypatch.setenv(known.variable, text)
    assert taken(command, known, [], {}) == wanted
