"""Commands that look at what has been played are there."""

import pytest
from typer.testing import CliRunner

from unop2p.cli.main import app


@pytest.mark.parametrize("command", ["audit", "replay", "stats"])
def test_each_command_has_help_with_an_example(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--help"])
    assert done.exit_code == 0
    assert f"Example: unop2p {command}" in done.stdout
