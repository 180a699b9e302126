"""Lounges on a broker: a host that answers those who look, and somebody who looks."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.edge.broker_url import BrokerURL, read_password
from unop2p.edge.link_state import LinkState
from unop2p.edge.mqtt import MQTTTransport
from unop2p.log.messages import Signed
from unop2p.peer.lobby import Lobby
from unop2p.peer.lounge import Board, HostDesk, OpenTable
from unop2p.wire.lounge import Door, Lounge, stretch_lounge

LOOK_EVERY_S = 3.0
ANSWER_S = 0.25
"""How often a host sees whether somebody waits for an answer."""
LISTEN_S = 2.5
"""How long one look waits for answers: hosts answer within a second or so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What a host says of its table now."""

    offer: Signed
    secret: bytes
    host: str
    taken: int

    def __repr__(self) -> str:
        """Show no secret."""
        return f"Announcement({self.host!r}, {self.taken} taken)"


def lounge_password(path: Path | None) -> str:
    """Return a lounge's password: the first line of a file; none for an open lounge.

    Raises:
        PasswordFileError: it cannot be read.
    """
    return read_password(path) if path is not None else ""


def read_lounge(name: str, password_file: Path | None) -> Lounge:
    """Return the lounge of a name, open or with the password of a file.

    Raises:
        LoungeError: the name.
        PasswordFileError: the file cannot be read.
    """
    return stretch_lounge(name, lounge_password(password_file))


def lobby_announcement(lobby: Lobby, secret: bytes) -> Announcement | None:
    """Return what there is to say of a table; None once it has begun, or while it has no free seat.

    Args:
        lobby: the host's.
        secret: of the ticket.
    """
    if lobby.table is not None or lobby.offer is None or lobby.offered is None:
        return None
    taken = len(lobby.present())
    if taken >= lobby.offered.seats_wanted:
        return None
    return Announcement(offer=lobby.offer, secret=secret, host=lobby.name, taken=taken)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


async def announce(
    url: BrokerURL,
    lounge: Lounge,
    key: Ed25519PrivateKey,
    now: Callable[[], Announcement | None],
) -> None:
    """Answer those who look, until cancelled.

    Args:
        url: the broker of the table.
        lounge: where.
        key: the host's, as at the table.
        now: what there is to say; None while there is no free seat.
    """
    desk = HostDesk(Door(lounge, key, secrets.token_bytes))
    transport = MQTTTransport(url, lounge.topic, on_message=desk.hear, on_state=_nothing)
    async with _running(transport):
        while True:
            await asyncio.sleep(ANSWER_S)
            table = now()
            if table is None:
                continue
            answer = desk.answer(
                table.offer,
                secret=table.secret,
                host=table.host,
                taken=table.taken,
                now_ms=_now_ms(),
            )
            if answer is not None:
                transport.publish(answer)


class Looker:
    """Looks for tables in a lounge for as long as it is open."""

    def __init__(
        self,
        url: BrokerURL,
        lounge: Lounge,
        *,
        on_state: Callable[[LinkState], None] | None = None,
    ) -> None:
        """Take broker and lounge; nothing is sent yet. Who looks has a key of this moment only."""
        self._board = Board(Door(lounge, Ed25519PrivateKey.generate(), secrets.token_bytes))
        self.transport = MQTTTransport(
            url, lounge.topic, on_message=self._hear, on_state=on_state or _nothing
        )

    def _hear(self, data: bytes) -> None:
        self._board.hear(data, _now_ms())

    def tables(self) -> tuple[OpenTable, ...]:
        """Return what was answered lately."""
        return self._board.tables(_now_ms())

    def look(self) -> None:
        """Ask."""
        self.transport.publish(self._board.look())

    async def run(self) -> None:
        """Hold the link until cancelled; who wants answers asks."""
        await self.transport.run()


async def look_once(
    url: BrokerURL, lounge: Lounge, seconds: float = LISTEN_S
) -> tuple[OpenTable, ...]:
    """Ask once, and return who has answered in time.

    Raises:
        BrokerError: the broker does not let us.
    """
    looker = Looker(url, lounge)
    await looker.transport.first_connect()
    async with _running(looker.transport):
        looker.look()
        await asyncio.sleep(seconds)
        return looker.tables()


@contextlib.asynccontextmanager
async def _running(transport: MQTTTransport) -> AsyncIterator[None]:
    link = asyncio.create_task(transport.run(), name="unop2p[lounge].link")
    try:
        yield
    finally:
        link.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await link


def _nothing(_state: LinkState) -> None:
    pass
