"""What this machine remembers of its tables: ticket, role, port; so that a command goes on."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from unop2p.edge.errors import FolderError
from unop2p.edge.keystore import check_profile
from unop2p.edge.paths import ensure_folder, write_atomically
from unop2p.wire.ticket import Ticket

PORTS = 1 << 16


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
        except (OSError, ValueError):
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
            message = f"{path}: {error.strerror or error}."
            raise FolderError(message) from error

    def forget(self, command: str, profile: str) -> None:
        """Forget a table that has ended."""
        self._note(command, profile).unlink(missing_ok=True)

    def journal_path(self, ticket: Ticket, profile: str) -> Path:
        """Return where the journal of a profile at the table of a ticket lies."""
        check_profile(profile)
        name = hashlib.sha256(b"unop2p/v1/journal-name" + ticket.secret).hexdigest()[:16]
        return self._folder / f"{name}-{profile}.journal"
