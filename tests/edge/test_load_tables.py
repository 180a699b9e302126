"""Many tables in one process: what is counted, and that nothing is lost over a broker that loses nothing."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.edge.support import free_port, mosquitto, until
from unop2p.bots.levels import make_bot
from unop2p.bots.pace import FAST
from unop2p.cli.common import make_offer
from unop2p.edge.broker_url import BrokerURL, parse_broker_url
from unop2p.edge.histogram import Histogram
from unop2p.edge.load_tables import LoadPlan, LoadTables, Post
from unop2p.rules.options import preset


def plan_of(tables: int, url: BrokerURL, *, journals: Path | None = None) -> LoadPlan:
    """Return a plan of quick tables of two at one broker."""
    return LoadPlan(
        tables=tables,
        urls=((url,),),
        offer=lambda: make_offer(preset("official"), 2, argument="commit-reveal"),
        bot=lambda: make_bot("greedy"),
        pace=FAST,
        shared=True,
        journals=journals,
    )


def test_a_message_is_lost_by_the_seats_that_it_does_not_come_to() -> None:
    post = Post(seats=3)
    post.sent(b"before")
    post.came(b"before")
    assert post.lost() == 0
    post.counting = True
    for data in (b"one", b"one", b"two"):
        post.sent(data)
    for _ in range(3):
        post.came(b"one")
    post.came(b"two")
    post.came(b"somebody else's")
    assert (post.published, post.lost()) == (2, 2)


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.parametrize("journals", [False, True])
async def test_two_tables_play_are_counted_and_leave_nothing_behind(
    tmp_path: Path, *, journals: bool
) -> None:
    port = free_port()
    folder = tmp_path / "journals" if journals else None
    with (
        mosquitto(tmp_path, "allow_anonymous true", port),
        ThreadPoolExecutor(max_workers=2) as executor,
    ):
        url = parse_broker_url(f"mqtt://127.0.0.1:{port}")
        plan = plan_of(2, url, journals=folder)
        tables = LoadTables(plan, executor)
        await tables.open(0.0)
        try:
            await until(lambda: tables.began == 2, "both begin", 60)
            tables.begin_count()
            before = time.monotonic()
            await until(lambda: all(table.steps > 10 for table in tables.tables), "steps", 60)
            took = time.monotonic() - before
            found = await tables.end_count()
        finally:
            await tables.close()
    assert found["tables"] == 2
    assert int(str(found["steps"])) > 20
    steps = Histogram(**found["step_s"])  # type: ignore[arg-type]
    assert steps.count == found["steps"]
    assert steps.sum_s <= 2 * took + 1
    assert int(str(found["published"])) >= 4 * 20 - 8  # two statements and two adopts in each step
    assert (found["lost"], found["stalled"], tables.failure()) == (0, 0, "")
    assert int(str(found["checks"])) + int(str(found["makes"])) > 0
    assert folder is None or not list(folder.rglob("*.journal"))
    assert not [task for task in asyncio.all_tasks() if task.get_name().endswith(".link")]


async def test_a_table_that_cannot_begin_says_why_and_stands_still_no_longer_than_it_is_counted() -> (
    None
):
    gone = parse_broker_url(f"mqtt://127.0.0.1:{free_port()}")
    with ThreadPoolExecutor(max_workers=1) as executor:
        plan = plan_of(1, gone)
        tables = LoadTables(plan, executor)
        await tables.open(0.0)
        try:
            await until(lambda: gone.public_text() in tables.failure(), "the reason", 20)
            tables.begin_count()
            found = await tables.end_count()
        finally:
            await tables.close()
    assert (found["tables"], found["steps"], found["stalled"]) == (0, 0, 1)
    assert float(str(found["longest_gap_s"])) < 60
