"""A file of frames that only grows: each frame is there whole, or it counts as never written.

A frame is

    length of body (4, big-endian), CRC-32 of those four, body, 8 bytes of BLAKE2b(place, body)

The checksum of the length tells a torn end from a damaged middle: only what reaches the end of the file,
and was therefore never synced, is cut off. Anything else that is wrong is an error.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from unop2p.edge.errors import DiskFullError, JournalError
from unop2p.edge.paths import is_full
from unop2p.words import said

FRAME_BYTES_MAX = 64 * 1024 * 1024
"""What one frame may hold: a hundred times what the largest step keeps."""
LENGTH_BYTES = 4
_HEADER_BYTES = 8
_TRAILER_BYTES = 8


class FrameFile:
    """An open file: a head of some bytes, then frames."""

    def __init__(self, path: Path, file: BinaryIO, head: int) -> None:
        """Take an open file whose first `head` bytes are on the disk; `recover` finds its end."""
        self.path = path
        self.file = file
        self.head = head
        self.end = head
        self.synced = head
        """Up to here the disk has it."""
        self.repaired_bytes = 0
        """How much of a torn end was cut off."""
        self.broken = False

    def recover(self) -> None:
        """Find the end of what was synced, and cut off a torn end.

        Raises:
            JournalError: it is damaged elsewhere than at a torn end.
            OSError: as the file system says.
        """
        size = os.fstat(self.file.fileno()).st_size
        with self.path.open("rb") as file:
            while self.end < size:
                frame = self._frame_length(file, size)
                if frame is None:
                    break
                self.end += frame
        self.repaired_bytes = size - self.end
        if self.repaired_bytes:
            os.ftruncate(self.file.fileno(), self.end)
            os.fsync(self.file.fileno())
        self.synced = self.end
        os.lseek(self.file.fileno(), self.end, os.SEEK_SET)

    def write(self, body: bytes) -> None:
        """Write a frame; it counts only after the next `sync`, which may fail.

        Raises:
            DiskFullError: there is no room; the file is as it was after the last `sync`.
            JournalError: the disk failed; nothing more is written to this file.
        """
        if self.broken:
            message = said("{path}: an earlier write failed.", path=self.path)
            raise JournalError(message)
        assert len(body) <= FRAME_BYTES_MAX
        length = len(body).to_bytes(LENGTH_BYTES, "big")
        frame = length + _check(length) + body + digest(self.end, body)
        try:
            write_all(self.file.fileno(), frame)
        except OSError as error:
            raise self._failed(error) from error
        self.end += len(frame)

    def sync(self) -> None:
        """Have the disk keep all that was written; may be called in another thread than `write`.

        Raises:
            DiskFullError: there is no room; the file is as it was after the last `sync`.
            JournalError: the disk failed; nothing more is written to this file.
        """
        end = self.end
        if self.synced == end:
            return
        try:
            os.fsync(self.file.fileno())
        except OSError as error:
            raise self._failed(error) from error
        self.synced = end

    def bodies(self) -> Iterator[bytes]:
        """Yield what the frames hold, in the order of writing."""
        place = self.head
        with self.path.open("rb") as file:
            while place < self.end:
                file.seek(place)
                length = int.from_bytes(file.read(_HEADER_BYTES)[:LENGTH_BYTES], "big")
                yield file.read(length)
                place += _HEADER_BYTES + length + _TRAILER_BYTES

    def damaged(self) -> JournalError:
        """Return what to raise where the file is wrong at its end as far as it was read."""
        return JournalError(said("{path}, at byte {end}.", path=self.path, end=self.end))

    def _failed(self, error: OSError) -> DiskFullError | JournalError:
        """Take back what was not synced, and return what to raise."""
        self.end = self.synced
        try:
            os.ftruncate(self.file.fileno(), self.end)
            os.lseek(self.file.fileno(), self.end, os.SEEK_SET)
        except OSError:
            self.broken = True
        if is_full(error):
            return DiskFullError(said("{path}.", path=self.path))
        self.broken = True  # After a failed sync nobody knows what the disk holds.
        return JournalError(
            said("{path}: {strerror}.", path=self.path, strerror=error.strerror or error)
        )

    def _frame_length(self, file: BinaryIO, size: int) -> int | None:
        """Return the length of the frame at `end`, or none where a torn end begins.

        Raises:
            JournalError: it is wrong, and not because it is torn.
        """
        file.seek(self.end)
        header = file.read(_HEADER_BYTES)
        if len(header) < _HEADER_BYTES:
            return None
        length_bytes, check = header[:LENGTH_BYTES], header[LENGTH_BYTES:]
        length = int.from_bytes(length_bytes, "big")
        if _check(length_bytes) != check or length > FRAME_BYTES_MAX:
            # A file system may have grown the file, and not yet written the data.
            if not any(header) and not any(file.read(FRAME_BYTES_MAX + _TRAILER_BYTES)):
                return None
            raise self.damaged()
        frame = _HEADER_BYTES + length + _TRAILER_BYTES
        if self.end + frame > size:
            return None
        body, trailer = file.read(length), file.read(_TRAILER_BYTES)
        if trailer != digest(self.end, body):
            if self.end + frame == size and not any(trailer):
                return None
            raise self.damaged()
        return frame


def _check(length: bytes) -> bytes:
    # The CRC-32 of four zeros is not zero, so a header of zeros does not hold.
    return zlib.crc32(length).to_bytes(4, "big")


def digest(place: int, body: bytes) -> bytes:
    """Return the checksum of a body at a place, 8 bytes."""
    return hashlib.blake2b(
        body, digest_size=_TRAILER_BYTES, salt=place.to_bytes(16, "big"), person=b"unop2p-journal"
    ).digest()


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of some bytes.

    Raises:
        OSError: some, or none, are written.
    """
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
