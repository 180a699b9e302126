"""A small TCP proxy between a client and a broker, which can do to a connection what networks do."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

CONNECT: Final = 1
PUBLISH: Final = 3
SUBSCRIBE: Final = 8
PUBACK: Final = b"\x40\x02"
HOST: Final = "127.0.0.1"


class Proxy:
    """Hands packets on, whole, both ways; knobs say what goes wrong."""

    def __init__(self, port: int) -> None:
        """Take the broker's port."""
        self.broker_port = port
        self.port = 0
        self.swallowing = False
        """Take everything and hand on nothing, with the connections open: as where a NAT forgot them."""
        self.deaf = False
        """Hand on all but what the broker delivers."""
        self.drop_every = 0
        """Lose so many a message of those that the broker delivers, and tell it that it came; 0: none."""
        self.dropped_count = 0
        self.idle_s = 0.0
        """Cut connections on which nothing was said for so long; 0: never."""
        self.connections: list[list[tuple[int, int, bytes]]] = []
        """By connection: type, flags and body of each packet of the client."""
        self.cut_count = 0
        self._writers: list[asyncio.StreamWriter] = []

    def cut(self) -> None:
        """Reset every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection to its end."""
        from_broker, to_broker = await asyncio.open_connection(HOST, self.broker_port)
        seen: list[tuple[int, int, bytes]] = []
        self.connections.append(seen)
        self._writers += [writer, to_broker]
        loop = asyncio.get_running_loop()
        last = [loop.time()]
        delivered = 0

        async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            nonlocal delivered
            while True:
                kind, flags, body, raw = await read_packet(source)
                last[0] = loop.time()
                if source is reader:
                    seen.append((kind, flags, body))
                if self.swallowing or (self.deaf and source is from_broker and kind == PUBLISH):
                    continue
                if self.drop_every and source is from_broker and kind == PUBLISH:
                    delivered += 1
                    if delivered % self.drop_every == 0:
                        self.dropped_count += 1
                        at = 2 + struct.unpack_from(">H", body)[0]
                        to_broker.write(PUBACK + body[at : at + 2])
                        continue
                target.write(raw)
                await target.drain()

        async def watch() -> None:
            while not self.idle_s or loop.time() - last[0] < self.idle_s:
                await asyncio.sleep(0.05)
            self.cut_count += 1

        tasks = [
            asyncio.create_task(carry(reader, to_broker)),
            asyncio.create_task(carry(from_broker, writer)),
            asyncio.create_task(watch()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for each in (writer, to_broker):
                each.transport.abort()

    def client_ids(self) -> list[str]:
        """Return the client id of each connection, in order."""
        return [connect_fields(packets[0][2])[1] for packets in self.connections if packets]


async def read_packet(source: asyncio.StreamReader) -> tuple[int, int, bytes, bytes]:
    """Return type, flags, body and the whole of the next packet (MQTT 3.1.1, section 2.2)."""
    head = await source.readexactly(1)
    size, shift, raw = 0, 0, head
    while True:
        byte = await source.readexactly(1)
        raw += byte
        size |= (byte[0] & 127) << shift
        shift += 7
        if byte[0] < 128:
            break
    body = await source.readexactly(size)
    return head[0] >> 4, head[0] & 15, body, raw + body


def connect_fields(body: bytes) -> tuple[int, str]:
    """Return the flags and the client id of a CONNECT (MQTT 3.1.1, section 3.1)."""
    name = struct.unpack_from(">H", body)[0]
    flags = body[2 + name + 1]
    at = 2 + name + 4
    length = struct.unpack_from(">H", body, at)[0]
    return flags, body[at + 2 : at + 2 + length].decode()


@asynccontextmanager
async def proxy(port: int) -> AsyncIterator[Proxy]:
    """Run a proxy before a broker."""
    made = Proxy(port)
    server = await asyncio.start_server(made.serve, HOST, 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        made.cut()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await server.wait_closed()
