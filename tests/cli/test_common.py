"""What commands share: signals end them in good order."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unop2p.cli.common import (
    EndedError,
    UsageError,
    check_writable,
    make_offer,
    program,
    read_name,
    read_text,
    run_async,
    say,
    write_text,
)
from unop2p.rules.options import preset

posix = pytest.mark.skipif(os.name == "nt", reason="no such signals on Windows")


@pytest.mark.parametrize(
    ("seats", "argument", "asked", "offered"),
    [
        (2, "proved", None, 0),
        (3, "proved", None, 0),
        (3, "proved", 1, 1),
        (4, "proved", None, 1),
        (4, "proved", 0, 0),
        (10, "proved", None, 1),
        (10, "proved", 4, 4),
        (4, "commit-reveal", None, 0),
    ],
)
def test_from_four_seats_up_others_stand_in_for_one_unless_something_else_is_asked_for(
    seats: int, argument: str, asked: int | None, offered: int
) -> None:
    made = make_offer(preset("official"), seats, argument=argument, resilience=asked)
    assert made.resilience == offered
    assert made.options() == preset("official")


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_lets_a_command_put_things_in_order_first(name: str) -> None:
    number = getattr(signal, name)
    order: list[str] = []

    async def command() -> int:
        try:
            os.kill(os.getpid(), number)
            await asyncio.sleep(20)
        finally:
            await asyncio.sleep(0)
            # A second one comes too late to hurt.
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.05)
            order.append("in order")
        return 0

    with pytest.raises(EndedError, match=name) as caught:
        run_async(command())
    assert order == ["in order"]
    assert caught.value.exit_code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL


@posix
def test_a_hangup_that_is_ignored_stays_ignored() -> None:
    async def command() -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0.05)
        return "went on"

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run_async(command()) == "went on"
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_cancellation_of_our_own_is_no_signal() -> None:
    async def command() -> int:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run_async(command())


def test_words_for_a_terminal_that_has_gone_are_lost_and_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    program = "from unop2p.cli.common import say; say('hello'); say('again'); print('done')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=writing,
        check=False,
        env={k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"},  # with a buffer
    )
    os.close(writing)
    assert (done.returncode, done.stdout) == (0, b"done\n")


def test_words_for_a_person_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    say("hello")
    assert capsys.readouterr() == ("", "hello\n")


# -- what the program is called ---------------------------------------------------------------------


def installed(folder: Path) -> Path:
    folder.mkdir()
    path = folder / "unop2p"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_program_on_the_path_is_called_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = installed(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(path.parent))
    monkeypatch.setattr(sys, "argv", [str(path), "play"])
    assert program() == "unop2p"


def test_a_program_in_a_clone_is_called_as_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, here = installed(tmp_path / "other"), installed(tmp_path / "bin")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bin/unop2p", "play"])
    for path in ("", str(elsewhere.parent)):
        monkeypatch.setenv("PATH", path)
        assert program() == "bin/unop2p"
    assert here.exists()


@pytest.mark.parametrize("given", ["-c", "", "/usr/bin/python3", "pytest"])
def test_a_program_that_was_started_in_another_way_is_called_by_its_name(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [given])
    assert program() == "unop2p"


# -- the player's name -----------------------------------------------------------------------------


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing of the player."""
    for name in ("UNOP2P_NAME", "USER", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("mia", "mia"),
        ("Anna Maria", "AnnaMaria"),
        ("a" * 40, "a" * 24),
        ("\x1b\x07", "you"),
        ("", "you"),
    ],
)
def test_a_login_becomes_a_name_as_far_as_it_can(
    login: str, name: str, nobody: pytest.MonkeyPatch
) -> None:
    nobody.setenv("USER", login)
    assert read_name(None) == name


def test_a_name_that_was_asked_for_is_taken_or_refused(nobody: pytest.MonkeyPatch) -> None:
    nobody.setenv("UNOP2P_NAME", "ben")
    assert read_name(None) == "ben"
    assert read_name("Zo" + chr(0xEB)) == "Zo" + chr(0xEB)
    for wrong in ("two words", "x" * 25, "a\x1b[2Jb"):
        with pytest.raises(UsageError, match="a name is") as caught:
            read_name(wrong)
        assert "\x1b" not in str(caught.value)


def test_a_name_is_read_in_a_locale_that_lacks_its_letters() -> None:
    name = "zo" + chr(0xEB)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from unop2p.cli.common import read_name; "
            "print(ascii(read_name(sys.argv[1])))",
            name,
        ],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == ascii(name), done.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero here")
def test_a_file_that_never_ends_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        read_text(Path("/dev/zero"))


def test_a_file_that_an_option_names_is_looked_at_without_loss_and_then_written(
    tmp_path: Path,
) -> None:
    file = tmp_path / "page.html"
    file.write_text("before")
    check_writable("--html", file)
    assert file.read_text() == "before"
    write_text("--html", file, "after")
    assert file.read_text() == "after"


def test_a_file_that_cannot_be_written_is_refused_by_the_name_of_its_option(
    tmp_path: Path,
) -> None:
    file = tmp_path / "no" / "page.html"
    refusal = f"^`--html {file}` cannot be written: No such file or directory.$"
    with pytest.raises(UsageError, match=refusal):
        check_writable("--html", file)
    with pytest.raises(UsageError, match=refusal):
        write_text("--html", file, "")


@pytest.mark.parametrize("platform", ["win32", "linux"])
def test_on_windows_the_loop_is_one_that_can_wait_for_sockets_of_a_library(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    """The proactor loop, which is the default there, has no `add_reader` (issues 4 and 66 of aiomqtt)."""
    asked: list[object] = []
    runner = asyncio.Runner

    def made(*, loop_factory: Callable[[], asyncio.AbstractEventLoop] | None) -> asyncio.Runner:
        asked.append(loop_factory)
        return runner(loop_factory=loop_factory)

    async def command() -> int:
        return 7

    monkeypatch.setattr(asyncio, "Runner", made)
    with monkeypatch.context() as there:
        there.setattr("unop2p.cli.common.sys.platform", platform)
        assert run_async(command()) == 7
    assert asked == [asyncio.SelectorEventLoop if platform == "win32" else None]
