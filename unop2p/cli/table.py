"""`unop2p host`, `join`, `bot`, `watch`: seats at a table that other machines share."""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.bots.pace import read_pace
from unop2p.cli.announcing import Announcing, Begin, Wanted, nowhere
from unop2p.cli.common import (
    OWN_BROKER_OPTIONS,
    Given,
    changed,
    check_embedded,
    check_tls_files,
    leftover_note,
    make_offer,
    program,
    read_broker,
    read_name,
    read_rules,
    say,
    start_embedded,
    tell_unused,
    terms_note,
)
from unop2p.cli.look import PLAIN, Look
from unop2p.cli.screen import Screen
from unop2p.cli.seats import seated_bot
from unop2p.cli.tables import remember
from unop2p.edge.arguments import load_argument
from unop2p.edge.broker import EmbeddedBroker, lan_address
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.keystore import load_identity
from unop2p.edge.paths import data_home
from unop2p.edge.roster import check_bot
from unop2p.edge.seat import SeatSetup
from unop2p.edge.tables import TableStore
from unop2p.peer.lobby import Role
from unop2p.repl.app import RESUME_HINT
from unop2p.table.genesis import Offer
from unop2p.wire.ticket import Ticket, new_ticket, parse_ticket, stretch
from unop2p.words import said

OWNER_PROFILE = "default"
"""Whose key stands up for the bots of this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequest:
    """Who sits."""

    name: str | None
    profile: str
    record: Path | None
    look: Look
    level: str | None
    """Of the bot that plays; None for a person."""
    pace: str = "human"
    """Of that bot."""
    ready: bool = True
    """Whether the table may begin as soon as all are here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerRequest:
    """Which broker, and what it takes to get in."""

    urls: tuple[str, ...]
    """As asked for; none: the ticket's, or a broker of our own."""
    ca_file: Path | None
    cert: Path | None
    key: Path | None
    password_file: Path | None
    mqtt5: bool
    given: Given = frozenset()

    def read(self, otherwise: tuple[str, ...]) -> tuple[BrokerURL, ...]:
        """Return the addresses, or others where none was asked for, with all that belongs to them.

        Raises:
            BrokerURLError: one cannot be right.
        """
        return tuple(
            read_broker(
                url,
                ca_file=self.ca_file,
                cert=self.cert,
                key=self.key,
                password_file=self.password_file,
                mqtt5=self.mqtt5,
            )
            for url in self.urls or otherwise
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """What `host` was asked for."""

    seats: int
    rules: str
    overrides: list[str]
    deal: str
    engine: str
    port: int
    address: str | None
    timers_s: tuple[float, float]
    """For a turn, and how long a silent seat is waited for beyond its time."""
    resilience: int | None
    """For how many absent seats the others can stand in; None: as is usual."""
    bots: str
    """Which bots may sit there."""
    wanted: Wanted
    """Where the table is announced, and to whom."""
    qr: bool
    """Whether the ticket is drawn for cameras, too."""
    hints: bool
    """Whether persons may be told what a bot would play."""
    new: bool
    seat: SeatRequest
    broker: BrokerRequest

    def offer(self, deal: str) -> Offer:
        """Return the terms of the table.

        Args:
            deal: the shuffle argument, as asked for or as noted.

        Raises:
            LocalError: a wrong option.
        """
        return make_offer(
            read_rules(self.rules, self.overrides),
            self.seats,
            argument=load_argument(deal),
            turn_s=self.timers_s[0],
            patience_s=self.timers_s[1],
            resilience=self.resilience,
            bots=self.bots,
            hints=self.hints,
        )

    @property
    def terms(self) -> dict[str, object]:
        """Return what is settled for a table once it is open, by option."""
        return {
            "--seats": self.seats,
            "--name": self.seat.name,
            "--rules": self.rules,
            "--set": self.overrides,
            "--to": self.overrides,
            "--deal": self.deal,
            "--turn-time": self.timers_s[0],
            "--patience": self.timers_s[1],
            "--resilience": self.resilience,
            "--port": self.port,
            "--allow-bots": self.bots,
            "--hints": self.hints,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """What `join`, `bot` or `watch` was asked for."""

    ticket: str
    deal: str | None
    """A shuffle argument of our own that the table may be dealt with."""
    seat: SeatRequest
    broker: BrokerRequest


async def host(request: HostRequest) -> int:
    """Open a table, or go on with the one that this profile had opened.

    Raises:
        LocalError: a wrong option.
        EdgeError: broker, folder or journal.
    """
    read_rules(request.rules, request.overrides)
    read_name(request.seat.name)
    if request.seat.level is not None:
        check_bot(request.seat.level)
    read_pace(request.seat.pace)
    check_embedded(request.engine, request.port)
    given = request.broker.read(())
    store = TableStore(data_home())
    profile = request.seat.profile
    note = None if request.new else store.load("host", profile)
    deal = str((note or {}).get("deal", request.deal))
    terms = request.offer(deal)
    announcing = Announcing.read(request.wanted, request.address)
    if note is not None:
        say(said("Going on with your unfinished table; `--new` starts another."))
    embedded: EmbeddedBroker | None = None
    noted = str(note["broker"]).split(",") if note is not None and note.get("broker") else []
    urls = given or request.broker.read(tuple(noted))
    check_tls_files(urls, request.broker.given)
    useless = changed(request.terms, note) if note is not None else []
    useless += [*(OWN_BROKER_OPTIONS if urls else ()), *(() if request.seat.level else ("--pace",))]
    tell_unused(useless, request.broker.given)
    if not urls:
        address = request.address or lan_address() or "127.0.0.1"
        port = int(str(note["port"])) if note is not None else request.port
        embedded = await start_embedded(request.engine, address, port, note)
        urls = (embedded.url,)
    try:
        if note is not None:
            ticket = parse_ticket(str(note["ticket"]))
        else:
            ticket = new_ticket(secrets.token_bytes, tuple(url.public_text() for url in urls))
        content = {
            "ticket": ticket.text(),
            "port": urls[0].port,
            "broker": None if embedded is not None else ",".join(u.public_text() for u in urls),
            "deal": deal,
            **terms_note(request.terms, note),
            **leftover_note(embedded),
        }

        def opened() -> None:
            # Not before: a table that cannot open is nothing to go on with.
            store.save("host", profile, content)
            _show_ticket(ticket, request, new=note is None)

        async with announcing.open(urls, ticket) as announce:
            code = await _sit(
                request.seat,
                urls,
                ticket,
                store,
                terms=terms,
                hint=_host_hint(alone=embedded is not None),
                opened=opened,
                invitation=(said("The ticket to this table:"), ticket.text()),
                qr=ticket.text() if request.qr else "",
                announce=announce,
            )
        if code == 0:
            store.forget("host", profile)
        return code
    finally:
        if embedded is not None:
            await embedded.stop()


def _host_hint(*, alone: bool) -> str:
    """Return how to come back: nobody plays on without a broker of our own, which stops with us."""
    if alone:
        return said("The table waits: `{program} host` goes on with it.", program=program())
    return said("Your hand is kept: `{program} host` comes back to it.", program=program())


def _show_ticket(ticket: Ticket, request: HostRequest, *, new: bool) -> None:
    """Say with what others find the table, and how."""
    say(said("The ticket to this table (give it to those who play, and to nobody else):"))
    say(f"  {ticket.text()}")
    if new and request.seat.level is None:
        say(said("They type `unop2p join '...'` with it. `begin` starts before all are here."))
    if request.qr:
        from unop2p.cli.code import show_code  # noqa: PLC0415  # only who asks waits for it

        show_code(ticket.text(), request.seat.look)


async def join(request: JoinRequest) -> int:
    """Sit down at a table, or come back to it.

    Raises:
        LocalError: a wrong ticket or option, a full table.
        EdgeError: broker, folder or journal.
    """
    ticket = parse_ticket(request.ticket)
    if request.deal is not None:
        load_argument(request.deal)
    urls = request.broker.read(ticket.brokers)
    check_tls_files(urls, request.broker.given)
    store = TableStore(data_home())
    return await _sit(request.seat, urls, ticket, store, terms=None, hint=RESUME_HINT)


async def watch(request: JoinRequest) -> int:
    """Watch a table with a key that is thrown away.

    Raises:
        LocalError: a wrong ticket.
        EdgeError: broker or record.
    """
    ticket = parse_ticket(request.ticket)
    if request.deal is not None:
        load_argument(request.deal)
    urls = request.broker.read(ticket.brokers)
    check_tls_files(urls, request.broker.given)
    table = await asyncio.get_running_loop().run_in_executor(None, stretch, ticket)
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="unop2p-crypto") as executor:
        screen = Screen(
            SeatSetup(
                key=Ed25519PrivateKey.generate(),
                name=request.seat.name or "watcher",
                role=Role.SPECTATOR,
                url=urls[0],
                more_urls=urls[1:],
                table=table,
                executor=executor,
                record_path=request.seat.record,
            ),
            look=PLAIN,
            hint="",
        )
        return await screen.run_without_app()


async def _sit(  # what a seat is made of
    seat: SeatRequest,
    urls: tuple[BrokerURL, ...],
    ticket: Ticket,
    store: TableStore,
    *,
    terms: Offer | None,
    hint: str,
    opened: Callable[[], None] = lambda: None,
    invitation: tuple[str, ...] = (),
    qr: str = "",
    announce: Begin = nowhere,
) -> int:
    def begin() -> None:
        remember(store, ticket, seat.profile)
        opened()
        announce(screen.runner.driver.peer.lobby, key)

    name = read_name(seat.name)
    bot = seated_bot(seat.level) if seat.level is not None else None
    owner = load_identity(data_home(), OWNER_PROFILE).private_key if bot is not None else None
    pace = read_pace(seat.pace)
    key = load_identity(data_home(), seat.profile).private_key
    table = await asyncio.get_running_loop().run_in_executor(None, stretch, ticket)
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="unop2p-crypto") as executor:
        screen = Screen(
            SeatSetup(
                key=key,
                name=name,
                role=Role.OPENER if terms is not None else Role.JOINER,
                url=urls[0],
                more_urls=urls[1:],
                table=table,
                executor=executor,
                bot=bot,
                pace=pace,
                terms=terms,
                ready=seat.ready,
                owner=owner,
                journal_path=store.journal_path(ticket, seat.profile),
                record_path=seat.record,
            ),
            look=seat.look,
            profile=seat.profile,
            hint=hint,
            opened=begin,
            invitation=invitation,
            code=qr,
        )
        code = await (screen.run_without_app() if bot is not None else screen.run_with_app())
        if code == 0:
            store.ended(ticket, seat.profile)
        return code
