"""A proxy before a broker that loses, forgets, delays and cuts: MQTT 3.1.1 packets are its unit.

What is lost on the way to the broker is acknowledged all the same, as a broker does that accepts and
forgets; what is lost on the way back is acknowledged to the broker. So neither side sends it again.
"""

import asyncio
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import cast

PUBLISH, PUBACK = 3, 4
QOS_MASK = 0x06


@dataclass(slots=True)
class Weather:
    """What becomes of what passes; it may be changed while the proxy runs."""

    forget: float = 0.0
    """The share of messages that are accepted and never come to the broker."""
    lose: float = 0.0
    """The share of messages that do not come back from it."""
    delay_s: float = 0.0
    """Up to how long each packet takes longer."""
    cut_s: tuple[float, float] | None = None
    """After how long a connection is cut, from and to."""


@dataclass(slots=True)
class Counts:
    """What has become of it."""

    passed: int = 0
    forgotten: int = 0
    lost: int = 0
    cuts: int = 0


@dataclass(slots=True)
class Proxy:
    """A running proxy."""

    port: int
    weather: Weather
    counts: Counts = field(default_factory=Counts)


@contextmanager
def proxy(broker: int, weather: Weather, seed: int = 1) -> Iterator[Proxy]:
    """Run a proxy before the broker of a port, in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    made = Proxy(port=0, weather=weather)
    rng = random.Random(seed)
    tasks: set[asyncio.Task[None]] = set()

    async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(cast("asyncio.Task[None]", asyncio.current_task()))
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            there, back = await asyncio.open_connection("127.0.0.1", broker)
            ways = [
                asyncio.create_task(_carry(made, rng, reader, back, writer, up=True)),
                asyncio.create_task(_carry(made, rng, there, writer, back, up=False)),
            ]
            cut = rng.uniform(*weather.cut_s) if weather.cut_s else None
            done, _ = await asyncio.wait(ways, timeout=cut, return_when=asyncio.FIRST_COMPLETED)
            made.counts.cuts += not done
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            back.close()
        writer.close()

    async def begin() -> asyncio.Server:
        return await asyncio.start_server(met, "127.0.0.1", 0)

    async def finish(server: asyncio.Server) -> None:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    server = asyncio.run_coroutine_threadsafe(begin(), loop).result(10)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        asyncio.run_coroutine_threadsafe(finish(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _carry(
    made: Proxy,
    rng: random.Random,
    source: asyncio.StreamReader,
    target: asyncio.StreamWriter,
    sender: asyncio.StreamWriter,
    *,
    up: bool,
) -> None:
    """Carry packets one way, in order."""
    weather, counts = made.weather, made.counts
    while True:
        packet, body = await _packet(source)
        if weather.delay_s:
            await asyncio.sleep(rng.uniform(0, weather.delay_s))
        if packet[0] >> 4 == PUBLISH and rng.random() < (weather.forget if up else weather.lose):
            counts.forgotten += up
            counts.lost += not up
            if packet[0] & QOS_MASK:
                topic = int.from_bytes(body[:2], "big")
                sender.write(bytes([PUBACK << 4, 2]) + body[2 + topic : 4 + topic])
                await sender.drain()
            continue
        counts.passed += packet[0] >> 4 == PUBLISH
        target.write(packet + body)
        await target.drain()


async def _packet(source: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Read a packet: its fixed header, and what follows."""
    header = await source.readexactly(2)
    length, shift = header[-1] & 0x7F, 7
    while header[-1] & 0x80:
        header += await source.readexactly(1)
        length += (header[-1] & 0x7F) << shift
        shift += 7
    return header, await source.readexactly(length)
