"""What a bot that runs by itself tells: one line for each thing, in English, for people or programs."""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime

from unop2p.cli.exits import close_output
from unop2p.repl.paint import clean


class BotLog:
    """Writes lines; what comes from others is cleaned, and no ticket or key is ever told."""

    def __init__(
        self, *, as_json: bool, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """Take the form of a line, and a clock."""
        self._as_json, self._now = as_json, now

    def at(self, table: str, seat: str) -> Callable[..., None]:
        """Return how a seat at a table tells something."""

        def tell(event: str, text: str, **facts: object) -> None:
            self.tell(event, text, table=table, seat=seat, **facts)

        return tell

    def tell(self, event: str, text: str, **facts: object) -> None:
        """Write a line; where nobody reads any more, go on in silence."""
        now = self._now()
        if self._as_json:
            stamp = now.isoformat(timespec="milliseconds")
            line = json.dumps({"at": stamp, "event": event, "text": clean(text), **facts})
        else:
            where = " ".join(str(facts[name]) for name in ("table", "seat") if name in facts)
            stamp = now.astimezone().strftime("%Y-%m-%d %H:%M:%S")
            line = f"{stamp} {f'[{where}] ' if where else ''}{clean(text)}"
        try:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            close_output()
