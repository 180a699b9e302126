"""Figures for Prometheus: the text that it reads, and a server that lets nobody do anything else."""

import asyncio
import re
import socket
import urllib.error
import urllib.request

import pytest

from unop2p.edge.histogram import Histogram
from unop2p.edge.metrics import (
    CONNECTIONS_MAX,
    CONTENT_TYPE,
    REQUEST_BYTES_MAX,
    Metric,
    MetricsAddressError,
    MetricsPort,
    MetricsPortError,
    check_address,
    exposition,
)

SAMPLE = re.compile(r'^[a-zA-Z_:][a-zA-Z0-9_:]*(\{[a-z]+="[^"\\\n]*"\})? (\S+)$')


def samples(text: str) -> dict[str, float]:
    """Return what a reader of the format sees; it refuses what the format does not allow."""
    assert text.endswith("\n")
    found: dict[str, float] = {}
    described: set[str] = set()
    for line in text.splitlines():
        if line.startswith("# "):
            mark, name, _ = line[2:].split(" ", 2)
            assert mark in {"HELP", "TYPE"}
            assert f"{mark} {name}" not in described, "one block for each metric"
            described.add(f"{mark} {name}")
            continue
        assert SAMPLE.match(line), line
        name, _, value = line.rpartition(" ")
        assert name not in found, "each sample once"
        base = re.sub(r"_(bucket|sum|count)$", "", name.partition("{")[0])
        assert f"TYPE {base}" in described or f"TYPE {name.partition('{')[0]}" in described
        found[name] = float(value)
    return found


def test_counters_and_gauges_have_a_line_for_each_label() -> None:
    metrics = [
        Metric(name="a_total", kind="counter", help="A.", values={'x="1"': 3, 'x="2"': 0.25}),
        Metric(name="b", kind="gauge", help="B.", values={"": 12_345_678_901}),
    ]
    assert samples(exposition(metrics)) == {
        'a_total{x="1"}': 3,
        'a_total{x="2"}': 0.25,
        "b": 12_345_678_901,
    }


def test_a_histogram_is_cumulative_and_its_last_bucket_has_all() -> None:
    times = Histogram()
    for seconds in (0.0005, 0.05, 0.05, 3.0, 5_000.0):
        times.add(seconds)
    found = samples(exposition([Metric(name="t", kind="histogram", help="T.", values=times)]))
    buckets = [value for name, value in found.items() if name.startswith("t_bucket")]
    assert buckets == sorted(buckets)
    assert found['t_bucket{le="0.1"}'] == 3
    assert found['t_bucket{le="+Inf"}'] == found["t_count"] == 5
    assert found["t_sum"] == pytest.approx(5_003.1005)


def test_only_the_loopback_is_listened_on_unless_more_is_wanted() -> None:
    for address in ("127.0.0.1", "127.8.8.8", "::1", "localhost"):
        check_address(address, beyond_loopback=False)
    for address in ("0.0.0.0", "::", "192.168.1.5", "example.org", ""):
        with pytest.raises(MetricsAddressError) as caught:
            check_address(address, beyond_loopback=False)
        assert "beyond_loopback" in caught.value.sentence()
        check_address(address, beyond_loopback=True)


def get(port: int, path: str, method: str = "GET") -> tuple[int, str, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read().decode()


async def test_it_answers_one_question_and_no_other() -> None:
    port = MetricsPort(lambda: "a 1\n")
    number = await port.open("127.0.0.1", 0)
    try:
        assert await asyncio.to_thread(get, number, "/metrics") == (200, CONTENT_TYPE, "a 1\n")
        assert (await asyncio.to_thread(get, number, "/metrics?x=1"))[0] == 200
        assert await asyncio.to_thread(get, number, "/metrics", "HEAD") == (200, CONTENT_TYPE, "")
        assert (await asyncio.to_thread(get, number, "/"))[0] == 404
        assert (await asyncio.to_thread(get, number, "/metrics", "POST"))[0] == 405
    finally:
        port.close()
        port.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n\r\n",
        b"GET /metrics\r\n\r\n",
        b"GET /metrics FTP/1.0\r\n\r\n",
        b"\xff\xfe\x00 \r\n\r\n",
        b"GET /metrics HTTP/1.1\r\nHost: x\r\n",
        b"GET /" + b"a" * REQUEST_BYTES_MAX + b" HTTP/1.1\r\n\r\n",
        b"GET /metrics HTTP/1.1\r\n" + b"A: " + b"b" * 4_000 + b"\r\n" + b"C: d\r\n" * 2_000,
    ],
)
async def test_what_is_no_request_gets_no_answer_and_ends_nothing(sent: bytes) -> None:
    port = MetricsPort(lambda: "a 1\n")
    number = await port.open("127.0.0.1", 0)
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", number)
        writer.write(sent)
        writer.write_eof()
        try:
            assert await reader.read() == b""
        except ConnectionResetError:
            pass
        writer.close()
        assert (await asyncio.to_thread(get, number, "/metrics"))[0] == 200
    finally:
        port.close()


async def test_connections_that_say_nothing_do_not_pile_up() -> None:
    port = MetricsPort(lambda: "a 1\n")
    number = await port.open("127.0.0.1", 0)
    silent = [socket.create_connection(("127.0.0.1", number)) for _ in range(CONNECTIONS_MAX)]
    try:
        await asyncio.sleep(0.1)
        reader, writer = await asyncio.open_connection("127.0.0.1", number)
        assert await reader.read() == b"", "one too many is shown the door"
        writer.close()
    finally:
        for one in silent:
            one.close()
        port.close()
    assert port._busy <= CONNECTIONS_MAX


async def test_a_port_that_is_taken_is_said() -> None:
    first, second = MetricsPort(lambda: ""), MetricsPort(lambda: "")
    number = await first.open("127.0.0.1", 0)
    with pytest.raises(MetricsPortError, match=str(number)) as caught:
        await second.open("127.0.0.1", number)
    assert str(caught.value).count("127.0.0.1") == 1, "the address is said once"
    first.close()
