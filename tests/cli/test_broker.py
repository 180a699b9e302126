"""`unop2p broker` runs a broker, and `unop2p broker check` tries one out."""

import pytest
from typer.testing import CliRunner

from tests.edge.support import free_port
from unop2p.cli.main import app


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("broker", "check"), 2),
        (("broker", "check", "gopher://x"), 2),
        (("broker", "check", "mqtt://127.0.0.1", "--key", "k.pem"), 2),
        (("broker", "nonsense"), 2),
    ],
)
def test_a_wrong_command_line_is_refused(words: tuple[str, ...], code: int) -> None:
    assert CliRunner().invoke(app, list(words)).exit_code == code


@pytest.mark.broker
def test_where_nobody_listens_the_check_ends_with_10() -> None:
    result = CliRunner().invoke(app, ["broker", "check", f"mqtt://127.0.0.1:{free_port()}"])
    assert result.exit_code == 10


def test_help_shows_both() -> None:
    text = CliRunner().invoke(app, ["broker", "--help"]).output
    assert "unop2p broker --address 0.0.0.0" in text
    assert "unop2p broker check mqtts://ann@example.org" in text
