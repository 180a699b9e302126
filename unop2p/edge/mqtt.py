"""Gossip over one MQTT topic: everybody publishes to it and subscribes to it (protocol section 8).

The broker is a pipe that loses, repeats, reorders and forgets. What holds all the same:

* hearing our own message come back is the only acknowledgment; until then it is kept and sent
  again;
* at most ten messages are on their way at a time, or a slow broker would drop them silently;
* a link on which nothing of ours came back for two goes, or that slept with the machine, is made
  anew; where there is nothing to say, a test is sent now and then;
* links are made anew for ever, after 0.2 to 10 s, each with a new client id and a new subscription.
"""

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

import aiomqtt

from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.errors import (
    BrokerError,
    BrokerSilentError,
    BrokerTimeoutError,
    MessageTooLargeError,
)
from unop2p.edge.link import LOG, TIMEOUT_S, connect, reason
from unop2p.edge.link_state import LinkState, LinkStatistics, LinkStatus
from unop2p.words import said

MESSAGE_BYTES_MAX = 256 * 1024
PROBE_BYTES = 32
"""An echo test is this many random bytes: shorter than any envelope, and never handed up."""
WINDOW_COUNT_MAX = 10
RESEND_S = 1.5
MISSED_COUNT_MAX = 2
BYTES_PER_S = 32 * 1024
"""A slow line: so much more time is given for what is on its way."""
IDLE_PROBE_S = 15.0
"""After so long without an echo one is asked for: a link may be cut, or deaf, with nobody told."""
ECHO_COUNT_MAX = 3
"""Tries of the first echo test, once connected."""
OUTBOX_COUNT_MAX = 1024
OUTBOX_BYTES_MAX = 16 * 1024 * 1024
"""Beyond either the oldest is dropped: anti-entropy brings what still matters."""
SEEN_COUNT_MAX = 8192
BACKOFF_S_MIN = 0.2
BACKOFF_S_MAX = 10.0
CLOCK_S = 1.0
JUMP_S = 3.0
"""Wall and monotonic clock this far apart from one look to the next: the machine has slept."""
SUBSCRIPTION_REFUSED = 128
"""From here on the codes of a SUBACK are refusals, in every version of MQTT."""
_QOS = 1


@dataclass(slots=True, kw_only=True)
class _Outgoing:
    data: bytes
    first_s: float = 0.0
    """When it was first sent on this link."""
    sent_s: float = 0.0
    """When it was last sent on this link."""
    sent_before: bool = False
    """On this link or another."""


class _StaleLinkError(Exception):
    """The link is up by name only."""


class _OwnFailureError(Exception):
    """`on_message` has raised."""


class MQTTTransport:
    """Carries the messages of one table over one broker. Belongs to one event loop."""

    def __init__(
        self,
        url: BrokerURL,
        topic: str,
        *,
        on_message: Callable[[bytes], object],
        on_state: Callable[[LinkState], None],
    ) -> None:
        """Take what is needed; nothing is sent before `first_connect` or `run`.

        Args:
            url: the broker.
            topic: the table's one topic.
            on_message: gets every message once, our own too, as it comes in. Called in the event
                loop; what it raises ends `run`. False: it was junk, and may come again.
            on_state: is told whenever the link changes.
        """
        self.url = url
        self.topic = topic
        self.statistics = LinkStatistics()
        self.state = LinkState(status=LinkStatus.DOWN)
        self._on_message = on_message
        self._on_state = on_state
        self._outbox: OrderedDict[bytes, _Outgoing] = OrderedDict()
        self._outbox_bytes = 0
        self._flying: OrderedDict[bytes, _Outgoing] = OrderedDict()
        """What was sent on this link and has not come back, in order of sending; also in the outbox
        but for probes."""
        self._waiting: deque[bytes] = deque()
        """What is to be sent, in order; some may have gone from the outbox meanwhile."""
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._inbox: deque[bytes] = deque()
        self._changed = asyncio.Event()
        self._echoed_s = 0.0
        """When something of ours came back the last time."""
        self._told_s = time.monotonic()
        """When the link changed the last time."""
        self._failure: Exception | None = None
        self._failed = asyncio.Event()

    def __repr__(self) -> str:
        """Show neither topic nor password."""
        return f"MQTTTransport({self.url.public_text()}, {self.state.status})"

    @property
    def unechoed_count(self) -> int:
        """How many of our messages have not come back yet."""
        return len(self._outbox)

    @property
    def links(self) -> list[tuple[str, LinkStatus]]:
        """Each broker, as `host:port`, and how its link is."""
        return [(self.url.short_text(), self.state.status)]

    def stuck_s(self) -> float:
        """Return for how many seconds an echo, or the end of a try to connect, is due and does not come.

        A link that works goes from state to state, or hears itself, within some 25 s.
        """
        now_s = time.monotonic()
        if self.state.status is not LinkStatus.UP:
            return now_s - self._told_s
        first_s = min((outgoing.first_s for outgoing in self._flying.values()), default=now_s)
        return now_s - max(first_s, self._echoed_s) if self._flying else 0.0

    # -- sending -------------------------------------------------------------------------------

    def publish(self, data: bytes) -> None:
        """Send a message: now, or when the link is there. Returns at once.

        It is kept and sent again until it has come back. The same bytes twice are one message.

        Raises:
            MessageTooLargeError: more than 256 KiB.
        """
        if len(data) > MESSAGE_BYTES_MAX:
            message = said("It has {data} bytes.", data=len(data))
            raise MessageTooLargeError(message)
        digest = _digest(data)
        if digest in self._outbox or digest in self._seen:
            return
        self._outbox[digest] = _Outgoing(data=data)
        self._outbox_bytes += len(data)
        self._waiting.append(digest)
        while len(self._outbox) > OUTBOX_COUNT_MAX or self._outbox_bytes > OUTBOX_BYTES_MAX:
            oldest = next(iter(self._outbox))
            self._forget(oldest)
            if self._waiting[0] == oldest:
                self._waiting.popleft()
            self.statistics.dropped_count += 1
        self._changed.set()

    def _forget(self, digest: bytes) -> None:
        outgoing = self._outbox.pop(digest, None)
        if outgoing is not None:
            self._outbox_bytes -= len(outgoing.data)
        self._flying.pop(digest, None)

    async def _write(self, client: aiomqtt.Client, group: asyncio.TaskGroup) -> None:
        """Send what waits, within the window, and again what did not come back."""
        while True:
            self._changed.clear()
            while self._waiting and len(self._flying) < WINDOW_COUNT_MAX:
                digest = self._waiting.popleft()
                outgoing = self._outbox.get(digest)
                if outgoing is not None and digest not in self._flying:
                    self._send(client, group, digest, outgoing)
            delay = self._patience_s()
            if self._flying:
                delay += next(iter(self._flying.values())).sent_s - time.monotonic()
            with contextlib.suppress(TimeoutError):
                # Not `wait_for`: in Python 3.11 that loses a cancellation that comes with an echo.
                async with asyncio.timeout(max(delay, 0.0)):
                    await self._changed.wait()
                continue
            # What came in while this process was busy is looked at first.
            for _ in range(3):
                await asyncio.sleep(0)
            self._send_again(client, group)

    def _send(
        self,
        client: aiomqtt.Client,
        group: asyncio.TaskGroup,
        digest: bytes,
        outgoing: _Outgoing,
    ) -> None:
        outgoing.sent_s = time.monotonic()
        if digest not in self._flying:
            outgoing.first_s = outgoing.sent_s
        self._flying[digest] = outgoing
        self._flying.move_to_end(digest)
        self.statistics.sent_count += 1
        self.statistics.sent_bytes += len(outgoing.data)
        self.statistics.resent_count += outgoing.sent_before
        outgoing.sent_before = True
        group.create_task(self._put(client, outgoing.data))

    async def _put(self, client: aiomqtt.Client, data: bytes) -> None:
        # The broker's acknowledgment says nothing about anybody having got it; but where even that
        # stays away, this times out, and the link is made anew.
        await client.publish(
            self.topic, data, qos=_QOS, timeout=TIMEOUT_S - RESEND_S + self._patience_s()
        )

    def _patience_s(self) -> float:
        """Return how long a message may take, with all the others on their way."""
        flying_bytes = sum(len(outgoing.data) for outgoing in self._flying.values())
        return RESEND_S + flying_bytes / BYTES_PER_S

    def _send_again(self, client: aiomqtt.Client, group: asyncio.TaskGroup) -> None:
        now, patience = time.monotonic(), self._patience_s()
        late = [
            (digest, outgoing)
            for digest, outgoing in self._flying.items()
            if outgoing.sent_s <= now - patience
        ]
        if not late:
            return
        since = max(self._echoed_s, min(outgoing.first_s for _, outgoing in late))
        if now - since >= MISSED_COUNT_MAX * patience:
            message = said("our own messages do not come back")
            raise _StaleLinkError(message)
        for digest, outgoing in late:
            self._send(client, group, digest, outgoing)

    # -- receiving -----------------------------------------------------------------------------

    def _deliver(self, message: aiomqtt.Message) -> None:
        """Take a message from the library: it holds a lock here, so no more is done at once."""
        payload = message.payload
        if not isinstance(payload, bytes):
            return
        if not self._inbox:
            asyncio.get_running_loop().call_soon(self._drain)
        self._inbox.append(payload)

    def _come(self, data: bytes) -> None:
        """Take a message that was cut out before the library saw it."""
        if self._failure is None:
            self._take(data)

    def _drain(self) -> None:
        while self._inbox and self._failure is None:
            self._take(self._inbox.popleft())

    def _take(self, data: bytes) -> None:
        statistics = self.statistics
        statistics.received_count += 1
        statistics.received_bytes += len(data)
        if len(data) > MESSAGE_BYTES_MAX:
            statistics.dropped_count += 1
            return
        digest = _digest(data)
        flying = self._flying.get(digest)
        if flying is not None:
            self._echoed_s = time.monotonic()
            statistics.round_trip_ms = (self._echoed_s - flying.sent_s) * 1000
            statistics.round_trip_s.add(self._echoed_s - flying.sent_s)
        if flying is not None or digest in self._outbox:
            self._forget(digest)
            self._changed.set()
            self._came_up()
        if len(data) == PROBE_BYTES:
            return
        if digest in self._seen:
            self._seen.move_to_end(digest)
            statistics.repeated_count += 1
            return
        try:
            if self._on_message(data) is False:
                # Junk must not take the place of what is known.
                statistics.junk_count += 1
                return
        except Exception as error:  # noqa: BLE001  # It must not be taken for a broken link.
            self._failure = error
            self._failed.set()
        self._seen[digest] = None
        if len(self._seen) > SEEN_COUNT_MAX:
            self._seen.popitem(last=False)

    # -- the link ------------------------------------------------------------------------------

    async def first_connect(self, timeout_s: float = 10.0) -> None:
        """Connect once to see whether the broker lets us play, then go again.

        Raises:
            BrokerRefusedError: nobody answers there, or it wants nobody.
            BrokerAuthError: the user or password is wrong.
            BrokerTLSError: the certificate is expired, unknown or for another host, or no TLS.
            BrokerTimeoutError: no answer in time.
            BrokerSilentError: connected, but what we publish does not come back.
        """
        probe = secrets.token_bytes(PROBE_BYTES)
        heard = asyncio.Event()

        def deliver(message: aiomqtt.Message) -> None:
            if message.payload == probe:
                heard.set()

        connected = False
        try:
            async with asyncio.timeout(timeout_s), connect(self.url, deliver) as client:
                connected = True
                await self._subscribe(client)
                for _ in range(ECHO_COUNT_MAX):
                    await client.publish(self.topic, probe, qos=_QOS)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(RESEND_S):
                            await heard.wait()
                        return
            raise self._silent()
        except TimeoutError as error:
            if connected:
                raise self._silent() from error
            message = said("{url}.", url=self.url.public_text())
            raise BrokerTimeoutError(message) from error
        except aiomqtt.MqttError as error:
            raise reason(error, self.url) from error

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        """Subscribe to the topic.

        Raises:
            BrokerSilentError: the broker says no.
            aiomqtt.MqttError: the connection broke.
        """
        for granted in await client.subscribe(self.topic, qos=_QOS):
            code = granted if isinstance(granted, int) else granted.value
            if code >= SUBSCRIPTION_REFUSED:
                raise self._silent()

    def _silent(self) -> BrokerSilentError:
        return BrokerSilentError(said("{url}.", url=self.url.public_text()))

    async def run(self) -> None:
        """Keep the link up until cancelled.

        Raises:
            Exception: what `on_message` raised.
        """
        delay, why = BACKOFF_S_MIN, ""
        while True:
            self._tell(LinkState(status=LinkStatus.CONNECTING, reason=why))
            try:
                try:
                    await self._session()
                except BrokerError as error:
                    why = error.sentence()
                # A task group that fails while it is cancelled tells only of the failure.
                _raise_if_cancelled()
            except asyncio.CancelledError:
                self._tell(LinkState(status=LinkStatus.DOWN))
                raise
            if self._failure is not None:
                self._tell(LinkState(status=LinkStatus.DOWN, reason=why))
                raise self._failure
            if self.state.status is LinkStatus.UP:
                delay = BACKOFF_S_MIN
            # Jitter: all the table's peers lose the broker at the same moment.
            pause = delay * (0.5 + secrets.randbelow(1000) / 1000)
            self._tell(LinkState(status=LinkStatus.DOWN, reason=why, retry_ms=round(pause * 1000)))
            await asyncio.sleep(pause)
            delay = min(delay * 2, BACKOFF_S_MAX)

    async def _session(self) -> None:
        """Use one connection until it breaks.

        Raises:
            BrokerError: why it broke.
        """
        self._begin_link()
        why = BrokerError(self.url.public_text())
        try:
            connection = connect(self.url, self._deliver, take=self._come)
            async with connection as client, asyncio.TaskGroup() as group:
                group.create_task(_until_broken(client))
                await self._subscribe(client)
                _raise_if_cancelled()
                group.create_task(self._write(client, group))
                group.create_task(self._watch_clocks())
                self._send_probe(client, group)
                group.create_task(self._watch_idle(client, group))
                await self._until_own_failure()
        except* (
            aiomqtt.MqttError,
            OSError,
            _StaleLinkError,
            _OwnFailureError,
            BrokerError,
        ) as all_:
            # What is raised in here would come out as a group.
            why = self._why(all_)
        raise why

    def _send_probe(self, client: aiomqtt.Client, group: asyncio.TaskGroup) -> None:
        probe = secrets.token_bytes(PROBE_BYTES)
        self._send(client, group, _digest(probe), _Outgoing(data=probe))
        self._changed.set()

    async def _watch_idle(self, client: aiomqtt.Client, group: asyncio.TaskGroup) -> None:
        """See that a link on which nobody says anything still carries something."""
        while True:
            await asyncio.sleep(IDLE_PROBE_S)
            if not self._flying and time.monotonic() - self._echoed_s >= IDLE_PROBE_S / 2:
                self._send_probe(client, group)

    async def _until_own_failure(self) -> None:
        await self._failed.wait()
        raise _OwnFailureError

    def _begin_link(self) -> None:
        """Make all that was not echoed due again, in its old order."""
        self._flying.clear()
        self._waiting = deque(self._outbox)
        self._changed.clear()

    def _why(self, errors: BaseExceptionGroup[BaseException]) -> BrokerError:
        error: BaseException = errors
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        LOG.info("the link broke: %r", error)
        where = self.url.public_text()
        match error:
            case BrokerError():
                return error
            case _OwnFailureError():
                return BrokerError(said("{where}: our own program has failed.", where=where))
            case _StaleLinkError() if self.state.status is LinkStatus.UP:
                return BrokerTimeoutError(said("{where}: {error}.", where=where, error=error))
            case _StaleLinkError():
                return BrokerSilentError(said("{where}: {error}.", where=where, error=error))
            case _:
                return reason(error, self.url)

    async def _watch_clocks(self) -> None:
        """Notice that the machine has slept: the broker has given us up by then."""
        apart = time.time() - time.monotonic()
        while True:
            await asyncio.sleep(CLOCK_S)
            before, apart = apart, time.time() - time.monotonic()
            if abs(apart - before) > JUMP_S:
                message = said("this machine has slept, or its clock was set")
                raise _StaleLinkError(message)

    def _came_up(self) -> None:
        if self.state.status is not LinkStatus.UP:
            self.statistics.reconnected_count += self.statistics.connected_count > 0
            self.statistics.connected_count += 1
            self._tell(LinkState(status=LinkStatus.UP))

    def _tell(self, state: LinkState) -> None:
        self._told_s = time.monotonic()
        if state != self.state:
            self.state = state
            self._on_state(state)


def _raise_if_cancelled() -> None:
    """Raise again what `asyncio.wait_for`, which aiomqtt uses, may lose in Python 3.11."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def _until_broken(client: aiomqtt.Client) -> None:
    async for _ in client.messages:
        pass  # They are delivered as they come in; see `instant_queue`.


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


__all__ = ["LinkState", "LinkStatistics", "LinkStatus", "MQTTTransport"]
