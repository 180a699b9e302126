"""`make bench`: every figure is a ratio, or a median beside its floor, taken in one run.

Machines are noisy: what is compared runs in turn, and medians are shown with their spread.
"""

import argparse
import asyncio
import gc
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench import bots, rounds, screen
from tests.bench.deal import crypto
from unop2p.cli.match import MatchPlan, run_match
from unop2p.edge.broker import embedded_broker
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.mqtt import MQTTTransport
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate
from unop2p.peer.events import Settled
from unop2p.rules.options import preset
from unop2p.wire.codec import pack
from unop2p.wire.sealing import LENGTH_BYTES, NONCE_BYTES, TAG_BYTES, padded_length

BARE_STEPS = 150
"""Enough for a median; a round has about 75 steps."""


WATCHED_REPEATS = 2
"""Of each kind of match; thousands of looks at the event loop."""


def help_ratio(runs: int = 9) -> dict[str, object]:
    """`unop2p --help` against `python -c 'import typer'`, as whole processes, in turn."""
    ours: list[float] = []
    theirs: list[float] = []
    program = str(Path(sys.executable).with_name("unop2p"))
    for _ in range(runs):
        for command, times in (
            ([program, "--help"], ours),
            ([sys.executable, "-c", "import typer"], theirs),
        ):
            began = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - began)
    return {
        "help_ms": round(statistics.median(ours) * 1000),
        "import_typer_ms": round(statistics.median(theirs) * 1000),
        "ratio": round(statistics.median(ours) / statistics.median(theirs), 2),
    }


@dataclass(slots=True)
class Steps:
    """What was said in each step of a match; and what each step cost."""

    certificates: list[Certificate] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)
    loop_ms: list[float] = field(default_factory=list)
    """CPU time of the event loop's thread."""
    _last: tuple[float, float] | None = None

    def on_settled(self, effect: Settled) -> None:
        """Note a step."""
        now = (time.perf_counter(), time.thread_time())
        if self._last is not None:
            self.wall_ms.append((now[0] - self._last[0]) * 1000)
            self.loop_ms.append((now[1] - self._last[1]) * 1000)
            self.certificates.append(effect.certificate)
        self._last = now

    def sizes(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return by step the sizes of envelopes: of each seat's statement, and of each seat's adopt.

        A majority's adopts settle a step; the seats that are late say as much.
        """
        found = []
        for certificate in self.certificates:
            statements = tuple(map(envelope_size, certificate.statements))
            adopts = tuple(map(envelope_size, certificate.adopts))
            late = len(statements) - len(adopts)
            found.append((statements, adopts + adopts[-1:] * late))
        return found


def envelope_size(signed: Signed) -> int:
    """Return how many bytes a broker gets for a signed message."""
    return padded_length(LENGTH_BYTES + len(pack(signed))) + NONCE_BYTES + TAG_BYTES


async def bare_exchange(url: BrokerURL, steps: Steps) -> Steps:
    """Send messages of the same sizes, all to all, over as many connections; nothing else is done.

    Nothing is signed, parsed or stored. As in a match, each step is two rounds: in each every
    connection sends one message, and the next round begins when all have all messages.
    """
    sizes = steps.sizes()
    seats = len(sizes[0][0])
    heard = [0] * seats
    changed = asyncio.Event()

    def on_message(seat: int) -> Callable[[bytes], None]:
        def take(_data: bytes) -> None:
            heard[seat] += 1
            changed.set()

        return take

    topic = "unop2p/v1/bench-" + secrets.token_hex(8)
    links = [
        MQTTTransport(url, topic, on_message=on_message(seat), on_state=lambda _s: None)
        for seat in range(seats)
    ]
    tasks = [asyncio.create_task(link.run()) for link in links]
    while not all(link.statistics.connected_count for link in links):
        await asyncio.sleep(0.01)
    bare = Steps()
    wanted = 0
    for step in sizes[:BARE_STEPS]:
        messages = [[secrets.token_bytes(size) for size in said] for said in step]
        began = (time.perf_counter(), time.thread_time())
        for message in messages:
            wanted += seats
            for link, data in zip(links, message, strict=True):
                link.publish(data)
            while min(heard) < wanted:
                changed.clear()
                await changed.wait()
        bare.wall_ms.append((time.perf_counter() - began[0]) * 1000)
        bare.loop_ms.append((time.thread_time() - began[1]) * 1000)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return bare


@dataclass(slots=True)
class Loop:
    """How late the event loop was, and how much CPU time each of its callbacks took."""

    late_ms: list[float] = field(default_factory=list)
    callbacks_ms: list[float] = field(default_factory=list)

    async def watch(self) -> None:
        """Sleep again and again, and note how much longer it took."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.001)
            self.late_ms.append((time.perf_counter() - began - 0.001) * 1000)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Time every callback of the loop while this is open."""
        handle: Any = asyncio.Handle
        run = handle._run

        def timed_run(this: asyncio.Handle) -> None:
            began = time.thread_time()
            run(this)
            self.callbacks_ms.append((time.thread_time() - began) * 1000)

        handle._run = timed_run
        watcher = asyncio.create_task(self.watch())
        try:
            yield
        finally:
            watcher.cancel()
            handle._run = run


def spread(values: list[float]) -> dict[str, float]:
    """Return median, 99th percentile and largest."""
    values.sort()
    return {
        "p50": round(values[len(values) // 2], 2),
        "p99": round(values[int(len(values) * 0.99)], 2),
        "max": round(values[-1], 1),
    }


async def one_match(
    url: BrokerURL, *, shared: bool, rounds: int, loop: Loop | None = None
) -> tuple[Steps, dict[str, object]]:
    """Play some rounds among four bots; with a loop, watch how late it is, which takes time itself."""
    steps = Steps()
    with loop.watched() if loop is not None else nullcontext():
        result = await run_match(
            MatchPlan(
                bots=4,
                options=preset("official"),
                level="greedy",
                record=None,
                broker=url,
                engine="auto",
                shared_checks=shared,
                rounds=rounds,
                watch=steps.on_settled,
            )
        )
    return steps, result


async def match_figures(engine: str, repeats: int, rounds: int) -> dict[str, object]:
    """Bare exchanges and matches in turn; each match is laid beside the exchanges around it.

    The event loop is watched in matches of their own: neither side of a ratio is.
    """
    broker = embedded_broker(engine)
    await broker.start()
    kinds: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    loops = {False: Loop(), True: Loop()}
    try:
        steps, _ = await one_match(broker.url, shared=True, rounds=1)  # to warm up
        before = await bare_exchange(broker.url, steps)
        for turn in range(2 * repeats):
            shared = bool(turn % 2)
            steps, result = await one_match(broker.url, shared=shared, rounds=rounds)
            after = await bare_exchange(broker.url, steps)
            bare_ms = statistics.median(before.wall_ms + after.wall_ms)
            bare_loop_ms = statistics.median(before.loop_ms + after.loop_ms)
            kinds[shared].append(
                {
                    "deal_ms": result["deal_ms"],
                    "step_ms": round(statistics.median(steps.wall_ms), 2),
                    "bare_ms": round(bare_ms, 2),
                    "step_over_bare": round(statistics.median(steps.wall_ms) / bare_ms, 2),
                    "loop_over_bare": round(statistics.median(steps.loop_ms) / bare_loop_ms, 2),
                }
            )
            before = after
        for turn in range(2 * WATCHED_REPEATS):
            shared = bool(turn % 2)
            await one_match(broker.url, shared=shared, rounds=rounds, loop=loops[shared])
    finally:
        await broker.stop()
    return {
        "engine": broker.engine.value,
        "each peer checks for itself": _summary(kinds[False], loops[False]),
        "checks shared": _summary(kinds[True], loops[True]),
    }


def _summary(runs: list[dict[str, Any]], loop: Loop) -> dict[str, object]:
    """Return each figure's median over the runs, with all of them, and how the loop did."""
    found: dict[str, object] = {
        key: {
            "median": round(statistics.median(run[key] for run in runs), 2),
            "runs": [run[key] for run in runs],
        }
        for key in runs[0]
    }
    found["loop_late_ms"] = spread(loop.late_ms)
    found["callback_cpu_ms"] = spread(loop.callbacks_ms)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="of each kind of match")
    parser.add_argument("--rounds", type=int, default=1, help="of each match")
    parser.add_argument("--engine", default="auto")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["UNOP2P_HOME"] = home
        gc.freeze()  # as the program does, before its event loop runs
        figures: tuple[tuple[str, Callable[[], dict[str, object]]], ...] = (
            ("help", help_ratio),
            ("screen", screen.figures),
            ("rules engine beside RLCard", rounds.figures),
            ("bots", bots.figures),
            ("crypto", crypto),
            (
                "match of four bots",
                lambda: asyncio.run(
                    match_figures(arguments.engine, arguments.repeats, arguments.rounds)
                ),
            ),
        )
        for name, figure in figures:
            print(f"{name}: {json.dumps(figure(), indent=1)}", flush=True)


if __name__ == "__main__":
    main()
