"""Commands are loaded when they are named; the list of them says what their help does."""

from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from unop2p.cli.main import app
from unop2p.cli.program import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_the_list_is_the_first_of_the_commands_own_help(name: str) -> None:
    commands: Any = typer.main.get_command(app)
    command = commands.commands[name]
    assert command.name == name
    assert " ".join(command.help.partition("\n\n")[0].split()) == COMMANDS[name][1]
    assert commands.commands[name] is command


def test_the_list_has_every_command_with_its_line_and_in_its_order() -> None:
    text = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    listed = " ".join(f"{name} {line}" for name, (_, line) in COMMANDS.items())
    assert text.endswith(f"Commands: {listed}")


def test_a_command_with_a_slip_of_the_pen_is_guessed() -> None:
    done = CliRunner().invoke(app, ["pley"])
    assert done.exit_code == 2
    assert "No such command 'pley'. Did you mean 'play'" in done.stderr
