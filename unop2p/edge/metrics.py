"""Figures as Prometheus reads them: its text format 0.0.4, and a small HTTP server for it.

The format: prometheus.io/docs/instrumenting/exposition_formats. It is lines of text, so no library is
needed. The server answers `GET /metrics` and nothing else, one request to a connection.
"""

import asyncio
import contextlib
import ipaddress
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from unop2p.edge.errors import EXIT_FOLDER, EXIT_USAGE
from unop2p.edge.histogram import Histogram
from unop2p.errors import EdgeError
from unop2p.words import said

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
REQUEST_BYTES_MAX: Final = 8 * 1024
REQUEST_S: Final = 5.0
CONNECTIONS_MAX: Final = 16
_ENDS: Final = (b"\r\n", b"\n")


class MetricsAddressError(EdgeError):
    """The figures are for this machine only: set `beyond_loopback` where others are to read them."""

    exit_code = EXIT_USAGE


class MetricsPortError(EdgeError):
    """Nothing can listen on the port for the figures: choose another."""

    exit_code = EXIT_FOLDER


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure, or one for each of some labels; or a histogram of seconds."""

    name: str
    kind: str
    """counter, gauge or histogram."""
    help: str
    values: Mapping[str, float] | Histogram
    """By the labels, as `kind="check"`; the empty text for none."""


def exposition(metrics: Iterable[Metric]) -> str:
    r"""Return metrics as text.

    >>> metric = Metric(name="a_total", kind="counter", help="How many.", values={"": 3})
    >>> exposition([metric])
    '# HELP a_total How many.\n# TYPE a_total counter\na_total 3\n'
    """
    lines: list[str] = []
    for metric in metrics:
        lines += [f"# HELP {metric.name} {metric.help}", f"# TYPE {metric.name} {metric.kind}"]
        if isinstance(metric.values, Histogram):
            lines += _histogram(metric.name, metric.values)
        else:
            for labels, value in metric.values.items():
                lines.append(f"{metric.name}{f'{{{labels}}}' if labels else ''} {value:.17g}")
    return "".join(f"{line}\n" for line in lines)


def _histogram(name: str, times: Histogram) -> list[str]:
    lines = [f'{name}_bucket{{le="{bound:.6g}"}} {count}' for bound, count in times.coarse()]
    return [
        *lines,
        f'{name}_bucket{{le="+Inf"}} {times.count}',
        f"{name}_sum {times.sum_s:.17g}",
        f"{name}_count {times.count}",
    ]


def check_address(address: str, *, beyond_loopback: bool) -> None:
    """Refuse an address that others can reach, unless that is wanted.

    Raises:
        MetricsAddressError: it is none of the loopback's.
    """
    try:
        local = ipaddress.ip_address(address).is_loopback
    except ValueError:
        local = address == "localhost"
    if not local and not beyond_loopback:
        raise MetricsAddressError(said("{address}.", address=address))


class MetricsPort:
    """Serves figures over HTTP."""

    def __init__(self, text: Callable[[], str]) -> None:
        """Take what makes the text."""
        self._text = text
        self._server: asyncio.Server | None = None
        self._busy = 0

    async def open(self, address: str, port: int) -> int:
        """Begin to listen; return the port.

        Args:
            address: of this machine.
            port: 0 for any free one.

        Raises:
            MetricsPortError: it cannot be listened on.
        """
        try:
            self._server = await asyncio.start_server(
                self._answer, address, port, limit=REQUEST_BYTES_MAX
            )
        except OSError as error:
            number = error.errno or 0
            message = said(
                "{address}, port {port}: {strerror}.",
                address=address,
                port=port,
                # Asyncio's own words name the address once more.
                strerror=os.strerror(number) if number > 0 else error.strerror or error,
            )
            raise MetricsPortError(message) from error
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Listen no more; again does nothing."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._busy += 1
        try:
            if self._busy <= CONNECTIONS_MAX:
                async with asyncio.timeout(REQUEST_S):
                    writer.write(self._response(*await _request(reader)))
                    await writer.drain()
        except (TimeoutError, OSError, ValueError, asyncio.IncompleteReadError):
            pass  # who asks so gets no answer
        finally:
            self._busy -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _response(self, method: str, path: str) -> bytes:
        if path.partition("?")[0] != "/metrics":
            status, body = "404 Not Found", "Only /metrics is here.\n"
        elif method not in {"GET", "HEAD"}:
            status, body = "405 Method Not Allowed", "Only GET is understood.\n"
        else:
            status, body = "200 OK", self._text()
        data = body.encode()
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: {len(data)}\r\n"
            "Connection: close\r\n\r\n"
        )
        return head.encode() + (b"" if method == "HEAD" else data)


async def _request(reader: asyncio.StreamReader) -> tuple[str, str]:
    """Return method and path, once all the headers are there.

    Raises:
        ValueError: it is no HTTP, or too long.
        asyncio.IncompleteReadError: it ends too soon.
    """
    first = await reader.readline()
    left = REQUEST_BYTES_MAX - len(first)
    while (line := await reader.readline()) not in _ENDS:
        left -= len(line)
        if not line or left < 0:
            raise ValueError
    method, path, version = first.decode("latin-1").split()
    if not version.startswith("HTTP/1."):
        raise ValueError
    return method, path
