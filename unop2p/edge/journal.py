"""The journal: this peer's private, append-only file, and the secrets of rounds beside it.

One call of `append` is one frame (`edge/frames.py`): it is on the disk whole before the call returns, or
it counts as never written. Its body is entries, each with its length before it (4). What is damaged is an
error: a peer that loses what it has said contradicts itself.

When a round is over `compact` moves what is in the file to a second one beside it, `NAME.past`, and the
file begins anew, so that it holds one round at most. Nothing is forgotten: a latecomer may ask for the
chain from its beginning. The past is compressed, and never read but at the start. In order:

    1. the entries are appended to the past, and synced
    2. `NAME.next` is made, locked and synced: it says how many entries went before it
    3. it is renamed to the journal's name, and the folder is synced; only then is anything written to it

Where a program ends between 1 and 3, the journal still holds what the past has, and that is skipped.
"""

import contextlib
import errno
import os
import re
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Self

from unop2p.edge.errors import DiskFullError, JournalError, JournalLockedError
from unop2p.edge.frames import LENGTH_BYTES, FrameFile, digest, write_all
from unop2p.edge.paths import (
    FILE_MODE,
    ensure_folder,
    file_failed,
    is_full,
    sync_folder,
    write_atomically,
)
from unop2p.errors import EdgeError
from unop2p.words import said

MAGIC = b"unop2p journal 1\n"
LATER_MAGIC = b"unop2p journal 2\n"
"""Of a journal that has a past; then how many entries that holds (8), and a checksum (8)."""
PAST_MAGIC = b"unop2p past 1\n"
COUNT_BYTES = 8
PACKED_BYTES = 4 * 1024 * 1024
"""What is compressed together: a round, mostly."""
_OPENINGS_MAX = 20
_SECRET_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def secrets_folder(journal: Path) -> Path:
    """Return where the secrets beside a journal lie."""
    return journal.with_name(f"{journal.name}.secrets")


def past_path(journal: Path) -> Path:
    """Return where the past of a journal lies: its rounds that are over."""
    return journal.with_name(f"{journal.name}.past")


def remove_journal(path: Path) -> None:
    """Remove the files of a journal. The secrets beside it are deleted one by one.

    Raises:
        OSError: as the file system says.
    """
    path.unlink(missing_ok=True)  # first: a past without a journal is nobody's
    past_path(path).unlink(missing_ok=True)


class Journal:
    """An open, locked journal. Made by `Journal.open`."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        """Take an open and locked file; use `Journal.open` instead."""
        self.path = path
        self._frames = FrameFile(path, file, len(MAGIC))
        self._past: FrameFile | None = None
        self._base = 0
        """How many entries went before those in the file."""
        self._past_count = 0
        """How many entries the past holds: not fewer."""
        self._moving = threading.Lock()
        """Held while files change: they are not closed then."""
        self._secrets = secrets_folder(path)

    def __repr__(self) -> str:
        """Show the place, and no content."""
        return f"Journal({str(self.path)!r}, {self._frames.end} bytes)"

    @property
    def repaired_bytes(self) -> int:
        """How much of a torn end was cut off at opening: 0 for a journal that was closed well."""
        return self._frames.repaired_bytes

    @property
    def is_synced(self) -> bool:
        """Whether the disk has all that was written."""
        return self._frames.synced == self._frames.end

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
        journal = cls(path, _locked(path))
        try:
            journal._recover()
        except OSError as error:
            journal.close()
            if is_full(error):  # a new journal's first bytes
                message = said("{path}.", path=path)
                raise DiskFullError(message) from error
            message = said("{path}: {strerror}.", path=path, strerror=error.strerror or error)
            raise JournalError(message) from error
        except EdgeError:
            journal.close()
            raise
        return journal

    def close(self) -> None:
        """Close the files and let go of the lock; again does nothing."""
        with self._moving:
            self._frames.file.close()
            if self._past is not None:
                self._past.file.close()

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
        if entries:
            self._frames.write(_joined(entries))

    def sync(self) -> None:
        """Have the disk keep all that was written; may be called in another thread than `write`.

        Raises:
            DiskFullError: there is no room; the journal is as it was after the last `sync`.
            JournalError: the disk failed; nothing more is written to this journal.
        """
        self._frames.sync()

    def entries(self) -> Iterator[bytes]:
        """Yield all entries, in the order of writing.

        Raises:
            JournalError: the past cannot be read.
        """
        if self._past is not None:
            for body in self._past.bodies():
                try:
                    packed = zlib.decompress(body[2 * COUNT_BYTES :])
                except zlib.error as error:
                    raise self._past.damaged() from error
                yield from _split(packed)
        yield from self._later()

    def _later(self) -> Iterator[bytes]:
        """Yield the entries of the file that the past does not hold."""
        held = (entry for body in self._frames.bodies() for entry in _split(body))
        return islice(held, self._past_count - self._base, None)

    def _recover(self) -> None:
        """Find the end of what was synced in both files, and cut off a torn end.

        Raises:
            JournalError: they are damaged, or do not belong together.
            OSError: as the file system says.
        """
        size = os.fstat(self._frames.file.fileno()).st_size
        with self.path.open("rb") as file:
            start = file.read(len(MAGIC))
            count = file.read(COUNT_BYTES)
            check = file.read(len(digest(0, b"")))
        if len(start) < len(MAGIC) and MAGIC.startswith(start.rstrip(b"\0")):
            self._begin(size)
            return
        if start == LATER_MAGIC and check == digest(0, start + count):
            self._base = int.from_bytes(count, "big")
            self._frames = FrameFile(self.path, self._frames.file, len(start + count + check))
        elif start != MAGIC:
            message = said("{path}: it is not a journal of this version.", path=self.path)
            raise JournalError(message)
        self._frames.recover()
        # What a program left that ended in the middle of `compact`.
        self.path.with_name(f"{self.path.name}.next").unlink(missing_ok=True)
        if self._base or past_path(self.path).exists():
            self._past = _open_past(self.path, new=not self._base)
            self._past_count = _entries_in(self._past)
        later = 0
        if self._past_count > self._base:
            later = sum(1 for body in self._frames.bodies() for _ in _split(body))
        if not 0 <= self._past_count - self._base <= later:
            assert self._past is not None
            raise self._past.damaged()

    def _begin(self, torn: int) -> None:
        """Begin a file that is new, or was torn in its first bytes."""
        past_path(self.path).unlink(missing_ok=True)  # of a journal that was removed
        self._frames.repaired_bytes = torn
        descriptor = self._frames.file.fileno()
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        write_all(descriptor, MAGIC)
        os.fsync(descriptor)
        sync_folder(self.path.parent)

    # -- a round is over -----------------------------------------------------------------------

    def compact(self) -> None:
        """Move what is in the file to the past. May be called in another thread: nothing is written then.

        Where there is no room, or the platform cannot rename a file that is open, all stays as it is.

        Raises:
            DiskFullError: there was no room for what was written before.
            JournalError: the disk failed; nothing more is written to this journal.
        """
        if os.name == "nt":  # pragma: no cover
            return
        with self._moving:
            if self._frames.file.closed:
                return
            self._frames.sync()
            try:
                with contextlib.suppress(DiskFullError):
                    self._move()
                    self._begin_anew()
            except JournalError:
                self._frames.broken = True
                raise
            except OSError as error:
                if is_full(error) and not self._frames.broken:
                    return
                self._frames.broken = True
                message = said(
                    "{path}: {strerror}.", path=self.path, strerror=error.strerror or error
                )
                raise JournalError(message) from error

    def _move(self) -> None:
        """Append to the past what it does not hold yet."""
        if self._past is None:
            self._past = _open_past(self.path, new=True)
        count = self._past_count
        for body, held in _packed(self._later(), count):
            self._past.write(body)
            count += held
        self._past.sync()
        self._past_count = count

    def _begin_anew(self) -> None:
        """Put an empty file in the place of the one whose entries are all in the past."""
        if self._base == self._past_count:
            return
        path = self.path.with_name(f"{self.path.name}.next")
        file = _opened(path)
        try:
            # Before it has the name: who opens it finds it locked, and the old one without a name.
            _lock(file, self.path)
            start = LATER_MAGIC + self._past_count.to_bytes(COUNT_BYTES, "big")
            start += digest(0, start)
            os.ftruncate(file.fileno(), 0)
            write_all(file.fileno(), start)
            os.fsync(file.fileno())
            path.replace(self.path)
        except OSError:
            file.close()
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            raise
        old, self._frames = self._frames, FrameFile(self.path, file, len(start))
        self._base = self._past_count
        # Until the folder is synced a crash of the machine may bring the old file back.
        self._frames.broken = True
        old.file.close()
        sync_folder(self.path.parent)
        self._frames.broken = False

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


def _joined(entries: Iterable[bytes]) -> bytes:
    return b"".join(len(entry).to_bytes(LENGTH_BYTES, "big") + entry for entry in entries)


def _split(body: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(body):
        start = place + LENGTH_BYTES
        place = start + int.from_bytes(body[place:start], "big")
        yield body[start:place]


def _packed(entries: Iterator[bytes], first: int) -> Iterator[tuple[bytes, int]]:
    """Yield frames of the past, each with how many entries it holds.

    A frame is the number of its first entry (8), how many there are (8), and they, compressed.
    """
    held: list[bytes] = []
    size = 0
    for entry in entries:
        held.append(entry)
        size += len(entry)
        if size >= PACKED_BYTES:
            yield _pack(held, first), len(held)
            first, held, size = first + len(held), [], 0
    if held:
        yield _pack(held, first), len(held)


def _pack(entries: list[bytes], first: int) -> bytes:
    counts = (first, len(entries))
    return b"".join(count.to_bytes(COUNT_BYTES, "big") for count in counts) + zlib.compress(
        _joined(entries)
    )


def _open_past(journal: Path, *, new: bool) -> FrameFile:
    """Open the past of a journal; where there is none, or only the beginning of one, begin it.

    Args:
        journal: its journal.
        new: whether there need not be one.

    Raises:
        JournalError: it is missing, or damaged elsewhere than at a torn end.
        OSError: as the file system says.
    """
    path = past_path(journal)
    if not new and not path.exists():
        raise JournalError(
            said("{path}: {strerror}.", path=path, strerror=os.strerror(errno.ENOENT))
        )
    file = _opened(path)
    past = FrameFile(path, file, len(PAST_MAGIC))
    try:
        start = file.read(len(PAST_MAGIC))
        if new and len(start) < len(PAST_MAGIC) and PAST_MAGIC.startswith(start.rstrip(b"\0")):
            os.ftruncate(file.fileno(), 0)
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            write_all(file.fileno(), PAST_MAGIC)
            os.fsync(file.fileno())
            sync_folder(path.parent)
        elif start != PAST_MAGIC:
            raise JournalError(said("{path}: it is not a journal of this version.", path=path))
        past.recover()
    except (OSError, EdgeError):
        file.close()
        raise
    return past


def _entries_in(past: FrameFile) -> int:
    """Return how many entries a past holds.

    Raises:
        JournalError: a frame is missing.
    """
    total = 0
    for body in past.bodies():
        first, count = (
            int.from_bytes(body[place : place + COUNT_BYTES], "big") for place in (0, COUNT_BYTES)
        )
        if first != total:
            raise past.damaged()
        total += count
    return total


def _checked(name: str) -> str:
    assert _SECRET_NAME.fullmatch(name)
    return name


def _opened(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE), "r+b", buffering=0)


def _locked(path: Path) -> BinaryIO:
    """Open a journal's file, and lock it.

    Raises:
        FolderError: it cannot be made or read.
        JournalLockedError: somebody holds it.
    """
    for _ in range(_OPENINGS_MAX):
        try:
            file = _opened(path)
        except OSError as error:
            raise file_failed(path, error) from error
        try:
            _lock(file, path)
            # Its holder may have put another in its place between our opening and our locking it.
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
            file.close()
        except FileNotFoundError:  # removed in that moment
            file.close()
        except OSError as error:
            file.close()
            raise file_failed(path, error) from error
        except JournalLockedError:
            file.close()
            raise
    raise JournalLockedError(said("{path}.", path=path))


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
