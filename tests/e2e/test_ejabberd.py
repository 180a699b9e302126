"""An ejabberd cluster, started by the commands of `broker-config`, carries tables across its nodes."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.spread import play_spread
from tests.edge.network import Shell, blocks, needs, own_network, shell
from unop2p.edge.broker_check import Verdict, check_broker, probe
from unop2p.edge.broker_url import MQTTVersion, parse_broker_url
from unop2p.edge.errors import BrokerAuthError

pytestmark = [pytest.mark.slow, pytest.mark.broker, pytest.mark.timeout(600)]
PORTS = (1883, 1884, 1885)
NODES = [f"mqtt://ann:sesame@127.0.0.1:{port}" for port in PORTS]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Shell]:
    needs("ejabberdctl", "ejabberd")
    with own_network(*PORTS), shell() as opened:
        start, player, stop = blocks("An ejabberd cluster")
        try:
            opened.run(start, seconds=300)
            opened.run(player)
            yield opened
        finally:
            opened.run(stop)


def test_a_node_is_found_fit_for_both_versions_and_nothing_too_wide(cluster: Shell) -> None:
    assert all(f"mqtt://127.0.0.1:{port}" in cluster.said() for port in PORTS)
    url = parse_broker_url(NODES[2], version=MQTTVersion.V5)
    found = {one.name: one for one in asyncio.run(check_broker(url, lambda _found: None))}
    assert [one for one in found.values() if one.verdict in (Verdict.BAD, Verdict.WIDE)] == []
    values = {name: found[name].value for name in ("strangers", "other-topics", "sys")}
    assert values == dict.fromkeys(values, False)
    assert found["other-version"].value is True


@pytest.mark.parametrize("user", ["", "ann:wrong@", "ben:sesame@", "admin:@"])
def test_nobody_comes_in_without_a_password_of_his_own(cluster: Shell, user: str) -> None:
    async def attempt() -> None:
        async with probe(parse_broker_url(f"mqtt://{user}127.0.0.1:1884")):
            pass

    assert cluster.said()
    with pytest.raises(BrokerAuthError):
        asyncio.run(attempt())


def test_a_table_across_the_nodes_is_played_by_mqtt_5(cluster: Shell, tmp_path: Path) -> None:
    cluster.run("ejabberd/cluster status")
    assert cluster.said().count("running, with 3 in all") == 3
    one, two, three = NODES
    play_spread(tmp_path, [(one,), (two,), (three,), (two,)], "--mqtt5")
