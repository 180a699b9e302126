"""`kill -9` between persisting and publishing: the next bytes are the same, and the match ends."""

import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import audit, end, environment, start
from tests.edge.support import free_port, mosquitto
from unop2p.edge.journal import Journal

pytestmark = [pytest.mark.broker]
SEATS = 3
LIMIT_S = 150
POINTS_MAX = 12
"""A life ends at one of its first so many moments between persisting and publishing."""
ALL_OF = 4
"""Every so-manieth kill takes all seats."""
FOLLOW_S = 0.5
"""How long the others may take to come to such a moment of their own, before they are killed."""


def ticket_in(path: Path) -> str:
    for _ in range(1200):  # a minute: many programs may start at once on a slow machine
        found = re.search(r"unop2p:[a-z-]+@\S+", path.read_text()) if path.exists() else None
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(path.read_text())


class Table:
    """Seats in processes of their own that are killed and started again."""

    def __init__(self, folder: Path, port: int, seed: int, kills: int, to: int) -> None:
        self.folder, self.rng, self.left, self.to = folder, random.Random(seed), kills, to
        self.broker = f"mqtt://127.0.0.1:{port}"
        self.flag = folder / "all"
        self.running: list[subprocess.Popen[bytes]] = []
        self.together = 0
        """How often all seats were killed at once."""
        self.killed = 0
        self.host = ""

    def words(self, seat: int) -> list[str]:
        words = ["--record", str(self.record(seat)), "--name", f"seat{seat}"]
        if seat:
            return ["bot", self.host, *words]
        words = ["host", "--seats", str(SEATS), "--bot", "greedy", "--to", str(self.to), *words]
        return [*words, "--broker", self.broker]

    def record(self, seat: int) -> Path:
        return self.folder / f"record-{seat}.jsonl"

    def log(self, seat: int) -> Path:
        return self.folder / f"words-{seat}.jsonl"

    def sit(self, seat: int, at: int) -> "subprocess.Popen[bytes]":
        everybody = at > 0 and self.rng.randrange(ALL_OF) == 0
        more = {
            "KILL_LOG": str(self.log(seat)),
            "KILL_AT": str(at),
            "KILL_FLAG": str(self.flag),
            "KILL_ALL": str(int(everybody)),
        }
        with (self.folder / f"screen-{seat}.txt").open("ab") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.killed", *self.words(seat)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=environment(self.folder / f"home-{seat}", **more),
            )

    def moment(self) -> int:
        """Return at which moment the next life ends, or 0: it does not."""
        if self.left <= 0:
            return 0
        self.left -= 1
        return self.rng.randint(1, POINTS_MAX)

    def play(self, limit_s: float) -> None:
        """Play to the end of the match."""
        # The host lives until the ticket is there: the others cannot sit down without it.
        self.running.append(self.sit(0, self.moment() + 1))
        self.host = ticket_in(self.folder / "screen-0.txt")
        for seat in range(1, SEATS):
            self.running.append(self.sit(seat, self.moment()))
        began = time.monotonic()
        while any(program.poll() is None for program in self.running):
            assert time.monotonic() - began < limit_s, self.said()
            time.sleep(0.02)
            if self.flag.exists():
                self.all_at_once()
            for seat, program in enumerate(self.running):
                if program.poll() == -9:
                    self.again(seat)
        assert [program.returncode for program in self.running] == [0] * SEATS, self.said()

    def said(self) -> list[str]:
        return [path.read_text()[-600:] for path in sorted(self.folder.glob("screen-*"))]

    def all_at_once(self) -> None:
        until = time.monotonic() + FOLLOW_S
        while any(p.poll() is None for p in self.running) and time.monotonic() < until:
            time.sleep(0.02)
        end(*(program for program in self.running if program.poll() is None))
        self.flag.unlink()
        self.together += 1

    def again(self, seat: int) -> None:
        """Look at what the dead has left, and start it again with the same command."""
        last = self.lines(seat)[-1]
        if last["killed"]:
            self.killed += 1
            path = next((self.folder / f"home-{seat}" / "tables").glob("*.journal"))
            with Journal.open(path) as journal:
                assert bytes.fromhex(last["word"]) in list(journal.entries())
        self.running[seat] = self.sit(seat, self.moment())

    def lines(self, seat: int) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log(seat).read_text().splitlines()]

    def check_words(self) -> None:
        """No seat has ever said two things at one place, and what was held back was said later."""
        for seat in range(SEATS):
            by_key: dict[str, set[str]] = {}
            held_back: set[str] = set()
            for line in self.lines(seat):
                by_key.setdefault(line["key"], set()).add(line["word"])
                if line["killed"]:
                    held_back.add(line["word"])
                else:
                    held_back.discard(line["word"])
            assert held_back == set()
            assert [key for key, words in by_key.items() if len(words) > 1] == []


def killed_again_and_again(
    folder: Path, seed: int, kills: int, to: int, limit_s: float
) -> tuple[int, int]:
    """Play a match under kills; return how many there were, and how often all went at once."""
    port = free_port()
    table = Table(folder, port, seed, kills, to)
    with mosquitto(folder, "allow_anonymous true", port):
        try:
            table.play(limit_s)
        finally:
            end(*table.running)
    table.check_words()
    found = [audit(folder / f"home-{seat}", table.record(seat)) for seat in range(SEATS)]
    assert {report["finding"] for report in found} == {"complete"}, found
    assert len({report["head"] for report in found}) == 1
    return table.killed, table.together


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_between_disk_and_network_a_seat_says_the_same_again(tmp_path: Path) -> None:
    killed, _ = killed_again_and_again(tmp_path, seed=3, kills=8, to=40, limit_s=LIMIT_S)
    assert killed >= 4


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_hundred_kills_between_disk_and_network(tmp_path: Path) -> None:
    killed = together = matches = 0
    while killed < 100:
        matches += 1
        folder = tmp_path / str(matches)
        folder.mkdir()
        some, all_ = killed_again_and_again(
            folder, seed=matches, kills=min(60, 110 - killed), to=300, limit_s=1500
        )
        killed, together = killed + some, together + all_
    print(f"{killed} kills at the seam in {matches} matches, all seats at once {together} times")
    assert together >= 5


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_at_any_moment_seats_come_back_to_the_same_hand(tmp_path: Path) -> None:
    rng = random.Random(1)
    port = free_port()
    homes = [tmp_path / f"home-{seat}" for seat in range(SEATS)]
    screens = [tmp_path / f"screen-{seat}.txt" for seat in range(SEATS)]
    records = [tmp_path / f"record-{seat}.jsonl" for seat in range(SEATS)]
    broker = f"mqtt://127.0.0.1:{port}"
    running: list[subprocess.Popen[bytes]] = []

    def sit(seat: int) -> "subprocess.Popen[bytes]":
        words = ["--record", str(records[seat]), "--name", f"seat{seat}"]
        if seat == 0:
            words = ["host", "--seats", str(SEATS), "--bot", "greedy", "--to", "40", *words]
            words += ["--broker", broker]
        else:
            words = ["bot", ticket_in(screens[0]), *words]
        with screens[seat].open("ab") as out:
            return start(homes[seat], *words, out=out)

    with mosquitto(tmp_path, "allow_anonymous true", port):
        try:
            for seat in range(SEATS):
                running.append(sit(seat))
            began, done = time.monotonic(), 0
            while any(program.poll() is None for program in running):
                assert time.monotonic() - began < LIMIT_S, [s.read_text()[-500:] for s in screens]
                time.sleep(rng.uniform(0.2, 1.2))
                if done >= 4:
                    continue
                struck = list(range(SEATS)) if rng.random() < 0.25 else [rng.randrange(SEATS)]
                alive = [seat for seat in struck if running[seat].poll() is None]
                end(*(running[seat] for seat in alive))
                done += len(alive)
                for seat in alive:
                    running[seat] = sit(seat)
            assert [program.returncode for program in running] == [0] * SEATS
            assert done > 0
        finally:
            end(*running)
    found = [audit(homes[seat], records[seat]) for seat in range(SEATS)]
    assert {report["finding"] for report in found} == {"complete"}, found
    assert len({report["head"] for report in found}) == 1
