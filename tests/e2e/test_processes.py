"""Programs with homes of their own on one broker: people's plain screens, played by a script, and bots."""

import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import pytest

from tests.e2e.support import Watch, audit, end, start
from tests.edge.support import free_port, mosquitto

pytestmark = [pytest.mark.broker]
YOUR_MOVE = "your move>"
HAND = re.compile(r"^  hand  (.*)$", re.MULTILINE)


class Person:
    """Plays a seat in plain mode: it reads the screen, and types what the screen offers."""

    def __init__(self, program: "subprocess.Popen[bytes]", screen: Path) -> None:
        """Begin to read."""
        self.program, self.screen = program, screen
        self.typed: list[str] = []
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        seen, table = 0, ""
        tries: Iterator[str] = iter(())
        while self.program.poll() is None:
            text = self.screen.read_text(errors="replace")
            if len(text) == seen or not text.rstrip().endswith(YOUR_MOVE):
                time.sleep(0.01)
                continue
            fresh, seen = text[seen:], len(text)
            if "\n-- round " in fresh or not table:
                table = text[text.rindex("\n-- round ") :]
                tries = iter(offers(table))
            line = next(tries, "help")
            self.typed.append(line)
            assert self.program.stdin is not None
            try:
                self.program.stdin.write(f"{line}\n".encode())
                self.program.stdin.flush()
            except BrokenPipeError:
                return

    def finished(self) -> None:
        """Wait until the program has ended."""
        self._thread.join(10)


def offers(table: str) -> list[str]:
    """Return what a table on the screen offers, best first; marked cards may be played."""
    found = HAND.findall(table)
    cards = found[-1].split() if found else []
    uno = " uno" if len(cards) == 2 else ""
    lines: list[str] = []
    for card in cards:
        face = card.partition(":")[2]
        if face.endswith("*"):
            color = ":R" if face.startswith("W") else ""
            lines.append(f"play {face.removesuffix('*')}{color}{uno}")
    return [*lines, "accept", "draw", "keep", "color R"]


def play(
    folder: Path,
    *,
    people: int,
    bots: int,
    options: tuple[str, ...],
    host: str | None = "greedy",
) -> list[Path]:
    """Play a match of a host, people and bots; return the records, all audited and alike.

    Args:
        folder: for homes, screens and records.
        people: how many scripted people join.
        bots: how many bots join.
        options: of the host.
        host: the bot on the host's seat, or None for another scripted person.
    """
    seats = 1 + people + bots
    port = free_port()
    with ExitStack() as stack:
        stack.enter_context(mosquitto(folder, "allow_anonymous true", port))
        persons: list[Person] = []

        def begin(name: str, *words: str, person: bool) -> "subprocess.Popen[bytes]":
            out: IO[bytes] = stack.enter_context((folder / f"{name}.txt").open("wb"))
            record = ("--record", str(folder / f"{name}.jsonl"))
            program = start(folder / name, *words, "--name", name, *record, out=out)
            stack.callback(end, program)
            if person:
                persons.append(Person(program, folder / f"{name}.txt"))
            return program

        level = ("--bot", host) if host is not None else ("--plain",)
        words = ("host", "--seats", str(seats), "--broker", f"mqtt://127.0.0.1:{port}")
        programs = {"host": begin("host", *words, *level, *options, person=host is None)}
        ticket = ticket_on(folder / "host.txt")
        for number in range(people):
            name = f"ann{number}"
            programs[name] = begin(name, "join", ticket, "--plain", person=True)
        for number in range(bots):
            name = f"bot{number}"
            programs[name] = begin(name, "bot", ticket, person=False)
        watch = Watch([folder / f"{name}.jsonl" for name in programs])
        while any(program.poll() is None for program in programs.values()):
            assert watch.going_on(), screens(folder)
            time.sleep(0.05)
        assert {name: program.returncode for name, program in programs.items()} == dict.fromkeys(
            programs, 0
        ), screens(folder)
        for person in persons:
            person.finished()
            assert "help" not in person.typed, person.typed[-20:]
            assert any(line.startswith("play ") for line in person.typed)
    records = [folder / f"{name}.jsonl" for name in programs]
    found = [audit(folder / "auditor", record) for record in records]
    assert {report["finding"] for report in found} == {"complete"}, found
    assert len({report["head"] for report in found}) == 1
    assert len(found[0]["seats"]) == seats
    return records


def ticket_on(screen: Path) -> str:
    until = time.monotonic() + 300  # many programs may start at once on a slow machine
    while time.monotonic() < until:
        if match := re.search(r"unop2p:[a-z-]+@\S+", screen.read_text()):
            return match[0]
        time.sleep(0.02)
    raise AssertionError(screen.read_text())


def screens(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text()[-400:] for path in sorted(folder.glob("*.txt"))}


def told(records: list[Path], began: float, folder: Path) -> None:
    report = audit(folder / "auditor", records[0])
    print(
        f"{len(records)} programs, {report['rounds']} rounds, {report['step']} steps, totals "
        f"{report['totals']}, {time.monotonic() - began:.0f} s"
    )


@pytest.mark.slow
def test_a_host_a_person_and_a_bot_play_a_match(tmp_path: Path) -> None:
    options = ("--set", "match_end=rounds", "--to", "1")
    play(tmp_path, people=1, bots=1, options=options)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_host_two_people_and_a_bot_to_500(tmp_path: Path) -> None:
    began = time.monotonic()
    records = play(tmp_path, people=2, bots=1, options=("--to", "500"), host=None)
    told(records, began, tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_two_seats_to_500(tmp_path: Path) -> None:
    began = time.monotonic()
    records = play(tmp_path, people=1, bots=0, options=("--to", "500"))
    told(records, began, tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_ten_seats_for_two_full_rounds(tmp_path: Path) -> None:
    began = time.monotonic()
    options = ("--set", "match_end=rounds", "--to", "2")
    records = play(tmp_path, people=0, bots=9, options=options)
    told(records, began, tmp_path)
