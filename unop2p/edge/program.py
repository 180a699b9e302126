"""A program that talks in lines: started without a shell, heard with a deadline, ended with all its own.

Its pipes are read by whoever asks, and only then: what it says unasked stays in the kernel's pipe, which
is small. So memory is bounded whatever it does. For POSIX systems; `can_run` says so.
"""

import contextlib
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from multiprocessing.util import Finalize
from pathlib import Path
from typing import IO, Final

from unop2p.bots.guard import one_line
from unop2p.bots.messages import ANSWER_BYTES_MAX, Fault, ProgramError
from unop2p.words import said

CHUNK: Final = 4_096
FLOOD_BYTES_MAX: Final = 64 * 1024
"""What may be heard between a question and its answer, old answers among it."""
UNREAD_BYTES_MAX: Final = 256 * 1024
"""What a program may leave unread of what it is told, beside what its pipe holds."""
COMPLAINT_BYTES: Final = 2_048
"""Kept of the end of what it writes on standard error."""
PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""Variables of the environment that a program gets; no other, for secrets may stand there."""
MARK: Final = "UNOP2P_BOT"
"""A variable that all which a program starts inherits: so it is found though it has left the group."""
SWEEPS_MAX: Final = 20
BYE_S: Final = 0.5
"""How long a program has to end by itself."""


def can_run() -> bool:
    """Say whether programs can be bots on this system."""
    return sys.platform != "win32"


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what a program gets to know of the environment."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {**passed, **(more or {})}


class Program:
    """One running program."""

    def __init__(self, words: Sequence[str], more: Mapping[str, str] | None = None) -> None:
        """Start it.

        Args:
            words: the program and its arguments.
            more: further variables of its environment.

        Raises:
            ProgramError: it cannot be started.
        """
        mark = secrets.token_hex(16)
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the player's own word; no shell
                list(words),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**environment(more), MARK: mark},
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = said("It cannot be started: {error}.", error=one_line(reason))
            raise ProgramError(message, Fault.START) from error
        process = self._process
        self._in, self._out, self._err = _pipe(process.stdin), _pipe(process.stdout), process.stderr
        self._unread = bytearray()
        """Told, and not yet taken by the pipe."""
        self._heard = bytearray()
        self._heard_bytes = 0
        self._complaint = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ, self._hear_some)
        for pipe in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(_pipe(pipe).fileno(), False)
        self._selector.register(_pipe(self._err), selectors.EVENT_READ, self._hear_complaint)
        # Also where nobody closes it, in the workers of a contest for one.
        self._end = Finalize(self, _end_all, args=(process, mark), exitpriority=10)

    @property
    def complaint(self) -> str:
        """The last that it wrote on standard error, in one line."""
        return one_line(self._complaint.decode(errors="replace")[-200:])

    def tell(self, line: bytes) -> None:
        """Tell it a line, soon; it may now say `FLOOD_BYTES_MAX` again.

        Raises:
            ProgramError: it has left too much unread.
        """
        if len(self._unread) > UNREAD_BYTES_MAX:
            raise ProgramError(said("It does not read what it is told."), Fault.SILENT)
        if not self._unread:
            self._selector.register(self._in, selectors.EVENT_WRITE, self._tell_some)
        self._unread += line
        self._heard_bytes = 0

    def hear(self, until: float) -> bytes | None:
        """Return its next line, without the end of the line; None if there is none in time.

        Args:
            until: a time of `time.monotonic`.

        Raises:
            ProgramError: it has ended, or says too much.
        """
        while True:
            end = self._heard.find(b"\n")
            if end > ANSWER_BYTES_MAX or (end < 0 and len(self._heard) > ANSWER_BYTES_MAX):
                message = said("It says a line of more than {most} bytes.", most=ANSWER_BYTES_MAX)
                raise ProgramError(message, Fault.FLOOD)
            if end >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                return line
            left = until - time.monotonic()
            if left <= 0:
                return None
            for key, _ in self._selector.select(left):
                key.data()

    def _hear_some(self) -> None:
        data = _read(self._out)
        if data is None:
            return
        if not data:
            raise ProgramError(self._last_words(), Fault.ENDED)
        self._heard += data
        self._heard_bytes += len(data)
        if self._heard_bytes > FLOOD_BYTES_MAX:
            raise ProgramError(said("It says far more than an answer."), Fault.FLOOD)

    def _hear_complaint(self) -> None:
        pipe = _pipe(self._err)
        data = _read(pipe)
        if data == b"":
            self._selector.unregister(pipe)
        elif data:
            self._complaint += data
            del self._complaint[:-COMPLAINT_BYTES]

    def _tell_some(self) -> None:
        try:
            count = self._in.write(self._unread[:CHUNK])
        except OSError as error:
            self._drain_complaint()
            raise ProgramError(self._last_words(), Fault.ENDED) from error
        del self._unread[: count or 0]
        if not self._unread:
            self._selector.unregister(self._in)

    def _drain_complaint(self) -> None:
        with contextlib.suppress(KeyError):
            self._selector.get_key(_pipe(self._err))
            self._hear_complaint()

    def _last_words(self) -> str:
        """Say how it ended, and what it complained of."""
        code = _ended_with(self._process)
        self._drain_complaint()
        words = self.complaint
        if code is None:
            return said("It has closed its output.")
        if words:
            return said("It has ended with code {code}: {words}", code=code, words=words)
        return said("It has ended with code {code}.", code=code)

    def close(self, last: bytes = b"") -> bool:
        """End it and whatever it has started; it has a moment to do so itself.

        Args:
            last: a line to tell it, if its pipe has room.

        Returns:
            Whether it has ended by itself, in time.
        """
        if last and not self._unread:
            with contextlib.suppress(OSError, ValueError):
                self._in.write(last)
        self._selector.close()
        for pipe in (self._in, self._out, _pipe(self._err)):
            with contextlib.suppress(OSError):
                pipe.close()
        return bool(self._end())


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _read(pipe: IO[bytes]) -> bytes | None:
    """Return what is there: nothing at the end, None if there is nothing now."""
    try:
        return pipe.read(CHUNK)
    except OSError:
        return b""


def _end_all(process: "subprocess.Popen[bytes]", mark: str) -> bool:
    """Wait a moment for a program, then end all that runs in its group, or has its mark."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    if process.returncode is not None:
        return True
    ended = _ended_with(process) is not None
    # Before it is waited for: until then its number, and so its group's, can be nobody else's.
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _end_marked(mark)
    return ended


def _end_marked(mark: str) -> None:
    """End every process that has inherited a mark, where the system lets us look (Linux).

    Such a process may start another meanwhile, so it is looked for until none is there.
    """
    wanted = f"{MARK}={mark}".encode()
    for _ in range(SWEEPS_MAX):
        if not sum(_end_if_marked(pid, wanted) for pid in _pids()):
            return


def _end_if_marked(pid: int, wanted: bytes) -> bool:
    """End a process if a variable stands in its environment; say whether it did."""
    if wanted not in _environment_of(pid):
        return False
    try:
        held = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if wanted not in _environment_of(pid):  # the number may be another's by now
            return False
        signal.pidfd_send_signal(held, signal.SIGKILL)
    except OSError:
        return False
    finally:
        os.close(held)
    return True


def _pids() -> list[int]:
    if sys.platform != "linux":
        return []
    try:
        return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    except OSError:
        return []


def _environment_of(pid: int) -> list[bytes]:
    """Return with which variables a process of ours was started; nothing of others', or of dead ones."""
    try:
        with Path(f"/proc/{pid}/environ").open("rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def _ended_with(process: "subprocess.Popen[bytes]") -> int | None:
    """Wait a moment for a program's end; return its code, or None. It is not reaped."""
    until = time.monotonic() + BYE_S
    while True:
        ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is not None:
            return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        if time.monotonic() > until:
            return None
        time.sleep(0.005)
