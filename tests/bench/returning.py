"""The real program, which notes when it has come how far: for `tests.bench.returns`.

`python -m tests.bench.returning LOG WORDS...` is `unop2p WORDS...`; the times in the log are those of the
machine's monotonic clock, so another process can lay its own beside them.
"""

import sys
import time
from pathlib import Path
from typing import Any

LOG = Path(sys.argv[1])


def note(what: str) -> None:
    """Write down that something has come to pass."""
    with LOG.open("a", encoding="ascii") as file:
        file.write(f"{what} {time.monotonic()}\n")


def install() -> None:
    """Put the notes into the program."""
    from unop2p.edge.driver import Driver  # noqa: PLC0415  # what is measured begins above
    from unop2p.edge.mqtt import MQTTTransport  # noqa: PLC0415
    from unop2p.edge.seat import SeatRunner  # noqa: PLC0415
    from unop2p.log.messages import Statement  # noqa: PLC0415
    from unop2p.peer.core import Peer  # noqa: PLC0415
    from unop2p.table.riders import Back  # noqa: PLC0415
    from unop2p.wire import codec  # noqa: PLC0415

    noted: set[str] = set()

    def once(what: str) -> None:
        if what not in noted:
            noted.add(what)
            note(what)

    def before(kind: Any, name: str, what: str) -> None:
        inner = getattr(kind, name)

        def outer(self: Any, *words: Any, **more: Any) -> Any:
            once(what)
            return inner(self, *words, **more)

        setattr(kind, name, outer)

    before(SeatRunner, "__init__", "seat")
    before(Driver, "_begin", "journal")
    before(MQTTTransport, "_came_up", "link")
    handle, publish = Peer.handle, Driver._publish

    def handled(self: Peer, event: Any, *, now_ms: int) -> Any:
        effects = handle(self, event, now_ms=now_ms)
        once("begun")
        if self.chain is not None and not self.chain.quiet:
            once("asked")
        return effects

    def published(self: Driver, data: bytes) -> None:
        message = codec.decode(self.peer.desk.open(data).signed.payload)
        if isinstance(message, Back):
            once("back")
        if isinstance(message, Statement):
            once("word")
        publish(self, data)

    peer: Any = Peer
    driver: Any = Driver
    peer.handle, driver._publish = handled, published


if __name__ == "__main__":
    note("python")
    from unop2p.cli.main import run

    note("imported")
    install()
    sys.argv = ["unop2p", *sys.argv[2:]]
    run()
