"""What a screen needs of whatever runs the peer."""

import asyncio
from typing import Protocol

from unop2p.table.commands import Command
from unop2p.table.notices import Notice
from unop2p.table.view import TableView


class TableSession(Protocol):
    """The player's side of a running peer."""

    notices: asyncio.Queue[Notice]
    """What the player is told, in order."""
    busy: bool
    """The view is ahead of the notices: what led to it is told in a moment."""

    def snapshot(self) -> TableView:
        """Return what the player may see now."""
        ...

    async def submit(self, command: Command) -> None:
        """Do what the player wants.

        Raises:
            LocalError: it is refused, with the reason; nothing was signed.
        """
        ...
