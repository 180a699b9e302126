"""Gossip over real brokers: nothing is lost while they come and go, and refusals have reasons."""

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from amqtt.broker import Broker  # type: ignore[import-untyped]

from tests.edge.support import (
    TOPIC,
    certificate,
    free_port,
    mosquitto,
    mosquitto_or_skip,
    password_file,
    until,
)
from unop2p.edge import link
from unop2p.edge.broker_url import BrokerURL, MQTTVersion, parse_broker_url
from unop2p.edge.errors import (
    BrokerAuthError,
    BrokerCertificateExpiredError,
    BrokerCertificateUnknownError,
    BrokerError,
    BrokerRefusedError,
    BrokerSilentError,
    BrokerTimeoutError,
    BrokerTLSError,
    BrokerWrongHostError,
    MessageTooLargeError,
)
from unop2p.edge.mqtt import (
    MESSAGE_BYTES_MAX,
    OUTBOX_COUNT_MAX,
    WINDOW_COUNT_MAX,
    LinkState,
    LinkStatus,
    MQTTTransport,
)

pytestmark = pytest.mark.broker
OPEN = "allow_anonymous true\nset_tcp_nodelay true\nmax_queued_messages 20000"


class Listener:
    """A transport and all that it was told."""

    def __init__(self, url: BrokerURL, topic: str = TOPIC) -> None:
        """Make the transport; it does not run yet."""
        self.heard: list[bytes] = []
        self.states: list[LinkState] = []
        self.transport = MQTTTransport(
            url, topic, on_message=self.heard.append, on_state=self.states.append
        )

    @property
    def up(self) -> bool:
        """Whether the link is up."""
        return self.transport.state.status is LinkStatus.UP


def plain(port: int, **more: str) -> BrokerURL:
    """Return an address on the loopback."""
    return BrokerURL(
        scheme="mqtt",
        host="127.0.0.1",
        port=port,
        user=more.get("user"),
        password=more.get("password"),
    )


@contextlib.asynccontextmanager
async def running(*listeners: Listener) -> AsyncIterator[None]:
    """Run transports, wait until all are up, and cancel them at the end."""
    tasks = [asyncio.create_task(listener.transport.run()) for listener in listeners]
    try:
        await until(lambda: all(listener.up for listener in listeners), "all are up")
        yield
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in results), results


async def refusal(url: BrokerURL, timeout_s: float = 5.0) -> BrokerError:
    """Return why a broker does not let us play."""
    with pytest.raises(BrokerError) as caught:
        await Listener(url).transport.first_connect(timeout_s)
    return caught.value


@pytest.mark.parametrize("version", list(MQTTVersion))
def test_ten_in_one_process_hear_everybody_once(tmp_path: Path, version: MQTTVersion) -> None:
    async def scenario() -> None:
        url = BrokerURL(scheme="mqtt", host="127.0.0.1", port=port, version=version)
        listeners = [Listener(url) for _ in range(10)]
        sent = [f"{who} says {what}".encode() for who in range(10) for what in range(20)]
        async with running(*listeners):
            for index, data in enumerate(sent):
                listeners[index // 20].transport.publish(data)
            await until(lambda: all(len(each.heard) == 200 for each in listeners), "all is heard")
            await until(
                lambda: all(each.transport.unechoed_count == 0 for each in listeners), "all echoed"
            )
            await asyncio.sleep(0.1)
        for listener in listeners:
            assert sorted(listener.heard) == sorted(sent)
            statistics = listener.transport.statistics
            assert statistics.connected_count == 1
            assert statistics.resent_count == 0
            assert statistics.round_trip_ms is not None
            assert 0 < statistics.round_trip_ms < 2000

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())


def test_tables_do_not_hear_each_other(tmp_path: Path) -> None:
    async def scenario() -> None:
        here, there = Listener(plain(port)), Listener(plain(port), TOPIC + "/other")
        async with running(here, there):
            here.transport.publish(b"here")
            there.transport.publish(b"there")
            await until(lambda: bool(here.heard and there.heard), "both hear")
        assert (here.heard, there.heard) == ([b"here"], [b"there"])

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())


def test_the_same_bytes_twice_are_one_message(tmp_path: Path) -> None:
    async def scenario() -> None:
        one, two = Listener(plain(port)), Listener(plain(port))
        async with running(one, two):
            one.transport.publish(b"same")
            one.transport.publish(b"same")
            two.transport.publish(b"same")
            two.transport.publish(b"last")
            await until(lambda: b"last" in one.heard and b"last" in two.heard, "the last is heard")
            await until(lambda: two.transport.unechoed_count == 0, "all echoed")
        assert sorted(one.heard) == sorted(two.heard) == [b"last", b"same"]

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())


def test_junk_is_counted_and_takes_no_place_of_what_is_known(tmp_path: Path) -> None:
    async def scenario() -> None:
        heard: list[bytes] = []

        def hear(data: bytes) -> bool:
            heard.append(data)
            return data != b"junk"

        one = Listener(plain(port))
        two = MQTTTransport(plain(port), TOPIC, on_message=hear, on_state=lambda _state: None)
        task = asyncio.create_task(two.run())
        async with running(one):
            await until(lambda: two.statistics.connected_count == 1, "it is up")
            for data in (b"junk", b"word"):
                one.transport.publish(data)
            await until(lambda: b"word" in heard, "both are heard")
        task.cancel()
        assert two.statistics.junk_count == 1
        assert len(two._seen) == 1

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())


@pytest.mark.slow
def test_nothing_is_lost_when_the_broker_is_killed_and_comes_back_empty(tmp_path: Path) -> None:
    async def scenario() -> None:
        listeners = [Listener(plain(port)) for _ in range(3)]
        with contextlib.ExitStack() as stack:
            first = stack.enter_context(mosquitto(tmp_path, OPEN, port))
            async with running(*listeners):
                for index in range(100):
                    listeners[0].transport.publish(b"before %d" % index)
                await until(lambda: len(listeners[0].heard) > 10, "some came through")
                first.send_signal(signal.SIGKILL)
                await until(lambda: not any(each.up for each in listeners), "all noticed")
                for index in range(50):
                    listeners[0].transport.publish(b"meanwhile %d" % index)
                assert all(each.transport.state.reason for each in listeners)
                stack.enter_context(mosquitto(tmp_path, OPEN, port))
                await until(lambda: all(each.up for each in listeners), "all are back", 15)
                await until(lambda: listeners[0].transport.unechoed_count == 0, "all echoed", 15)
                assert len(listeners[0].heard) == len(set(listeners[0].heard)) == 150
                # The others may have come back later than the messages: anti-entropy's task. From
                # now on they hear everything again.
                listeners[1].transport.publish(b"after")
                await until(lambda: all(b"after" in each.heard for each in listeners), "heard")
            assert all(each.transport.statistics.connected_count == 2 for each in listeners)

    port = free_port()
    mosquitto_or_skip()
    asyncio.run(scenario())


@pytest.mark.slow
def test_a_broker_that_hangs_is_noticed_and_nothing_is_lost(tmp_path: Path) -> None:
    async def scenario() -> None:
        listener = Listener(plain(port))
        async with running(listener):
            process.send_signal(signal.SIGSTOP)
            listener.transport.publish(b"into the void")
            await until(lambda: not listener.up, "the silence is noticed", 8)
            process.send_signal(signal.SIGCONT)
            await until(lambda: listener.heard == [b"into the void"], "it came back", 15)

    port = free_port()
    with mosquitto(tmp_path, OPEN, port) as process:
        asyncio.run(scenario())


def test_what_is_published_before_the_link_is_there_is_sent_later(tmp_path: Path) -> None:
    async def scenario() -> None:
        listener = Listener(plain(port))
        for index in range(30):
            listener.transport.publish(b"early %d" % index)
        async with running(listener):
            await until(lambda: listener.transport.unechoed_count == 0, "all echoed")
        assert listener.heard == [b"early %d" % index for index in range(30)]

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())


def test_a_link_that_cannot_be_made_is_tried_again_for_ever() -> None:
    async def scenario() -> None:
        listener = Listener(plain(free_port()))
        task = asyncio.create_task(listener.transport.run())
        await until(
            lambda: sum(state.status is LinkStatus.DOWN for state in listener.states) >= 3,
            "it is tried three times",
        )
        downs = [state for state in listener.states if state.status is LinkStatus.DOWN]
        assert all(state.retry_ms > 0 for state in downs)
        assert "Nobody answers" in downs[0].reason
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


def test_what_on_message_raises_ends_the_run_and_is_not_taken_for_a_broken_link(
    tmp_path: Path,
) -> None:
    class OurBugError(Exception):
        pass

    def broken(_data: bytes) -> None:
        raise OurBugError

    async def scenario() -> None:
        transport = MQTTTransport(
            plain(port), TOPIC, on_message=broken, on_state=lambda _state: None
        )
        transport.publish(b"x")
        with pytest.raises(OurBugError):
            await asyncio.wait_for(transport.run(), 5)

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())


def test_a_message_that_is_too_large_is_refused_before_it_is_sent() -> None:
    async def scenario() -> None:
        transport = Listener(plain(1)).transport
        with pytest.raises(MessageTooLargeError, match=str(MESSAGE_BYTES_MAX + 1)):
            transport.publish(bytes(MESSAGE_BYTES_MAX + 1))
        assert transport.unechoed_count == 0
        transport.publish(bytes(MESSAGE_BYTES_MAX))
        assert transport.unechoed_count == 1

    asyncio.run(scenario())


def test_a_full_outbox_drops_the_oldest() -> None:
    async def scenario() -> None:
        transport = Listener(plain(1)).transport
        for index in range(OUTBOX_COUNT_MAX + 5):
            transport.publish(b"%d" % index)
        assert transport.unechoed_count == OUTBOX_COUNT_MAX
        assert transport.statistics.dropped_count == 5
        for index in range(70):
            transport.publish(bytes([index]) * MESSAGE_BYTES_MAX)
        assert transport.unechoed_count <= 64

    asyncio.run(scenario())


@pytest.mark.slow
def test_no_more_than_the_window_is_on_its_way(tmp_path: Path) -> None:
    async def scenario() -> None:
        listener = Listener(plain(port))
        async with running(listener):
            process.send_signal(signal.SIGSTOP)
            for index in range(50):
                listener.transport.publish(b"%d" % index)
            before = listener.transport.statistics.sent_count
            await asyncio.sleep(0.5)
            assert listener.transport.statistics.sent_count - before <= WINDOW_COUNT_MAX
            process.send_signal(signal.SIGCONT)
            await until(lambda: len(listener.heard) == 50, "all came through")

    port = free_port()
    with mosquitto(tmp_path, OPEN, port) as process:
        asyncio.run(scenario())


def test_a_closed_port_is_refused_at_once() -> None:
    error = asyncio.run(refusal(plain(free_port())))
    assert type(error) is BrokerRefusedError
    assert error.exit_code == 10


def test_a_host_that_is_not_there_is_refused() -> None:
    url = BrokerURL(scheme="mqtt", host="no-such-host.invalid", port=1883)
    assert type(asyncio.run(refusal(url))) is BrokerRefusedError


def test_somebody_who_does_not_answer_is_a_timeout_with_a_checklist() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        error = asyncio.run(refusal(plain(server.getsockname()[1]), 0.5))
    assert type(error) is BrokerTimeoutError
    assert error.exit_code == 13
    assert "firewall" in error.sentence()


@pytest.mark.parametrize(
    ("user", "password"), [("ann", "wrong"), ("nobody", "sesame"), (None, None)]
)
def test_a_wrong_user_or_password_is_told_at_once(
    tmp_path: Path, user: str | None, password: str | None
) -> None:
    port = free_port()
    mosquitto_or_skip()
    file = password_file(tmp_path, "ann", "sesame")
    url = BrokerURL(scheme="mqtt", host="127.0.0.1", port=port, user=user, password=password)
    with mosquitto(tmp_path, f"allow_anonymous false\npassword_file {file}", port):
        error = asyncio.run(refusal(url))
        assert type(error) is BrokerAuthError
        assert error.exit_code == 11
        assert password is None or password not in error.sentence()
        asyncio.run(
            Listener(plain(port, user="ann", password="sesame")).transport.first_connect(5)  # noqa: S106
        )


@pytest.mark.parametrize(
    ("host", "days", "trusted", "expected"),
    [
        ("127.0.0.1", 30, True, None),
        ("127.0.0.1", -1, True, BrokerCertificateExpiredError),
        ("127.0.0.1", 30, False, BrokerCertificateUnknownError),
        ("elsewhere.example", 30, True, BrokerWrongHostError),
    ],
    ids=["good", "expired", "unknown", "wrong host"],
)
def test_what_is_wrong_with_a_certificate_is_told(
    tmp_path: Path, host: str, days: int, trusted: bool, expected: type[BrokerError] | None
) -> None:
    port = free_port()
    mosquitto_or_skip()
    certificate_file, key_file = certificate(tmp_path, host=host, days=days)
    url = BrokerURL(
        scheme="mqtts", host="127.0.0.1", port=port, ca_file=certificate_file if trusted else None
    )
    config = f"allow_anonymous true\ncertfile {certificate_file}\nkeyfile {key_file}"
    with mosquitto(tmp_path, config, port):
        if expected is None:
            asyncio.run(Listener(url).transport.first_connect(5))
        else:
            error = asyncio.run(refusal(url))
            assert type(error) is expected
            assert error.exit_code == 12


def test_tls_to_a_port_without_it_is_told(tmp_path: Path) -> None:
    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        url = BrokerURL(scheme="mqtts", host="127.0.0.1", port=port)
        error = asyncio.run(refusal(url, 8))
    assert isinstance(error, BrokerTLSError | BrokerTimeoutError | BrokerRefusedError)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["topic read unop2p/v1/#", "topic write unop2p/v1/#"])
def test_an_access_list_that_swallows_our_messages_is_noticed(tmp_path: Path, rule: str) -> None:
    acl = tmp_path / "acl"
    acl.write_text(f"{rule}\n")
    port = free_port()
    with mosquitto(tmp_path, f"allow_anonymous true\nacl_file {acl}", port):
        error = asyncio.run(refusal(plain(port), 10))
    assert type(error) is BrokerSilentError
    assert error.exit_code == 13
    assert "access list" in error.sentence()


def test_a_websocket_carries_messages_too() -> None:
    async def scenario() -> None:
        anonymous = "amqtt.plugins.authentication.AnonymousAuthPlugin"
        broker = Broker(
            {
                "listeners": {"default": {"type": "ws", "bind": f"127.0.0.1:{port}"}},
                "plugins": {anonymous: {"allow_anonymous": True}},
            }
        )
        await broker.start()
        listener = Listener(BrokerURL(scheme="ws", host="127.0.0.1", port=port, path="/mqtt"))
        await listener.transport.first_connect(5)
        async with running(listener):
            listener.transport.publish(b"over the web")
            await until(lambda: listener.heard == [b"over the web"], "heard")
        await broker.shutdown()

    port = free_port()
    asyncio.run(scenario())


def test_nobody_is_told_the_topic_or_the_password_by_repr() -> None:
    async def scenario() -> str:
        return repr(Listener(plain(1883, user="ann", password="sesame")).transport)  # noqa: S106

    shown = asyncio.run(scenario())
    assert TOPIC not in shown
    assert "sesame" not in shown


def test_a_clock_that_jumps_makes_the_link_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        listener = Listener(plain(port))
        async with running(listener):
            await asyncio.sleep(0.05)
            real = time.time
            monkeypatch.setattr(time, "time", lambda: real() + 3600)
            await until(lambda: not listener.up, "the jump is noticed")
            await until(lambda: listener.up, "it is up again")
        assert listener.transport.statistics.connected_count == 2

    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())


def test_no_descriptor_is_left_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        for _ in range(3):
            async with running(Listener(plain(port))):
                pass

    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("only /proc tells how many descriptors are open, and this system has none")
    port = free_port()
    with mosquitto(tmp_path, OPEN, port):
        asyncio.run(scenario())
        before = len(os.listdir(folder))
        asyncio.run(scenario())
        assert len(os.listdir(folder)) <= before


def test_a_socket_that_is_closed_before_it_is_waited_for_is_not_waited_for(tmp_path: Path) -> None:
    """As where a link is given up with a message on its way."""
    port = free_port()
    told: list[dict[str, object]] = []

    async def scenario() -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: told.append(context))
        async with link.connect(
            BrokerURL(scheme="mqtt", host="127.0.0.1", port=port), print
        ) as client:
            private: Any = client
            sock = private._client.socket()
            private._client.on_socket_register_write(private._client, None, sock)
            link.drop(client)
            await asyncio.sleep(0.05)
            return int(sock.fileno())

    with mosquitto(tmp_path, OPEN, port):
        assert asyncio.run(scenario()) == -1
    assert told == []


async def test_a_connection_that_breaks_as_it_is_given_up_tells_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, what: told.append(what))
    made: list[Any] = []
    enter = aiomqtt.Client.__aenter__

    async def entered(client: Any) -> Any:
        made.append(client)
        return await enter(client)

    monkeypatch.setattr(aiomqtt.Client, "__aenter__", entered)
    closing: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: closing.append(writer), "127.0.0.1", 0)
    url = parse_broker_url(f"mqtt://127.0.0.1:{server.sockets[0].getsockname()[1]}")

    async def connecting() -> None:
        async with link.connect(url, lambda _message: None):
            pass

    task = asyncio.create_task(connecting())
    await until(lambda: bool(closing), "a connection", 10)
    made[0]._connected.cancel()  # as the library does when the time for an answer is out
    closing[0].close()
    with contextlib.suppress(asyncio.CancelledError, BrokerError):
        await task
    await asyncio.sleep(0.05)
    server.close()
    assert told == []
