"""Commands that play or serve say how they are used."""

import inspect

import pytest
from typer.testing import CliRunner

from unop2p.cli import commands
from unop2p.cli.main import app
from unop2p.cli.program import COMMANDS

HERE = [name for name, (place, _) in COMMANDS.items() if place.startswith(commands.__name__)]


@pytest.mark.parametrize("command", HERE)
def test_each_command_has_help_with_an_example(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--help"])
    assert done.exit_code == 0
    assert f"Example: unop2p {command}" in done.stdout


def test_every_command_of_this_file_is_in_the_list() -> None:
    public = {
        name
        for name, value in inspect.getmembers(commands, inspect.isfunction)
        if value.__module__ == commands.__name__ and not name.startswith("_")
    }
    assert public == {COMMANDS[name][0].partition(":")[2] for name in HERE}
