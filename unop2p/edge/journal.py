"""The journal: this peer's private, append-only file, and the secrets of rounds beside it.

One call of `append` is one frame: it is on the disk whole before the call returns, or it counts as
never written. A frame is

    length of body (4, big-endian), CRC-32 of those four, body, 8 bytes of BLAKE2b(place, body)

and a body is entries, each with its length before it (4). The checksum of the length tells a torn
end from a damaged middle: only what reaches the end of the file, and was therefore never synced, is
cut off. Anything else that is wrong is an error: a peer that loses what it has said contradicts
itself.
"""

import contextlib
import errno
import hashlib
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Self

from unop2p.edge.errors import DiskFullError, JournalError, JournalLockedError
from unop2p.edge.paths import (
    FILE_MODE,
    ensure_folder,
    file_failed,
    is_full,
    sync_folder,
    write_atomically,
)
from unop2p.words import said

MAGIC = b"unop2p journal 1\n"
FRAME_BYTES_MAX = 64 * 1024 * 1024
"""What one call may append: a hundred times what the largest step keeps."""
_LENGTH_BYTES = 4
_HEADER_BYTES = 8
_TRAILER_BYTES = 8
_SECRET_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def secrets_folder(journal: Path) -> Path:
    """Return where the secrets beside a journal lie."""
    return journal.with_name(f"{journal.name}.secrets")


class Journal:
    """An open, locked journal. Made by `Journal.open`."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        """Take an open and locked file; use `Journal.open` instead."""
        self.path = path
        self.repaired_bytes = 0
        """How much of a torn end was cut off at opening: 0 for a journal that was closed well."""
        self._file = file
        self._end = 0
        self._synced = 0
        """Up to here the disk has it."""
        self._broken = False
        self._secrets = secrets_folder(path)

    def __repr__(self) -> str:
        """Show the place, and no content."""
        return f"Journal({str(self.path)!r}, {self._end} bytes)"

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a journal, made if need be, and lock it until `close` or the program's end.

        Raises:
            FolderError: the file cannot be made or read.
            DiskFullError: there is no room for a new one.
            JournalLockedError: another program (or another part of this one) has it open.
            JournalError: it is damaged elsewhere than at a torn end.
        """
        ensure_folder(path.parent)
        try:
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE), "r+b", buffering=0)
        except OSError as error:
            raise file_failed(path, error) from error
        journal = cls(path, file)
        try:
            _lock(file, path)
            journal._recover()
        except OSError as error:
            file.close()
            if is_full(error):  # a new journal's first bytes
                message = said("{path}.", path=path)
                raise DiskFullError(message) from error
            message = said("{path}: {strerror}.", path=path, strerror=error.strerror or error)
            raise JournalError(message) from error
        except (JournalLockedError, JournalError):
            file.close()
            raise
        return journal

    def close(self) -> None:
        """Close the file and let go of the lock; again does nothing."""
        self._file.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_exc: object) -> None:
        """Close."""
        self.close()

    # -- entries -------------------------------------------------------------------------------

    def append(self, entries: Sequence[bytes]) -> None:
        """Write entries as one group, and sync. All of them are kept, or none.

        Raises:
            DiskFullError: there is no room; the journal is as it was.
            JournalError: the disk failed; nothing more is written to this journal.
        """
        self.write(entries)
        self.sync()

    def write(self, entries: Sequence[bytes]) -> None:
        """Write entries as one group; they count only after the next `sync`, which may fail.

        Raises:
            DiskFullError: there is no room; the journal is as it was after the last `sync`.
            JournalError: the disk failed; nothing more is written to this journal.
        """
        if not entries:
            return
        if self._broken:
            message = said("{path}: an earlier write failed.", path=self.path)
            raise JournalError(message)
        body = b"".join(_prefixed(entry) for entry in entries)
        assert len(body) <= FRAME_BYTES_MAX
        length = len(body).to_bytes(_LENGTH_BYTES, "big")
        frame = length + _check(length) + body + _digest(self._end, body)
        try:
            _write_all(self._file.fileno(), frame)
        except OSError as error:
            raise self._failed(error) from error
        self._end += len(frame)

    def sync(self) -> None:
        """Have the disk keep all that was written; may be called in another thread than `write`.

        Raises:
            DiskFullError: there is no room; the journal is as it was after the last `sync`.
            JournalError: the disk failed; nothing more is written to this journal.
        """
        end = self._end
        if self._synced == end:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._failed(error) from error
        self._synced = end

    def entries(self) -> Iterator[bytes]:
        """Yield all entries, in the order of writing."""
        place = len(MAGIC)
        with self.path.open("rb") as file:
            while place < self._end:
                file.seek(place)
                length = int.from_bytes(file.read(_HEADER_BYTES)[:_LENGTH_BYTES], "big")
                body = file.read(length)
                yield from _split(body)
                place += _HEADER_BYTES + length + _TRAILER_BYTES

    def _failed(self, error: OSError) -> DiskFullError | JournalError:
        """Take back what was not synced, and return what to raise."""
        self._end = self._synced
        try:
            os.ftruncate(self._file.fileno(), self._end)
            os.lseek(self._file.fileno(), self._end, os.SEEK_SET)
        except OSError:
            self._broken = True
        if is_full(error):
            return DiskFullError(said("{path}.", path=self.path))
        self._broken = True  # After a failed sync nobody knows what the disk holds.
        return JournalError(
            said("{path}: {strerror}.", path=self.path, strerror=error.strerror or error)
        )

    def _recover(self) -> None:
        """Find the end of what was synced, and cut off a torn end."""
        size = os.fstat(self._file.fileno()).st_size
        with self.path.open("rb") as file:
            start = file.read(len(MAGIC))
            if len(start) < len(MAGIC) and MAGIC.startswith(start.rstrip(b"\0")):
                self._begin(size)
                return
            if start != MAGIC:
                message = said("{path}: it is not a journal of this version.", path=self.path)
                raise JournalError(message)
            self._end = len(MAGIC)
            while self._end < size:
                frame = self._frame_length(file, size)
                if frame is None:
                    break
                self._end += frame
        self.repaired_bytes = size - self._end
        if self.repaired_bytes:
            os.ftruncate(self._file.fileno(), self._end)
            os.fsync(self._file.fileno())
        self._synced = self._end
        os.lseek(self._file.fileno(), self._end, os.SEEK_SET)

    def _begin(self, torn: int) -> None:
        self.repaired_bytes = torn
        os.ftruncate(self._file.fileno(), 0)
        os.lseek(self._file.fileno(), 0, os.SEEK_SET)
        _write_all(self._file.fileno(), MAGIC)
        os.fsync(self._file.fileno())
        sync_folder(self.path.parent)
        self._end = self._synced = len(MAGIC)

    def _frame_length(self, file: BinaryIO, size: int) -> int | None:
        """Return the length of the frame at `_end`, or none where a torn end begins.

        Raises:
            JournalError: it is wrong, and not because it is torn.
        """
        file.seek(self._end)
        header = file.read(_HEADER_BYTES)
        if len(header) < _HEADER_BYTES:
            return None
        length_bytes, check = header[:_LENGTH_BYTES], header[_LENGTH_BYTES:]
        length = int.from_bytes(length_bytes, "big")
        if _check(length_bytes) != check or length > FRAME_BYTES_MAX:
            # A file system may have grown the file, and not yet written the data.
            if not any(header) and not any(file.read(FRAME_BYTES_MAX + _TRAILER_BYTES)):
                return None
            raise self._damaged()
        frame = _HEADER_BYTES + length + _TRAILER_BYTES
        if self._end + frame > size:
            return None
        body, trailer = file.read(length), file.read(_TRAILER_BYTES)
        if trailer != _digest(self._end, body):
            if self._end + frame == size and not any(trailer):
                return None
            raise self._damaged()
        return frame

    def _damaged(self) -> JournalError:
        return JournalError(said("{path}, at byte {end}.", path=self.path, end=self._end))

    # -- secrets -------------------------------------------------------------------------------

    def write_secret(self, name: str, data: bytes) -> None:
        """Write a secret to a file of its own, and sync.

        Args:
            name: 1 to 64 letters, digits, `-` or `_`.
            data: the secret.

        Raises:
            DiskFullError: there is no room.
            FolderError: it cannot be written.
        """
        try:
            write_atomically(ensure_folder(self._secrets) / _checked(name), data)
            sync_folder(self._secrets.parent)
        except OSError as error:
            raise file_failed(self._secrets, error) from error

    def read_secret(self, name: str) -> bytes | None:
        """Return a secret, or none if there is none of that name.

        Raises:
            FolderError: it cannot be read.
        """
        try:
            return (self._secrets / _checked(name)).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise file_failed(self._secrets, error) from error

    def secret_names(self) -> tuple[str, ...]:
        """Return the names of all secrets, sorted."""
        if not self._secrets.is_dir():
            return ()
        found = (entry.name for entry in self._secrets.iterdir())
        return tuple(sorted(name for name in found if _SECRET_NAME.fullmatch(name)))

    def delete_secret(self, name: str) -> None:
        """Overwrite and delete a secret; one that is not there is no error.

        The overwriting is a courtesy: many disks keep old blocks all the same.

        Raises:
            FolderError: it cannot be deleted.
        """
        path = self._secrets / _checked(name)
        try:
            # No room to overwrite it in must not keep us from deleting it.
            with contextlib.suppress(OSError), path.open("r+b", buffering=0) as file:
                file.write(bytes(os.fstat(file.fileno()).st_size))
                os.fsync(file.fileno())
            path.unlink(missing_ok=True)
            if self._secrets.is_dir():
                sync_folder(self._secrets)
        except OSError as error:
            raise file_failed(path, error) from error


def _prefixed(entry: bytes) -> bytes:
    return len(entry).to_bytes(_LENGTH_BYTES, "big") + entry


def _split(body: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(body):
        start = place + _LENGTH_BYTES
        place = start + int.from_bytes(body[place:start], "big")
        yield body[start:place]


def _check(length: bytes) -> bytes:
    # The CRC-32 of four zeros is not zero, so a header of zeros does not hold.
    return zlib.crc32(length).to_bytes(4, "big")


def _digest(place: int, body: bytes) -> bytes:
    return hashlib.blake2b(
        body, digest_size=_TRAILER_BYTES, salt=place.to_bytes(16, "big"), person=b"unop2p-journal"
    ).digest()


def _checked(name: str) -> str:
    assert _SECRET_NAME.fullmatch(name)
    return name


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock the file against every other opening of it.

    Raises:
        JournalLockedError: somebody holds it.
    """
    try:
        if os.name == "nt":  # pragma: no cover
            import msvcrt  # noqa: PLC0415  (there only)

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # only there
        else:
            import fcntl  # noqa: PLC0415  (not on Windows)

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK):
            raise
        message = said("{path}.", path=path)
        raise JournalLockedError(message) from error
