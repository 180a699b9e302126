"""A RabbitMQ cluster, started by the commands of `broker-config`, carries tables across its nodes."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.spread import play_spread
from tests.edge.network import Shell, blocks, needs, own_network, shell
from unop2p.edge.broker_check import Verdict, check_broker, probe
from unop2p.edge.broker_url import parse_broker_url
from unop2p.edge.errors import BrokerAuthError, BrokerError, BrokerRefusedError

pytestmark = [pytest.mark.slow, pytest.mark.broker, pytest.mark.timeout(600)]
PORTS = (1883, 1884, 1885)
NODES = [f"mqtt://ann:sesame@127.0.0.1:{port}" for port in PORTS]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Shell]:
    needs("rabbitmq-server", "rabbitmq-server")
    with own_network(*PORTS), shell() as opened:
        start, player, stop = blocks("A RabbitMQ cluster")
        try:
            opened.run(start, seconds=300)
            opened.run(player)
            yield opened
        finally:
            opened.run(stop)


def test_a_node_is_found_fit_and_nothing_too_wide(cluster: Shell) -> None:
    assert all(f"mqtt://127.0.0.1:{port}" in cluster.said() for port in PORTS)
    url = parse_broker_url(NODES[2])
    found = {one.name: one for one in asyncio.run(check_broker(url, lambda _found: None))}
    assert [one for one in found.values() if one.verdict in (Verdict.BAD, Verdict.WIDE)] == []
    values = {name: found[name].value for name in ("other-version", "strangers", "other-topics")}
    assert values == dict.fromkeys(values, False)


async def attempt(user: str, port: int) -> None:
    async with probe(parse_broker_url(f"mqtt://{user}127.0.0.1:{port}")):
        pass


@pytest.mark.parametrize("user", ["", "ann:wrong@", "guest:guest@", "nobody:guest@", "nobody:@"])
def test_nobody_comes_in_without_a_password_of_his_own(cluster: Shell, user: str) -> None:
    assert cluster.said()
    with pytest.raises(BrokerAuthError):
        asyncio.run(attempt(user, 1883))


def test_what_is_too_big_or_on_other_topics_is_not_carried(cluster: Shell) -> None:
    async def attack() -> None:
        async with probe(parse_broker_url(NODES[1])) as reader:
            await reader.subscribe("unop2p/v1/x")
            for topic, data in (("elsewhere/x", b"no"), ("unop2p/v1/x", bytes(400_001))):
                with suppress(BrokerError):
                    async with probe(parse_broker_url(NODES[0])) as writer:
                        await writer.publish(topic, data)
            async with probe(parse_broker_url(NODES[0])) as writer:
                await writer.publish("unop2p/v1/x", b"the last")
            assert (await asyncio.wait_for(reader.heard.get(), 5))[1] == b"the last"
        async with probe(parse_broker_url(NODES[1])) as reader:
            for topic in ("#", "elsewhere/#", "$SYS/#"):
                with suppress(BrokerError):
                    await reader.subscribe(topic)
            assert not await reader.hears(b"", 0.2)
            assert reader.heard.empty()

    assert cluster.said()
    asyncio.run(attack())


def test_a_table_across_the_nodes_goes_on_when_one_of_them_is_killed(
    cluster: Shell, tmp_path: Path
) -> None:
    def kill() -> None:
        file = cluster.folder.parent / ".unop2p-rabbitmq/node3/pid"
        os.kill(int(file.read_text()), signal.SIGKILL)

    # Who is at the third node has another to go to, as has the host whom it must meet there.
    one, two, three = NODES
    play_spread(tmp_path, [(one, two), (two,), (three, one), (one,)], meanwhile=kill)
    with pytest.raises(BrokerRefusedError):
        asyncio.run(attempt("ann:sesame@", 1885))
