"""Tables on the local network: over real multicast DNS, on the loopback interface only."""

import asyncio
import importlib.util
import ipaddress
import logging
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from zeroconf._dns import DNSAddress, DNSPointer, DNSService, DNSText
from zeroconf._protocol.outgoing import DNSOutgoing

from tests.wire.test_lan import NONCE, table
from unop2p.edge import lan
from unop2p.edge.lan import (
    NAMES_MAX,
    PIECES_MAX,
    SERVICE,
    TABLES_MAX,
    LanError,
    LanMissingError,
    announce_here,
    find_here,
    joined,
    local_network,
    opened,
)
from unop2p.wire.lan import LanTable, seal_entry
from unop2p.wire.lounge import Lounge, stretch_lounge
from unop2p.wire.ticket import Ticket

HERE = "127.0.0.1"


def own_lounge() -> Lounge:
    """Return a lounge that no other test knows."""
    return stretch_lounge("kitchen", secrets.token_hex())


async def found(lounge: Lounge, wanted: int = 1, seconds: float = 1.0) -> tuple[LanTable, ...]:
    """Look until so many tables are there, or some time has passed."""
    tables: tuple[LanTable, ...] = ()
    for _ in range(10):
        tables = await find_here(lounge, HERE, seconds)
        if len(tables) == wanted:
            break
    return tables


@asynccontextmanager
async def hosting(lounge: Lounge, told: list[LanTable | None]) -> AsyncIterator[None]:
    async with local_network(HERE) as network:
        task = asyncio.create_task(announce_here(network, lounge, HERE, lambda: told[-1]))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.mark.slow
async def test_a_table_is_found_as_it_is_now_and_no_longer_when_it_is_full() -> None:
    lounge = own_lounge()
    told: list[LanTable | None] = [table(lounge)]
    async with hosting(lounge, told):
        assert await found(lounge) == (table(lounge),)
        told.append(table(lounge, taken=3))
        for _ in range(10):
            (now,) = await find_here(lounge, HERE, 1.0)
            if now.taken == 3:
                break
        assert now.taken == 3
        told.append(None)
        assert await found(lounge, 0) == ()


@pytest.mark.slow
async def test_a_sealed_table_is_seen_by_its_lounge_alone_and_is_gone_with_its_host() -> None:
    lounge = own_lounge()
    async with hosting(lounge, [table(lounge)]):
        assert len(await found(lounge)) == 1
        assert await find_here(stretch_lounge("kitchen"), HERE, 0.5) == ()
    assert await found(lounge, 0) == ()


def packet(name: str, text: bytes) -> bytes:
    """Return an answer of multicast DNS, as a liar writes it who asks no library's leave."""
    out = DNSOutgoing(0x8400)
    answers = (
        DNSPointer(SERVICE, 12, 1, 120, name),
        DNSService(name, 33, 1, 120, 0, 0, 1, "liar.local."),
        DNSText(name, 16, 1, 120, text),
        DNSAddress("liar.local.", 1, 1, 120, ipaddress.ip_address(HERE).packed),
    )
    for answer in answers:
        out.add_answer_at_time(answer, 0)
    return b"".join(out.packets())


def strings(*pieces: bytes) -> bytes:
    return b"".join(bytes([len(piece)]) + piece for piece in pieces)


@pytest.mark.slow
async def test_hostile_answers_are_passed_over_and_the_honest_table_is_found() -> None:
    lounge, other = own_lounge(), own_lounge()
    entry = seal_entry(lounge, table(lounge), NONCE)
    foreign = seal_entry(other, table(other), NONCE)
    hostile = [
        packet(f"a\x1b[2Jb\nc.{SERVICE}", strings(b"d0=" + b"\xff" * 250)),
        packet(f"nothing.{SERVICE}", b""),
        packet(f"zeros.{SERVICE}", strings(b"")),
        packet(f"gap.{SERVICE}", strings(b"d0=" + entry[:250], b"d2=" + entry[250:500])),
        packet(f"many.{SERVICE}", strings(*(b"d%d=x" % number for number in range(300)))),
        packet(f"cut.{SERVICE}", b"\xffd0=" + b"x"),
        packet(f"other.{SERVICE}", strings(b"d0=" + foreign[:250], b"d1=" + foreign[250:500])),
        packet(SERVICE, strings(b"d0=x")),
        bytes(12),
        b"\xff" * 900,
        secrets.token_bytes(400),
    ]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as liar:
        liar.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HERE))
        liar.bind((HERE, 0))
        async with hosting(lounge, [table(lounge)]):

            async def lie() -> None:
                for _ in range(200):
                    for data in hostile:
                        liar.sendto(data, ("224.0.0.251", 5353))
                    await asyncio.sleep(0.1)

            lying = asyncio.create_task(lie())
            try:
                # An answer may be held back for a second (RFC 6762, section 6).
                assert await found(lounge, seconds=2.0) == (table(lounge),)
            finally:
                lying.cancel()
                await asyncio.gather(lying, return_exceptions=True)


def test_of_a_flood_of_names_some_are_kept_by_lot() -> None:
    names: list[str] = []
    for number in range(10 * NAMES_MAX):
        lan._keep(names, f"{number}.{SERVICE}")
        lan._keep(names, f"{number}.{SERVICE}")
    assert len(names) == len(set(names)) == NAMES_MAX
    assert any(int(name.partition(".")[0]) >= NAMES_MAX for name in names)


def test_of_many_tables_few_are_shown_and_each_once() -> None:
    lounge = own_lounge()
    tables = [
        table(lounge, ticket=Ticket(number.to_bytes(9), ("mqtt://h:1",)).text())
        for number in range(2 * TABLES_MAX)
    ]
    entries = [seal_entry(lounge, one, secrets.token_bytes(24)) for one in tables for _ in range(2)]
    assert opened(lounge, entries) == tuple(tables[:TABLES_MAX])
    assert opened(lounge, [b"", bytes(300), *entries[:1]]) == (tables[0],)


def test_pieces_make_an_entry_only_if_none_is_missing() -> None:
    assert joined({b"d1": b"b", b"d0": b"a"}) == b"ab"
    assert joined({}) is None
    assert joined({b"d0": b"a", b"d2": b"c"}) is None
    assert joined({b"d0": None}) is None
    assert joined({b"d%d" % number: b"a" for number in range(PIECES_MAX + 1)}) is None


@pytest.mark.parametrize("address", ["8.8.8.8", "kitchen", "1.2.3", ""])
async def test_an_address_that_is_not_ours_is_an_error_with_a_sentence(address: str) -> None:
    with pytest.raises(LanError) as caught:
        await find_here(own_lounge(), address, 0.1)
    assert caught.value.sentence().startswith("The local network cannot be used")


async def test_without_the_package_one_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(lan, "find_spec", lambda name: None if name == "zeroconf" else real(name))
    with pytest.raises(LanMissingError) as caught:
        await find_here(own_lounge(), HERE, 0.1)
    assert "unop2p[lan]" in caught.value.sentence()


def test_the_library_writes_nothing_to_the_terminal() -> None:
    logger = logging.getLogger("zeroconf")
    assert not logger.propagate
    assert any(isinstance(handler, logging.NullHandler) for handler in logger.handlers)
