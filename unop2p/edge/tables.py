"""What this machine remembers of its tables: ticket, role, port; so that a command goes on."""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unop2p.edge.journal import secrets_folder
from unop2p.edge.keystore import check_profile
from unop2p.edge.paths import ensure_folder, file_failed, write_atomically
from unop2p.wire.ticket import Ticket

PORTS = 1 << 16
MARK_CHARACTERS = 16
"""Of a table's mark in file names."""
_COMMAND_SUFFIX = ".command"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingTable:
    """A table that waits on this machine, and the command that goes on with it."""

    mark: str
    """Hexadecimal, of the ticket's secret; the secret cannot be read from it."""
    profile: str
    words: tuple[str, ...]
    """The command line, without the program."""
    folder: str
    """Where it was given; names of files are meant from there."""
    last_s: float
    """When this seat was last here, in seconds since 1970."""

    def __repr__(self) -> str:
        """Show no ticket."""
        return f"WaitingTable({self.mark}, {self.profile})"


class TableStore:
    """Notes on unfinished tables, one for each command and profile, and where journals lie."""

    def __init__(self, home: Path) -> None:
        """Take the data folder.

        Raises:
            FolderError: it cannot be used.
        """
        self._folder = ensure_folder(home / "tables")

    def _note(self, command: str, profile: str) -> Path:
        """Return where a note lies.

        Raises:
            ProfileError: the profile is no name, and could lead out of the folder.
        """
        check_profile(profile)
        return self._folder / f"{command}-{profile}.json"

    def load(self, command: str, profile: str) -> dict[str, object] | None:
        """Return what was noted of an unfinished table, or None; a damaged note is none."""
        try:
            note = json.loads(self._note(command, profile).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(note, dict):
            return None
        ticket, port, broker = note.get("ticket"), note.get("port"), note.get("broker")
        bots, name = note.get("bots", 1), note.get("name", "")
        whole = (
            isinstance(ticket, str)
            and isinstance(port, int)
            and 0 < port < PORTS
            and isinstance(broker, str | None)
            and isinstance(bots, int)
            and isinstance(name, str)
        )
        return note if whole else None

    def save(self, command: str, profile: str, note: Mapping[str, object]) -> None:
        """Note an unfinished table; the file is private: it holds the ticket.

        Raises:
            FolderError: it cannot be written.
        """
        path = self._note(command, profile)
        try:
            write_atomically(path, json.dumps(note, indent=1).encode())
        except OSError as error:
            raise file_failed(path, error) from error

    def forget(self, command: str, profile: str) -> None:
        """Forget a table that has ended.

        Raises:
            FolderError: the note cannot be removed.
        """
        _remove(self._note(command, profile))

    def journal_path(self, ticket: Ticket, profile: str) -> Path:
        """Return where the journal of a profile at the table of a ticket lies."""
        check_profile(profile)
        return self._folder / f"{table_mark(ticket)}-{profile}.journal"

    def kept_secrets(self, profile: str) -> list[bytes]:
        """Return the round secrets of a profile that are still kept: of rounds that have not ended.

        Raises:
            ProfileError: the profile is no name.
        """
        check_profile(profile)
        found = []
        # A profile's name may hold a hyphen: `*` would find those of `my-ann` for `ann`, too.
        journals = Path(f"{'?' * MARK_CHARACTERS}-{profile}.journal")
        for folder in sorted(self._folder.glob(secrets_folder(journals).name)):
            for path in sorted(folder.glob("round-*")):
                with contextlib.suppress(OSError):
                    found.append(path.read_bytes())
        return found

    def remember(self, ticket: Ticket, profile: str, words: list[str], folder: str) -> None:
        """Note with which command a seat at a table was taken; the file is private.

        Raises:
            ProfileError: the profile is no name.
            FolderError: it cannot be written.
        """
        check_profile(profile)
        path = self._folder / f"{table_mark(ticket)}-{profile}{_COMMAND_SUFFIX}"
        try:
            write_atomically(path, json.dumps({"words": words, "folder": folder}).encode())
        except OSError as error:
            raise file_failed(path, error) from error

    def ended(self, ticket: Ticket, profile: str) -> None:
        """Forget the command of a table that has ended.

        Raises:
            FolderError: it cannot be removed.
        """
        _remove(self._folder / f"{table_mark(ticket)}-{profile}{_COMMAND_SUFFIX}")

    def waiting(self) -> list[WaitingTable]:
        """Return the tables that wait, where one was last first; damaged notes are left out."""
        found = []
        for path in self._folder.glob(f"*{_COMMAND_SUFFIX}"):
            mark, _, profile = path.name.removesuffix(_COMMAND_SUFFIX).partition("-")
            journal = path.with_suffix(".journal")
            try:
                note = json.loads(path.read_bytes())
                last = (journal if journal.exists() else path).stat().st_mtime
                words, folder = note["words"], note["folder"]
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                continue
            texts = isinstance(words, list) and all(isinstance(word, str) for word in words)
            if texts and words and isinstance(folder, str):
                found.append(
                    WaitingTable(
                        mark=mark,
                        profile=profile,
                        words=tuple(words),
                        folder=folder,
                        last_s=last,
                    )
                )
        return sorted(found, key=lambda table: (-table.last_s, table.mark, table.profile))


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise file_failed(path, error) from error


def table_mark(ticket: Ticket) -> str:
    """Return what names a table in file names: a hash of the ticket's secret, in hexadecimal."""
    return hashlib.sha256(b"unop2p/v1/journal-name" + ticket.secret).hexdigest()[:MARK_CHARACTERS]
