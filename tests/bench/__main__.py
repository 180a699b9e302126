"""`make bench`: every figure is a ratio, or a median beside its floor, taken in one run.

Machines are noisy: what is compared runs in turn, and medians are shown with their spread.
"""

import argparse
import asyncio
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unop2p.deal.group import hash_to_point, mul
from unop2p.deal.keys import derive_round_keys, joint_key
from unop2p.deal.masking import FaceTable, trivial_cards
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.transcript import ProofContext
from unop2p.edge.broker_url import BrokerURL
from unop2p.rules.cards import deck_for
from unop2p.rules.options import preset


def timed(work: Callable[[], object], runs: int = 5) -> float:
    """Return the best CPU time of some runs, in ms: noise only ever adds."""
    best = float("inf")
    for _ in range(runs):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best * 1000


def crypto(count: int = 112) -> dict[str, object]:
    """Steps of the deal in units of one group multiplication (mu) of this very run."""
    point = hash_to_point("bench", b"point")
    scalar = secrets.randbits(251)
    mu = timed(lambda: [mul(scalar, point) for _ in range(500)]) / 500
    context = ProofContext(
        table_id=bytes(16), round_index=0, step=2, head=bytes(32), author=bytes(32), joint_key=b""
    )
    keys = [
        derive_round_keys(secrets.token_bytes(32), table_id=bytes(16), round_index=0, seat=seat)
        for seat in range(4)
    ]
    joint = joint_key([key.public for key in keys])
    faces = [str(face) for face in deck_for(preset("official"))][:count]
    table = FaceTable(sorted(set(faces)))
    deck = trivial_cards([table.point(face) for face in faces], joint)
    argument = ProvedShuffle()
    outputs, proof = argument.shuffle(context, joint, deck, secrets.token_bytes)
    cards = argument.verify(context, joint, deck, outputs, proof)
    batch = cards[:63]
    shares = make_shares(context, keys[0].secret, batch, secrets.token_bytes)
    return {
        "mu_us": round(mu * 1000, 1),
        "cards": len(deck),
        "shuffle_and_prove_mu": round(
            timed(lambda: argument.shuffle(context, joint, deck, secrets.token_bytes)) / mu
        ),
        "verify_shuffle_mu": round(
            timed(lambda: argument.verify(context, joint, deck, outputs, proof)) / mu
        ),
        "verify_63_shares_mu": round(
            timed(lambda: verify_shares(context, keys[0].public, batch, shares)) / mu
        ),
    }


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


async def bare_exchange(url: BrokerURL, size: int, seats: int = 4, steps: int = 150) -> float:
    """Return the median ms of two rounds all to all over four connections; nothing else is done."""
    from unop2p.edge.mqtt import MQTTTransport

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
    times = []
    wanted = 0
    for _ in range(steps):
        began = time.perf_counter()
        for _round in range(2):
            wanted += seats
            for link in links:
                link.publish(secrets.token_bytes(size))
            while min(heard) < wanted:
                changed.clear()
                await changed.wait()
        times.append((time.perf_counter() - began) * 1000)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return statistics.median(times)


async def match_figures(engine: str, shared: bool, rounds: int) -> dict[str, object]:
    """Play some rounds among four bots, and watch how late the event loop is."""
    from unop2p.cli.match import MatchPlan, run_match
    from unop2p.edge.broker import embedded_broker

    broker = embedded_broker(engine)
    await broker.start()
    late: list[float] = []

    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append((time.perf_counter() - began - 0.001) * 1000)

    watcher = asyncio.create_task(watch())
    try:
        before = await bare_exchange(broker.url, 552)
        late.clear()
        result = await run_match(
            MatchPlan(
                bots=4,
                options=preset("official"),
                level="greedy",
                record=None,
                broker=broker.url,
                engine=engine,
                shared_checks=shared,
                rounds=rounds,
            )
        )
        figures = sorted(late)
        after = await bare_exchange(broker.url, 552)
    finally:
        watcher.cancel()
        await broker.stop()
    bare = (before + after) / 2
    step_ms: Any = result["step_ms"]
    return {
        "engine": broker.engine.value,
        "shared_checks": shared,
        "rounds": rounds,
        "deal_ms": result["deal_ms"],
        "step_ms": result["step_ms"],
        "bare_exchange_ms": round(bare, 2),
        "step_over_bare": round(float(step_ms["median"]) / bare, 2),
        "loop_late_ms": {
            "p50": round(figures[len(figures) // 2], 2),
            "p99": round(figures[int(len(figures) * 0.99)], 2),
            "max": round(figures[-1], 1),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engine", default="auto")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["UNOP2P_HOME"] = home
        figures: tuple[tuple[str, Callable[[], dict[str, object]]], ...] = (
            ("help", help_ratio),
            ("crypto", crypto),
            (
                "match, every peer checks for itself",
                lambda: asyncio.run(match_figures(arguments.engine, False, arguments.rounds)),
            ),
            (
                "match, checks shared",
                lambda: asyncio.run(match_figures(arguments.engine, True, arguments.rounds)),
            ),
        )
        for name, figure in figures:
            print(f"{name}: {json.dumps(figure())}", flush=True)


if __name__ == "__main__":
    main()
