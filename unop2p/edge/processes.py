"""What other processes use, where the system tells (Linux: `/proc`, see proc(5))."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
_LISTENS: Final = "0A"
"""The state of a listening socket in `/proc/net/tcp`."""
_UTIME, _STIME = 11, 12
"""Fields of `/proc/PID/stat` after the name."""


def cpu_s(pid: int, proc: Path = PROC) -> float | None:
    """Return the CPU time that a process has used, in seconds; None where that is not known."""
    try:
        # The name, in brackets, may hold anything.
        fields = (proc / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        return (int(fields[_UTIME]) + int(fields[_STIME])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError, AttributeError):
        return None


def rss_bytes(pid: int | str = "self", proc: Path = PROC) -> int | None:
    """Return the memory that a process holds, in bytes; None where that is not known."""
    try:
        pages = int((proc / str(pid) / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError, AttributeError):
        return None


def listener(port: int, proc: Path = PROC) -> int | None:
    """Return the process that listens on a TCP port of this machine; None where none is seen."""
    wanted = {f"socket:[{inode}]" for inode in _inodes(port, proc)}
    if not wanted:
        return None
    for folder in proc.glob("[0-9]*"):
        with suppress(OSError):
            for descriptor in (folder / "fd").iterdir():
                with suppress(OSError):
                    if str(descriptor.readlink()) in wanted:
                        return int(folder.name)
    return None


def _inodes(port: int, proc: Path) -> Iterator[str]:
    """Yield the inodes of the sockets that listen on a port."""
    for name in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (proc / "net" / name).read_text().splitlines()[1:]:
                fields = line.split()
                listens = len(fields) > 9 and fields[3] == _LISTENS
                if listens and int(fields[1].rpartition(":")[2], 16) == port:
                    yield fields[9]
