"""`make flood`: how much junk on the table's topic slows a table down.

Each kind of junk has a table of its own, on a Mosquitto of its own. The table plays as quickly as it can, in
turn without junk and with it, and the steps a second are laid side by side. `--layout match` plays four seats in
one process, `processes` in four.
"""

import argparse
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.bench.flood_seats import SEATS, seat_key, secrets_of
from tests.edge.support import free_port, mosquitto
from unop2p.log.messages import Signed
from unop2p.table.talk import Heartbeat
from unop2p.wire import codec
from unop2p.wire.sealing import NONCE_BYTES, Sealer

TICK_S = 0.005
COLLECTED_S = 2.0
ENVELOPE_BYTES = 512 + 24 + 16
"""As most honest messages."""
TICKS_A_S = os.sysconf("SC_CLK_TCK")


# -- a client that floods ----------------------------------------------------------------------


def string(text: bytes) -> bytes:
    """Return a string as MQTT writes it (3.1.1, section 1.5.3)."""
    return len(text).to_bytes(2, "big") + text


def packet(kind: int, body: bytes) -> bytes:
    """Return an MQTT packet (3.1.1, section 2.2)."""
    length, header = len(body), bytes([kind])
    while True:
        length, low = divmod(length, 128)
        header += bytes([low | (0x80 if length else 0)])
        if not length:
            return header + body


def _connect(port: int) -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port))
    name = b"junk" + secrets.token_hex(4).encode()
    link.sendall(packet(0x10, string(b"MQTT") + bytes([4, 2, 0, 0]) + string(name)))
    link.recv(16)
    return link


def collect(port: int, topic: str, seconds: float) -> list[bytes]:
    """Return what the table says in so many seconds."""
    link = _connect(port)
    link.sendall(packet(0x82, b"\x00\x01" + string(topic.encode()) + b"\x00"))
    link.settimeout(0.1)
    held, until = b"", time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            held += link.recv(65536)
        except TimeoutError:
            continue
    link.close()
    found: list[bytes] = []
    while held:
        length, at = 0, 1
        while True:
            length += (held[at] & 127) << (7 * (at - 1))
            at += 1
            if held[at - 1] < 128:  # noqa: PLR2004  # the last byte of the length
                break
        body, kind = held[at : at + length], held[0] & 0xF0
        held = held[at + length :]
        if kind == 0x30 and len(body) == length:  # noqa: PLR2004  # a PUBLISH
            found.append(body[2 + len(topic) :])
    return found


@dataclass(slots=True)
class Flood:
    """Junk at a steady rate, over one connection that hears nothing but acknowledgments."""

    sent: int = 0
    cpu_s: float = 0.0
    seconds: float = 0.0


@contextmanager
def flood(port: int, topic: str, junk: list[bytes], qos: int, rate: int) -> Iterator[Flood]:
    """Publish while this is open; nothing is made anew meanwhile, so it costs next to nothing."""
    over, found = threading.Event(), Flood()
    link = _connect(port)
    head = string(topic.encode()) + (b"\x00\x01" if qos else b"")
    packets = [packet(0x30 | qos << 1, head + data) for data in junk]

    def hear() -> None:
        while link.recv(65536):
            pass

    def run() -> None:
        began, cpu = time.monotonic(), time.thread_time()
        while not over.is_set():
            due = int((time.monotonic() - began) * rate) - found.sent
            if due > 0:
                at = found.sent
                link.sendall(b"".join(packets[n % len(packets)] for n in range(at, at + due)))
                found.sent += due
            time.sleep(TICK_S)
        found.seconds = time.monotonic() - began
        found.cpu_s = time.thread_time() - cpu

    threads = [threading.Thread(target=run), threading.Thread(target=hear)]
    for thread in threads:
        thread.start()
    try:
        yield found
    finally:
        over.set()
        threads[0].join()
        link.shutdown(socket.SHUT_RDWR)
        threads[1].join()
        link.close()


# -- kinds of junk -----------------------------------------------------------------------------


def _beat(count: int) -> bytes:
    return codec.encode(Heartbeat(table=bytes(16), step=1, head=bytes(32), over=False, count=count))


def _sealed(seed: str, author: Ed25519PrivateKey | bytes, count: int) -> bytes:
    payload = _beat(count)
    if isinstance(author, bytes):
        signed = Signed(author=author, signature=bytes(64), payload=payload)
    else:
        signed = codec.sign_payload(author, author.public_key().public_bytes_raw(), payload)
    sealer = Sealer(secrets_of(seed).sealing_key)
    return sealer.seal(codec.pack(signed), secrets.token_bytes(NONCE_BYTES))


def kinds(seed: str, port: int) -> dict[str, Callable[[int], bytes]]:
    """Return what makes the n-th message of each kind of junk."""
    stranger = Ed25519PrivateKey.generate()
    seat = seat_key(seed, SEATS - 1)
    public = seat.public_key().public_bytes_raw()
    said: list[bytes] = []

    def replay(n: int) -> bytes:
        if not said:
            said.extend(collect(port, secrets_of(seed).topic, COLLECTED_S))
        return said[n % len(said)]

    return {
        "bytes": lambda _: secrets.token_bytes(400),
        "right size": lambda _: secrets.token_bytes(ENVELOPE_BYTES),
        "replay": replay,
        "stranger": lambda n: _sealed(seed, stranger, n),
        "forged": lambda n: _sealed(seed, public, n),
        "seat": lambda n: _sealed(seed, seat, n),
    }


# -- the table ---------------------------------------------------------------------------------


@dataclass(slots=True)
class Table:
    """Its processes."""

    programs: list["subprocess.Popen[str]"] = field(default_factory=list)

    def ask(self) -> dict[str, float]:
        """Return the sums of what all processes have counted; steps are those of the first."""
        total: dict[str, float] = {}
        for program in self.programs:
            assert program.stdin is not None
            program.stdin.write("\n")
            program.stdin.flush()
        for program in self.programs:
            assert program.stdout is not None
            found = json.loads(program.stdout.readline())
            steps = total.get("steps", found["steps"])
            total = {key: total.get(key, 0) + value for key, value in found.items()}
            total["steps"] = steps
        return total


@contextmanager
def table(port: int, seed: str, folder: Path, layout: str) -> Iterator[Table]:
    """Run the seats of a table until it is let go."""
    made = Table()
    seats = [[*range(SEATS)]] if layout == "match" else [[seat] for seat in range(SEATS)]
    command = [sys.executable, "-m", "tests.bench.flood_seats", str(port), seed, str(folder)]
    try:
        for some in seats:
            made.programs.append(
                subprocess.Popen(
                    [*command, *map(str, some)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
        yield made
    finally:
        for program in made.programs:
            assert program.stdin is not None
            program.stdin.close()
        for program in made.programs:
            program.wait(30)


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_S


@dataclass(slots=True)
class Counted:
    """What one stretch of time came to."""

    steps_per_s: float
    peer_cores: float
    broker_cores: float
    received_per_s: float
    """By each seat."""
    asked: float
    resent: float
    reconnects: float


def count(made: Table, broker: int, seconds: float) -> Counted:
    """Let the table play, and count."""
    before, broker_s, began = made.ask(), _cpu_s(broker), time.monotonic()
    time.sleep(seconds)
    after, took = made.ask(), time.monotonic() - began
    gained = {key: after[key] - before[key] for key in after}
    return Counted(
        steps_per_s=gained["steps"] / took,
        peer_cores=gained["cpu_s"] / took,
        broker_cores=(_cpu_s(broker) - broker_s) / took,
        received_per_s=gained["received"] / SEATS / took,
        asked=gained["asked"],
        resent=gained["resent"],
        reconnects=gained["reconnects"],
    )


def one_kind(kind: str, arguments: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Play a table, in turn without and with junk of one kind."""
    folder.mkdir()
    port, seed = free_port(), secrets.token_hex(8)
    alone: list[Counted] = []
    flooded: list[Counted] = []
    floods: list[Flood] = []
    with ExitStack() as stack:
        broker = stack.enter_context(mosquitto(folder, "allow_anonymous true", port)).pid
        made = stack.enter_context(table(port, seed, folder, arguments.layout))
        while made.ask()["steps"] < 12:  # noqa: PLR2004  # the first deal is over
            time.sleep(0.1)
        make = kinds(seed, port)[kind]
        for _ in range(arguments.windows):
            alone.append(count(made, broker, arguments.seconds))
            junk = [make(n) for n in range(int(arguments.rate * (arguments.seconds + 2)))]
            topic = secrets_of(seed).topic
            with flood(port, topic, junk, arguments.qos, arguments.rate) as sent:
                time.sleep(1)
                flooded.append(count(made, broker, arguments.seconds))
            floods.append(sent)
            time.sleep(1)  # what is queued
    rates = [statistics.mean(one.steps_per_s for one in some) for some in (alone, flooded)]
    return {
        "layout": arguments.layout,
        "qos": arguments.qos,
        "kind": kind,
        "ratio": round(rates[1] / rates[0], 2),
        "steps_per_s_alone": [round(one.steps_per_s, 1) for one in alone],
        "steps_per_s_flooded": [round(one.steps_per_s, 1) for one in flooded],
        "published_per_s": round(sum(f.sent for f in floods) / sum(f.seconds for f in floods)),
        "flooder_cores": round(sum(f.cpu_s for f in floods) / sum(f.seconds for f in floods), 2),
        "broker_cores": [_mean("broker_cores", some) for some in (alone, flooded)],
        "peer_cores": [_mean("peer_cores", some) for some in (alone, flooded)],
        "received_per_s": [_mean("received_per_s", some) for some in (alone, flooded)],
        "asked": [sum(one.asked for one in some) for some in (alone, flooded)],
        "resent": [sum(one.resent for one in some) for some in (alone, flooded)],
        "reconnects": [sum(one.reconnects for one in some) for some in (alone, flooded)],
    }


def _mean(name: str, some: list[Counted]) -> float:
    values: list[float] = [getattr(one, name) for one in some]
    return round(statistics.mean(values), 2)


def main() -> None:
    """Play each kind in turn, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.flood", description=__doc__)
    parser.add_argument("--layout", choices=("match", "processes"), default="match")
    parser.add_argument("--kinds", default="bytes,right size,replay,stranger,forged,seat")
    parser.add_argument("--qos", type=int, choices=(0, 1), default=0)
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--windows", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kinds.split(","):
            print(json.dumps(one_kind(kind, arguments, Path(folder) / kind)), flush=True)


if __name__ == "__main__":
    main()
