"""What brokers and networks do to a link, each with the test that holds (docs/explanation/transport.md)."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from tests.e2e.support import audit, run
from tests.edge.proxy import CONNECT, PUBLISH, SUBSCRIBE, Proxy, connect_fields, proxy
from tests.edge.support import TOPIC, certificate, free_port, mosquitto, password_file, until
from tests.edge.test_mqtt import OPEN, Listener, plain, running
from unop2p.edge import link, mqtt
from unop2p.edge.broker_url import BrokerURL, parse_broker_url
from unop2p.edge.link_state import LinkStatus
from unop2p.edge.mqtt import BACKOFF_S_MAX

pytestmark = pytest.mark.broker
CLEAN_SESSION = 2
"""The one flag that a CONNECT without user, password and will has."""


def through(tmp_path: Path, scenario: Callable[[Proxy], Coroutine[Any, Any, None]]) -> None:
    """Run a scenario with a proxy before a real broker."""

    async def whole() -> None:
        async with proxy(port) as between:
            await scenario(between)

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(whole())


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an idle link be looked at often, and a missing echo be missed soon."""
    monkeypatch.setattr(mqtt, "IDLE_PROBE_S", 0.4)
    monkeypatch.setattr(mqtt, "RESEND_S", 0.3)


def test_every_connection_has_a_client_id_of_its_own_and_leaves_nothing_with_the_broker(
    tmp_path: Path,
) -> None:
    async def scenario(between: Proxy) -> None:
        one, other = Listener(plain(between.port)), Listener(plain(between.port))
        async with running(one, other):
            for _ in range(2):
                between.cut()
                await until(lambda: not (one.up and other.up), "the cut is noticed")
                await until(lambda: one.up and other.up, "they are up again")
            one.transport.publish(b"after it all")
            await until(lambda: other.heard == [b"after it all"], "it is heard")
        ids = between.client_ids()
        assert len(ids) >= 6
        assert len(set(ids)) == len(ids)
        for packets in between.connections:
            assert packets[0][0] == CONNECT
            assert connect_fields(packets[0][2])[0] == CLEAN_SESSION  # no session, no will
            assert [kind for kind, _, _ in packets].count(SUBSCRIBE) == 1
            assert not any(flags & 1 for kind, flags, _ in packets if kind == PUBLISH)  # retain

    through(tmp_path, scenario)


def test_who_is_thrown_out_by_somebody_with_the_same_id_comes_back_with_another(
    tmp_path: Path,
) -> None:
    async def scenario(between: Proxy) -> None:
        listener = Listener(plain(between.port))
        async with running(listener):
            (stolen,) = between.client_ids()
            async with aiomqtt.Client("127.0.0.1", between.broker_port, identifier=stolen):
                await until(lambda: len(between.client_ids()) == 2, "it comes again")
                await until(lambda: listener.up, "it is up")
                listener.transport.publish(b"still here")
                await until(lambda: listener.heard == [b"still here"], "it is heard")
        assert between.client_ids()[1] != stolen

    through(tmp_path, scenario)


@pytest.mark.slow
@pytest.mark.parametrize("knob", ["swallowing", "deaf"])
def test_a_link_that_is_up_by_name_only_is_noticed_though_nobody_says_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knob: str
) -> None:
    """A NAT that forgot us; a broker that answers pings and delivers nothing."""
    quick(monkeypatch)

    async def scenario(between: Proxy) -> None:
        silent = Listener(plain(between.port))
        async with running(silent):
            setattr(between, knob, True)
            await until(lambda: not silent.up, "it is noticed")
            assert any("do not come back" in state.reason for state in silent.states)
            setattr(between, knob, False)
            between.cut()
            await until(lambda: silent.up, "it is up again")

    through(tmp_path, scenario)


@pytest.mark.slow
def test_what_cuts_idle_connections_never_finds_one_of_ours_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "IDLE_PROBE_S", 0.3)

    async def scenario(between: Proxy) -> None:
        between.idle_s = 1.0
        silent = Listener(plain(between.port))
        async with running(silent):
            await asyncio.sleep(3)
        assert silent.transport.statistics.connected_count == 1
        assert between.cut_count <= 1  # after we had gone

    through(tmp_path, scenario)


def test_a_link_says_something_more_often_than_networks_forget() -> None:
    # A proxy before a websocket may cut after a minute (nginx, proxy_read_timeout); half of that is safe.
    assert min(mqtt.IDLE_PROBE_S, link.KEEPALIVE_S) < 30


def test_the_pause_between_tries_grows_to_a_bound_and_is_not_the_same_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> list[list[float]]:
        pauses: list[list[float]] = []
        real = asyncio.sleep
        for _ in range(2):
            listener = Listener(plain(free_port()))
            taken: list[float] = []
            pauses.append(taken)

            async def sleep(seconds: float, taken: list[float] = taken) -> None:
                taken.append(seconds)
                await real(0)
                if len(taken) == 9:
                    await real(60)

            monkeypatch.setattr(asyncio, "sleep", sleep)
            task = asyncio.create_task(listener.transport.run())
            while len(taken) < 9:
                await real(0.01)
            monkeypatch.setattr(asyncio, "sleep", real)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return pauses

    one, other = asyncio.run(scenario())
    assert one[0] < 1
    assert BACKOFF_S_MAX / 2 <= one[-1] <= BACKOFF_S_MAX * 1.5
    assert all(pause <= BACKOFF_S_MAX * 1.5 for pause in one)
    assert one != other


@pytest.mark.parametrize("take", [None, print])
def test_small_messages_do_not_wait_for_others(
    take: Callable[[bytes], None] | None, tmp_path: Path
) -> None:
    """Nagle's algorithm and late acknowledgments hold them back by 40 ms."""

    async def scenario(between: Proxy) -> None:
        async with link.connect(plain(between.port), print, take=take) as client:
            private: Any = client
            sock = private._client.socket()
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    through(tmp_path, scenario)


def test_a_password_that_changes_is_read_anew_from_its_file(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("first\n")
    port = free_port()
    url = parse_broker_url(f"mqtt://ann@127.0.0.1:{port}", password_file=own)

    async def scenario() -> None:
        listener = Listener(url)
        with contextual("first"):
            task = asyncio.create_task(listener.transport.run())
            await until(lambda: listener.up, "it is up")
        with contextual("second"):
            await until(
                lambda: "does not accept this user" in listener.transport.state.reason, "it is told"
            )
            own.write_text("second\n")
            await until(lambda: listener.up, "it is up with the new one", 20)
            own.unlink()  # what is known goes on
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    def contextual(password: str) -> Any:
        file = password_file(tmp_path, "ann", password)
        return mosquitto(tmp_path, f"allow_anonymous false\npassword_file {file}", port)

    asyncio.run(scenario())
    assert replace(url, password_file=None).password_now() == "first"
    assert "first" not in repr(url)


def test_a_certificate_that_expires_while_a_table_waits_is_told_and_a_new_one_taken(
    tmp_path: Path,
) -> None:
    port = free_port()
    ca, key = certificate(tmp_path)
    url = BrokerURL(scheme="mqtts", host="127.0.0.1", port=port, ca_file=ca)
    config = f"allow_anonymous true\ncertfile {ca}\nkeyfile {key}"

    async def scenario() -> None:
        listener = Listener(url)
        with mosquitto(tmp_path, config, port):
            task = asyncio.create_task(listener.transport.run())
            await until(lambda: listener.up, "it is up")
        certificate(tmp_path, days=-1)
        with mosquitto(tmp_path, config, port):
            await until(lambda: "has expired" in listener.transport.state.reason, "it is told")
        certificate(tmp_path)
        with mosquitto(tmp_path, config, port):
            await until(lambda: listener.up, "it is up with the new one", 30)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


def test_a_broker_may_have_an_address_of_ipv6(tmp_path: Path) -> None:
    port = free_port()
    url = parse_broker_url(f"mqtt://[::1]:{port}")
    assert parse_broker_url(url.public_text()) == url

    async def scenario() -> None:
        listener = Listener(url)
        await listener.transport.first_connect()
        async with running(listener):
            listener.transport.publish(b"six")
            await until(lambda: listener.heard == [b"six"], "it is heard")

    with mosquitto(tmp_path, OPEN, port, host="::1"):
        asyncio.run(scenario())


@pytest.mark.slow
def test_a_match_goes_on_where_the_broker_drops_what_it_has_said_yes_to(tmp_path: Path) -> None:
    """Every fiftieth message on its way to a seat is lost, and nobody is told."""

    async def scenario(between: Proxy) -> None:
        between.drop_every = 50
        words = ("match", "--bots", "2", "--to", "1", "--record", str(tmp_path / "kept"))
        done = await asyncio.to_thread(
            run, tmp_path / "home", *words, "--broker", f"mqtt://127.0.0.1:{between.port}"
        )
        assert done.returncode == 0, done.stderr
        assert between.dropped_count >= 3
        # One that looks first, and two that play: no link was given up for it.
        assert len(between.connections) == 3

    through(tmp_path, scenario)
    audits = [audit(tmp_path / "home", record) for record in (tmp_path / "kept").iterdir()]
    assert [found["code"] for found in audits] == [0, 0]
    assert audits[0]["head"] == audits[1]["head"]


def test_a_broker_that_keeps_a_message_of_the_table_says_nothing_new_with_it(
    tmp_path: Path,
) -> None:
    """The same bytes are one message, whatever flag the broker puts on them."""

    async def scenario(between: Proxy) -> None:
        listener = Listener(plain(between.port))
        async with running(listener):
            listener.transport.publish(b"said once")
            await until(lambda: listener.heard == [b"said once"], "it is heard")
            async with aiomqtt.Client("127.0.0.1", between.broker_port) as keeper:
                await keeper.publish(TOPIC, b"said once", qos=1, retain=True)
            between.cut()
            await until(lambda: not listener.up, "the cut is noticed")
            await until(lambda: listener.up, "it is up again")
            await until(lambda: listener.transport.statistics.repeated_count >= 1, "it comes again")
        assert listener.heard == [b"said once"]
        assert listener.states[-1].status is LinkStatus.DOWN

    through(tmp_path, scenario)
