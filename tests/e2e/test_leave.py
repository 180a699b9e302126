"""How programs end: by a signal, by a pipe that nobody reads, by a seat that fails, by force."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.support import PROGRAM, audit, end, environment, start
from tests.e2e.test_kill import ticket_in
from tests.edge.support import free_port, mosquitto, mosquitto_or_skip
from unop2p.edge.leftover import FOLDER_PREFIX

pytestmark = [pytest.mark.slow, pytest.mark.broker]

PLAY = ("play", "--plain", "--bots", "1", "--fast", "--embedded", "mosquitto", "--name", "you")
HOST = ("host", "--seats", "3", "--plain", "--address", "127.0.0.1", "--embedded", "mosquitto")


def wait_for(pattern: str, path: Path, program: "subprocess.Popen[bytes]", count: int = 1) -> str:
    """Wait until a program's output has a pattern so often, and return all of it."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        text = path.read_text()
        if len(re.findall(pattern, text)) >= count:
            return text
        assert program.poll() is None, text
        time.sleep(0.02)
    raise AssertionError(path.read_text())


def children(folder: Path) -> set[str]:
    """Return the folders of embedded brokers under a folder for temporary files."""
    return {place.name for place in folder.glob(f"{FOLDER_PREFIX}*")}


@pytest.mark.parametrize(
    ("name", "words"), [("SIGTERM", PLAY), ("SIGHUP", HOST)], ids=["play", "host"]
)
def test_a_signal_leaves_the_table_in_good_order_and_the_same_command_goes_on(
    tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    mosquitto_or_skip()
    number = getattr(signal, name)
    screen, home, temporary = tmp_path / "screen", tmp_path / "home", tmp_path / "tmp"
    temporary.mkdir()
    shown = "your move>" if words is PLAY else "lobby"
    notes: list[str] = []
    for life in range(2):
        with screen.open("ab") as out:
            program = start(home, *words, out=out, TMPDIR=str(temporary))
        try:
            wait_for(shown, screen, program, count=life + 1)
            assert len(children(temporary)) == 1
            (note,) = (home / "tables").glob("*.json")
            notes += re.findall(r'"ticket": .*', note.read_text())
            program.send_signal(number)
            assert program.wait(20) == 128 + number
        finally:
            end(program)
        # Its broker is gone with it, by itself.
        assert children(temporary) == set()
    text = screen.read_text()
    assert "Traceback" not in text
    assert text.count(f"unop2p: Ended from outside. ({name})") == 2
    assert "The table waits" in text
    assert "Going on with your unfinished table" in text
    assert len(set(notes)) == 1


def test_a_signal_ends_whoever_sits_or_watches(tmp_path: Path) -> None:
    port = free_port()
    url = f"mqtt://127.0.0.1:{port}"
    programs: dict[str, subprocess.Popen[bytes]] = {}
    screens = {name: tmp_path / name for name in ("host", "bot", "watch", "join")}
    with mosquitto(tmp_path, "allow_anonymous true", port):
        try:
            with screens["host"].open("wb") as out:
                opening = ("host", "--seats", "4", "--plain", "--broker", url)
                programs["host"] = start(tmp_path / "a", *opening, out=out)
            ticket = ticket_in(screens["host"])
            for words in (("bot",), ("watch",), ("join", "--plain")):
                record = tmp_path / f"{words[0]}.jsonl"
                with screens[words[0]].open("wb") as out:
                    programs[words[0]] = start(
                        tmp_path / f"home-{words[0]}", *words, ticket, "--record", str(record),
                        out=out,
                    )  # fmt: skip
            deadline = time.monotonic() + 30
            while len(list(tmp_path.glob("*.jsonl"))) < 3 and time.monotonic() < deadline:
                time.sleep(0.02)
            for program in programs.values():
                program.send_signal(signal.SIGTERM)
            codes = {name: program.wait(20) for name, program in programs.items()}
            text = "".join(screen.read_text() for screen in screens.values())
            assert codes == dict.fromkeys(programs, 128 + signal.SIGTERM), text
            assert "Traceback" not in text
        finally:
            end(*programs.values())


def test_a_signal_ends_a_match_and_a_broker(tmp_path: Path) -> None:
    mosquitto_or_skip()
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    for words, code in (
        (("match", "--to", "5000", "--embedded", "mosquitto"), 128 + signal.SIGTERM),
        (("broker", "--port", str(free_port()), "--embedded", "mosquitto"), 0),
    ):
        screen = tmp_path / f"{words[0]}.txt"
        with screen.open("wb") as out:
            program = start(tmp_path / "home", *words, out=out, TMPDIR=str(temporary))
        try:
            deadline = time.monotonic() + 30
            while not children(temporary) and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(1.5)
            program.send_signal(signal.SIGTERM)
            assert program.wait(20) == code, screen.read_text()
        finally:
            end(program)
        assert "Traceback" not in screen.read_text()
        assert children(temporary) == set()
    # A match is never gone on with: nothing of it stays.
    assert list((tmp_path / "home" / "tables").glob("*.journal*")) == []


@pytest.mark.parametrize("stop_watcher", [False, True])
def test_the_same_command_after_kill_9_takes_its_own_port_again(
    tmp_path: Path, stop_watcher: bool
) -> None:
    mosquitto_or_skip()
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    temporary.mkdir()
    tickets: set[str] = set()
    stopped: list[int] = []
    program = None
    try:
        for life in range(2):
            screen = tmp_path / f"screen-{life}"
            with screen.open("wb") as out:
                program = start(home, *HOST, out=out, TMPDIR=str(temporary))
            tickets.add(ticket_in(screen))
            wait_for("lobby", screen, program)
            if stop_watcher:
                # The worst case: who should end the broker cannot, so it keeps the port.
                (place,) = temporary.glob(f"{FOLDER_PREFIX}*")
                broker = int((place / "pid").read_text())
                group = os.getpgid(broker)
                os.killpg(group, signal.SIGSTOP)
                os.kill(broker, signal.SIGCONT)
                stopped.append(group)
            end(program)
        assert len(tickets) == 1, tickets
    finally:
        if program is not None:
            end(program)
        for group in stopped:
            os.killpg(group, signal.SIGKILL)


def test_nobody_who_reads_is_no_traceback(tmp_path: Path) -> None:
    mosquitto_or_skip()
    for words, codes in (
        (("match", "--bots", "2", "--rounds", "1", "--json"), {141}),
        (("rules", "show"), {141}),
        (("id",), {141}),
    ):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [*PROGRAM, *words],
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            env=environment(tmp_path / "home"),
            timeout=60,
            check=False,
        )
        os.close(writing)
        assert done.stderr == b"", (words, done.stderr)
        assert done.returncode in codes, words


def test_a_bot_plays_on_and_a_watcher_goes_when_nobody_reads_them(tmp_path: Path) -> None:
    port = free_port()
    url = f"mqtt://127.0.0.1:{port}"
    record = tmp_path / "record.jsonl"
    programs: list[subprocess.Popen[bytes]] = []
    with mosquitto(tmp_path, "allow_anonymous true", port):
        try:
            screen = tmp_path / "host"
            with screen.open("wb") as out:
                programs.append(
                    start(
                        tmp_path / "a", "host", "--bot", "greedy", "--set", "match_end=rounds", "--to", "1",
                        "--broker", url, "--record", str(record), out=out,
                    )
                )  # fmt: skip
            ticket = ticket_in(screen)
            errors = [tmp_path / "watch.err", tmp_path / "bot.err"]
            for index, words in enumerate((("watch", ticket), ("bot", ticket))):
                reading, writing = os.pipe()
                os.close(reading)
                with errors[index].open("wb") as err:
                    programs.append(
                        subprocess.Popen(
                            [*PROGRAM, *words],
                            stdin=subprocess.DEVNULL,
                            stdout=writing,
                            stderr=err,
                            env=environment(tmp_path / f"home-{index}"),
                        )
                    )
                os.close(writing)
            codes = [program.wait(90) for program in programs]
            assert codes == [0, 141, 0], screen.read_text()
            assert [path.read_text() for path in errors] == ["", ""]
        finally:
            end(*programs)
    assert audit(tmp_path / "a", record)["finding"] == "complete"


@pytest.mark.parametrize(
    "words", [PLAY, ("match", "--bots", "3", "--to", "5000")], ids=["play", "match"]
)
def test_a_seat_that_cannot_go_on_is_named_and_nothing_hangs(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    mosquitto_or_skip()
    home, screen = tmp_path / "home", tmp_path / "screen"
    # The second bot's journal cannot be written any more, once the table has begun.
    breaking = (
        "import errno\n"
        "from unop2p.edge import journal\n"
        "real = journal.Journal.write\n"
        "def write(self, entries):\n"
        "    if self.path.stem.endswith(('-bot-ada', '-match-2')) and self.path.stat().st_size > 20000:\n"
        "        raise journal.DiskFullError('This is a test.')\n"
        "    real(self, entries)\n"
        "journal.Journal.write = write\n"
        "from unop2p.cli.main import run; run()\n"
    )
    with screen.open("wb") as out:
        program = subprocess.Popen(
            [PROGRAM[0], "-c", breaking, *words],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment(home),
        )
    try:
        code = program.wait(90)
    finally:
        end(program)
    text = screen.read_text()
    assert code == 14, text
    assert "Traceback" not in text
    name = "ada" if words is PLAY else "ben"
    assert "unop2p: A bot's seat cannot go on" in text
    assert f"It is {name}'s: The disk is full" in text
