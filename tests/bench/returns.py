"""`make returns`: how long the others wait for a program that is killed, and how long its return takes.

Four programs with homes of their own on one Mosquitto, `greedy` bots at their quickest, patience 3 s. Again and
again one is killed (SIGKILL) in the middle of a round, left until the others go on, and started anew. A return is
counted from the start of the process: until its link is up, until the others have answered its question for its own
words, until it is active again for everybody, and until a word of its own has settled.
"""

import argparse
import base64
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.support import end, environment
from tests.e2e.test_absence import PATIENCE_S, SEATS, Table
from tests.e2e.test_kill import ticket_in
from tests.edge.support import free_port, mosquitto

POLL_S = 0.005
STILL_S = 1.0
"""So long without a step: the table waits for somebody."""
LIMIT_S = 60.0


@dataclass(slots=True)
class Tail:
    """The record of the first seat, as it grows."""

    path: Path
    at: int = 0
    steps: int = 0
    last_s: float = 0.0
    authors: set[str] = field(default_factory=set)
    """Who has spoken in what was read last."""

    def read(self) -> int:
        """Return how many steps have come since; a line that is not whole waits."""
        with self.path.open("rb") as file:
            file.seek(self.at)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self.at += len(whole)
        self.authors = set()
        count = 0
        for line in whole.splitlines():
            found = json.loads(line)
            if found.get("kind") == "step":
                count += 1
                self.authors |= {item["author"] for item in found["statements"]}
        if count:
            self.steps += count
            self.last_s = time.monotonic()
        return count


def wait(until: object) -> float:
    """Wait for something; return when it was there.

    Raises:
        TimeoutError: it never was.
    """
    assert callable(until)
    deadline = time.monotonic() + LIMIT_S
    while not until():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(POLL_S)
    return time.monotonic()


class Returns(Table):
    """A table whose programs note how far they have come."""

    def sit(self, seat: int) -> None:
        """Start a program; a second time it takes its seat again."""
        if seat == 0 or seat not in self.running:
            super().sit(seat)
            return
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        words = ["bot", ticket_in(self.screen(0)), "--record", str(self.record(seat))]
        words += ["--name", f"seat{seat}"]
        with self.screen(seat).open("ab") as out:
            self.running[seat] = subprocess.Popen(
                [sys.executable, "-m", "tests.bench.returning", str(log), *words],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=environment(self.folder / f"home-{seat}", PYTHONPATH=str(Path.cwd())),
            )

    def rounds(self) -> int:
        """Return how many rounds have begun."""
        return self.screen(0).read_text().count("Round ")

    def notes(self) -> dict[str, float]:
        """Return what the program that was started last has noted."""
        lines = (self.folder / "log").read_text().splitlines()
        return {name: float(at) for name, at in (line.split() for line in lines)}


def author_of(record: Path, name: str) -> str:
    """Return a seat's key, as a record writes it."""
    with record.open("rb") as file:
        genesis = json.loads(json.loads(file.readline())["genesis"]["payload"])
    joins: list[dict[str, str]] = genesis["joins"]
    return next(
        join["author"]
        for join in joins
        if f'"name":"{name}"' in base64.urlsafe_b64decode(join["payload"]).decode()
    )


def one(table: Returns, tail: Tail, victim: int) -> dict[str, float]:
    """Kill a program and bring it back; return how long things took, in seconds."""
    rounds = table.rounds()
    wait(lambda: table.rounds() > rounds)
    tail.read()
    steps = tail.steps
    wait(lambda: tail.read() and tail.steps > steps + 15)  # the deal is over
    name = author_of(table.record(0), f"seat{victim}")
    back = table.screen(0).read_text().count("is back")
    end(table.running[victim])
    killed = time.monotonic()
    wait(lambda: tail.read() == 0 and time.monotonic() - tail.last_s > STILL_S)
    going_on = wait(tail.read)
    wait(lambda: tail.read() and tail.steps > steps + 8)
    started = time.monotonic()
    table.sit(victim)
    active = wait(lambda: table.screen(0).read_text().count("is back") > back)
    playing = wait(lambda: tail.read() and name in tail.authors)
    found = {name: at - started for name, at in table.notes().items()}
    return {
        "others go on": going_on - killed,
        **found,
        "active": active - started,
        "playing": playing - started,
    }


def main() -> None:
    """Print each return, then median and largest."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.returns", description=__doc__)
    parser.add_argument("--times", type=int, default=12)
    arguments = parser.parse_args()
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        port = free_port()
        stack.enter_context(mosquitto(folder, "allow_anonymous true", port))
        table = Returns(folder, port, to=400)
        stack.callback(lambda: end(*table.running.values()))
        for seat in range(SEATS):
            table.sit(seat)
        table.wait_for_steps(0, 12)
        tail = Tail(table.record(0))
        for number in range(arguments.times):
            rows.append(one(table, tail, 1 + number % (SEATS - 1)))
            print(json.dumps({key: round(value, 2) for key, value in rows[-1].items()}), flush=True)
    summary = {
        key: f"{statistics.median(row[key] for row in rows):.2f}, {max(row[key] for row in rows):.2f}"
        for key in rows[0]
        if all(key in row for row in rows)
    }
    print(f"patience {PATIENCE_S} s, {len(rows)} times, {os.cpu_count()} cores; median, largest:")
    print(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
