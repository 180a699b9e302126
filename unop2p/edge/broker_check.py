"""Try a broker out: what it lets us do, what it does not, and which rights are wider than need be.

Everything is tried on topics of chance, with clients of our own, and cleaned up after. Why a game needs
so little of a broker stands in docs/how-to/run-your-own-broker.md.
"""

import asyncio
import contextlib
import ipaddress
import secrets
import ssl
import statistics
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import aiomqtt

from unop2p.edge.broker_url import BrokerURL, MQTTVersion
from unop2p.edge.errors import BrokerError, BrokerSilentError
from unop2p.edge.link import connect, drop
from unop2p.edge.mqtt import MESSAGE_BYTES_MAX
from unop2p.words import Said, said, said_n

ROOT = "unop2p/v1"
WAIT_S = 3.0
"""How long a message is waited for: who says no often says nothing."""
QUIET_S = 0.4
"""How long we listen for what should not come."""
ECHO_COUNT = 20
BURST_COUNT = 200
BURST_BYTES = 1024
SIZES = (16 * 1024, 64 * 1024, MESSAGE_BYTES_MAX, 1024 * 1024)
LARGE_S = 12.0
"""How long the largest message of a game is waited for: a broker may send it piece by piece."""
SLOW_S = 1.0
"""A broker that needs longer for it makes deals slow."""
CERTIFICATE_DAYS_MIN = 14
"""A certificate that is good for less should be renewed by now."""
ORDER_COUNT = 20


class Verdict(StrEnum):
    """What a finding means for a game."""

    GOOD = "good"
    NOTE = "note"
    """No game needs it, or it is worth knowing."""
    WIDE = "wide"
    """The game goes, but the broker allows more than it should."""
    BAD = "bad"
    """No game can be played like this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was tried."""

    name: str
    """What was tried, for programs."""
    verdict: Verdict
    text: Said
    """What came of it, in plain words."""
    value: float | int | str | bool | None = None
    """The figure or answer behind it: ms, bytes, a count, or yes and no."""


class Probe:
    """A client of our own on the broker, and what it has heard."""

    def __init__(self, client: aiomqtt.Client, heard: "asyncio.Queue[tuple[str, bytes]]") -> None:
        """Take an open connection, and the queue that it fills."""
        self.client, self.heard = client, heard

    async def subscribe(self, topic: str) -> bool:
        """Subscribe, and return whether the broker says that it lets us."""
        try:
            granted = await self.client.subscribe(topic, qos=1)
        except aiomqtt.MqttError:
            return False
        codes = [code if isinstance(code, int) else code.value for code in granted]
        return all(code < 128 for code in codes)  # the refusals of a SUBACK

    async def publish(self, topic: str, data: bytes, *, retain: bool = False) -> bool:
        """Publish, and return whether the broker took it; it may still swallow it."""
        try:
            await self.client.publish(topic, data, qos=1, retain=retain, timeout=WAIT_S)
        except aiomqtt.MqttError:
            return False
        return True

    async def hears(
        self, wanted: bytes, wait_s: float = WAIT_S, *, before: bytes | None = None
    ) -> bool:
        """Return whether a message comes; others are passed over.

        Args:
            wanted: the message.
            wait_s: how long to wait.
            before: one that was sent after it: once that has come, we wait hardly any longer.
        """
        loop = asyncio.get_running_loop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait_s) as limit:
                while (data := (await self.heard.get())[1]) != wanted:
                    if data == before:
                        limit.reschedule(loop.time() + QUIET_S)
                return True
        return False


@asynccontextmanager
async def probe(url: BrokerURL, will: aiomqtt.Will | None = None) -> AsyncIterator[Probe]:
    """Open a connection of our own.

    Raises:
        BrokerError: the subclass says what was wrong.
    """
    heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    def deliver(message: aiomqtt.Message) -> None:
        payload = message.payload
        heard.put_nowait(
            (str(message.topic), bytes(payload) if isinstance(payload, (bytes, bytearray)) else b"")
        )

    async with connect(url, deliver, will=will) as client:
        yield Probe(client, heard)


def _topic() -> str:
    return f"{ROOT}/{secrets.token_hex(16)}"


async def check_broker(url: BrokerURL, tell: Callable[[Finding], None]) -> list[Finding]:
    """Try a broker out, and return what was found, in order.

    Args:
        url: the broker, and how to get in.
        tell: is told of each finding as it comes.

    Raises:
        BrokerError: it cannot be reached, or lets us in and carries nothing: what is tried after that
            would say nothing.
    """
    findings: list[Finding] = []

    def found(*more: Finding) -> None:
        for finding in more:
            findings.append(finding)
            tell(finding)

    begun_s = time.monotonic()
    async with probe(url):
        found(_connected(url, (time.monotonic() - begun_s) * 1000))
    if url.tls:
        found(await tls_finding(url))
    if (clear := clear_password(url)) is not None:
        found(clear)
    found(await _other_version(url))
    found(await _round_trip(url))
    found(*await size_findings(url))
    found(await _burst(url))
    found(await _order(url))
    found(await _retained(url), await _will(url))
    found(*[finding for finding in await _rights(url) if finding is not None])
    return findings


def _connected(url: BrokerURL, took_ms: float) -> Finding:
    values = {"version": str(url.version), "took": f"{took_ms:.0f}"}
    if url.tls:
        text = said("It lets us in by MQTT {version} over TLS, in {took} ms.", **values)
    else:
        text = said("It lets us in by MQTT {version}, without TLS, in {took} ms.", **values)
    return Finding(name="connect", verdict=Verdict.GOOD, text=text, value=round(took_ms, 1))


async def tls_finding(url: BrokerURL) -> Finding:
    """Tell which TLS is spoken, and until when the broker's certificate is good.

    Raises:
        BrokerError: it cannot be reached.
    """
    async with probe(url) as one:
        private: Any = one.client
        link = private._client.socket()  # noqa: SLF001  # the library has no public way
        if url.websocket:
            link = link._socket  # noqa: SLF001  # as above
        version = str(link.version()).replace("TLSv", "TLS ")
        ends_s = ssl.cert_time_to_seconds(link.getpeercert()["notAfter"])
    date = time.strftime("%Y-%m-%d", time.gmtime(ends_s))
    if ends_s - time.time() < CERTIFICATE_DAYS_MIN * 24 * 3600:
        text = said(
            "It speaks {version}; its certificate ends soon, on {date}: renew it.",
            version=version,
            date=date,
        )
        return Finding(name="tls", verdict=Verdict.WIDE, text=text, value=date)
    text = said(
        "It speaks {version}; its certificate is good until {date}.", version=version, date=date
    )
    return Finding(name="tls", verdict=Verdict.GOOD, text=text, value=date)


def clear_password(url: BrokerURL) -> Finding | None:
    """Tell of a password that is read by whoever carries it; none where it is not so."""
    if url.tls or url.password is None or url.host == "localhost":
        return None
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(url.host).is_loopback:
            return None
    text = said("The password goes over the network in the clear: use mqtts:// or wss://.")
    return Finding(name="password", verdict=Verdict.WIDE, text=text, value=True)


async def _other_version(url: BrokerURL) -> Finding:
    other = MQTTVersion.V311 if url.version is MQTTVersion.V5 else MQTTVersion.V5
    try:
        async with probe(replace(url, version=other)):
            pass
    except BrokerError:
        text = said("MQTT {version} it does not speak here.", version=str(other))
        return Finding(name="other-version", verdict=Verdict.NOTE, text=text, value=False)
    text = said("It speaks MQTT {version} too.", version=str(other))
    return Finding(name="other-version", verdict=Verdict.GOOD, text=text, value=True)


async def _round_trip(url: BrokerURL) -> Finding:
    topic, took_ms = _topic(), []
    async with probe(url) as one:
        await one.subscribe(topic)
        for _ in range(ECHO_COUNT):
            data, sent_s = secrets.token_bytes(32), time.monotonic()
            await one.publish(topic, data)
            if not await one.hears(data):
                raise BrokerSilentError(said("{url}.", url=url.public_text()))
            took_ms.append((time.monotonic() - sent_s) * 1000)
    median_ms = statistics.median(took_ms)
    text = said(
        "Our own messages come back: {median} ms in the middle, {most} ms at worst, of {count}.",
        median=f"{median_ms:.1f}",
        most=f"{max(took_ms):.1f}",
        count=ECHO_COUNT,
    )
    return Finding(name="round-trip", verdict=Verdict.GOOD, text=text, value=round(median_ms, 2))


async def size_findings(url: BrokerURL) -> list[Finding]:
    """Find the largest message that a broker carries, and how long a game's largest takes.

    Raises:
        BrokerError: it cannot be reached.
    """
    largest, took_s = 0, 0.0
    for size in SIZES:
        topic, data, after = _topic(), secrets.token_bytes(size), secrets.token_bytes(32)
        wait_s = LARGE_S if size <= MESSAGE_BYTES_MAX else WAIT_S
        with contextlib.suppress(BrokerError, aiomqtt.MqttError):
            # A connection of its own: many brokers end the one on which too much was said.
            async with probe(url) as one:
                await one.subscribe(topic)
                begun_s = time.monotonic()
                # An acknowledgment may wait behind the message itself, so it is not asked for.
                speaking = [asyncio.create_task(one.publish(topic, it)) for it in (data, after)]
                heard = await one.hears(data, wait_s, before=after)
                for task in speaking:
                    task.cancel()
                await asyncio.gather(*speaking, return_exceptions=True)
                if heard:
                    largest = size
                    if size <= MESSAGE_BYTES_MAX:
                        took_s = time.monotonic() - begun_s
                    # A larger one than a game needs is of no interest where that came slowly.
                    if size < MESSAGE_BYTES_MAX or took_s <= SLOW_S:
                        continue
        break
    most, wanted = f"{largest // 1024} KiB", f"{MESSAGE_BYTES_MAX // 1024} KiB"
    if largest < MESSAGE_BYTES_MAX:
        text = said(
            "It carries messages of {most} only, and a game needs {wanted}: raise its limit.",
            most=most,
            wanted=wanted,
        )
        return [Finding(name="message-size", verdict=Verdict.BAD, text=text, value=largest)]
    text = said("It carries messages of {most}; a game needs {wanted}.", most=most, wanted=wanted)
    slow = took_s > SLOW_S
    told = (
        said(
            "One of {wanted} takes {took} s to come back: deals will be slow over this address.",
            wanted=wanted,
            took=f"{took_s:.1f}",
        )
        if slow
        else said("One of {wanted} comes back in {took} s.", wanted=wanted, took=f"{took_s:.2f}")
    )
    return [
        Finding(name="message-size", verdict=Verdict.GOOD, text=text, value=largest),
        Finding(
            name="message-time",
            verdict=Verdict.WIDE if slow else Verdict.GOOD,
            text=told,
            value=round(took_s, 3),
        ),
    ]


async def _burst(url: BrokerURL) -> Finding:
    topic = _topic()
    words = [secrets.token_bytes(BURST_BYTES) for _ in range(BURST_COUNT)]
    async with probe(url) as one:
        await one.subscribe(topic)
        begun_s = time.monotonic()
        await asyncio.gather(*(one.publish(topic, word) for word in words))
        missing = set(words)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                while missing:
                    missing.discard((await one.heard.get())[1])
        a_second = BURST_COUNT / (time.monotonic() - begun_s)
    if missing:
        text = said_n(
            "Of {count} messages at once {number} was lost without a word: raise its queue limits.",
            "Of {count} messages at once {number} were lost without a word: raise its queue limits.",
            len(missing),
            count=BURST_COUNT,
        )
        return Finding(name="burst", verdict=Verdict.WIDE, text=text, value=len(missing))
    text = said(
        "It lost none of {count} messages at once, at {rate} a second.",
        count=BURST_COUNT,
        rate=f"{a_second:.0f}",
    )
    return Finding(name="burst", verdict=Verdict.GOOD, text=text, value=round(a_second))


async def _order(url: BrokerURL) -> Finding:
    """Let two clients speak at once, and two listen."""
    topic, orders = _topic(), []
    async with probe(url) as one, probe(url) as two:
        for listener in (one, two):
            await listener.subscribe(topic)
        words = [f"{who} {at}" for who in "ab" for at in range(ORDER_COUNT)]

        async def speak(speaker: Probe, who: str) -> None:
            for word in words:
                if word[0] == who:
                    await speaker.publish(topic, word.encode())

        await asyncio.gather(speak(one, "a"), speak(two, "b"))
        for listener in (one, two):
            heard: list[str] = []
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WAIT_S):
                    while len(heard) < len(words):
                        heard.append((await listener.heard.get())[1].decode(errors="replace"))
            orders.append(heard)
    own = all([w for w in heard if w[0] == who] == [w for w in words if w[0] == who]
              for heard in orders for who in "ab")  # fmt: skip
    if own and orders[0] == orders[1]:
        text = said("Everybody hears everything in one order.")
    elif own:
        text = said("Each one's messages keep their order; not all hear all in the same order.")
    else:
        text = said("Messages may come out of order.")
    value = "one" if own and orders[0] == orders[1] else "by-author" if own else "none"
    return Finding(name="order", verdict=Verdict.NOTE, text=_unneeded(text), value=value)


async def _retained(url: BrokerURL) -> Finding:
    topic, data = _topic(), secrets.token_bytes(32)
    kept = False
    async with probe(url) as one:
        if await one.publish(topic, data, retain=True):
            async with probe(url) as late:
                await late.subscribe(topic)
                kept = await late.hears(data, QUIET_S)
            await one.publish(topic, b"", retain=True)
    text = (
        said("It keeps retained messages.")
        if kept
        else said("It keeps no retained messages for us.")
    )
    return Finding(name="retained", verdict=Verdict.NOTE, text=_unneeded(text), value=kept)


async def _will(url: BrokerURL) -> Finding:
    topic, data = _topic(), secrets.token_bytes(32)
    heard = False
    async with probe(url) as one:
        await one.subscribe(topic)
        with contextlib.suppress(BrokerError, aiomqtt.MqttError):
            async with probe(url, will=aiomqtt.Will(topic, data, qos=1)) as other:
                drop(other.client)
                heard = await one.hears(data)
    text = (
        said("It tells others of a connection that breaks (a will).")
        if heard
        else said("It does not tell others of a connection that breaks (no will).")
    )
    return Finding(name="will", verdict=Verdict.NOTE, text=_unneeded(text), value=heard)


def _unneeded(text: Said) -> Said:
    return said("{finding} A game does not need that.", finding=text)


async def _rights(url: BrokerURL) -> list[Finding | None]:
    return [
        await _strangers(url),
        await _reads(url),
        await _overhears(url),
        await _others(url),
    ]


async def _strangers(url: BrokerURL) -> Finding | None:
    """Try to get in without the user, where there is one."""
    if url.user is None and url.certificate_file is None:
        text = said(
            "It asked for no user: whoever reaches it may use it, which is right at home and wrong on "
            "the internet."
        )
        return Finding(name="strangers", verdict=Verdict.NOTE, text=text, value=True)
    nobody = replace(url, user=None, password=None, certificate_file=None, key_file=None)
    with contextlib.suppress(BrokerError):
        async with probe(nobody):
            text = said("It lets in whoever comes without a user too: refuse that on the internet.")
            return Finding(name="strangers", verdict=Verdict.WIDE, text=text, value=True)
    text = said("Without a user nobody gets in.")
    return Finding(name="strangers", verdict=Verdict.GOOD, text=text, value=False)


async def _reads(url: BrokerURL) -> Finding:
    async with probe(url) as one:
        await one.subscribe("$SYS/#")
        told = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIET_S):
                while not (await one.heard.get())[0].startswith("$SYS/"):
                    pass
                told = True
    if told:
        text = said("It tells us about itself ($SYS): close that to players on the internet.")
        return Finding(name="sys", verdict=Verdict.WIDE, text=text, value=True)
    text = said("It tells players nothing about itself ($SYS).")
    return Finding(name="sys", verdict=Verdict.GOOD, text=text, value=False)


async def _overhears(url: BrokerURL) -> Finding:
    data = secrets.token_bytes(32)
    async with probe(url) as one, probe(url) as two:
        await one.subscribe(f"{ROOT}/+")
        await two.publish(_topic(), data)
        heard = await one.hears(data, QUIET_S)
    if heard:
        text = said(
            "Who may use it can see that other tables are there and when they speak; what they say is "
            "encrypted."
        )
        return Finding(name="other-tables", verdict=Verdict.NOTE, text=text, value=True)
    text = said("Nobody can see which other tables are there.")
    return Finding(name="other-tables", verdict=Verdict.GOOD, text=text, value=False)


async def _others(url: BrokerURL) -> Finding:
    """Try a topic that is none of ours."""
    topic, data = f"check-{secrets.token_hex(8)}/elsewhere", secrets.token_bytes(32)
    heard = False
    with contextlib.suppress(BrokerError, aiomqtt.MqttError):
        async with probe(url) as one:
            await one.subscribe(topic)
            if await one.publish(topic, data):
                heard = await one.hears(data, QUIET_S)
    if heard:
        text = said(
            "It carries other topics than ours too: on the internet, allow players unop2p/# and no more."
        )
        return Finding(name="other-topics", verdict=Verdict.WIDE, text=text, value=True)
    text = said("It carries our topics only.")
    return Finding(name="other-topics", verdict=Verdict.GOOD, text=text, value=False)
