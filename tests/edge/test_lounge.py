"""A lounge on a real broker: a host that answers, somebody who looks, and what the broker has kept."""

import asyncio
from pathlib import Path

import aiomqtt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.edge.support import free_port, mosquitto
from tests.peer.test_lounge import HOST, OFFER, announce, door, lounge
from unop2p.edge.broker_url import parse_broker_url
from unop2p.edge.lounge import Announcement, Looker, look_once
from unop2p.edge.lounge import announce as announcing

pytestmark = [pytest.mark.broker, pytest.mark.slow]


async def test_who_looks_finds_who_hosts_and_no_ghost(tmp_path: Path) -> None:
    port = free_port()
    with mosquitto(tmp_path, "allow_anonymous true", port):
        url, kitchen = parse_broker_url(f"mqtt://127.0.0.1:{port}"), lounge("kitchen")
        async with aiomqtt.Client("127.0.0.1", port) as client:
            ghost = door("kitchen", HOST).seal(announce((bytes(16),)))
            await client.publish(kitchen.topic, ghost, qos=1, retain=True)
        assert await look_once(url, kitchen, 0.3) == ()
        told = Announcement(offer=OFFER, secret=b"secretses", host="ann", taken=2)
        hosting = asyncio.create_task(announcing(url, kitchen, HOST, lambda: told))
        looker = Looker(url, kitchen)
        link = asyncio.create_task(looker.run())
        async with asyncio.timeout(20):
            while not looker.tables():
                looker.look()
                await asyncio.sleep(0.3)
        (found,) = looker.tables()
        assert (found.host, found.taken, found.secret) == ("ann", 2, b"secretses")
        for task in (hosting, link):
            task.cancel()
        await asyncio.gather(hosting, link, return_exceptions=True)


async def test_a_host_without_free_seats_says_nothing(tmp_path: Path) -> None:
    port = free_port()
    with mosquitto(tmp_path, "allow_anonymous true", port):
        url, kitchen = parse_broker_url(f"mqtt://127.0.0.1:{port}"), lounge("kitchen")
        key = Ed25519PrivateKey.generate()
        hosting = asyncio.create_task(announcing(url, kitchen, key, lambda: None))
        assert await look_once(url, kitchen, 1.0) == ()
        hosting.cancel()
        await asyncio.gather(hosting, return_exceptions=True)


def test_an_announcement_shows_no_secret() -> None:
    assert "secretses" not in repr(
        Announcement(offer=OFFER, secret=b"secretses", host="ann", taken=2)
    )
