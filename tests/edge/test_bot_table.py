"""One seat of an unattended bot at one table: when it sits, when it goes, and when it waits."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.edge.support import free_port, mosquitto, until
from tests.edge.test_bot_judge import offer
from unop2p.bots.levels import make_bot
from unop2p.edge.bot_config import AcceptPart, BotConfig, CompanyPart
from unop2p.edge.bot_judge import Judge
from unop2p.edge.bot_table import BotSeat, BotTable, Outcome
from unop2p.edge.broker_url import parse_broker_url
from unop2p.edge.seat import SeatRunner, SeatSetup
from unop2p.log.digest import fingerprint
from unop2p.peer.lobby import Role
from unop2p.wire.ticket import TableSecrets

pytestmark = [pytest.mark.broker, pytest.mark.slow]
HOST, GUEST = (Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32) for seed in (1, 2))
TABLE = TableSecrets(bytes(32), "unop2p/v1/" + "cd" * 16)


class House:
    """A broker, and seats at one table for two."""

    def __init__(self, folder: Path, port: int, executor: ThreadPoolExecutor) -> None:
        self.folder, self.port, self.executor = folder, port, executor
        self.told: dict[str, list[str]] = {"host": [], "guest": []}

    def setup(self, name: str, *, person: bool = False) -> SeatSetup:
        hosting = name == "host"
        return SeatSetup(
            key=HOST if hosting else GUEST,
            name=name,
            role=Role.OPENER if hosting else Role.JOINER,
            url=parse_broker_url(f"mqtt://127.0.0.1:{self.port}"),
            table=TABLE,
            executor=self.executor,
            bot=None if person else make_bot("greedy"),
            terms=replace(offer(), seats_wanted=2) if hosting else None,
            ready=hosting,
            journal_path=self.folder / f"{name}.journal",
        )

    def bot(self, name: str, **changes: Any) -> BotTable:
        config = BotConfig(tickets=["x"], **changes)
        judge = Judge(config, lambda _name, _key: False, frozenset())
        setup = replace(self.setup(name), welcome=lambda key, join: judge.seat(key, join) is None)
        seat = BotSeat(
            setup=setup, level="greedy", resumed=False, lasting=False, secret=bytes(9), lounge=None
        )

        def log(event: str, text: str, **_facts: object) -> None:
            self.told[name].append(f"{event}: {text}")

        return BotTable(seat, config, judge, log)

    def has(self, name: str, event: str) -> bool:
        return any(line.startswith(f"{event}:") for line in self.told[name])


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    port = free_port()
    with mosquitto(folder, "allow_anonymous true", port), ThreadPoolExecutor(2) as executor:
        yield House(folder, port, executor)


async def test_a_bot_goes_with_a_word_where_the_rules_are_not_its_own(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        host = asyncio.create_task(home.bot("host").run())
        strict = home.bot("guest", accept=AcceptPart(options={"target": [200]}))
        assert await strict.run() is Outcome.LEFT
        assert (
            "refused: no seat taken: I play with target = 200, and here it is 500."
            in (home.told["guest"])
        )
        assert not home.has("host", "began")
        assert not (tmp_path / "guest.journal").exists()
        host.cancel()
        await asyncio.gather(host, return_exceptions=True)


async def test_whom_a_host_has_blocked_is_refused_and_told_so(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        blocked = fingerprint(GUEST.public_key().public_bytes_raw())
        table = home.bot("host", company=CompanyPart(blocked=[blocked]))
        host = asyncio.create_task(table.run())
        assert await home.bot("guest").run() is Outcome.OVER
        assert any("does not seat you" in line for line in home.told["guest"])
        table.stop()
        assert await host is Outcome.WAITS
        assert (tmp_path / "host.journal").exists()


async def test_a_bot_that_wants_people_does_not_begin_with_bots_alone(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        host = home.bot("host", company=CompanyPart(bots_alone=False))
        guest = home.bot("guest")
        tasks = [asyncio.create_task(one.run()) for one in (host, guest)]
        await until(lambda: len(home.told["host"]) >= 3, "two seats in the lobby", 60)
        await asyncio.sleep(1)
        assert not host.began
        for one in (host, guest):
            one.stop()
        assert await asyncio.gather(*tasks) == [Outcome.WAITS, Outcome.WAITS]


async def test_where_only_bots_are_left_it_pauses_and_goes_on_when_somebody_is_back(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as home:
        alone = CompanyPart(when_alone="pause", alone_after=5)
        guest = home.bot("guest", company=alone)
        playing = asyncio.create_task(guest.run())
        person = SeatRunner(home.setup("host", person=True))
        sitting = asyncio.create_task(person.run())
        await until(lambda: guest.began, "the match", 60)
        await asyncio.sleep(0.5)
        person.driver.leave()
        await sitting
        await until(lambda: home.has("guest", "alone"), "the pause", 60)
        person = SeatRunner(home.setup("host", person=True))
        sitting = asyncio.create_task(person.run())
        await until(lambda: home.has("guest", "back"), "that the match goes on", 60)
        guest.stop()
        assert await playing is Outcome.WAITS
        person.driver.leave()
        await sitting


async def test_where_only_bots_are_left_it_may_leave(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        guest = home.bot("guest", company=CompanyPart(when_alone="leave", alone_after=5))
        playing = asyncio.create_task(guest.run())
        person = SeatRunner(home.setup("host", person=True))
        sitting = asyncio.create_task(person.run())
        await until(lambda: guest.began, "the match", 60)
        await asyncio.sleep(0.5)
        person.driver.leave()
        await sitting
        assert await playing is Outcome.LEFT
        assert not (tmp_path / "guest.journal").exists()


async def test_a_round_that_does_not_end_in_time_is_left_as_it_stands(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        guest = home.bot("guest")
        playing = asyncio.create_task(guest.run())
        person = SeatRunner(home.setup("host", person=True))  # who never moves
        sitting = asyncio.create_task(person.run())
        await until(lambda: guest.began, "the match", 60)
        guest.stop(1.0)
        await asyncio.sleep(0.5)
        assert not playing.done(), "the round has a while to end"
        assert await playing is Outcome.WAITS
        assert guest.rounds == 0
        assert (tmp_path / "guest.journal").exists()
        person.driver.leave()
        await sitting


async def test_a_bot_that_is_to_leave_when_it_ends_is_gone_for_the_others(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        guest = home.bot("guest", when_stopped="leave")
        host = home.bot("host")
        staying = asyncio.create_task(host.run())
        playing = asyncio.create_task(guest.run())
        await until(lambda: guest.began and host.began, "the match", 60)
        guest.stop()
        assert await playing in {Outcome.LEFT, Outcome.OVER}
        assert home.has("guest", "leaves")
        assert not (tmp_path / "guest.journal").exists()
        assert await asyncio.wait_for(staying, 60) is Outcome.OVER, "nobody is left to play with"
