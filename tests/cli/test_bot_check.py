"""`unop2p bot check` on the command line, beside `unop2p bot`."""

from typer.testing import CliRunner

from unop2p.cli.main import app


def test_check_after_bot_is_a_command_of_its_own() -> None:
    done = CliRunner().invoke(app, ["bot", "check", "--help"])
    assert done.exit_code == 0
    assert "Example: unop2p bot check ./mybot" in done.stdout
    assert "Let a bot sit down" in CliRunner().invoke(app, ["bot", "--help"]).stdout


def test_a_program_that_is_not_there_is_a_wrong_command_line() -> None:
    done = CliRunner().invoke(app, ["bot", "check", "./genius"])
    assert done.exit_code == 2
    assert "`./genius` is not there" in done.stderr
