"""Lines of standard input for plain mode: read by a thread, so that nothing else has to wait.

The thread reads the file descriptor itself, not `sys.stdin`: one that is blocked in a buffered read
holds a lock that keeps the program from ending.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator
from typing import Final

CHUNK_BYTES: Final = 4096
LINE_BYTES_MAX: Final = 8192
"""What is longer is no command: it comes in pieces, each of them refused."""


class Splitter:
    """Cuts bytes into lines."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that are whole now.

        Args:
            data: the next bytes; none at the end, when what is left is a line too.
        """
        if not data:
            rest, self._rest = self._rest, b""
            return [_text(rest)] if rest else []
        *lines, self._rest = (self._rest + data).split(b"\n")
        while len(self._rest) > LINE_BYTES_MAX:
            lines.append(self._rest[:LINE_BYTES_MAX])
            self._rest = self._rest[LINE_BYTES_MAX:]
        return [_text(line) for line in lines]


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").rstrip("\r")


async def lines(descriptor: int) -> AsyncIterator[str]:
    """Yield each line of a file descriptor, until its end.

    Nothing is read ahead of what is asked for but one chunk, so that whoever sends too much waits.
    """
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue()
    wanted = threading.Semaphore(0)

    def pump() -> None:
        # A loop that is closed has nobody left who waits for a line.
        with contextlib.suppress(RuntimeError):
            data = b"-"
            while data:
                wanted.acquire()
                try:
                    data = os.read(descriptor, CHUNK_BYTES)
                except OSError:
                    data = b""  # a descriptor that cannot be read is at its end
                loop.call_soon_threadsafe(chunks.put_nowait, data)

    threading.Thread(target=pump, daemon=True, name="unop2p-stdin").start()
    splitter = Splitter()
    data = b"-"
    while data:
        wanted.release()
        data = await chunks.get()
        for line in splitter.feed(data):
            yield line
