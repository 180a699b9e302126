"""Results of matches that this profile has played to their end: one file, one line each, none secret.

Each line carries a checksum of itself, so that a damaged line is told from a result and left out.
"""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from unop2p.edge.errors import FolderError
from unop2p.edge.keystore import check_profile
from unop2p.edge.paths import FILE_MODE, ensure_folder, write_atomically

FORMAT: Final = 1
FILE_BYTES_MAX: Final = 16 * 1024 * 1024
"""Some 15,000 matches of ten seats; what stands before is not read."""
_SUM: Final = "sum"
_SUM_BYTES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """What a match came to for one seat."""

    name: str
    key: str
    """Public, in hexadecimal: who it was, whatever the name."""
    bot: bool
    points: int
    rounds_won: int
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A match that has ended."""

    ended_s: int
    """When, in seconds since 1970."""
    table: str
    """The hash of its genesis, in hexadecimal."""
    rounds: int
    own: int
    """Which seat was ours."""
    seats: tuple[SeatResult, ...]

    @property
    def mine(self) -> SeatResult:
        """Our own seat."""
        return self.seats[self.own]


class Results:
    """The file of one profile."""

    def __init__(self, home: Path, profile: str) -> None:
        """Take the data folder and a profile; nothing is read yet.

        Raises:
            ProfileError: the profile is no name.
            FolderError: the folder cannot be used.
        """
        check_profile(profile)
        self.path = ensure_folder(home / "results") / f"{profile}.jsonl"

    def add(self, result: Result) -> None:
        """Write a result, unless that match is there already.

        Raises:
            FolderError: it cannot be read or written.
        """
        found, _ = self.read()
        if any(known.table == result.table for known in found):
            return
        line = encode(result) + b"\n"
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, FILE_MODE)
            with os.fdopen(descriptor, "r+b", buffering=0) as file:
                if file.seek(0, os.SEEK_END):
                    file.seek(-1, os.SEEK_END)
                    # Half a line of a program that was killed must not take this one along.
                    line = line if file.read(1) == b"\n" else b"\n" + line
                file.write(line)
                os.fsync(file.fileno())
                size = file.tell()
            if size > 2 * FILE_BYTES_MAX:
                self._shorten()
        except OSError as error:
            raise self._unusable(error) from error

    def _shorten(self) -> None:
        """Keep what is still read, and no more.

        Raises:
            OSError: it cannot be written; the file is as it was.
        """
        with self.path.open("rb") as file:
            file.seek(-FILE_BYTES_MAX, os.SEEK_END)
            kept = file.read(FILE_BYTES_MAX)
        write_atomically(self.path, kept.partition(b"\n")[2])

    def read(self) -> tuple[list[Result], int]:
        """Return the results, oldest first, and how many lines are damaged.

        Raises:
            FolderError: the file cannot be read.
        """
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - FILE_BYTES_MAX))
                lines = file.read(FILE_BYTES_MAX).splitlines()
        except FileNotFoundError:
            return [], 0
        except OSError as error:
            raise self._unusable(error) from error
        decoded = [decode(line) for line in lines if line]
        found = [result for result in decoded if result is not None]
        return found, len(decoded) - len(found)

    def _unusable(self, error: OSError) -> FolderError:
        return FolderError(f"{self.path}: {error.strerror or error}.")


def encode(result: Result) -> bytes:
    """Return a result as a line, without its newline."""
    content: dict[str, object] = {"format": FORMAT, **asdict(result)}
    return _dumped({**content, _SUM: _sum(content)})


def decode(line: bytes) -> Result | None:
    """Return the result of a line; None where it is damaged or of another version."""
    try:
        content = json.loads(line)
        if content.pop(_SUM) != _sum(content) or content.pop("format") != FORMAT:
            return None
        seats = tuple(SeatResult(**seat) for seat in content.pop("seats"))
        result = Result(seats=seats, **content)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return result if 0 <= result.own < len(seats) else None


def _sum(content: object) -> str:
    return hashlib.blake2b(
        _dumped(content), digest_size=_SUM_BYTES, person=b"unop2p-results"
    ).hexdigest()


def _dumped(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":"), sort_keys=True).encode()
