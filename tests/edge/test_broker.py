"""The brokers that come with the game: they start, carry messages, and leave nothing behind."""

import asyncio
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.edge.support import TOPIC, free_port, mosquitto_or_skip, until
from unop2p.edge.broker import Engine, available_engines, embedded_broker
from unop2p.edge.errors import BrokerStartError
from unop2p.edge.mqtt import LinkStatus, MQTTTransport

pytestmark = pytest.mark.broker
NO_ENGINE = (
    "{} is not here, and is not for every machine (Mosquitto is no Python package, iotcore has wheels "
    "for some platforms only); the other engines run this test"
)


@pytest.fixture(params=list(Engine))
def engine(request: pytest.FixtureRequest) -> Engine:
    """Return each engine that is installed."""
    chosen = Engine(request.param)
    if chosen is Engine.MOSQUITTO:
        mosquitto_or_skip()
    if chosen not in available_engines():
        pytest.skip(NO_ENGINE.format(chosen))
    return chosen


def alive(pid: int) -> bool:
    """Return whether a process runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{pid}/stat").exists() or (
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    )


def test_it_carries_messages_and_starts_again(engine: Engine) -> None:
    async def scenario() -> None:
        broker = embedded_broker(engine)
        for _ in range(2):
            await broker.start()
            await broker.start()
            assert broker.engine is engine
            heard: list[bytes] = []
            transport = MQTTTransport(
                broker.url, TOPIC, on_message=heard.append, on_state=lambda _state: None
            )
            await transport.first_connect(5)
            task = asyncio.create_task(transport.run())
            transport.publish(b"x" * 200_000)
            transport.publish(b"y")
            await until(lambda: len(heard) == 2, "both came back")
            assert sorted(len(data) for data in heard) == [1, 200_000]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await broker.stop()
            await broker.stop()

    asyncio.run(scenario())


def test_a_port_that_is_taken_is_told(engine: Engine) -> None:
    async def scenario() -> None:
        first = embedded_broker(engine)
        await first.start()
        try:
            with pytest.raises(BrokerStartError) as caught:
                await embedded_broker(engine, port=first.url.port).start()
            assert str(first.url.port) in str(caught.value)
            assert caught.value.exit_code == 10
        finally:
            await first.stop()

    asyncio.run(scenario())


def test_nothing_is_written_on_the_terminal(engine: Engine) -> None:
    # A program of its own: the test runner's logging would hide what goes to the terminal.
    program = (
        "import asyncio, sys\n"
        "from unop2p.edge.broker import embedded_broker\n"
        "async def main():\n"
        "    broker = embedded_broker(sys.argv[1])\n"
        "    await broker.start()\n"
        "    for _ in range(2):\n"
        "        _, writer = await asyncio.open_connection(broker.url.host, broker.url.port)\n"
        "        writer.write(b'this is not MQTT at all')\n"
        "        writer.close()\n"
        "        await asyncio.sleep(0.1)\n"
        "    await broker.stop()\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, engine], check=True, capture_output=True, timeout=30
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_without_a_name_the_first_that_is_there_is_taken() -> None:
    assert embedded_broker().engine is available_engines()[0]


def test_an_engine_that_is_not_there_is_refused() -> None:
    with pytest.raises(BrokerStartError, match="'carrier pigeon'"):
        embedded_broker("carrier pigeon")


def test_a_broker_that_finds_no_folder_for_its_files_is_told(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the disk of temporary files is full, or closed to us."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))

    async def scenario() -> None:
        broker = embedded_broker(engine)
        if engine is Engine.AMQTT:  # it writes no files
            await broker.start()
            await broker.stop()
            return
        with pytest.raises(BrokerStartError, match="none: No such file or directory"):
            await broker.start()
        assert broker.folder is None

    asyncio.run(scenario())


def test_an_address_that_is_not_ours_is_told(engine: Engine) -> None:
    with pytest.raises(BrokerStartError, match=r"192\.0\.2\.1"):
        asyncio.run(embedded_broker(engine, host="192.0.2.1").start())


def test_what_mosquitto_complains_of_is_told_without_the_time_in_its_log() -> None:
    mosquitto_or_skip()
    with pytest.raises(BrokerStartError, match=r"999\.1\.1\.1") as caught:
        asyncio.run(embedded_broker("mosquitto", host="999.1.1.1", port=free_port()).start())
    assert not re.search(r"\d{9}", caught.value.detail())
    assert re.search(r":\d+: [A-Z]", caught.value.detail()), "its own words are told"


@pytest.mark.slow
@pytest.mark.parametrize("engine_name", ["mosquitto", "iotcore"])
def test_the_broker_dies_with_a_program_that_is_killed(engine_name: str) -> None:
    if engine_name not in available_engines():
        pytest.skip(NO_ENGINE.format(engine_name))
    program = (
        "import asyncio, sys\n"
        "from unop2p.edge.broker import embedded_broker\n"
        "async def main():\n"
        "    broker = embedded_broker(sys.argv[1])\n"
        "    await broker.start()\n"
        "    print(broker.pid, broker._folder, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, engine_name], stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        pid = int(child.stdout.readline().split()[0])
        assert alive(pid)
        child.kill()
    deadline = time.monotonic() + 5
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(pid)


def test_engines_are_not_imported_before_they_are_needed() -> None:
    program = (
        "import sys, unop2p.edge.broker, unop2p.edge.mqtt\n"
        "unop2p.edge.broker.available_engines()\n"
        "assert not {'amqtt', 'iotcore'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_stopped_broker_is_down_for_its_clients(engine: Engine) -> None:
    async def scenario() -> None:
        broker = embedded_broker(engine)
        await broker.start()
        transport = MQTTTransport(
            broker.url, TOPIC, on_message=lambda _data: None, on_state=lambda _state: None
        )
        task = asyncio.create_task(transport.run())
        await until(lambda: transport.state.status is LinkStatus.UP, "up")
        await broker.stop()
        await until(lambda: transport.state.status is LinkStatus.DOWN, "down")
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())
