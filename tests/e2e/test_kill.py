"""`kill -9` between persisting and publishing: the next bytes are the same, and the match ends."""

import json
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import Watch, audit, end, environment, start
from tests.edge.support import free_port, mosquitto
from unop2p.edge.journal import Journal

pytestmark = [pytest.mark.broker]
SEATS = 3
START_S = 300
"""How long a program may take to show its ticket: many may start at once on a slow machine."""
KILLS = 100
POINTS_MAX = 12
"""A life ends at one of its first so many moments between persisting and publishing."""
ALL_OF = 4
"""Every so-manieth kill takes all seats."""
SEAM, TORN, MOVE = "KILL_AT", "KILL_TORN", "KILL_MOVE"
FOLLOW_S = 2.0
"""How long the others may take to come to such a moment of their own, before they are killed."""


def ticket_in(path: Path) -> str:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        found = re.search(r"unop2p:[a-z-]+@\S+", path.read_text()) if path.exists() else None
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(path.read_text())


class Table:
    """Seats in processes of their own that are killed and started again."""

    def __init__(
        self, folder: Path, port: int, seed: int, kills: int, to: int, *, at: str = SEAM
    ) -> None:
        self.at = at
        """Where seats are killed: which of the variables of `killed` is set."""
        self.folder, self.rng, self.left, self.to = folder, random.Random(seed), kills, to
        self.broker = f"mqtt://127.0.0.1:{port}"
        self.flag = folder / "all"
        self.running: list[subprocess.Popen[bytes]] = []
        self.together = 0
        """How often all seats were killed at once."""
        self.killed = 0
        """How often a seat was killed at the seam: its word on disk, and not on the network."""
        self.seen = [0] * SEATS
        """How many lines of each seat's log were there when it died last."""
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
        everybody = at > 0 and self.at == SEAM and self.rng.randrange(ALL_OF) == 0
        more = {
            "KILL_LOG": str(self.log(seat)),
            "KILL_FLAG": str(self.flag),
            "KILL_ALL": str(int(everybody)),
            **{name: str(at) if name == self.at else "0" for name in (SEAM, TORN, MOVE)},
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

    def play(self) -> None:
        """Play to the end of the match."""
        # The host lives until the ticket is there: the others cannot sit down without it.
        self.running.append(self.sit(0, 0 if self.at == TORN else self.moment() + 1))
        self.host = ticket_in(self.folder / "screen-0.txt")
        for seat in range(1, SEATS):
            self.running.append(self.sit(seat, self.moment()))
        watch = Watch([self.record(seat) for seat in range(SEATS)])
        while any(program.poll() is None for program in self.running):
            assert watch.going_on(), self.said()
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
        lines = self.lines(seat)
        fresh, self.seen[seat] = lines[self.seen[seat] :], len(lines)
        # Killed from outside it may have said nothing in this life.
        last: dict[str, Any] = fresh[-1] if fresh else {"killed": False}
        path = next((self.folder / f"home-{seat}" / "tables").glob("*.journal"), None)
        if path is None:  # killed with the others before it had a seat
            assert not lines
            self.running[seat] = self.sit(seat, self.moment())
            return
        if self.at == MOVE:
            said = {line["word"] for line in lines if not line["key"].startswith("Join")}
            with Journal.open(path) as journal:
                assert {entry.hex() for entry in journal.entries()} >= said
            self.killed += 1
        if self.at == TORN:
            copy = Path(shutil.copy(path, self.folder / "copy.journal"))
            with Journal.open(copy) as journal:
                self.killed += journal.repaired_bytes > 0
        if last["killed"]:
            self.killed += 1
            with Journal.open(path) as journal:
                assert bytes.fromhex(last["word"]) in list(journal.entries())
        self.running[seat] = self.sit(seat, self.moment())

    def lines(self, seat: int) -> list[dict[str, Any]]:
        """Return what a seat has said, but for a line that a kill from outside cut short."""
        path = self.log(seat)
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("}")]

    def check_words(self) -> None:
        """No seat has ever said two things at one place, and what was held back was said later.

        Only an adopt may stay unsaid: the others' adopts may have settled its step before this one was
        out, and after a restart only what belongs to the open step is said again.
        """
        for seat in range(SEATS):
            by_key: dict[str, set[str]] = {}
            held_back: dict[str, str] = {}
            for line in self.lines(seat):
                by_key.setdefault(line["key"], set()).add(line["word"])
                if line["killed"]:
                    held_back[line["word"]] = line["key"]
                else:
                    held_back.pop(line["word"], None)
            assert {key.split()[0] for key in held_back.values()} <= {"Adopt"}
            assert max((step_of(key) for key in held_back.values()), default=-1) < max(
                step_of(key) for key in by_key
            )
            assert [key for key, words in by_key.items() if len(words) > 1] == []


def step_of(key: str) -> int:
    return int(key.split()[1])


def killed_again_and_again(
    folder: Path, seed: int, kills: int, to: int, *, at: str = SEAM
) -> tuple[int, int, str, int]:
    """Play a match under kills, and audit every record.

    Returns:
        How many kills there were at the seam, how often all seats went at once, the one head of all
        records, and how many records there are.
    """
    port = free_port()
    table = Table(folder, port, seed, kills, to, at=at)
    with mosquitto(folder, "allow_anonymous true", port):
        try:
            table.play()
        finally:
            end(*table.running)
    table.check_words()
    found = [audit(folder / f"home-{seat}", table.record(seat)) for seat in range(SEATS)]
    assert {report["finding"] for report in found} == {"complete"}, found
    (head,) = {report["head"] for report in found}
    return table.killed, table.together, head, len(found)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_between_disk_and_network_a_seat_says_the_same_again(tmp_path: Path) -> None:
    killed, *_ = killed_again_and_again(tmp_path, seed=3, kills=8, to=40)
    assert killed >= 4


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_in_the_middle_of_a_write_a_seat_comes_back_to_what_was_whole(
    tmp_path: Path,
) -> None:
    killed, *_ = killed_again_and_again(tmp_path, seed=5, kills=6, to=40, at=TORN)
    assert killed >= 3


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_while_its_journal_becomes_small_a_seat_comes_back_to_all_that_it_said(
    tmp_path: Path,
) -> None:
    killed, *_ = killed_again_and_again(tmp_path, seed=2, kills=3, to=60, at=MOVE)
    assert killed >= 2


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_hundred_kills_between_disk_and_network(tmp_path: Path) -> None:
    killed = together = audited = 0
    heads: list[str] = []
    while killed < KILLS:
        folder = tmp_path / str(len(heads))
        folder.mkdir()
        some, all_, head, records = killed_again_and_again(
            folder, seed=len(heads) + 1, kills=min(60, KILLS + 10 - killed), to=300
        )
        killed, together, audited = killed + some, together + all_, audited + records
        heads.append(head)
    print(
        f"{killed} kills at the seam in {len(heads)} matches, all seats at once {together} times; "
        f"{audited} records audited, heads {[head[:16] for head in heads]}"
    )
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
            watch, done = Watch(records), 0
            while any(program.poll() is None for program in running):
                assert watch.going_on(), [s.read_text()[-500:] for s in screens]
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
