"""One table over two real brokers: it lives while either does."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from tests.edge.support import TOPIC, free_port, mosquitto, until
from tests.edge.test_mqtt import OPEN, plain
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.errors import BrokerRefusedError, MessageTooLargeError
from unop2p.edge.link_state import LinkState, LinkStatus
from unop2p.edge.mqtt import MESSAGE_BYTES_MAX
from unop2p.edge.several import SEEN_MAX, SeveralTransports

pytestmark = pytest.mark.broker


class Listener:
    """Transports over several brokers, and all that they told."""

    def __init__(self, *urls: BrokerURL) -> None:
        """Make them; they do not run yet."""
        self.heard: list[bytes] = []
        self.states: list[LinkState] = []
        self.transport = SeveralTransports(
            urls, TOPIC, on_message=self.heard.append, on_state=self.states.append
        )

    def up(self) -> bool:
        """Say whether a link is up."""
        return self.transport.state.status is LinkStatus.UP

    def all_up(self) -> bool:
        """Say whether every link is: what is sent before does not come to who is not there yet."""
        return all(status is LinkStatus.UP for _, status in self.transport.links)


async def end(*tasks: "asyncio.Task[None]") -> None:
    """Cancel what runs."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_each_message_comes_once_and_goes_on_when_one_broker_is_gone_for_good(
    tmp_path: Path,
) -> None:
    async def scenario(first: int, second: int, killed: contextlib.ExitStack) -> None:
        one, other = (Listener(plain(first), plain(second)) for _ in range(2))
        tasks = [asyncio.create_task(each.transport.run()) for each in (one, other)]
        try:
            await until(lambda: one.all_up() and other.all_up(), "all are up")
            sent = [b"%d" % n for n in range(20)]
            for data in sent:
                one.transport.publish(data)
            await until(lambda: sorted(other.heard) == sorted(sent), "all is heard once")
            killed.close()
            lost = "Nobody answers"
            await until(lambda: any(lost in state.reason for state in other.states), "it is told")
            assert other.up()
            assert [(at, status is LinkStatus.UP) for at, status in other.transport.links] == [
                (f"127.0.0.1:{first}", False),
                (f"127.0.0.1:{second}", True),
            ]
            late = [b"late %d" % n for n in range(20)]
            for data in late:
                one.transport.publish(data)
            await until(lambda: len(other.heard) == 40, "all goes over the other broker")
            await until(lambda: one.transport.unechoed_count == 0, "all has come back")
            await asyncio.sleep(0.2)
            assert sorted(other.heard) == sorted(sent + late)
            statistics = one.transport.statistics
            assert statistics.received_count >= 40
            assert statistics.round_trip_ms is not None
        finally:
            await end(*tasks)

    first, second = free_port(), free_port()
    with contextlib.ExitStack() as killed, mosquitto(tmp_path, OPEN, second):
        killed.enter_context(mosquitto(tmp_path, OPEN, first))
        asyncio.run(scenario(first, second, killed))


def test_peers_whose_brokers_overlap_in_one_hear_each_other(tmp_path: Path) -> None:
    async def scenario(first: int, second: int) -> None:
        one, other = Listener(plain(first), plain(second)), Listener(plain(second))
        tasks = [asyncio.create_task(each.transport.run()) for each in (one, other)]
        try:
            await until(lambda: one.all_up() and other.all_up(), "all are up")
            other.transport.publish(b"hello")
            one.transport.publish(b"you too")
            await until(
                lambda: set(one.heard) == set(other.heard) == {b"hello", b"you too"}, "both"
            )
        finally:
            await end(*tasks)

    first, second = free_port(), free_port()
    with mosquitto(tmp_path, OPEN, first), mosquitto(tmp_path, OPEN, second):
        asyncio.run(scenario(first, second))


def test_one_broker_that_lets_us_play_is_enough_and_none_is_a_refusal(tmp_path: Path) -> None:
    alive, closed = free_port(), free_port()
    with mosquitto(tmp_path, OPEN, alive):
        asyncio.run(Listener(plain(closed), plain(alive)).transport.first_connect(5.0))
    with pytest.raises(BrokerRefusedError):
        asyncio.run(Listener(plain(closed), plain(alive)).transport.first_connect(5.0))


def test_a_message_that_is_too_large_goes_to_no_broker() -> None:
    listener = Listener(plain(1), plain(2))
    with pytest.raises(MessageTooLargeError):
        listener.transport.publish(b"x" * (MESSAGE_BYTES_MAX + 1))
    assert listener.transport.unechoed_count == 0


def test_only_so_many_messages_are_remembered() -> None:
    listener = Listener(plain(1), plain(2))
    for number in range(SEEN_MAX + 10):
        listener.transport._take(b"%d" % number)
    assert len(listener.transport._seen) == SEEN_MAX


def test_what_on_message_raises_ends_the_run(tmp_path: Path) -> None:
    def fail(_data: bytes) -> None:
        message = "our own failure"
        raise ZeroDivisionError(message)

    async def scenario(port: int) -> None:
        transport = SeveralTransports(
            (plain(port), plain(free_port())), TOPIC, on_message=fail, on_state=lambda _state: None
        )
        transport.publish(b"hello")
        async with asyncio.timeout(10):
            await transport.run()

    port = free_port()
    with mosquitto(tmp_path, OPEN, port), pytest.raises(ExceptionGroup) as caught:
        asyncio.run(scenario(port))
    assert caught.group_contains(ZeroDivisionError)


def test_nobody_is_told_topic_or_password_by_repr() -> None:
    shown = repr(Listener(plain(1, user="ann", password="sesame"), plain(2)).transport)
    assert "sesame" not in shown
    assert TOPIC not in shown


def test_junk_is_not_remembered_and_what_is_heard_twice_is_handed_up_once() -> None:
    heard: list[bytes] = []

    def hear(data: bytes) -> bool:
        heard.append(data)
        return data != b"junk"

    transport = SeveralTransports(
        (plain(1), plain(2)), TOPIC, on_message=hear, on_state=lambda _state: None
    )
    answers = [transport._take(data) for data in (b"junk", b"word", b"word", b"junk")]
    assert answers == [False, True, True, False]
    assert heard == [b"junk", b"word", b"junk"]
