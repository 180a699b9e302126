"""The secret of a new table, stretched in a thread while the rest of the program is still loaded."""

import secrets
import threading
from concurrent.futures import Future

from unop2p.wire.ticket import SECRET_BYTES, TableSecrets, Ticket, new_ticket, stretch


class DrawnSecret:
    """A secret, and what it is stretched into as soon as that is known."""

    def __init__(self) -> None:
        """Draw it, and begin."""
        self._secret = secrets.token_bytes(SECRET_BYTES)
        self.table: Future[TableSecrets] = Future()
        threading.Thread(target=self._stretch, daemon=True, name="unop2p-ticket").start()

    def __repr__(self) -> str:
        """Show no secret."""
        return "DrawnSecret(…)"

    def _stretch(self) -> None:
        # The brokers of a ticket are no part of its secret.
        self.table.set_result(stretch(Ticket(secret=self._secret, brokers=())))

    def ticket(self, brokers: tuple[str, ...]) -> Ticket:
        """Return the ticket to a table at these brokers."""
        return new_ticket(lambda _count: self._secret, brokers)
