"""Tables on the local network: announced and found by multicast DNS (RFC 6762, RFC 6763).

Only who asks for it announces or looks. An announcement is a service of a random name whose text is a
sealed entry (`wire.lan`). What is found comes from anybody on the network: few of them are kept, each is
small, and none is more than a line to show; nothing is connected to.
"""

import asyncio
import contextlib
import ipaddress
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from unop2p.edge.errors import EXIT_BROKER_REFUSED, EXIT_USAGE
from unop2p.errors import EdgeError, RemoteError
from unop2p.wire.lan import ENTRY_BYTES_MAX, LanTable, open_entry, seal_entry
from unop2p.wire.lounge import Lounge
from unop2p.wire.sealing import NONCE_BYTES
from unop2p.words import said

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

SERVICE: Final = "_unop2p._tcp.local."
LISTEN_S: Final = 2.5
"""How long one look waits: a host answers within a second, and asks are repeated."""
RESOLVE_MS: Final = 1_000
"""For the text of a service whose name came alone."""
NAMES_MAX: Final = 64
"""Services that are looked at; beyond that one takes the place of another, by lot."""
TABLES_MAX: Final = 32
RENEW_S: Final = 1.0
"""How often a host sees whether there is something else to say."""
TTL_S: Final = 120
"""How long others may remember what a host has said that did not say goodbye."""
PIECE_BYTES: Final = 250
"""Of a text: a string there has 255 bytes with its key."""
PIECES_MAX: Final = -(-ENTRY_BYTES_MAX // PIECE_BYTES)

# The library would write to the terminal, which is the game's.
logging.getLogger("zeroconf").addHandler(logging.NullHandler())
logging.getLogger("zeroconf").propagate = False


class LanMissingError(EdgeError):
    """The local network is asked by the package zeroconf: install `unop2p[lan]`."""

    exit_code = EXIT_USAGE


class LanError(EdgeError):
    """The local network cannot be used: is this machine on one, and the address its own?"""

    exit_code = EXIT_BROKER_REFUSED


def check_lan() -> None:
    """See that the package is there.

    Raises:
        LanMissingError: it isn't.
    """
    if find_spec("zeroconf") is None:
        raise LanMissingError


@contextlib.asynccontextmanager
async def local_network(address: str | None) -> AsyncIterator["AsyncZeroconf"]:
    """Open the local network; what was announced there is taken back at the end.

    Args:
        address: of the one interface to use, as `192.168.1.5`; None, or one that stands for all: all.

    Raises:
        LanMissingError: the package is missing.
        LanError: no such address, or no network.
    """
    check_lan()
    from zeroconf import InterfaceChoice, IPVersion  # noqa: PLC0415  # only who asks needs it
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415  # as above

    one = _interface(address)
    version = IPVersion.V6Only if one is not None and one.version == 6 else IPVersion.V4Only
    try:
        network = AsyncZeroconf(
            interfaces=[str(one)] if one is not None else InterfaceChoice.All, ip_version=version
        )
    except (OSError, RuntimeError) as error:
        message = f"{getattr(error, 'strerror', None) or error}."
        raise LanError(message) from error
    try:
        yield network
    finally:
        with contextlib.suppress(OSError):
            await network.async_close()


def _interface(address: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    if address is None:
        return None
    try:
        one = ipaddress.ip_address(address)
    except ValueError as error:
        raise LanError(said("'{address}' is no address.", address=address[:60])) from error
    return None if one.is_unspecified else one


# -- announcing --------------------------------------------------------------------------------


async def announce_here(
    network: "AsyncZeroconf", lounge: Lounge, address: str, now: Callable[[], LanTable | None]
) -> None:
    """Announce a table until cancelled, and take it back while there is nothing to say.

    Args:
        network: as `local_network` opens it.
        lounge: who can read it.
        address: of this machine there.
        now: what there is to say.
    """
    said_last: LanTable | None = None
    service: AsyncServiceInfo | None = None
    name = secrets.token_hex(8)
    while True:
        table = now()
        if table != said_last:
            said_last = table
            if table is None and service is not None:
                await network.async_unregister_service(service)
                service = None
            elif table is not None:
                entry = seal_entry(lounge, table, secrets.token_bytes(NONCE_BYTES))
                told = _service(name, address, entry)
                if service is None:
                    await network.async_register_service(told)
                else:
                    await network.async_update_service(told)
                service = told
        await asyncio.sleep(RENEW_S)


def _service(name: str, address: str, entry: bytes) -> "AsyncServiceInfo":
    from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415  # only who asks needs it

    pieces = [entry[at : at + PIECE_BYTES] for at in range(0, len(entry), PIECE_BYTES)]
    return AsyncServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        port=0,  # nothing is to be connected to: the entry says where the table is
        addresses=[ipaddress.ip_address(address).packed],
        properties={f"d{number}": piece for number, piece in enumerate(pieces)},
        server=f"unop2p-{name}.local.",
        host_ttl=TTL_S,
        other_ttl=TTL_S,
    )


# -- looking -----------------------------------------------------------------------------------


async def find_here(
    lounge: Lounge, address: str | None, seconds: float = LISTEN_S
) -> tuple[LanTable, ...]:
    """Ask the local network, and return the tables that were announced there in time.

    Args:
        lounge: whose entries to read.
        address: of the one interface to ask; None: all.
        seconds: how long to wait.

    Raises:
        LanMissingError: the package is missing.
        LanError: no network.
    """
    async with local_network(address) as network:
        from zeroconf import DNSQuestionType  # noqa: PLC0415  # only who asks needs it
        from zeroconf.asyncio import AsyncServiceBrowser  # noqa: PLC0415  # as above

        names: list[str] = []

        def heard(*, name: str, **_other: object) -> None:
            _keep(names, name)

        # An answer to us alone could go to another program of this machine: all share the port.
        browser = AsyncServiceBrowser(
            network.zeroconf, SERVICE, handlers=[heard], question_type=DNSQuestionType.QM
        )
        try:
            await asyncio.sleep(seconds)
            entries = await asyncio.gather(*(_entry(network, name) for name in names))
        finally:
            await browser.async_cancel()
    return opened(lounge, [entry for entry in entries if entry is not None])


def _keep(names: list[str], name: str) -> None:
    """Keep the name of a service, each once; of too many, some by lot."""
    if name in names:
        return
    if len(names) < NAMES_MAX:
        names.append(name)
    else:
        names[secrets.randbelow(NAMES_MAX)] = name


async def _entry(network: "AsyncZeroconf", name: str) -> bytes | None:
    """Return what a service's text holds; None for what cannot be an entry."""
    from zeroconf import DNSQuestionType, Error  # noqa: PLC0415  # only who asks needs it
    from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415  # as above

    try:
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(
            network.zeroconf, RESOLVE_MS, question_type=DNSQuestionType.QM
        ):
            return None
        return joined(info.properties)
    except (Error, OSError, ValueError):
        return None


def joined(properties: "dict[bytes, bytes | None]") -> bytes | None:
    """Return the entry that a text's pieces make; None where there are none, or too many."""
    if not 1 <= len(properties) <= PIECES_MAX:
        return None
    pieces = [properties.get(b"d%d" % number) for number in range(len(properties))]
    return None if None in pieces else b"".join(piece for piece in pieces if piece is not None)


def opened(lounge: Lounge, entries: list[bytes]) -> tuple[LanTable, ...]:
    """Return the tables of a lounge among what was found, each ticket once."""
    found: dict[str, LanTable] = {}
    for entry in entries:
        with contextlib.suppress(RemoteError):
            table = open_entry(lounge, entry)
            if len(found) < TABLES_MAX:
                found.setdefault(table.ticket, table)
    return tuple(found.values())
