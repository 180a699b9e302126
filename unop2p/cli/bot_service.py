"""`unop2p bot --config FILE`: a bot that runs by itself, table after table, until it is told to end."""

import asyncio
import contextlib
import secrets
import signal
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from unop2p.cli.bot_figures import figures
from unop2p.cli.bot_log import BotLog
from unop2p.cli.bot_orders import Orders, read_orders
from unop2p.cli.common import UsageError, run_async
from unop2p.cli.seats import seated_bot
from unop2p.edge.bot_config import MetricsPart, SeatPart, default_config
from unop2p.edge.bot_judge import Judge
from unop2p.edge.bot_notes import HostedCount, SeatNote, SeatNotes
from unop2p.edge.bot_table import BotSeat, BotTable, Outcome
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.keystore import KnownPeers, PeerVerdict
from unop2p.edge.link_state import LinkState, LinkStatus
from unop2p.edge.lounge import LOOK_EVERY_S, Looker
from unop2p.edge.meter import Meter
from unop2p.edge.metrics import Metric, MetricsPort, exposition
from unop2p.edge.paths import data_home
from unop2p.edge.record_folder import prune
from unop2p.edge.sd_notify import TURN_S, Guard, Link, Notifier
from unop2p.edge.seat import SeatSetup
from unop2p.edge.tables import TableStore, table_mark
from unop2p.errors import EdgeError, LocalError, Unop2pError
from unop2p.peer.lobby import Role
from unop2p.peer.lounge import OpenTable
from unop2p.wire.ticket import Ticket, new_ticket, parse_ticket, stretch
from unop2p.words import said

AGAIN_S: Final = 60.0
"""After a failure, or where a table did not take the bot: so long it is left alone."""
END_S: Final = 15.0
SETTLE_S: Final = 1.5
"""After a question in the lounges of several brokers: by then the answers are there."""
COOLING_MAX: Final = 1_000
Place = tuple[str, str]
"""A table's mark and a profile."""


@dataclass(slots=True, kw_only=True)
class _Running:
    """A seat at a table that is being played."""

    table: BotTable
    note: SeatNote
    ticket: Ticket
    hosted: bool


class Service:
    """Keeps seats at tables: those of before first, then tickets, its own table, the lounge's."""

    def __init__(
        self, path: Path | None, orders: Orders, log: BotLog, notifier: Notifier | None = None
    ) -> None:
        """Take the file if there is one, what it says, where to tell, and the service manager."""
        self._path, self._orders, self._log = path, orders, log
        self._guard = Guard(notifier or Notifier())
        self._meter = Meter()
        self._port: MetricsPort | None = None
        self._served: MetricsPart | None = None
        self._rounds = self._matches = 0
        """That ended at tables where there is no seat any more."""
        home = data_home()
        self._notes, self._store, self._known = SeatNotes(home), TableStore(home), KnownPeers(home)
        self._running: dict[asyncio.Task[Outcome], _Running] = {}
        self._cooling: dict[Place, float] = {}
        self._ending = asyncio.Event()
        self._hurry = False
        self._lookers: dict[BrokerURL, tuple[Looker, asyncio.Task[None]]] = {}
        self._looked_s = 0.0
        self._lounge_told: dict[BrokerURL, str] = {}
        self._hosted = HostedCount(home, path or Path("--daemon"))

    # -- signals ---------------------------------------------------------------------------------

    def end(self) -> None:
        """End in good order; asked a second time, wait for no round."""
        if not self._ending.is_set():
            self._log.tell("ends", "asked to end: leaving every table, to come back to it")
            self._ending.set()
        elif not self._hurry:
            self._hurry = True
            for running in self._running.values():
                running.table.stop()

    def reload(self) -> None:
        """Read the file anew; a wrong one changes nothing."""
        self._guard.reloading()
        try:
            self._read_anew()
        finally:
            self._guard.reloaded()

    def _read_anew(self) -> None:
        if self._path is None:
            self._log.tell(
                "config", "there is no file to read anew: all stands on the command line"
            )
            return
        try:
            orders = read_orders(self._path)
        except Unop2pError as error:
            self._log.tell("config", f"the file is as before, for the new one is wrong: {error}")
            return
        moved = (orders.urls, orders.lounge) != (self._orders.urls, self._orders.lounge)
        self._orders = orders
        if moved:
            self._stop_looking()
        self._log.tell("config", "the file was read anew: it counts for tables from now on")

    # -- running ---------------------------------------------------------------------------------

    async def run(self) -> int:
        """Run until `end`; return the exit code."""
        seats = self._orders.config.seat
        names = ", ".join(f"{seat.name} ({seat.level})" for seat in seats)
        self._log.tell("begins", f"{len(seats)} seat(s): {names}")
        with ThreadPoolExecutor(max_workers=2, thread_name_prefix="unop2p-crypto") as executor:
            try:
                while not self._ending.is_set():
                    self._reap()
                    await self._serve_figures()
                    await self._fill(executor)
                    self._guard.turn(self._links(), self._status())
                    if self._is_done():
                        self._hosted.forget()  # all was done: started again it begins anew
                        break
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(TURN_S):
                            await self._ending.wait()
            finally:
                await self._leave_all()
                if self._port is not None:
                    self._port.close()
        self._log.tell("ended", "ended")
        return 0

    def _links(self) -> list[Link]:
        """Return every link to a broker that there is now."""
        found: list[Link] = [r.table.link for r in self._running.values() if r.table.link]
        for looker, task in self._lookers.values():
            if not task.done():
                found.append(looker.transport)
        return found

    def _status(self) -> str:
        """Return in a few words how it stands, for the service manager."""
        began = sum(running.table.began for running in self._running.values())
        return f"{began} tables playing, {len(self._running) - began} waiting"

    def _is_done(self) -> bool:
        """Say whether nothing can come any more."""
        config = self._orders.config
        endless = bool(config.lounge.name) and not config.host.seats
        if endless or self._running or self._pending() or self._cooling:
            return False
        hosted_all = not config.host.seats or 0 < config.host.matches <= self._hosted.matches
        return hosted_all and not self._open_tickets()

    def _stop_looking(self) -> None:
        for _, task in self._lookers.values():
            task.cancel()
        self._lookers = {}

    async def _serve_figures(self) -> None:
        """Listen for who wants figures, as the file says; that it cannot be done ends no table.

        Raises:
            EdgeError: at the very beginning, where somebody can still mend it.
        """
        wanted = self._orders.config.metrics
        if wanted == self._served:
            return
        first, self._served = self._served is None, wanted
        if self._port is not None:
            self._port.close()
            self._port = None
        if not wanted.port:
            return
        port = MetricsPort(lambda: exposition(self.figures()))
        try:
            await port.open(wanted.address, wanted.port)
        except EdgeError as error:
            if first:
                raise
            self._log.tell("warned", f"no figures: {error}")
            return
        self._port = port
        self._log.tell("config", f"figures at http://{wanted.address}:{wanted.port}/metrics")

    def figures(self) -> list[Metric]:
        """Return what there is to be told of all tables."""
        tables = [running.table for running in self._running.values()]
        rounds = self._rounds + sum(table.rounds for table in tables)
        matches = self._matches + sum(table.matches for table in tables)
        return figures(self._meter, tables, self._links(), (rounds, matches))

    async def _leave_all(self) -> None:
        """Leave every table; where a round is played, end it first, if that can be done in time."""
        orderly = self._ending.is_set() and not self._hurry
        patience_s = self._orders.config.stop_seconds if orderly else 0
        self._guard.stopping(patience_s + END_S)
        self._stop_looking()
        for running in self._running.values():
            running.table.stop(patience_s)
        deadline_s = time.monotonic() + patience_s + END_S
        left = set(self._running)
        while left and time.monotonic() < deadline_s:
            _, left = await asyncio.wait(left, timeout=TURN_S)
            self._guard.turn(self._links(), self._status())
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._reap()

    def _reap(self) -> None:
        """See what has ended."""
        now_s = time.monotonic()
        for place in [place for place, until in self._cooling.items() if until <= now_s]:
            del self._cooling[place]
        for task in [task for task in self._running if task.done()]:
            running = self._running.pop(task)
            place = table_mark(running.ticket), running.note.profile
            self._rounds += running.table.rounds
            self._matches += running.table.matches
            if task.cancelled():
                continue
            error = task.exception()
            if error is not None:
                if not isinstance(error, Unop2pError):
                    raise error
                self._log.tell("failed", error.sentence(), table=place[0][:8], seat=place[1])
                self._cool(place)
                continue
            if task.result() is Outcome.WAITS:
                continue
            self._cool(place)
            if running.hosted:
                self._hosted.add(running.ticket)
            if running.ticket in self._orders.tickets:
                self._notes.save(replace(running.note, over=True))
            else:
                self._notes.forget(running.ticket, running.note.profile)
            self._prune()

    def _cool(self, place: Place) -> None:
        self._cooling[place] = time.monotonic() + AGAIN_S
        while len(self._cooling) > COOLING_MAX:
            del self._cooling[next(iter(self._cooling))]

    def _prune(self) -> None:
        """Remove records beyond those that are to be kept, the oldest first."""
        config = self._orders.config
        if not config.records:
            return
        playing = {self._record(r.ticket, r.note.profile) for r in self._running.values()}
        prune(
            Path(config.records),
            keep=config.records_keep,
            most_bytes=config.records_megabytes * 1_000_000,
            oldest_s=time.time() - config.records_days * 86_400 if config.records_days else 0,
            but={path for path in playing if path is not None},
        )

    # -- taking seats ------------------------------------------------------------------------------

    async def _fill(self, executor: Executor) -> None:
        """Take seats: one for each free place of each identity, those of before first."""
        pending = self._pending()
        for note in pending:
            if not self._is_cooling(parse_ticket(note.ticket), note.profile):
                self._log.tell("resumed", "going on with a table", seat=note.profile)
                await self._sit(note, executor, resumed=True)
        config = self._orders.config
        if pending or config.is_quiet(datetime.now().astimezone().time()):
            return
        for ticket in self._open_tickets():
            seat = self._free()
            if seat is None:
                return
            note = SeatNote(ticket=ticket.text(), profile=seat.profile, role=Role.JOINER)
            await self._sit(note, executor, resumed=False)
        await self._host(executor)
        await self._look(executor)

    def _pending(self) -> list[SeatNote]:
        """Return the seats of before that are not being played."""
        here = {(r.note.ticket, r.note.profile) for r in self._running.values()}
        profiles = {seat.profile for seat in self._orders.config.seat}
        return [
            note
            for note in self._notes.all()
            if not note.over
            and note.profile in profiles
            and (note.ticket, note.profile) not in here
        ]

    def _open_tickets(self) -> list[Ticket]:
        noted = {note.ticket for note in self._notes.all()}
        playing = {running.note.ticket for running in self._running.values()}
        return [t for t in self._orders.tickets if t.text() not in noted | playing]

    def _free(self) -> SeatPart | None:
        """Return an identity with a place free, or None."""
        for seat in self._orders.config.seat:
            busy = sum(r.note.profile == seat.profile for r in self._running.values())
            if busy < seat.tables:
                return seat
        return None

    def _is_cooling(self, ticket: Ticket, profile: str) -> bool:
        return (table_mark(ticket), profile) in self._cooling

    async def _host(self, executor: Executor) -> None:
        host = self._orders.config.host
        if not host.seats or any(running.hosted for running in self._running.values()):
            return
        if host.matches and self._hosted.matches >= host.matches:
            return
        seat = self._free()
        if seat is None:
            return
        urls = tuple(url.public_text() for url in self._orders.urls)
        ticket = new_ticket(secrets.token_bytes, urls)
        note = SeatNote(ticket=ticket.text(), profile=seat.profile, role=Role.OPENER)
        await self._sit(note, executor, resumed=False)

    async def _look(self, executor: Executor) -> None:
        """Look round in the lounge, and sit down where there is a seat."""
        orders = self._orders
        if orders.lounge is None or not orders.urls or self._free() is None:
            return
        for url in orders.urls:
            if url not in self._lookers or self._lookers[url][1].done():
                looker = Looker(url, orders.lounge, on_state=partial(self._lounge_link, url))
                task = asyncio.create_task(looker.run(), name="unop2p[lounge]")
                self._lookers[url] = looker, task
        now_s = time.monotonic()
        if now_s - self._looked_s >= LOOK_EVERY_S:
            self._looked_s = now_s
            for looker, _ in self._lookers.values():
                looker.look()
        if len(orders.urls) > 1 and now_s - self._looked_s < SETTLE_S:
            return  # so that a table is found on all its brokers
        for table, urls in self._found():
            seat = self._free()
            if seat is None:
                return
            await self._try(table, urls, seat, executor)

    def _found(self) -> list[tuple[OpenTable, tuple[str, ...]]]:
        """Return the tables of the lounge, each once, with the brokers on which it was found."""
        found: dict[bytes, tuple[OpenTable, list[str]]] = {}
        for url in self._orders.urls:
            looker, _ = self._lookers[url]
            for table in looker.tables():
                found.setdefault(table.secret, (table, []))[1].append(url.public_text())
        return [(table, tuple(urls)) for table, urls in found.values()]

    def _lounge_link(self, url: BrokerURL, state: LinkState) -> None:
        """Tell whether the lounge can be reached, and of each broker each reason why not once."""
        where = f"the lounge on {url.public_text()}" if len(self._orders.urls) > 1 else "the lounge"
        if state.status is LinkStatus.UP:
            told = f"{where}: connected"
        elif state.status is LinkStatus.DOWN and state.reason:
            told = f"{where}: not connected: {state.reason}"
        else:
            return
        if told != self._lounge_told.get(url):
            self._lounge_told[url] = told
            self._log.tell("link", told)

    async def _try(
        self, table: OpenTable, urls: tuple[str, ...], seat: SeatPart, executor: Executor
    ) -> None:
        orders, judge = self._orders, self._judge()
        ticket = Ticket(table.secret, urls)
        playing = {table_mark(running.ticket) for running in self._running.values()}
        own = {identity.public for identity in orders.identities.values()}
        taken = table.taken >= table.offer.seats_wanted
        if taken or table.key in own or table_mark(ticket) in playing:
            return
        if self._is_cooling(ticket, seat.profile) or not judge.host(table.key):
            return
        why = judge.rules(table.offer)
        if why is not None:
            self._cool((table_mark(ticket), seat.profile))
            self._log.tell("passed_by", f"{table.host}'s table: {why}")
            return
        if table.offer.bots == "none":
            return
        self._log.tell("found", f"{table.host}'s table in the lounge", seat=seat.name)
        note = SeatNote(ticket=ticket.text(), profile=seat.profile, role=Role.JOINER)
        await self._sit(note, executor, resumed=False)

    def _judge(self) -> Judge:
        own = frozenset(identity.public for identity in self._orders.identities.values())
        return Judge(self._orders.config, self._is_known, own)

    def _is_known(self, name: str, key: bytes) -> bool:
        try:
            return self._known.check(name, key) is PeerVerdict.SAME
        except EdgeError as error:
            self._log.tell("warned", f"nobody is known: {error}")
            return False

    def _record(self, ticket: Ticket, profile: str) -> Path | None:
        folder = self._orders.config.records
        return Path(folder) / f"{table_mark(ticket)}-{profile}.jsonl" if folder else None

    async def _sit(self, note: SeatNote, executor: Executor, *, resumed: bool) -> None:
        """Take a seat, or go on with it; note it before anything is said."""
        orders, ticket = self._orders, parse_ticket(note.ticket)
        config = orders.config
        part = next(seat for seat in config.seat if seat.profile == note.profile)
        hosted = note.role == Role.OPENER
        judge = self._judge()
        log = self._log.at(table_mark(ticket)[:8], part.name)
        try:
            urls = orders.brokers(ticket)
            table = await asyncio.get_running_loop().run_in_executor(None, stretch, ticket)
            setup = SeatSetup(
                key=orders.identities[note.profile].private_key,
                name=part.name,
                role=Role.OPENER if hosted else Role.JOINER,
                url=urls[0],
                more_urls=urls[1:],
                table=table,
                executor=executor,
                bot=seated_bot(part.level),
                terms=orders.offer() if hosted and config.host.seats else None,
                journal_path=self._store.journal_path(ticket, note.profile),
                record_path=self._record(ticket, note.profile),
                meter=self._meter,
                pace=orders.pace,
                ready=hosted,
                owner=orders.owner.private_key if orders.owner is not None else None,
                welcome=lambda key, join: judge.seat(key, join) is None,
            )
            self._notes.save(note)
        except (LocalError, EdgeError) as error:
            log("failed", error.sentence())
            self._cool((table_mark(ticket), note.profile))
            return
        seat = BotSeat(
            setup=setup,
            level=part.level,
            resumed=resumed,
            lasting=ticket in orders.tickets,
            secret=ticket.secret,
            lounge=orders.lounge,
        )
        bot_table = BotTable(seat, config, judge, log)
        log("sits", "hosting a table" if hosted else "sitting down")
        task = asyncio.create_task(bot_table.run(), name=f"unop2p[{part.name}]")
        self._running[task] = _Running(table=bot_table, note=note, ticket=ticket, hosted=hosted)


def unattended(ticket: str | None, path: Path | None, *, show: bool, as_json: bool) -> int:
    """Run the bot of a file, or show such a file; return the exit code.

    Raises:
        UsageError: a ticket beside a file, or neither.
        EdgeError: the file, or what it names.
        LocalError: a ticket, a level, rules.
    """
    if ticket is not None or (path is None and not show):
        message = said("`unop2p bot` takes a ticket, or `--config FILE`, or `--print-config`.")
        raise UsageError(message)
    if show:
        print(default_config(), end="")  # noqa: T201  # the command's result
        return 0
    assert path is not None
    return run_async(serve(path, as_json=as_json))


async def serve(path: Path, *, as_json: bool) -> int:
    """Run the bot of a file until it is told to end; return the exit code.

    Raises:
        EdgeError: the file, or what it names.
        LocalError: a ticket, a level, rules.
    """
    orders = read_orders(path)
    return await keep(Service(path, orders, BotLog(as_json=as_json), Notifier.from_environment()))


async def keep(service: Service) -> int:
    """Run a service until a signal ends it; return the exit code.

    Raises:
        EdgeError: it cannot begin.
    """
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, service.end)
        loop.add_signal_handler(signal.SIGHUP, service.reload)
    return await service.run()
