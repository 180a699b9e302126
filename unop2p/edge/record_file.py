"""The record on disk: appended as steps settle; after a restart it goes on where it ended."""

import contextlib
import os
from pathlib import Path
from typing import BinaryIO

from unop2p.edge.errors import EXIT_FOLDER, DiskFullError
from unop2p.edge.paths import is_full
from unop2p.errors import EdgeError, RemoteError
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate
from unop2p.peer import events
from unop2p.wire.record import (
    LINE_BYTES_MAX,
    ForkLine,
    GenesisLine,
    StepLine,
    decode_line,
    evidence_line,
    fork_line,
    genesis_line,
    step_line,
)
from unop2p.words import said

_BEGINNING = b'{"version":1,"genesis":'
"""How every record begins: a file that begins otherwise is somebody's, and is not cut off."""


class RecordInUseError(EdgeError):
    """There is another table's record under that name: choose another file."""

    exit_code = EXIT_FOLDER


class RecordFileError(EdgeError):
    """The record cannot be written: choose another file with `--record`."""

    exit_code = EXIT_FOLDER


class RecordFile:
    """A record that grows. It is public: it holds nothing that the table has not heard."""

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            RecordFileError: it cannot be written.
            DiskFullError: there is no room.
            RecordInUseError: it is no record, or has damaged lines.
        """
        self.path = path
        self._next_step = 0
        self._genesis: bytes | None = None
        self._ended = False
        self._forks = 0
        """Forks in the file that this life has not come to yet: what went before them is there."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(exist_ok=True)
            self._file: BinaryIO = path.open("r+b")
        except OSError as error:
            raise self._failed(error) from error
        try:
            self._take_up()
        except OSError as error:  # a device, a pipe, a disk that fails
            self._file.close()
            raise self._failed(error) from error
        except RecordInUseError:
            self._file.close()
            raise

    def _take_up(self) -> None:
        """Find where the record ends, and cut off half a line."""
        end = 0
        while raw := self._file.readline(LINE_BYTES_MAX + 2):
            if not raw.endswith(b"\n"):
                if self._genesis is None and not raw.startswith(_BEGINNING[: len(raw)]):
                    message = said("{path}: it is not a record.", path=self.path)
                    raise RecordInUseError(message)
                break
            try:
                line = decode_line(raw[:-1])
            except RemoteError as error:
                message = said("{path}: {error}.", path=self.path, error=error)
                raise RecordInUseError(message) from error
            if isinstance(line, GenesisLine):
                self._genesis = raw[:-1]
            elif isinstance(line, StepLine):
                self._next_step = line.step + 1
            elif isinstance(line, ForkLine):
                self._next_step = line.step
                self._forks += 1
            else:
                self._ended = True
            end += len(raw)
        self._file.seek(end)
        self._file.truncate(end)

    def note(self, effect: events.Recorded) -> None:
        """Write what a peer has come to, where it is not there.

        Raises:
            RecordInUseError: the file belongs to another table.
        """
        match effect:
            case events.Begun(genesis=genesis):
                self.begin(genesis)
            case events.Settled(certificate=certificate):
                self.settle(certificate)
            case events.Proved(evidence=evidence):
                self.prove(evidence)
            case events.Forked(step=step, items=items):
                self.fork(step, items)

    def begin(self, genesis: Signed) -> None:
        """Write the first line, if it is not there.

        Raises:
            RecordInUseError: the file belongs to another table.
        """
        line = genesis_line(genesis)
        if self._genesis is None:
            self._genesis = line
            self._write(line)
        elif self._genesis != line:
            message = said("{path}.", path=self.path)
            raise RecordInUseError(message)

    def settle(self, certificate: Certificate) -> None:
        """Write a settled step, if it is not there."""
        if not self._forks and certificate.step >= self._next_step:
            self._next_step = certificate.step + 1
            self._write(step_line(certificate))

    def fork(self, step: int, items: tuple[Signed, ...]) -> None:
        """Write a fork, if it is not there: steps go on from there."""
        if self._forks:
            self._forks -= 1
            return
        self._next_step = step
        self._write(fork_line(step, items))

    def prove(self, evidence: Evidence) -> None:
        """Write evidence, once."""
        if not self._ended:
            self._ended = True
            self._write(evidence_line(evidence))

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line + b"\n")
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> EdgeError:
        if is_full(error):
            return DiskFullError(said("{path}.", path=self.path))
        return RecordFileError(
            said("{path}: {strerror}.", path=self.path, strerror=error.strerror or error)
        )

    def close(self) -> None:
        """Sync and close; again does nothing.

        Raises:
            DiskFullError: there is no room.
            RecordFileError: the disk failed.
        """
        if self._file.closed:
            return
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._failed(error) from error
        finally:
            with contextlib.suppress(OSError):  # what could not be written is there still
                self._file.close()
