"""What a killed program leaves behind: its embedded broker, which may still hold the port.

A broker's child ends when its program does, but not at once, and not where the process that watches
over it was killed too. So each child has a folder with its configuration, its process id, and a file
that its program keeps locked: the kernel lets go of a lock when its holder ends, however it ends.
A child is ended here only if nobody holds that lock, and its command names that very configuration.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import BinaryIO

FOLDER_PREFIX = "unop2p-broker-"
OWNER_FILE = "owner"
PID_FILE = "pid"
GONE_S_MAX = 3.0
"""How long an ended process may take to be gone."""


def mark_owned(folder: Path) -> BinaryIO:
    """Lock a child's folder as ours; the lock lasts until the file is closed, or we end."""
    file = (folder / OWNER_FILE).open("wb")
    _lock(file)
    return file


def owner_runs(folder: Path) -> bool:
    """Say whether the program that started the child of a folder still runs."""
    try:
        file = (folder / OWNER_FILE).open("r+b")
    except OSError:
        return False
    with file:
        return not _lock(file)


def end_leftover(folder: Path) -> bool:
    """End the child that a program which is gone has left behind, and remove its folder.

    Args:
        folder: as the broker named it when it was started.

    Returns:
        Whether there was one, and it is gone. False too where its program still runs.
    """
    if folder.parent != Path(tempfile.gettempdir()) or not folder.name.startswith(FOLDER_PREFIX):
        return False
    try:
        file = (folder / OWNER_FILE).open("r+b")
    except OSError:
        return False
    with file:
        if not _lock(file):
            return False
        try:
            pid = int((folder / PID_FILE).read_text())
        except (OSError, ValueError):
            pid = 0
        ended = pid > 1 and str(folder) in _command_of(pid)
        if ended:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + GONE_S_MAX
            while str(folder) in _command_of(pid) and time.monotonic() < deadline:
                time.sleep(0.01)
    shutil.rmtree(folder, ignore_errors=True)
    return ended


def _lock(file: BinaryIO) -> bool:
    """Lock a file; return False where somebody else has it, or files cannot be locked here."""
    try:
        import fcntl  # noqa: PLC0415  (not on Windows, where no child outlives its program's pipe)

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _command_of(pid: int) -> str:
    """Return the command line of a process, empty if there is none."""
    try:
        return (
            Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        )
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return ""
    except OSError:
        return ""
    done = subprocess.run(  # noqa: S603  (a list, and only a number in it)
        ["/bin/ps", "-o", "command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout
