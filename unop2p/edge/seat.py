"""One seat on the network: peer, driver, journal and connection, put together and run."""

import asyncio
import contextlib
import secrets
import string
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p import __version__
from unop2p.bots.base import Bot
from unop2p.bots.pace import Pace
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.commit import Commits
from unop2p.edge.driver import Driver, SharedChecks
from unop2p.edge.journal import Journal, remove_journal, secrets_folder
from unop2p.edge.meter import Meter
from unop2p.edge.mqtt import LinkState, MQTTTransport
from unop2p.edge.record_file import RecordFile
from unop2p.edge.several import SeveralTransports
from unop2p.peer.core import Peer
from unop2p.peer.events import Stop
from unop2p.peer.lobby import Role
from unop2p.table.genesis import PROGRAM_CHARACTERS_MAX, Join, Offer, Program
from unop2p.wire.codec import vouch
from unop2p.wire.ticket import TableSecrets

_LEVEL_SIGNS = frozenset(string.ascii_letters + string.digits + "-_.:+/")
Transport = MQTTTransport | SeveralTransports
FLUSH_S = 3.0
"""How long the last messages may take to come back before the connection is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSetup:
    """All that a seat needs to sit down."""

    key: Ed25519PrivateKey
    name: str
    role: Role
    url: BrokerURL
    table: TableSecrets
    executor: Executor
    more_urls: tuple[BrokerURL, ...] = ()
    """Further brokers, which carry the same table."""
    bot: Bot | None = None
    terms: Offer | None = None
    journal_path: Path | None = None
    record_path: Path | None = None
    shared: SharedChecks | None = None
    commits: Commits | None = None
    pace: Pace | None = None
    ready: bool = True
    """Whether the table may begin as soon as all are here."""
    owner: Ed25519PrivateKey | None = None
    """Who stands up for the bot."""
    welcome: Callable[[bytes, Join], bool] | None = None
    """Of an opener: whether somebody may sit down; None for everybody."""

    meter: Meter | None = None
    """Counts what the seat does."""
    tap: Callable[[bytes], None] | None = None
    """Sees all that comes in, before the seat does: for measurements."""

    def program(self) -> Program | None:
        """Return what the table is told of the bot."""
        if self.bot is None:
            return None
        level = "".join(sign if sign in _LEVEL_SIGNS else "-" for sign in self.bot.name)
        public = self.key.public_key().public_bytes_raw()
        return Program(
            level=level[:PROGRAM_CHARACTERS_MAX] or "bot",
            version=__version__,
            owner=vouch(self.owner, public) if self.owner is not None else None,
        )

    def __repr__(self) -> str:
        """Show no key."""
        return f"SeatSetup({self.name}, {self.role})"


class SeatRunner:
    """Runs one seat; `driver` is what a player talks to."""

    def __init__(
        self, setup: SeatSetup, *, on_state: Callable[[LinkState], None] | None = None
    ) -> None:
        """Open journal and record, and make the peer; nothing is sent yet.

        Raises:
            EdgeError: journal or record cannot be opened.
        """
        self.setup = setup
        self.journal = Journal.open(setup.journal_path) if setup.journal_path else None
        try:
            self._record = RecordFile(setup.record_path) if setup.record_path else None
        except BaseException:
            if self.journal is not None:
                self.journal.close()
            raise
        peer = Peer(
            key=setup.key,
            role=setup.role,
            name=setup.name,
            bot=setup.bot is not None,
            sealing_key=setup.table.sealing_key,
            entropy=secrets.token_bytes,
            terms=setup.terms,
            ready=setup.ready,
            program=setup.program(),
            welcome=setup.welcome,
            reader=setup.shared.reader(setup.table.sealing_key) if setup.shared else None,
        )
        self.driver = Driver(
            peer,
            executor=setup.executor,
            journal=self.journal,
            record=self._record,
            bot=setup.bot,
            shared=setup.shared,
            commits=setup.commits,
            pace=setup.pace,
        )
        self.transport = self._transport(on_state or (lambda _state: None))
        self.driver.attach(self.transport)
        if setup.meter is not None:
            self.driver.meter, self.driver.on_settled = setup.meter, setup.meter.clock()

    def _transport(self, on_state: Callable[[LinkState], None]) -> Transport:
        setup, take = self.setup, self._receive if self.setup.tap else self.driver.receive
        if not setup.more_urls:
            topic = setup.table.topic
            return MQTTTransport(setup.url, topic, on_message=take, on_state=on_state)
        urls = (setup.url, *setup.more_urls)
        return SeveralTransports(urls, setup.table.topic, on_message=take, on_state=on_state)

    def _receive(self, data: bytes) -> bool:
        if self.setup.tap is not None:
            self.setup.tap(data)
        return self.driver.receive(data)

    async def run(self) -> Stop:
        """Play until the table is over for this seat.

        Raises:
            EdgeError: the disk failed.
        """
        meter, repairs = self.setup.meter, self.driver.peer.gossip.repairs
        uncounted = meter.begin(lambda: self.transport.statistics, repairs) if meter else None
        link = asyncio.create_task(self.transport.run(), name=f"unop2p[{self.setup.name}].link")
        play = asyncio.create_task(self.driver.run(), name=f"unop2p[{self.setup.name}].inbox")
        try:
            await asyncio.wait({link, play}, return_when=asyncio.FIRST_COMPLETED)
            if not play.done():
                link.result()  # the link ends by itself only where our own code has failed
            stop = await play
            await self._flush()
            return stop
        finally:
            for task in (play, link):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task
            if uncounted is not None:
                uncounted()
            await self._end_bot()
            if self.journal is not None:
                self.journal.close()

    async def _end_bot(self) -> None:
        """End what the bot has started, a program of its own for one."""
        close = getattr(self.setup.bot, "close", None)
        if close is not None:
            await asyncio.to_thread(close)

    def close(self) -> None:
        """Let go of the files of a seat that never ran."""
        if self._record is not None:
            self._record.close()
        if self.journal is not None:
            self.journal.close()

    async def _flush(self) -> None:
        """Wait a moment until the last words have come back."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_S):
                while self.transport.unechoed_count:  # noqa: ASYNC110  # a short wait at the very end
                    await asyncio.sleep(0.02)

    def forget_journal(self) -> None:
        """Remove the journal of a table that has ended."""
        if self.journal is None or self.setup.journal_path is None:
            return
        for name in self.journal.secret_names():
            self.journal.delete_secret(name)
        remove_journal(self.setup.journal_path)
        with contextlib.suppress(OSError):
            secrets_folder(self.setup.journal_path).rmdir()
