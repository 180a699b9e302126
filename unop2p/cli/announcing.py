"""Where a host's table is announced, if anywhere: a lounge of its brokers, the local network."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.edge.broker import lan_address
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.lan import announce_here, check_lan, local_network
from unop2p.edge.lounge import announce, lobby_announcement, read_lounge
from unop2p.peer.lobby import Lobby
from unop2p.rules.options import preset_of
from unop2p.wire.lan import LanTable, check_entry
from unop2p.wire.lounge import Lounge
from unop2p.wire.ticket import Ticket

LOOPBACK = "127.0.0.1"
Wanted = tuple[bool, bool, str, Path | None]
"""On the brokers? On the local network? And the name and password file of the lounge."""
Begin = Callable[[Lobby, Ed25519PrivateKey], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcing:
    """What is to be announced; nothing, unless it was asked for."""

    lounge: Lounge | None = None
    """Who can read it."""
    public: bool = False
    """In that lounge on the table's brokers."""
    lan: bool = False
    """On the local network, sealed to that lounge."""
    address: str | None = None
    """Of this machine there; None, or one that stands for all: as others reach it."""

    @classmethod
    def read(cls, wanted: Wanted, address: str | None) -> Self:
        """Return what was asked for.

        Args:
            wanted: where, and to whom.
            address: of this machine, for the local network.

        Raises:
            LoungeError: the lounge's name.
            PasswordFileError: the file cannot be read.
            LanMissingError: the network is asked for, and its package is missing.
        """
        public, lan, name, password_file = wanted
        if not public and not lan:
            return cls()
        if lan:
            check_lan()
        lounge = read_lounge(name, password_file)
        return cls(lounge=lounge, public=public, lan=lan, address=address)

    @asynccontextmanager
    async def open(self, urls: tuple[BrokerURL, ...], ticket: Ticket) -> AsyncIterator[Begin]:
        """Open what is needed; give what begins to announce; take it back at the end.

        Raises:
            LanError: the local network cannot be used.
            EntryTooLargeError: the ticket is too long for it.
        """
        tasks: list[asyncio.Task[None]] = []
        async with AsyncExitStack() as stack:
            here = self.address
            if here in {None, "0.0.0.0", "::"}:  # noqa: S104  # it stands for all
                here = lan_address() or LOOPBACK
            network = None
            if self.lan:
                check_entry(ticket.text())
                network = await stack.enter_async_context(local_network(here))

            def begin(lobby: Lobby, key: Ed25519PrivateKey) -> None:
                if self.lounge is None:
                    return
                for url in urls if self.public else ():
                    told = announce(
                        url, self.lounge, key, lambda: lobby_announcement(lobby, ticket.secret)
                    )
                    tasks.append(asyncio.create_task(told))
                if network is not None:
                    mark = self.lounge.mark
                    near = announce_here(
                        network, self.lounge, here or LOOPBACK, lambda: entry(lobby, ticket, mark)
                    )
                    tasks.append(asyncio.create_task(near))

            try:
                yield begin
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


def nowhere(_lobby: Lobby, _key: Ed25519PrivateKey) -> None:
    """Announce nothing."""


def entry(lobby: Lobby, ticket: Ticket, mark: bytes) -> LanTable | None:
    """Return what the local network is told of a table; None while there is nothing to say.

    Args:
        lobby: the host's.
        ticket: to the table.
        mark: of the lounge.
    """
    said = lobby_announcement(lobby, ticket.secret)
    if said is None or lobby.offered is None:
        return None
    offer = lobby.offered
    return LanTable(
        lounge=mark,
        ticket=ticket.text(),
        host=said.host,
        taken=said.taken,
        seats=offer.seats_wanted,
        rules=preset_of(offer.options()),
        bots=offer.bots,
    )
