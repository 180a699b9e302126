"""Some seats of one table in a process of their own, for `tests.bench.flood`.

`python -m tests.bench.flood_seats PORT SEED FOLDER SEAT...`: plays with keys that come out of the seed, and
answers each line on its input with one line of figures.
"""

import asyncio
import gc
import hashlib
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.bots.pace import read_pace
from unop2p.cli.common import BOT_NAMES, make_offer
from unop2p.cli.seats import seated_bot
from unop2p.edge.broker_url import parse_broker_url
from unop2p.edge.commit import Commits
from unop2p.edge.driver import SharedChecks
from unop2p.edge.mqtt import MQTTTransport
from unop2p.edge.seat import SeatRunner, SeatSetup
from unop2p.peer.events import Settled
from unop2p.peer.lobby import Role
from unop2p.rules.options import preset
from unop2p.wire.ticket import TableSecrets

SEATS = 4


def seat_key(seed: str, seat: int) -> Ed25519PrivateKey:
    """Return the identity of a seat."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"{seed} {seat}".encode()).digest())


def secrets_of(seed: str) -> TableSecrets:
    """Return what the ticket would give."""
    key = hashlib.sha256(f"{seed} table".encode())
    return TableSecrets(key.digest(), f"unop2p/v1/{key.hexdigest()[:32]}")


async def play(port: int, seed: str, folder: Path, seats: list[int]) -> None:
    """Play until the input ends."""
    executor = ThreadPoolExecutor(max_workers=2, thread_name_prefix="unop2p-crypto")
    shared = SharedChecks() if len(seats) > 1 else None
    commits = Commits()
    runners = [
        SeatRunner(
            SeatSetup(
                key=seat_key(seed, seat),
                name=BOT_NAMES[seat],
                role=Role.JOINER if seat else Role.OPENER,
                url=parse_broker_url(f"mqtt://127.0.0.1:{port}"),
                table=secrets_of(seed),
                executor=executor,
                bot=seated_bot("greedy"),
                pace=read_pace("fast"),
                terms=None
                if seat
                else make_offer(replace(preset("official"), target=5_000), SEATS),
                journal_path=folder / f"{seat}.journal",
                shared=shared,
                commits=commits,
            )
        )
        for seat in seats
    ]
    steps = 0

    def on_settled(_: Settled) -> None:
        nonlocal steps
        steps += 1

    runners[0].driver.on_settled = on_settled
    tasks = [asyncio.create_task(runner.run()) for runner in runners]
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        used = os.times()
        repairs = [runner.driver.peer.gossip.repairs for runner in runners]
        links = [
            runner.transport.statistics
            for runner in runners
            if isinstance(runner.transport, MQTTTransport)
        ]
        figures = {
            "steps": steps,
            "cpu_s": used.user + used.system,
            "received": sum(link.received_count for link in links),
            "resent": sum(link.resent_count for link in links),
            "reconnects": sum(link.reconnected_count for link in links),
            "asked": sum(one.asked for one in repairs),
            "mended": sum(one.mended for one in repairs),
        }
        print(json.dumps(figures), flush=True)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    executor.shutdown()


if __name__ == "__main__":
    gc.freeze()  # as the program does
    asyncio.run(play(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), [*map(int, sys.argv[4:])]))
