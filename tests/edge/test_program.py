"""Programs that talk in lines, well and badly."""

import gc
import os
import sys
import time
from pathlib import Path

import pytest

from tests.edge.bot_support import script
from unop2p.bots.messages import Fault, ProgramError
from unop2p.edge.program import Program, _environment_of, _pids, can_run, environment

pytestmark = pytest.mark.skipif(not can_run(), reason="programs are bots on POSIX systems only")
SHELL = "/bin/sh"


def sh(text: str) -> Program:
    return Program([SHELL, "-c", text])


def soon(seconds: float = 20) -> float:
    return time.monotonic() + seconds


def is_alive(pid: int) -> bool:
    """Say whether a process runs; one that has ended and waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_line_comes_back() -> None:
    program = Program(["/bin/cat"])
    program.tell(b"one\ntwo\n")
    assert [program.hear(soon()), program.hear(soon())] == [b"one", b"two"]
    program.close()


def test_a_line_in_pieces_is_one_line() -> None:
    program = sh("printf ab; sleep 0.05; printf 'cd\\n'; cat")
    assert program.hear(soon()) == b"abcd"
    program.close()


def test_silence_ends_at_the_deadline_and_not_before_a_line() -> None:
    program = sh("exec sleep 60")
    assert program.hear(soon(0.05)) is None
    program.close()


def faulty(text: str) -> ProgramError:
    program = sh(text)
    try:
        with pytest.raises(ProgramError) as caught:
            program.tell(b"x\n")
            while program.hear(soon()) is not None:
                pass
    finally:
        program.close()
    return caught.value


@pytest.mark.parametrize(
    ("text", "fault", "sentence"),
    [
        ("exit 3", Fault.ENDED, "code 3"),
        ("echo oh dear >&2; exit 4", Fault.ENDED, "code 4: oh dear"),
        ("kill -9 $$", Fault.ENDED, "code -9"),
        ("printf 'half a line'", Fault.ENDED, "code 0"),
        ("exec >&-; exec sleep 60", Fault.ENDED, "closed its output"),
        (
            "while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
            Fault.FLOOD,
            "bytes",
        ),
        ("while :; do echo y; done", Fault.FLOOD, "far more"),
    ],
)
def test_what_a_program_does_wrong_is_said(text: str, fault: Fault, sentence: str) -> None:
    error = faulty(text)
    assert error.fault is fault
    assert sentence in error.sentence()


@pytest.mark.parametrize("name", ["/not/there", "/etc", "/etc/passwd", "with\0nul"])
def test_what_cannot_be_started_says_so(name: str) -> None:
    with pytest.raises(ProgramError, match="It cannot be started") as caught:
        Program([name])
    assert caught.value.fault is Fault.START


def test_who_complains_without_end_is_heard_and_keeps_two_kilobytes_of_it() -> None:
    program = sh(
        "i=0; while [ $i -lt 3000 ]; do echo complaint $i >&2; i=$((i+1)); done; echo done; cat"
    )
    assert program.hear(soon()) == b"done"
    assert len(program._complaint) <= 2048
    program.close()


def test_who_does_not_read_is_told_no_more_than_fits() -> None:
    program = sh("exec sleep 60")
    with pytest.raises(ProgramError) as caught:
        for _ in range(100):
            program.tell(b"x" * 10_000 + b"\n")
            program.hear(soon(0.001))
    assert caught.value.fault is Fault.SILENT
    assert len(program._unread) < 300_000
    program.close()


def test_the_environment_has_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNOP2P_BROKER_PASSWORD", "hunter2")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter3")
    program = sh("env; echo end; cat")
    found: list[bytes | None] = []
    while (line := program.hear(soon())) != b"end":
        found.append(line)
    program.close()
    assert b"hunter" not in b" ".join(item or b"" for item in found)
    assert set(environment()) <= {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"}


def test_no_shell_reads_the_words(tmp_path: Path) -> None:
    program = Program(["/bin/echo", f"$(touch {tmp_path}/seen)"])
    assert program.hear(soon()) == f"$(touch {tmp_path}/seen)".encode()
    program.close()
    assert not list(tmp_path.iterdir())


def test_no_other_file_is_open_in_it(tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), False)
        program = sh("ls -l /proc/$$/fd; echo end; cat")
        found = b""
        while (line := program.hear(soon())) != b"end":
            found += line or b""
        program.close()
    assert b"secret" not in found


def test_all_that_it_has_started_ends_with_it() -> None:
    program = sh("sleep 300 & echo $!; trap '' TERM; wait")
    child = int(program.hear(soon()) or 0)
    assert is_alive(child)
    program.close()
    until = soon()
    while is_alive(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_alive(child)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what has inherited the mark")
@pytest.mark.parametrize("how", ["setsid sleep 300 &", "setsid sh -c 'setsid sleep 300 & exit' &"])
def test_what_has_left_its_group_ends_with_it_and_nothing_else_does(how: str) -> None:
    other = Program([SHELL, "-c", "echo ready; exec sleep 300"])
    assert other.hear(soon()) == b"ready"
    program = sh(f"{how} echo $UNOP2P_BOT; cat")
    mark = f"UNOP2P_BOT={(program.hear(soon()) or b'').decode()}"

    def left() -> list[int]:
        return [pid for pid in _pids() if mark.encode() in _environment_of(pid)]

    until = soon()
    while not any(Path(f"/proc/{pid}/comm").read_text() == "sleep\n" for pid in left()):
        assert time.monotonic() < until
        time.sleep(0.01)
    program.close()
    while left() and time.monotonic() < until:
        time.sleep(0.01)
    assert left() == []
    assert other.hear(soon(0.05)) is None  # it raises where a program has ended
    other.close()


def test_one_that_nobody_closes_ends_all_the_same() -> None:
    program = sh("echo $$; exec sleep 300")
    pid = int(program.hear(soon()) or 0)
    del program
    gc.collect()
    assert not is_alive(pid)


def test_a_well_behaved_one_ends_by_itself(tmp_path: Path) -> None:
    path = script(tmp_path, f"hear()\nhear()\nopen({str(tmp_path / 'left')!r}, 'w').write('bye')\n")
    program = Program([path])
    program.tell(b"{}\n")
    program.hear(soon(0.2))
    program.close(b'{"type":"bye"}\n')
    program.close()
    assert sys.platform != "win32"
    assert (tmp_path / "left").read_text() == "bye"
