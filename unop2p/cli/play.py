"""`unop2p play`: you and bots, each seat a peer of its own, over a broker of our own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from unop2p.bots.pace import read_pace
from unop2p.cli.common import (
    BOT_NAMES,
    OWN_BROKER_OPTIONS,
    Given,
    UsageError,
    changed,
    check_embedded,
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
from unop2p.cli.drawn import DrawnSecret
from unop2p.cli.look import Look
from unop2p.cli.screen import Screen
from unop2p.cli.seats import GRACE_S, SeatFailedError, first_failure, seated_bot
from unop2p.cli.tables import remember
from unop2p.edge.arguments import load_argument
from unop2p.edge.broker import EmbeddedBroker
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.commit import Commits
from unop2p.edge.driver import SharedChecks
from unop2p.edge.errors import BrokerError
from unop2p.edge.keystore import load_identity
from unop2p.edge.paths import data_home
from unop2p.edge.roster import check_bot
from unop2p.edge.seat import SeatRunner, SeatSetup
from unop2p.edge.tables import TableStore
from unop2p.ids import SEATS_MAX
from unop2p.peer.lobby import Role
from unop2p.rules.options import Options
from unop2p.table.genesis import Offer
from unop2p.table.lookalike import skeleton
from unop2p.wire.ticket import Ticket, parse_ticket, stretch
from unop2p.words import said


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRequest:
    """What `play` was asked for."""

    bots: int
    name: str | None
    profile: str
    rules: str
    overrides: list[str]
    deal: str
    level: str
    record: Path | None
    broker: str | None
    engine: str
    turn_s: float
    resilience: int | None
    """For how many absent seats the others can stand in; None: as is usual."""
    shared_checks: bool
    new: bool
    look: Look
    pace: str
    hints: bool
    drawn: DrawnSecret
    given: Given = frozenset()

    def offer(self, options: Options, bots: int, argument: str) -> Offer:
        """Return the terms of the table.

        Args:
            options: the rules.
            bots: how many sit there.
            argument: the name of the shuffle argument.

        Raises:
            LocalError: a wrong option.
        """
        return make_offer(
            options,
            bots + 1,
            argument=argument,
            turn_s=self.turn_s,
            resilience=self.resilience,
            hints=self.hints,
        )

    @property
    def terms(self) -> dict[str, object]:
        """Return what is settled for a table once it is open, by option."""
        return {
            "--bots": self.bots,
            "--name": self.name,
            "--rules": self.rules,
            "--set": self.overrides,
            "--to": self.overrides,
            "--deal": self.deal,
            "--turn-time": self.turn_s,
            "--resilience": self.resilience,
            "--hints": self.hints,
        }


async def play(request: PlayRequest) -> int:
    """Play against bots; an unfinished table goes on where it stood.

    Raises:
        LocalError: a wrong option.
        EdgeError: broker, folder or journal.
    """
    if not 1 <= request.bots < SEATS_MAX:
        message = said(
            "{bots} bots: 1 to {seats_max} can sit with you.",
            bots=request.bots,
            seats_max=SEATS_MAX - 1,
        )
        raise UsageError(message)
    name = read_name(request.name)
    options = read_rules(request.rules, request.overrides)
    check_bot(request.level)
    read_pace(request.pace)
    check_embedded(request.engine)
    url = read_broker(request.broker) if request.broker is not None else None
    store = TableStore(data_home())
    note = None if request.new else store.load("play", request.profile)
    bots = request.bots
    argument = load_argument(str((note or {}).get("deal", request.deal)))
    terms = request.offer(options, bots, argument)
    if note is not None:
        bots = int(str(note.get("bots", bots)))
        name = str(note.get("name", name))
        terms = request.offer(options, bots, argument)
        say(said("Going on with your unfinished table; `--new` starts another."))
    useless = changed(request.terms, note) if note is not None else []
    tell_unused([*useless, *(OWN_BROKER_OPTIONS if url is not None else ())], request.given)
    broker: EmbeddedBroker | None = None
    if url is None:
        broker = await _start_broker(request.engine, note)
        url = broker.url
    try:
        if note is not None:
            ticket = parse_ticket(str(note["ticket"]))
        else:
            ticket = request.drawn.ticket((url.public_text(),))
        content = {
            "ticket": ticket.text(),
            "port": url.port,
            "bots": bots,
            "name": name,
            "deal": str((note or {}).get("deal", request.deal)),
            **terms_note(request.terms, note),
            **leftover_note(broker),
        }

        def opened() -> None:
            # Not before: a table that cannot open is nothing to go on with.
            store.save("play", request.profile, content)
            remember(store, ticket, request.profile)

        seats = Seats(request=request, name=name, bots=bots, ticket=ticket, url=url, store=store)
        code = await seats.run(
            terms,
            opened,
        )
        if code == 0:
            store.forget("play", request.profile)
            store.ended(ticket, request.profile)
        return code
    finally:
        if broker is not None:
            await broker.stop()


async def _start_broker(engine: str, note: dict[str, object] | None) -> EmbeddedBroker:
    """Start our own broker, on the port of the last time where it is still free."""
    port = int(str(note["port"])) if note is not None else 0
    try:
        return await start_embedded(engine, "127.0.0.1", port, note)
    except BrokerError:
        if not port:
            raise
        return await start_embedded(engine, "127.0.0.1", 0, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """The person's seat and the bots', in one process, each with its own keys and connection."""

    request: PlayRequest
    name: str
    bots: int
    ticket: Ticket
    url: BrokerURL
    store: TableStore

    async def run(self, terms: Offer, opened: Callable[[], None]) -> int:
        """Run every seat until the person's has ended; return its exit code.

        Args:
            terms: of the table, where it is new.
            opened: called once everything is seen to work, before anything is said.
        """
        loop = asyncio.get_running_loop()
        drawn = self.request.drawn
        if self.ticket == drawn.ticket(self.ticket.brokers):
            table = await asyncio.wrap_future(drawn.table)
        else:
            table = await loop.run_in_executor(None, stretch, self.ticket)
        shared = SharedChecks() if self.request.shared_checks else None
        commits = Commits()
        home = data_home()
        executor = ThreadPoolExecutor(max_workers=2, thread_name_prefix="unop2p-crypto")
        runners: list[SeatRunner] = []
        try:
            screen = Screen(
                SeatSetup(
                    key=load_identity(home, self.request.profile).private_key,
                    name=self.name,
                    role=Role.OPENER,
                    url=self.url,
                    table=table,
                    executor=executor,
                    terms=terms,
                    journal_path=self.store.journal_path(self.ticket, self.request.profile),
                    record_path=self.request.record,
                    shared=shared,
                    commits=commits,
                ),
                look=self.request.look,
                profile=self.request.profile,
                hint=said(
                    "The table waits for you: `{program} play` goes on with it.", program=program()
                ),
                opened=opened,
            )
            names = [name for name in BOT_NAMES if skeleton(name) != skeleton(self.name)]
            for name in names[: self.bots]:
                profile = f"bot-{name}"
                setup = SeatSetup(
                    key=load_identity(home, profile).private_key,
                    name=name,
                    role=Role.JOINER,
                    url=self.url,
                    table=table,
                    executor=executor,
                    bot=seated_bot(self.request.level),
                    owner=load_identity(home, self.request.profile).private_key,
                    journal_path=self.store.journal_path(self.ticket, profile),
                    shared=shared,
                    commits=commits,
                    pace=read_pace(self.request.pace),
                )
                runners.append(SeatRunner(setup))
            return await self._run(screen, runners)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)

    async def _run(self, screen: Screen, runners: list[SeatRunner]) -> int:
        names = {
            asyncio.create_task(runner.run(), name=f"unop2p[{runner.setup.name}]"): (
                runner.setup.name
            )
            for runner in runners
        }
        tasks = list(names)
        person = asyncio.create_task(screen.run_with_app(), name="unop2p[screen]")
        failing = asyncio.create_task(first_failure(names), name="unop2p[failing]")
        try:
            await asyncio.wait({person, failing}, return_when=asyncio.FIRST_COMPLETED)
            if not person.done():
                await _until_failed(person, failing)
            code = await person
            if code == 0:
                await asyncio.wait(tasks, timeout=10)
                for runner in runners:
                    runner.forget_journal()
            return code
        finally:
            person.cancel()
            failing.cancel()
            await asyncio.gather(person, failing, return_exceptions=True)
            for runner in runners:
                runner.driver.leave()
            await asyncio.wait(tasks, timeout=5)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _until_failed(
    person: "asyncio.Task[int]", failing: "asyncio.Task[SeatFailedError | None]"
) -> None:
    """Return when the person's seat has ended, or is about to.

    Raises:
        SeatFailedError: a bot's seat has failed, and the person's would wait for it for ever.
    """
    failure = await failing
    if failure is None:
        return
    await asyncio.wait({person}, timeout=GRACE_S)
    if not person.done():
        person.cancel()
        await asyncio.gather(person, return_exceptions=True)
        raise failure
