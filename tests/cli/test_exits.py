"""How a command ends."""

import errno
import os
import subprocess
import sys

import pytest
import typer

from unop2p.cli.exits import INTERRUPTED_EXIT_CODE, OUTPUT_EXIT_CODE, leave, run_program
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


def test_output_that_is_closed_is_written_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    run_program(lambda: print("hello"))  # noqa: T201  # what is tested


def test_output_that_cannot_be_written_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def bug() -> None:
        raise OSError(errno.ENOENT, "a bug")

    with pytest.raises(SystemExit) as left:
        run_program(full)
    assert left.value.code == OUTPUT_EXIT_CODE
    assert capsys.readouterr().err == (
        "unop2p: What the command prints cannot be written: No space left on device.\n"
    )
    with pytest.raises(OSError, match="a bug"):
        run_program(bug)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("audit nowhere", 14),
        ("host --seats 1", 2),
        ("join words", 2),
        ("nonsense", 2),
        ("host --seats many", 2),
        ("host --nonsense", 2),
        ("join", 2),
    ],
)
def test_a_closed_standard_error_does_not_change_the_exit_code(line: str, code: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", "from unop2p.cli.main import run; run()", *line.split()],
        stdout=subprocess.PIPE,
        stderr=writing,
        check=False,
        env={k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"},  # with a buffer
    )
    os.close(writing)
    assert (done.returncode, done.stdout) == (code, b"")


@pytest.mark.slow
def test_what_a_locale_has_no_letters_for_is_written_all_the_same() -> None:
    print_it = r"print('za\u017c, \udcff'); raise SystemExit(0)"
    program = f"from unop2p.cli.exits import run_program; run_program(lambda: exec({print_it!r}))"
    for encoding, wanted in ((b"ascii", b"za\\u017c, \xff\n"), (b"utf-8", b"za\xc5\xbc, \xff\n")):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONIOENCODING": encoding.decode()},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, wanted), done.stderr
