"""Programs that vanish in the middle of a round, for good or for a while: the others play on."""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.support import audit, end, start
from tests.e2e.test_kill import ticket_in
from tests.edge.support import free_port, mosquitto

pytestmark = [pytest.mark.slow, pytest.mark.broker, pytest.mark.timeout(300)]

SEATS = 4
VICTIM = 2
PATIENCE_S = 3
LIMIT_S = 240


class Table:
    """Four programs with homes of their own, at one table."""

    def __init__(self, folder: Path, port: int, to: int) -> None:
        """Note where; whoever wins `to` rounds wins the match."""
        self.folder, self.port, self.to = folder, port, to
        self.running: dict[int, subprocess.Popen[bytes]] = {}

    def screen(self, seat: int) -> Path:
        return self.folder / f"screen-{seat}.txt"

    def record(self, seat: int) -> Path:
        return self.folder / f"record-{seat}.jsonl"

    def sit(self, seat: int) -> None:
        words = ["--record", str(self.record(seat)), "--name", f"seat{seat}"]
        if seat == 0:
            words = ["host", "--seats", str(SEATS), "--bot", "greedy", *words]
            words += ["--set", "match_end=rounds", "--to", str(self.to)]
            words += ["--broker", f"mqtt://127.0.0.1:{self.port}", "--patience", str(PATIENCE_S)]
        else:
            words = ["bot", ticket_in(self.screen(0)), *words]
        with self.screen(seat).open("ab") as out:
            self.running[seat] = start(self.folder / f"home-{seat}", *words, out=out)

    def steps(self, seat: int) -> int:
        """Return how many steps a seat has recorded."""
        path = self.record(seat)
        return path.read_bytes().count(b"\n") - 1 if path.exists() else 0

    def wait_for_steps(self, seat: int, steps: int) -> None:
        self.wait(lambda: self.steps(seat) >= steps)

    def wait(self, until: object) -> None:
        assert callable(until)
        deadline = time.monotonic() + LIMIT_S
        while not until():
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.02)

    def said(self) -> list[str]:
        return [path.read_text()[-1200:] for path in sorted(self.folder.glob("screen-*"))]

    def play_out(self, *seats: int) -> None:
        self.wait(lambda: all(self.running[seat].poll() is not None for seat in seats))
        assert [self.running[seat].returncode for seat in seats] == [0] * len(seats), self.said()

    def check_records(self, *seats: int) -> None:
        found = [audit(self.folder / f"home-{seat}", self.record(seat)) for seat in seats]
        assert {report["finding"] for report in found} == {"complete"}, found
        assert len({report["head"] for report in found}) == 1


@contextmanager
def table(folder: Path, to: int) -> Iterator[Table]:
    """Begin a table of four, and let it play until some moves are made."""
    port = free_port()
    with mosquitto(folder, "allow_anonymous true", port):
        made = Table(folder, port, to)
        try:
            for seat in range(SEATS):
                made.sit(seat)
            made.wait_for_steps(0, 12)
            yield made
        finally:
            end(*made.running.values())


@pytest.mark.soak
def test_a_program_that_is_killed_and_never_comes_back_stops_nobody(tmp_path: Path) -> None:
    with table(tmp_path, to=1) as made:
        end(made.running[VICTIM])
        began, steps = time.monotonic(), made.steps(0)
        made.wait_for_steps(0, steps + 4)
        assert time.monotonic() - began < PATIENCE_S + 20
        made.play_out(0, 1, 3)
        made.check_records(0, 1, 3)
    assert re.search(r"seat2 is away", made.screen(0).read_text())


def test_a_program_that_is_killed_comes_back_after_it_was_left_out_and_plays_on(
    tmp_path: Path,
) -> None:
    with table(tmp_path, to=2) as made:
        end(made.running[VICTIM])
        steps = made.steps(0)
        made.wait_for_steps(0, steps + 8)
        made.sit(VICTIM)
        made.wait(lambda: "seat2 is back" in made.screen(0).read_text())
        made.play_out(*range(SEATS))
        made.check_records(*range(SEATS))


@pytest.mark.soak
def test_a_program_that_sleeps_for_longer_than_patience_wakes_up_and_plays_on(
    tmp_path: Path,
) -> None:
    with table(tmp_path, to=2) as made:
        made.running[VICTIM].send_signal(signal.SIGSTOP)
        steps = made.steps(0)
        made.wait_for_steps(0, steps + 8)
        made.running[VICTIM].send_signal(signal.SIGCONT)
        made.wait(lambda: "seat2 is back" in made.screen(0).read_text())
        made.play_out(*range(SEATS))
        made.check_records(*range(SEATS))
