"""Leftovers: a dead program's broker is ended, and nobody else's."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.edge.support import free_port, mosquitto_or_skip
from tests.edge.test_broker import alive
from unop2p.edge.broker import embedded_broker
from unop2p.edge.leftover import (
    FOLDER_PREFIX,
    OWNER_FILE,
    PID_FILE,
    end_leftover,
    mark_owned,
    owner_runs,
)

SLEEPER = "import time; print(flush=True); time.sleep(60)"


def stand_in(word: str) -> "subprocess.Popen[bytes]":
    """Run a program whose command ends with a word; return when it surely runs."""
    process = subprocess.Popen([sys.executable, "-c", SLEEPER, word], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    yield made
    for file in made.iterdir() if made.exists() else ():
        file.unlink()
    if made.exists():
        made.rmdir()


@pytest.fixture
def child(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a stand-in for a broker that nobody watches over: its command names the folder."""
    with stand_in(str(folder / "broker.conf")) as process:
        (folder / PID_FILE).write_text(str(process.pid))
        yield process
        process.kill()


def test_the_child_of_a_program_that_is_gone_is_ended(
    folder: Path, child: "subprocess.Popen[bytes]"
) -> None:
    mark_owned(folder).close()
    assert not owner_runs(folder)
    assert end_leftover(folder)
    assert child.wait(5) == -signal.SIGKILL
    assert not folder.exists()
    assert not end_leftover(folder)


def test_the_child_of_a_program_that_runs_is_left_alone(
    folder: Path, child: "subprocess.Popen[bytes]"
) -> None:
    with mark_owned(folder):
        assert owner_runs(folder)
        assert not end_leftover(folder)
        assert child.poll() is None
        assert folder.exists()


def test_a_process_that_got_the_number_of_a_dead_child_is_left_alone(folder: Path) -> None:
    mark_owned(folder).close()
    with stand_in("something else") as other:
        (folder / PID_FILE).write_text(str(other.pid))
        assert not end_leftover(folder)
        assert other.poll() is None
        other.kill()
    assert not folder.exists()


@pytest.mark.parametrize("pid", ["", "no number", "0", "1", "-1", "99999999"])
def test_a_process_number_that_cannot_be_is_no_harm(folder: Path, pid: str) -> None:
    mark_owned(folder).close()
    (folder / PID_FILE).write_text(pid)
    assert not end_leftover(folder)


def test_a_folder_that_is_no_brokers_is_not_touched(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / f"{FOLDER_PREFIX}x", Path(tempfile.gettempdir())):
        place.mkdir(exist_ok=True)
        assert not end_leftover(place)
        assert place.exists()
    (tmp_path / OWNER_FILE).write_bytes(b"")
    assert not end_leftover(tmp_path)
    assert (tmp_path / OWNER_FILE).exists()


@pytest.mark.broker
@pytest.mark.slow
def test_a_broker_whose_program_and_watcher_were_killed_gives_its_port_back(
    tmp_path: Path,
) -> None:
    mosquitto_or_skip()
    port = free_port()
    program = (
        "import asyncio, sys\n"
        "from unop2p.edge.broker import embedded_broker\n"
        "async def main():\n"
        "    broker = embedded_broker('mosquitto', port=int(sys.argv[1]))\n"
        "    await broker.start()\n"
        "    print(broker.pid, broker._process.pid, broker.folder, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(port)], stdout=subprocess.PIPE, cwd=tmp_path
    ) as owner:
        assert owner.stdout is not None
        broker_pid, watcher_pid, place = owner.stdout.readline().decode().split()
        # Who watches is stopped first, or it would end the broker as soon as its program is gone.
        os.killpg(int(watcher_pid), signal.SIGSTOP)
        os.kill(int(broker_pid), signal.SIGCONT)
        assert owner_runs(Path(place))
        owner.kill()
    assert alive(int(broker_pid))
    assert end_leftover(Path(place))
    os.killpg(int(watcher_pid), signal.SIGKILL)
    deadline = time.monotonic() + 5
    while alive(int(broker_pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(int(broker_pid))


@pytest.mark.broker
@pytest.mark.slow
async def test_a_port_that_is_about_to_be_free_is_waited_for() -> None:
    mosquitto_or_skip()

    first = embedded_broker("mosquitto")
    await first.start()
    second = embedded_broker("mosquitto", port=first.url.port, patience_s=20.0)
    starting = asyncio.create_task(second.start())
    await asyncio.sleep(0.3)
    assert not starting.done()
    await first.stop()
    await starting
    assert second.url.port == first.url.port
    await second.stop()
