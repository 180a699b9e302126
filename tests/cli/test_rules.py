"""The commands of `unop2p rules`, as typer knows them."""

import pytest
from typer.testing import CliRunner

from unop2p.cli.main import app


@pytest.mark.parametrize("command", ["show", "diff", "check"])
def test_each_command_has_an_example_that_it_takes(command: str) -> None:
    shown = CliRunner().invoke(app, ["rules", command, "--help"]).stdout
    assert f"Example: unop2p rules {command}" in " ".join(shown.split())


def test_an_unknown_command_is_a_usage_error() -> None:
    result = CliRunner().invoke(app, ["rules", "sing"])
    assert result.exit_code == 2
    assert "sing" in result.stderr
