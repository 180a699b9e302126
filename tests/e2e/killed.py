"""The real program, with one seam: it kills itself between persisting and publishing, or at the disk.

`python -m tests.e2e.killed WORDS...` is `unop2p WORDS...`, but for five variables:

* KILL_LOG: a file; a line for each word of the chain or lobby that is published, or would have been.
* KILL_AT: before its n-th word that is persisted and not yet published, the program gets SIGKILL; 0: never.
* KILL_FLAG: a file. Where it exists, the program is killed at its next such moment. With KILL_ALL=1 it
  is made by the one that is killed by KILL_AT, so that the others follow.
* KILL_TORN: in its n-th write to the journal the program gets SIGKILL, with half of it on the disk; 0: never.
* KILL_MOVE: when its journal becomes small for the first time, the program gets SIGKILL before its n-th call
  to the disk; 0: never.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, cast

from unop2p.cli.main import run
from unop2p.edge import frames
from unop2p.edge.driver import Driver
from unop2p.edge.journal import Journal
from unop2p.log.messages import Adopt, Statement, Try
from unop2p.peer import events
from unop2p.table.genesis import Genesis, Join, Offer
from unop2p.wire import codec

WORDS = Statement | Try | Adopt | Offer | Join | Genesis


class Seam:
    """Sees every effect between the disk and the network."""

    def __init__(self) -> None:
        """Read what is wanted from the environment."""
        self.log = Path(os.environ["KILL_LOG"])
        self.at = int(os.environ["KILL_AT"])
        self.flag = Path(os.environ["KILL_FLAG"])
        self.calls_all = os.environ.get("KILL_ALL") == "1"
        self.fresh: set[bytes] = set()
        """What has been persisted, and not been published in this life."""
        self.points = 0

    def persisted(self, effects: list[events.Effect]) -> None:
        for effect in effects:
            if isinstance(effect, events.Persist):
                self.fresh.update(effect.entries)

    def publishing(self, driver: Driver, data: bytes) -> None:
        signed = driver.peer.desk.open(data).signed
        message = codec.decode(signed.payload)
        packed = codec.pack(signed)
        if not isinstance(message, WORDS) or signed.author != driver.peer.desk.public:
            return
        killed = False
        if packed in self.fresh:
            self.fresh.discard(packed)
            self.points += 1
            killed = self.points == self.at or self.flag.exists()
        with self.log.open("a", encoding="ascii") as file:
            # After a kill from outside the last line may be half a line: this one begins anew.
            word = json.dumps({"key": key(message), "word": packed.hex(), "killed": killed})
            file.write(f"\n{word}\n")
        if killed:
            if self.calls_all:
                self.flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)


def key(message: WORDS) -> str:
    """Return the place in the chain of which one key may say one word only."""
    step, attempt = getattr(message, "step", -1), getattr(message, "attempt", 0)
    return f"{type(message).__name__} {step} {attempt}"


def install(seam: Seam) -> None:
    """Put the seam into the driver."""
    carry_out, publish = Driver._carry_out, Driver._publish

    def carry_out_seen(
        self: Driver, effects: list[events.Effect], wishes: list["asyncio.Future[None]"]
    ) -> None:
        seam.persisted(effects)
        carry_out(self, effects, wishes)

    def publish_seen(self: Driver, data: bytes) -> None:
        seam.publishing(self, data)
        publish(self, data)

    write_all, torn_at, writes = frames.write_all, int(os.environ["KILL_TORN"]), count(1)

    def write_all_torn(descriptor: int, data: bytes) -> None:
        if next(writes) == torn_at:
            write_all(descriptor, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        write_all(descriptor, data)

    frames.write_all = write_all_torn
    if move_at := int(os.environ["KILL_MOVE"]):
        kill_in_compact(move_at)
    driver: Any = Driver
    driver._carry_out, driver._publish = carry_out_seen, publish_seen


def kill_in_compact(at: int) -> None:
    """End the program before a call to the disk with which its journal becomes small."""
    compact, calls, anything = Journal.compact, count(1), cast("Any", os)

    def ended(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            if next(calls) == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*words, **more)

        return call

    def compact_seen(self: Journal) -> None:
        # The driver waits for it: nothing else of this seat comes to the disk meanwhile.
        real = {name: getattr(os, name) for name in ("open", "write", "fsync", "replace")}
        for name, function in real.items():
            setattr(anything, name, ended(function))
        try:
            compact(self)
        finally:
            for name, function in real.items():
                setattr(anything, name, function)

    cast("Any", Journal).compact = compact_seen


if __name__ == "__main__":
    install(Seam())
    sys.argv[0] = "unop2p"
    run()
