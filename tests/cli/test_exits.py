"""How a command ends."""

import pytest
import typer

from unop2p.cli.exits import INTERRUPTED_EXIT_CODE, leave
from unop2p.errors import InvalidNotationError


def code_of(work: object) -> int:
    with pytest.raises(typer.Exit) as left:
        leave(work)  # type: ignore[arg-type]  # each test gives what it is about
    return left.value.exit_code


def test_a_commands_own_code_is_handed_on() -> None:
    assert code_of(lambda: 43) == 43


def test_an_error_becomes_one_sentence_and_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        raise ExceptionGroup("both", [InvalidNotationError("R77.")])

    assert code_of(work) == 1
    assert capsys.readouterr().err == "unop2p: That is not a card or a move. R77.\n"


def test_ctrl_c_is_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        raise KeyboardInterrupt

    assert code_of(work) == INTERRUPTED_EXIT_CODE
    assert "interrupted" in capsys.readouterr().err


def test_a_bug_is_not_hidden() -> None:
    def work() -> int:
        raise ExceptionGroup("bugs", [ZeroDivisionError()])

    with pytest.raises(ExceptionGroup):
        leave(work)
