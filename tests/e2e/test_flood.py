"""Junk at 2,000 messages a second on the table's topic: the table goes on. Figures are printed."""

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.bench.flood import packet, string
from tests.e2e.test_absence import Table
from tests.e2e.test_kill import ticket_in
from tests.e2e.test_real_faults import Play
from unop2p.log.messages import Signed
from unop2p.table.talk import Heartbeat
from unop2p.wire import codec
from unop2p.wire.record import GenesisLine, decode_line
from unop2p.wire.sealing import Sealer
from unop2p.wire.ticket import parse_ticket, stretch

pytestmark = [pytest.mark.soak, pytest.mark.broker, pytest.mark.timeout(900)]
PER_SECOND = 2_000
WINDOW_S = float(os.environ.get("FLOOD_WINDOW_S", "10"))
WINDOWS = 3


@contextmanager
def flood(port: int, topic: str, make: Callable[[], bytes]) -> Iterator[list[int]]:
    """Publish junk at a steady rate, over one connection that hears nothing; yield how much."""
    over, sent = threading.Event(), [0]
    link = socket.create_connection(("127.0.0.1", port))
    hello = string(b"MQTT") + bytes([4, 2, 0, 0]) + string(b"junk" + secrets.token_hex(4).encode())
    link.sendall(packet(0x10, hello))
    link.recv(16)

    def run() -> None:
        began = time.monotonic()
        while not over.is_set():
            due = int((time.monotonic() - began) * PER_SECOND) - sent[0]
            if due > 0:
                packets = (packet(0x30, string(topic.encode()) + make()) for _ in range(due))
                link.sendall(b"".join(packets))
                sent[0] += due
            time.sleep(0.005)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield sent
    finally:
        over.set()
        thread.join()
        link.close()


def _rate(table: Table, seconds: float) -> float:
    before, began = table.steps(0), time.monotonic()
    time.sleep(seconds)
    return (table.steps(0) - before) / (time.monotonic() - began)


@pytest.mark.parametrize("kind", ["bytes", "sealed", "a seat's name"])
def test_junk_slows_the_table_down_by_little(kind: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        play = Play(tmp_path, stack, to=400)
        play.begin()
        found = stretch(parse_ticket(ticket_in(play.table.screen(0))))
        sealer = Sealer(found.sealing_key)
        seat = decode_line(play.table.record(0).read_bytes().splitlines()[0])
        assert isinstance(seat, GenesisLine)

        def make() -> bytes:
            if kind == "bytes":
                return secrets.token_bytes(400)
            author = seat.genesis.author if kind == "a seat's name" else secrets.token_bytes(32)
            beat = Heartbeat(
                table=bytes(16),
                step=1,
                head=bytes(32),
                over=False,
                count=secrets.randbelow(1 << 40),
            )
            payload = codec.encode(beat) if kind == "a seat's name" else secrets.token_bytes(300)
            junk = Signed(author=author, signature=bytes(64), payload=payload)
            return sealer.seal(codec.pack(junk), secrets.token_bytes(24))

        alone: list[float] = []
        flooded: list[float] = []
        junk = 0
        for _ in range(WINDOWS):
            alone.append(_rate(play.table, WINDOW_S))
            with flood(play.broker, found.topic, make) as sent:
                flooded.append(_rate(play.table, WINDOW_S))
            junk += sent[0]
        ratio = sum(alone) / sum(flooded)
        print(
            f"{kind}: {junk} messages of junk, {junk / WINDOWS / WINDOW_S:.0f} a second; steps a second "
            f"alone {_list(alone)}, flooded {_list(flooded)}: {ratio:.2f} times as slow"
        )
        assert min(flooded) > 0


def _list(rates: list[float]) -> str:
    return " ".join(f"{rate:.1f}" for rate in rates)
