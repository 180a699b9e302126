"""What was typed before, kept in a private file: one line to a line, the oldest give way."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from prompt_toolkit.history import History

LINES_MAX: Final = 500
_MODE: Final = 0o600


class KeptHistory(History):
    """A history in a file. A file that cannot be used is as good as none: nobody plays for it."""

    def __init__(self, path: Path) -> None:
        """Take the file; its folder must be there."""
        self._path = path
        super().__init__()

    def load_history_strings(self) -> Iterable[str]:
        """Return what the file holds, the latest first; a file that has grown is cut."""
        try:
            lines = self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        if len(lines) > 2 * LINES_MAX:
            with contextlib.suppress(OSError):
                self._path.write_text("".join(f"{line}\n" for line in lines[-LINES_MAX:]), "utf-8")
        return [line for line in reversed(lines[-LINES_MAX:]) if line]

    def store_string(self, string: str) -> None:
        """Add a line."""
        line = " ".join(string.splitlines())
        with contextlib.suppress(OSError):
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _MODE)
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
                file.write(f"{line}\n")
