"""Which tables an unattended bot sits at, and how many it has hosted: so that a restart goes on."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from unop2p.edge.keystore import check_profile
from unop2p.edge.paths import ensure_folder, file_failed, write_atomically
from unop2p.edge.tables import table_mark
from unop2p.wire.ticket import Ticket, TicketError, parse_ticket

_SUFFIX: Final = ".seat"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNote:
    """One seat at one table."""

    ticket: str
    profile: str
    role: str
    """`opener` or `joiner`."""
    over: bool = False
    """Done with: kept for tickets of the file, so that they are not played again."""

    def __repr__(self) -> str:
        """Show no ticket."""
        return f"SeatNote({self.profile}, {self.role})"


class SeatNotes:
    """The notes of this machine; each is a private file: it holds a ticket."""

    def __init__(self, home: Path) -> None:
        """Take the data folder.

        Raises:
            FolderError: it cannot be used.
        """
        self._folder = ensure_folder(home / "tables")

    def _path(self, ticket: Ticket, profile: str) -> Path:
        check_profile(profile)
        return self._folder / f"{table_mark(ticket)}-{profile}{_SUFFIX}"

    def save(self, note: SeatNote) -> None:
        """Write a note.

        Raises:
            FolderError: it cannot be written.
        """
        path = self._path(parse_ticket(note.ticket), note.profile)
        try:
            write_atomically(path, json.dumps(asdict(note)).encode())
        except OSError as error:
            raise file_failed(path, error) from error

    def forget(self, ticket: Ticket, profile: str) -> None:
        """Remove a note.

        Raises:
            FolderError: it cannot be removed.
        """
        path = self._path(ticket, profile)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise file_failed(path, error) from error

    def all(self) -> list[SeatNote]:
        """Return what is noted, in order of file names; damaged notes are left out."""
        notes = []
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            try:
                found = json.loads(path.read_bytes())
                note = SeatNote(
                    ticket=str(found["ticket"]),
                    profile=str(found["profile"]),
                    role=str(found["role"]),
                    over=found["over"] is True,
                )
                parse_ticket(note.ticket)
            except (OSError, ValueError, KeyError, TypeError, RecursionError, TicketError):
                continue
            notes.append(note)
        return notes


class HostedCount:
    """How many matches the bot of a file has hosted. A match is counted once, though it is told twice."""

    def __init__(self, home: Path, config: Path) -> None:
        """Read it for a bot's file; a damaged count is none.

        Raises:
            FolderError: the data folder cannot be used.
        """
        name = sha256(str(config.resolve()).encode()).hexdigest()[:16]
        self._path = ensure_folder(home / "tables") / f"{name}.hosted"
        self.matches = 0
        self._last = ""
        try:
            found = json.loads(self._path.read_bytes())
            matches, last = found["matches"], found["last"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return
        if type(matches) is int and matches >= 0 and isinstance(last, str):
            self.matches, self._last = matches, last

    def add(self, ticket: Ticket) -> None:
        """Count the match of a table, unless it was the last to be counted.

        Raises:
            FolderError: it cannot be written.
        """
        mark = table_mark(ticket)
        if mark == self._last:
            return
        self.matches, self._last = self.matches + 1, mark
        try:
            write_atomically(
                self._path, json.dumps({"matches": self.matches, "last": mark}).encode()
            )
        except OSError as error:
            raise file_failed(self._path, error) from error

    def forget(self) -> None:
        """Begin anew with none.

        Raises:
            FolderError: the count cannot be removed.
        """
        self.matches, self._last = 0, ""
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise file_failed(self._path, error) from error
