"""`unop2p load`: more and more tables of bots over one broker, in processes, and what they come to."""

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from unop2p.bots.pace import read_pace
from unop2p.cli.common import UsageError, make_offer, read_broker, read_rules
from unop2p.cli.exits import complain, without_controls
from unop2p.cli.tongue import words
from unop2p.edge.arguments import load_argument
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.errors import EXIT_USAGE
from unop2p.edge.histogram import Histogram
from unop2p.edge.mqtt import MQTTTransport
from unop2p.edge.processes import cpu_s, listener, rss_bytes
from unop2p.edge.roster import check_bot
from unop2p.errors import EdgeError
from unop2p.words import said

TABLES_MAX: Final = 2_000
PROCESSES_MAX: Final = 64
SECONDS_MAX: Final = 3_600
GRACE_S: Final = 20.0
"""A process that was told to end has so long to do it."""
ANSWER_S: Final = 30.0
LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})
PERCENTILES: Final = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))


class LoadFailedError(EdgeError):
    """A process that plays the tables has failed."""

    def __init__(self, detail: str = "", exit_code: int = 1) -> None:
        """Take what is wrong, and the code that the program ends with."""
        super().__init__(detail)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRequest:
    """What `load` was asked for."""

    brokers: tuple[str, ...]
    spread: int
    """How many of the brokers each seat uses; 0: all."""
    tables: tuple[int, ...]
    seconds: float
    patience_s: float
    """How long all tables of a size may take to begin."""
    processes: int
    seats: int
    level: str
    pace: str
    rules: str
    overrides: tuple[str, ...]
    deal: str
    resilience: int | None
    """For how many absent seats the others can stand in; None: as is usual."""
    shared: bool
    journals: Path | None
    broker_pids: tuple[int, ...]
    ca_file: Path | None
    password_file: Path | None
    mqtt5: bool

    def urls(self) -> list[list[str]]:
        """Return by seat, in turn, the addresses that it uses."""
        number = len(self.brokers)
        each = self.spread or number
        return [[self.brokers[(at + k) % number] for k in range(each)] for at in range(number)]

    def order(self, tables: int) -> dict[str, object]:
        """Return what one process is told to open."""
        ramp_s = min(1.0, self.seconds / max(1, tables * 4))
        return {
            "do": "open",
            "tables": tables,
            "every_s": ramp_s,
            "urls": self.urls(),
            "seats": self.seats,
            "level": self.level,
            "pace": self.pace,
            "rules": self.rules,
            "set": list(self.overrides),
            "deal": self.deal,
            "resilience": self.resilience,
            "shared": self.shared,
            "journals": str(self.journals) if self.journals else "",
            "ca_file": str(self.ca_file) if self.ca_file else "",
            "password_file": str(self.password_file) if self.password_file else "",
            "mqtt5": self.mqtt5,
        }


def read_sizes(text: str) -> tuple[int, ...]:
    """Return the numbers of tables of `1,10,50`.

    >>> read_sizes("1, 10")
    (1, 10)

    Raises:
        UsageError: they are none, or too many.
    """
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdecimal() and len(word) < 6 for word in words):
        message = said("`--tables {text}`: write numbers, as 1,10,50.", text=text[:40])
        raise UsageError(message)
    sizes = tuple(map(int, words))
    if not all(1 <= size <= TABLES_MAX for size in sizes):
        message = said("A load has 1 to {most} tables.", most=TABLES_MAX)
        raise UsageError(message)
    return sizes


def check(request: LoadRequest) -> list[BrokerURL]:
    """Return the brokers, when all that was asked for can be.

    Raises:
        UsageError: a number.
        LocalError: rules, level, pace.
        EdgeError: an address or file.
    """
    bounds: tuple[tuple[str, float, float, float], ...] = (
        ("--processes", request.processes, 1, PROCESSES_MAX),
        ("--seconds", request.seconds, 1, SECONDS_MAX),
        ("--patience", request.patience_s, 1, SECONDS_MAX),
        ("--each", request.spread, 0, len(request.brokers)),
    )
    for option, value, least, most in bounds:
        if not least <= value <= most:
            message = said(
                "`{option} {value}`: {least} to {most}.",
                option=option,
                value=f"{value:g}",
                least=f"{least:g}",
                most=f"{most:g}",
            )
            raise UsageError(message)
    options = read_rules(request.rules, list(request.overrides))
    make_offer(
        options,
        request.seats,
        argument=load_argument(request.deal),
        resilience=request.resilience,
    )
    check_bot(request.level)
    read_pace(request.pace)
    return [
        read_broker(
            url,
            ca_file=request.ca_file,
            password_file=request.password_file,
            mqtt5=request.mqtt5,
        )
        for url in request.brokers
    ]


@dataclass(slots=True)
class _Worker:
    """A process that plays tables."""

    process: asyncio.subprocess.Process
    began: int = 0
    failure: str = ""
    code: int = 1
    broken: bool = False
    counted: dict[str, Any] | None = None
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, order: dict[str, object]) -> None:
        """Have it do something."""
        if self.process.stdin is not None:
            self.process.stdin.write(json.dumps(order).encode() + b"\n")

    async def listen(self) -> None:
        """Take what it tells, until it ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            told = json.loads(line)
            if told["event"] == "counted":
                self.counted = told
            elif told["event"] == "failed":
                self.broken, self.failure, self.code = True, told["text"], told["code"]
            else:
                self.began = told["tables"]
                self.failure = told["failure"] or self.failure
            self.heard.set()
        self.broken = True
        self.heard.set()

    async def end(self) -> None:
        """Have it end, and see to it that it does."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        try:
            async with asyncio.timeout(GRACE_S):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


Progress = Callable[[str], None]


async def run_load(request: LoadRequest, progress: Progress) -> dict[str, Any]:
    """Measure each size in turn; return what they came to.

    Args:
        request: what is wanted.
        progress: is told in a few words how far it is.

    Raises:
        LocalError: an option.
        EdgeError: broker or process.
    """
    urls = check(request)
    for url in urls:
        probe = MQTTTransport(
            url, "unop2p/v1/load", on_message=lambda _: None, on_state=lambda _: None
        )
        await probe.first_connect()
    pids = request.broker_pids or tuple(
        pid for url in urls if url.host in LOCAL and (pid := listener(url.port)) is not None
    )
    sizes: list[dict[str, object]] = []
    for tables in request.tables:
        size = await _measure(request, tables, pids, progress)
        sizes.append(size)
        if size["opened"] != tables:
            break  # more would not begin either
    return {
        "brokers": [url.public_text() for url in urls],
        "broker_pids": list(pids),
        "cores": os.cpu_count(),
        "seats": request.seats,
        "pace": request.pace,
        "level": request.level,
        "deal": request.deal,
        "shared_checks": request.shared,
        "journals": request.journals is not None,
        "processes": request.processes,
        "sizes": sizes,
    }


async def _measure(
    request: LoadRequest, tables: int, pids: Sequence[int], progress: Progress
) -> dict[str, object]:
    number = min(request.processes, tables)
    workers: list[_Worker] = []
    listening: list[asyncio.Task[None]] = []
    try:
        for index in range(number):
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "unop2p.cli.load_worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=1 << 20,
                # A terminal's Ctrl-C is for us alone: in a process that still starts it is a traceback.
                start_new_session=True,
            )
            worker = _Worker(process)
            workers.append(worker)
            listening.append(asyncio.create_task(worker.listen()))
            worker.tell(request.order(tables // number + (index < tables % number)))
        opening_s = await _open(request, tables, workers, progress)
        broker = [cpu_s(pid) for pid in pids]
        for worker in workers:
            worker.tell({"do": "begin"})
        began_s = time.monotonic()
        while (left_s := began_s + request.seconds - time.monotonic()) > 0:
            _raise_if_broken(workers)
            progress(f"{tables} tables: {left_s:.0f} s left")
            await asyncio.sleep(min(0.5, left_s))
        seconds = time.monotonic() - began_s
        used = [
            after - before
            for before, after in zip(broker, map(cpu_s, pids), strict=True)
            if before is not None and after is not None
        ]
        for worker in workers:
            worker.tell({"do": "end"})
        await _until(
            lambda: all(worker.counted is not None for worker in workers), workers, ANSWER_S
        )
        counted = [worker.counted for worker in workers if worker.counted is not None]
        memory = [rss_bytes(pid) or 0 for pid in pids]
        figures = summary(counted, seconds, sum(used) if used else None)
        opened = sum(worker.began for worker in workers)
        return {
            "tables": tables,
            "opened": opened,
            "failure": _why(workers) if opened < tables else "",
            "opening_s": round(opening_s, 1),
            "broker_rss_mb": round(sum(memory) / 1e6, 1) if any(memory) else None,
            **figures,
        }
    finally:
        await asyncio.gather(*(worker.end() for worker in workers))
        await asyncio.gather(*listening, return_exceptions=True)


async def _open(
    request: LoadRequest, tables: int, workers: list[_Worker], progress: Progress
) -> float:
    """Wait until all tables have begun, or patience is over; return how long it took."""
    since_s = time.monotonic()

    def all_began() -> bool:
        began = sum(worker.began for worker in workers)
        progress(f"{tables} tables: {began} have begun")
        return began >= tables

    await _until(all_began, workers, request.patience_s)
    if not any(worker.began for worker in workers):
        message = words().say(
            "No table has begun within {seconds} s.", seconds=f"{request.patience_s:g}"
        )
        raise LoadFailedError(" ".join(filter(None, (message, _why(workers)))), EXIT_USAGE)
    return time.monotonic() - since_s


def _why(workers: list[_Worker]) -> str:
    """Return what kept a table from beginning, as a process has told it."""
    return next((worker.failure for worker in workers if worker.failure), "")


async def _until(so: Callable[[], bool], workers: list[_Worker], seconds: float) -> None:
    """Wait until something is so, or time is over.

    Raises:
        LoadFailedError: a process has failed.
    """
    deadline = time.monotonic() + seconds
    while not so() and time.monotonic() < deadline:
        _raise_if_broken(workers)
        await asyncio.sleep(0.1)


def _raise_if_broken(workers: list[_Worker]) -> None:
    for worker in workers:
        if worker.broken:
            raise LoadFailedError(worker.failure, worker.code)


def summary(
    counted: list[dict[str, Any]], seconds: float, broker_cpu_s: float | None
) -> dict[str, object]:
    """Return figures from what the processes have counted.

    Args:
        counted: of each process.
        seconds: how long.
        broker_cpu_s: CPU time of the broker meanwhile, where it is known.
    """
    steps_s, deals_s, trips_s = Histogram(), Histogram(), Histogram()
    total: dict[str, float] = {}
    for one in counted:
        steps_s.merge(**one["step_s"])
        deals_s.merge(**one["deal_s"])
        trips_s.merge(**one["round_trip_s"])
        for key, value in one.items():
            if isinstance(value, int | float):
                total[key] = total.get(key, 0) + value
    steps = total["steps"]
    proofs_s = sum(total[f"{kind}_cpu_s"] for kind in ("check", "make", "prepare"))
    return {
        "seconds": round(seconds, 1),
        "steps": int(steps),
        "steps_per_s": round(steps / seconds, 1),
        "step_ms": _percentiles(steps_s),
        "deals": deals_s.count,
        "deal_ms": _percentiles(deals_s),
        "round_trip_ms": _percentiles(trips_s),
        "messages_per_s": round(total["published"] / seconds, 1),
        "kbytes_per_s": round(total["sent_bytes"] / seconds / 1000, 1),
        "broker_cores": None if broker_cpu_s is None else round(broker_cpu_s / seconds, 2),
        "peer_cores": round(total["cpu_s"] / seconds, 2),
        "proof_cores": round(proofs_s / seconds, 2),
        "proofs": int(total["checks"] + total["makes"]),
        "broker_ms_per_step": None
        if broker_cpu_s is None or not steps
        else round(broker_cpu_s / steps * 1000, 2),
        "peer_ms_per_step": round(total["cpu_s"] / steps * 1000, 2) if steps else None,
        "peer_rss_mb": round(total["rss_bytes"] / 1e6, 1),
        "resent": int(total["resent"]),
        "asked": int(total["asked"]),
        "mended": int(total["mended"]),
        "lost": int(total["lost"]),
        "dropped": int(total["dropped"]),
        "reconnects": int(total["reconnects"]),
        "stalled": int(total["stalled"]),
        "longest_gap_s": round(max(one["longest_gap_s"] for one in counted), 2),
    }


def _percentiles(times: Histogram) -> dict[str, float | None]:
    found = {name: times.quantile_s(part) for name, part in PERCENTILES}
    return {name: None if s is None else round(s * 1000, 1) for name, s in found.items()}


_COLUMNS: Final = (
    ("tables", lambda size: size["opened"]),
    ("steps/s", lambda size: size["steps_per_s"]),
    ("step ms", lambda size: _three(size["step_ms"])),
    ("deal ms", lambda size: _three(size["deal_ms"])),
    ("trip ms", lambda size: _three(size["round_trip_ms"])),
    ("messages/s", lambda size: size["messages_per_s"]),
    ("broker", lambda size: size["broker_cores"]),
    ("peers", lambda size: size["peer_cores"]),
    ("proofs", lambda size: size["proof_cores"]),
    ("resent", lambda size: size["resent"]),
    ("mended", lambda size: size["mended"]),
    ("lost", lambda size: size["lost"]),
    ("still", lambda size: size["stalled"]),
    ("gap s", lambda size: size["longest_gap_s"]),
)


def _three(times: dict[str, float | None]) -> str:
    return " ".join("-" if ms is None else f"{ms:.0f}" for ms in times.values())


def table(result: dict[str, Any]) -> list[str]:
    """Return the figures as lines; CPU is in cores, times are medians, 95th and 99th percentiles."""
    rows = [[name for name, _ in _COLUMNS]]
    for size in result["sizes"]:
        cells = [of(size) for _, of in _COLUMNS]
        rows.append(["-" if cell is None else str(cell) for cell in cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


async def load(request: LoadRequest, *, as_json: bool) -> int:
    """Measure, and print what came of it; how far it is goes to standard error, where that is a screen.

    Raises:
        LocalError: an option.
        EdgeError: broker or process.
    """
    shown = sys.stderr.isatty()

    def progress(text: str) -> None:
        if shown:
            complain(f"\r{text}\x1b[K")

    try:
        result = await run_load(request, progress)
    finally:
        progress("")
    lines = [json.dumps(result)] if as_json else table(result)
    for line in lines:
        print(line)  # noqa: T201  # the command's result
    for size in result["sizes"]:
        if size["opened"] < size["tables"]:
            begun = words().say(
                "Not all tables have begun within {seconds} s: {opened} of {tables}.",
                opened=size["opened"],
                tables=size["tables"],
                seconds=f"{request.patience_s:g}",
            )
            told = " ".join(filter(None, (begun, size["failure"])))
            complain(f"unop2p: {without_controls(told)}\n")
    return 0
