"""Rare turns of the game over a real broker: seats with connections, disks and proofs of their own."""

import asyncio
import os
import random
import secrets
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.edge.support import REQUIRE_VARIABLE, mosquitto_or_skip
from tests.sim.cases import CASES, ONE_ROUND, Case
from tests.sim.rigged import arranged
from unop2p.bots.base import Randomness
from unop2p.cli.common import make_offer
from unop2p.edge.broker import embedded_broker
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.driver import SharedChecks
from unop2p.edge.seat import SeatRunner, SeatSetup
from unop2p.peer.events import Stop
from unop2p.peer.lobby import Role
from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView
from unop2p.sim.ring import Player
from unop2p.table.notices import Notice
from unop2p.wire.audit import Finding, audit
from unop2p.wire.ticket import TableSecrets

pytestmark = [pytest.mark.slow, pytest.mark.broker]

SEATS = 2


class Scripted:
    """A bot that plays what the case says."""

    name = "scripted"

    def __init__(self, player: Player) -> None:
        self.player = player
        self.rng = random.Random(1)

    def choose(self, view: PlayerView, legal: tuple[Move, ...], _rng: Randomness) -> Move | None:
        return self.player(view.seat, view, legal, self.rng)


@asynccontextmanager
async def a_broker() -> AsyncIterator[BrokerURL]:
    """Run Mosquitto, or what there is in its place where its lack is no failure."""
    if os.environ.get(REQUIRE_VARIABLE) == "1":
        mosquitto_or_skip()
    broker = embedded_broker("auto")
    await broker.start()
    try:
        yield broker.url
    finally:
        await broker.stop()


def seats_of(
    case: Case, url: BrokerURL, folder: Path, executor: ThreadPoolExecutor
) -> list[SeatRunner]:
    bot = Scripted(case.player())
    shared = SharedChecks()
    secret = secrets.token_bytes(16)
    table = TableSecrets(sealing_key=secret * 2, topic=f"unop2p/v1/{secret.hex()}")
    return [
        SeatRunner(
            SeatSetup(
                key=Ed25519PrivateKey.generate(),
                name=f"p{index}",
                role=Role.JOINER if index else Role.OPENER,
                url=url,
                table=table,
                executor=executor,
                bot=bot,
                terms=None if index else make_offer(ONE_ROUND, SEATS),
                journal_path=folder / f"journal-{index}",
                record_path=folder / f"record-{index}.jsonl",
                shared=shared,
            )
        )
        for index in range(SEATS)
    ]


async def play(runners: list[SeatRunner]) -> list[Stop]:
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        tasks = [group.create_task(runner.run()) for runner in runners]
    return [task.result() for task in tasks]


def heard(runner: SeatRunner) -> list[Notice]:
    queue = runner.driver.notices
    return [queue.get_nowait() for _ in range(queue.qsize())]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_forced_turn_over_a_broker_is_audited_by_every_record(case: Case, tmp_path: Path) -> None:
    async def scenario() -> list[SeatRunner]:
        async with a_broker() as url:
            with ThreadPoolExecutor(max_workers=2) as executor:
                runners = seats_of(case, url, tmp_path, executor)
                stops = await play(runners)
        assert [stop.exit_code for stop in stops] == [0] * SEATS, stops
        return runners

    with arranged(case.deck, *case.more):
        runners = asyncio.run(scenario())
    for runner in runners:
        case.check(heard(runner))
    reports = []
    for index in range(SEATS):
        with (tmp_path / f"record-{index}.jsonl").open("rb") as lines:
            reports.append(audit(lines))
    assert [report.finding for report in reports] == [Finding.COMPLETE] * SEATS, reports
    assert len({report.head for report in reports}) == 1
    assert replace(reports[0], line=0) == replace(reports[1], line=0)
