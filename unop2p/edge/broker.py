"""A broker that comes with the game: Mosquitto where it is installed, else a Python package's.

Each engine serves plain MQTT 3.1.1 on one address, keeps nothing on the disk, and dies with us.
What the engines differ in (sessions, wills, retained messages) the game does not use.
"""

import asyncio
import contextlib
import importlib.util
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.errors import BrokerStartError
from unop2p.edge.leftover import FOLDER_PREFIX, PID_FILE, mark_owned
from unop2p.words import said

START_S_MAX = 10.0
STOP_S_MAX = 3.0
PORT_TRIES_MAX = 5
"""A free port may be taken by somebody else before the broker has it."""
ANYWHERE = ("", "0.0.0.0", "::")  # noqa: S104  (compared with, not bound to)
RETRY_S = 0.1
_SYSTEM_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")
"""Where Mosquitto may be installed outside a user's PATH."""
_CONNECT = bytes.fromhex("101400044d5154540402000a0008") + b"unop2p-0"
_CONNACK = bytes.fromhex("20020000")

# The child ends when the pipe at its stdin does, that is with us, however we end. A group of its
# own keeps a Ctrl-C on the terminal from it: who hosts leaves last.
_WATCH_SHELL = """
exec 3<&0
"$1" -c "$2" </dev/null 3<&- &
broker=$!
echo "$broker" >"$3"
{ read -r line; kill -9 "$broker"; } <&3 2>/dev/null &
watch=$!
exec 3<&-
wait "$broker"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
"""
_WATCH_PYTHON = """
import logging, os, sys, threading
from iotcore import IotCoreBroker
logging.getLogger("rumqttd").setLevel(logging.CRITICAL)  # It logs a line for every packet.
def watch():
    while os.read(0, 1024):
        pass
    os._exit(0)
threading.Thread(target=watch, daemon=True).start()
IotCoreBroker(config_path=sys.argv[1]).run_forever()
"""

_MOSQUITTO = """\
listener {port} {host}
allow_anonymous true
persistence false
set_tcp_nodelay true
max_queued_messages 20000
max_inflight_messages 100
message_size_limit 300000
max_packet_size 400000
log_dest stderr
log_timestamp false
log_type error
"""
_IOTCORE = """\
id = 0
[router]
id = 0
max_connections = 200
max_outgoing_packet_count = 200
max_segment_size = 4194304
max_segment_count = 4
[v4.1]
name = "v4-1"
listen = "{address}"
next_connection_delay_ms = 0
    [v4.1.connections]
    connection_timeout_ms = 60000
    max_payload_size = 400000
    max_inflight_count = 100
    dynamic_filters = true
"""


class Engine(StrEnum):
    """The brokers that can be embedded, in the order in which they are preferred."""

    MOSQUITTO = "mosquitto"
    IOTCORE = "iotcore"
    AMQTT = "amqtt"


class EmbeddedBroker(Protocol):
    """A broker that we start and stop."""

    @property
    def engine(self) -> Engine:
        """Which one it is."""
        ...

    @property
    def url(self) -> BrokerURL:
        """Where we reach it ourselves; known once it is started."""
        ...

    @property
    def folder(self) -> Path | None:
        """Its folder for `end_leftover`, while a child of ours runs it."""
        ...

    async def start(self) -> None:
        """Start it, and wait until it takes connections.

        Raises:
            BrokerStartError: it does not start.
        """

    async def stop(self) -> None:
        """Stop it; again does nothing."""


def available_engines() -> tuple[Engine, ...]:
    """Return what can be started on this machine, in order of preference."""
    found = []
    if mosquitto_program() is not None:
        found.append(Engine.MOSQUITTO)
    found += [
        engine
        for engine in (Engine.IOTCORE, Engine.AMQTT)
        if importlib.util.find_spec(engine.value) is not None
    ]
    return tuple(found)


def mosquitto_program() -> Path | None:
    """Return the Mosquitto program, or none if it is not installed."""
    folders = os.pathsep.join((os.environ.get("PATH", os.defpath), *_SYSTEM_FOLDERS))
    found = shutil.which("mosquitto", path=folders)
    return None if found is None else Path(found)


def embedded_broker(
    engine: str = "auto", host: str = "127.0.0.1", port: int = 0, *, patience_s: float = 0.0
) -> EmbeddedBroker:
    """Return a broker to be started.

    Args:
        engine: `auto` takes the first that is there of mosquitto, iotcore and amqtt.
        host: the address to listen on; `0.0.0.0` lets others in.
        port: to listen on; 0 takes a free one.
        patience_s: how long to wait for a port that is taken: one of our own that was killed a
            moment ago is about to let go of it.

    Raises:
        BrokerStartError: there is no such engine here.
    """
    available = available_engines()
    if engine == "auto":
        chosen = next(iter(available), None)
    else:
        chosen = next((each for each in available if each == engine), None)
    match chosen:
        case Engine.MOSQUITTO | Engine.IOTCORE:
            return _ChildBroker(chosen, host, port, patience_s)
        case Engine.AMQTT:
            return _AMQTTBroker(chosen, host, port, patience_s)
        case None:
            there = ", ".join(available) or "none"
            message = said(
                "There is no '{engine}' here; installed: {there}.", engine=engine, there=there
            )
            raise BrokerStartError(message)


def lan_address() -> str | None:
    """Return the address under which others in the local network reach this machine, if any.

    Nothing is sent: connecting a datagram socket only chooses a route.
    """
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        if not address.startswith("127."):
            return address
    return None


class _Listening:
    """What all engines share: the address."""

    def __init__(self, engine: Engine, host: str, port: int, patience_s: float) -> None:
        self.engine = engine
        self._patience_s = patience_s
        self._host = host
        self._wanted_port = port
        self._port = port

    def __repr__(self) -> str:
        return f"EmbeddedBroker({self.engine}, {self._host}:{self._port})"

    @property
    def url(self) -> BrokerURL:
        host = self._host
        if host in ANYWHERE:
            host = "::1" if host == "::" else "127.0.0.1"
        return BrokerURL(scheme="mqtt", host=host, port=self._port)

    def _choose_port(self) -> None:
        self._port = self._wanted_port or _free_port(self._host)

    async def _tries(self) -> AsyncIterator[None]:
        """Yield once for each try: some free ports, or one port for as long as patience lasts."""
        if not self._wanted_port:
            for _ in range(PORT_TRIES_MAX):
                yield
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience_s
        yield
        while loop.time() < deadline:
            await asyncio.sleep(RETRY_S)
            yield

    def _address(self) -> str:
        return f"[{self._host}]:{self._port}" if ":" in self._host else f"{self._host}:{self._port}"

    async def _answers(self) -> bool:
        """Return whether a client is let in: an open port alone says too little."""
        try:
            async with asyncio.timeout(1.0):
                reader, writer = await asyncio.open_connection(self.url.host, self.url.port)
                try:
                    writer.write(_CONNECT)
                    return await reader.readexactly(len(_CONNACK)) == _CONNACK
                finally:
                    writer.write(b"\xe0\x00")
                    writer.close()
                    with contextlib.suppress(OSError):
                        await writer.wait_closed()
        except (OSError, TimeoutError, EOFError):
            return False


class _ChildBroker(_Listening):
    """A broker in a process of its own."""

    def __init__(self, engine: Engine, host: str, port: int, patience_s: float) -> None:
        super().__init__(engine, host, port, patience_s)
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._owned: BinaryIO | None = None

    async def start(self) -> None:
        if self._process is not None:
            return
        complaint = ""
        async for _ in self._tries():
            self._choose_port()
            if self._wanted_port and await self._answers():
                complaint = "something is there already"
                continue
            try:
                self._launch()
            except OSError as error:  # no room, or no folder for temporary files
                where = self._folder or tempfile.tempdir or "Temporary files"
                await self.stop()
                message = said("{path}: {strerror}.", path=where, strerror=error.strerror or error)
                raise BrokerStartError(message) from error
            if await self._comes_up():
                return
            complaint = self._complaint()
            await self.stop()
        message = said(
            "{engine} on {address}: {complaint}.",
            engine=self.engine,
            address=self._address(),
            complaint=complaint or "it does not answer",
        )
        raise BrokerStartError(message)

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(_end, process)
        folder, self._folder = self._folder, None
        if folder is not None:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        owned, self._owned = self._owned, None
        if owned is not None:
            owned.close()

    @property
    def folder(self) -> Path | None:
        return self._folder

    @property
    def pid(self) -> int | None:
        """The broker's own process id, while it runs: for tests that kill it."""
        if self._process is None or self._folder is None:
            return None
        file = self._folder / PID_FILE
        return int(file.read_text()) if file.exists() else self._process.pid

    def _launch(self) -> None:
        """Start the child. In this thread: it takes a few milliseconds."""
        folder = self._folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))  # Mode 0700.
        self._owned = mark_owned(folder)
        config = folder / ("broker.toml" if self.engine is Engine.IOTCORE else "broker.conf")
        template = _MOSQUITTO if self.engine is Engine.MOSQUITTO else _IOTCORE
        config.write_text(
            template.format(host=self._host or "0.0.0.0", port=self._port, address=self._address())  # noqa: S104  (what was asked for)
        )
        with (folder / "log").open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603  (a list, and no word of a stranger in it)
                self._command(config, folder / PID_FILE),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd=folder,
                start_new_session=True,
            )
        if self.engine is Engine.IOTCORE:
            (folder / PID_FILE).write_text(str(self._process.pid))

    def _command(self, config: Path, pid_file: Path) -> list[str]:
        if self.engine is Engine.IOTCORE:
            return [sys.executable, "-P", "-c", _WATCH_PYTHON, str(config)]
        program = mosquitto_program()
        if program is None:
            message = said("Mosquitto is gone.")
            raise BrokerStartError(message)
        if os.name == "nt":  # pragma: no cover
            return [str(program), "-c", str(config)]
        return ["/bin/sh", "-c", _WATCH_SHELL, "sh", str(program), str(config), str(pid_file)]

    async def _comes_up(self) -> bool:
        pause = 0.005
        loop = asyncio.get_running_loop()
        deadline = loop.time() + START_S_MAX
        while self._process is not None and loop.time() < deadline:
            if self._process.poll() is not None:
                return False
            if await self._answers():
                return self._process.poll() is None
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 0.1)
        return False

    def _complaint(self) -> str:
        """Return the last line that the broker wrote, at most 200 characters, without its period."""
        if self._folder is None:
            return ""
        lines = (self._folder / "log").read_text(errors="replace").strip().splitlines()
        return lines[-1][:200].rstrip(".") if lines else ""


class _AMQTTBroker(_Listening):
    """A broker of pure Python in our own event loop."""

    def __init__(self, engine: Engine, host: str, port: int, patience_s: float) -> None:
        super().__init__(engine, host, port, patience_s)
        self._broker: Any = None

    async def start(self) -> None:
        if self._broker is not None:
            return
        for name in ("amqtt", "transitions"):
            logger = logging.getLogger(name)
            logger.addHandler(logging.NullHandler())
            logger.propagate = False
        # Imported when needed: it takes a tenth of a second.
        amqtt_broker = await asyncio.to_thread(importlib.import_module, "amqtt.broker")
        last: Exception | None = None
        async for _ in self._tries():
            self._choose_port()
            broker = amqtt_broker.Broker(self._config())
            try:
                await broker.start()
            except Exception as error:  # noqa: BLE001  # It raises many kinds.
                last = error
                continue
            self._broker = broker
            if await self._answers():
                return
            await self.stop()
        message = said(
            "amqtt on {address}: {last}.",
            address=self._address(),
            last=last or "it does not answer",
        )
        raise BrokerStartError(message) from last

    async def stop(self) -> None:
        broker, self._broker = self._broker, None
        if broker is not None:
            with contextlib.suppress(Exception):  # It is going anyway.
                await asyncio.wait_for(broker.shutdown(), STOP_S_MAX)

    @property
    def folder(self) -> Path | None:
        return None

    def _config(self) -> dict[str, Any]:
        # asyncio sets TCP_NODELAY on every connection by itself.
        anonymous = "amqtt.plugins.authentication.AnonymousAuthPlugin"
        return {
            "listeners": {"default": {"type": "tcp", "bind": self._address()}},
            "plugins": {anonymous: {"allow_anonymous": True}},
        }


def _free_port(host: str) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((host, 0))
        except OSError as error:
            message = said(
                "{host}: {strerror}.", host=host or "any address", strerror=error.strerror or error
            )
            raise BrokerStartError(message) from error
        port: int = probe.getsockname()[1]
        return port


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a child by closing its pipe; the whole group by force where that does not help."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired:
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:  # pragma: no cover
            process.kill()
        process.wait()
