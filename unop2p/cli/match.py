"""`unop2p match`: a whole match of bots in one process, each its own peer and connection."""

import asyncio
import json
import secrets
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from unop2p.bots.pace import read_pace
from unop2p.cli.common import BOT_NAMES, UsageError, check_embedded, make_offer, say
from unop2p.cli.seats import GRACE_S, first_failure, seated_bot
from unop2p.edge.broker import embedded_broker
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.commit import Commits
from unop2p.edge.driver import SharedChecks
from unop2p.edge.keystore import load_identity
from unop2p.edge.paths import data_home
from unop2p.edge.roster import check_bot
from unop2p.edge.seat import SeatRunner, SeatSetup
from unop2p.edge.tables import TableStore
from unop2p.ids import SEATS_MAX, SEATS_MIN
from unop2p.log.steps import Certificate
from unop2p.peer.events import Settled, Stop
from unop2p.peer.lobby import Role
from unop2p.rules.options import Options
from unop2p.table import bodies
from unop2p.table.genesis import Offer
from unop2p.wire import codec
from unop2p.wire.ticket import new_ticket, stretch
from unop2p.words import said, said_n


@dataclass(slots=True)
class Clock:
    """When one seat saw each step settle; what was said in it is looked at after the match."""

    steps: list[tuple[float, Certificate]] = field(default_factory=list)

    def on_settled(self, effect: Settled) -> None:
        """Note a settled step."""
        self.steps.append((time.perf_counter(), effect.certificate))

    def step_ms(self) -> list[float]:
        """Return the time from each settled step to the next, rising."""
        pairs = pairwise(at for at, _ in self.steps)
        return sorted((after - before) * 1000 for before, after in pairs)

    def deals_and_turns(self) -> tuple[list[float], int]:
        """Return how long each deal took, first commit to last hand, in ms; and the number of turns.

        By what was said in a step one sees what it was for.
        """
        deals_ms: list[float] = []
        turns = 0
        deal_began: float | None = None
        last: float | None = None
        for at, certificate in self.steps:
            kinds = {kind_of(item.payload) for item in certificate.statements}
            if "commit" in kinds:
                deal_began = last if last is not None else at
            elif "shares" in kinds and deal_began is not None:
                deals_ms.append((at - deal_began) * 1000)
                deal_began = None
            turns += bool(kinds & {"played", "drew"}) and kinds <= {"played", "drew", "assent"}
            last = at
        return deals_ms, turns


def kind_of(payload: bytes) -> str:
    """Return the kind of body that a statement's payload holds."""
    message = codec.decode(payload)
    body = getattr(message, "body", None)
    assert isinstance(body, bodies.Body)
    return body.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """What `match` was asked for."""

    bots: int
    options: Options
    argument: str = "proved"
    """The name of the shuffle argument."""
    resilience: int | None = None
    """For how many absent seats the others can stand in; None: as is usual."""
    level: str
    pace: str = "fast"
    record: Path | None
    """A folder where each seat writes its own record, or a file for the first seat's."""
    broker: BrokerURL | None
    engine: str
    shared_checks: bool
    rounds: int | None
    watch: Callable[[Settled], None] | None = None
    """Told of each step that the first seat has settled: for measurements."""

    def terms(self) -> Offer:
        """Return the terms of the table.

        Raises:
            LocalError: they make no sense.
        """
        return make_offer(
            self.options, self.bots, argument=self.argument, resilience=self.resilience
        )


async def run_match(plan: MatchPlan) -> dict[str, object]:
    """Play a match, and return what it came to.

    Raises:
        EdgeError: broker or disk.
        UsageError: a number of bots that cannot play.
    """
    if not SEATS_MIN <= plan.bots <= SEATS_MAX:
        message = said_n(
            "{n} bot: UNO is for {seats_min} to {seats_max}.",
            "{n} bots: UNO is for {seats_min} to {seats_max}.",
            plan.bots,
            seats_min=SEATS_MIN,
            seats_max=SEATS_MAX,
        )
        raise UsageError(message)
    if plan.rounds is not None and plan.rounds < 1:
        message = said("{rounds} rounds: a match has one at least.", rounds=plan.rounds)
        raise UsageError(message)
    check_bot(plan.level)
    read_pace(plan.pace)
    check_embedded(plan.engine)
    if plan.broker is not None:
        return await _play(plan, plan.broker)
    broker = embedded_broker(plan.engine)
    await broker.start()
    try:
        return await _play(plan, broker.url)
    finally:
        await broker.stop()


def _record_path(plan: MatchPlan, index: int) -> Path | None:
    if plan.record is None:
        return None
    if plan.record.suffix and not plan.record.is_dir():
        return plan.record if index == 0 else None
    return plan.record / f"seat-{index + 1}.jsonl"


async def _play(plan: MatchPlan, url: BrokerURL) -> dict[str, object]:
    home = data_home()
    ticket = new_ticket(secrets.token_bytes, (url.public_text(),))
    loop = asyncio.get_running_loop()
    table = await loop.run_in_executor(None, stretch, ticket)
    store = TableStore(home)
    shared = SharedChecks() if plan.shared_checks else None
    commits = Commits()
    clock = Clock()
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="unop2p-crypto") as executor:
        runners: list[SeatRunner] = []
        for index in range(plan.bots):
            profile = f"match-{index + 1}"
            runners.append(
                SeatRunner(
                    SeatSetup(
                        key=load_identity(home, profile).private_key,
                        name=BOT_NAMES[index],
                        role=Role.OPENER if index == 0 else Role.JOINER,
                        url=url,
                        table=table,
                        executor=executor,
                        bot=seated_bot(plan.level),
                        pace=read_pace(plan.pace),
                        terms=plan.terms() if index == 0 else None,
                        journal_path=store.journal_path(ticket, profile),
                        record_path=_record_path(plan, index),
                        shared=shared,
                        commits=commits,
                    )
                )
            )

        def on_settled(effect: Settled) -> None:
            clock.on_settled(effect)
            if plan.watch is not None:
                plan.watch(effect)

        runners[0].driver.on_settled = on_settled
        try:
            await runners[0].transport.first_connect()
            began = time.perf_counter()
            stops = await _run_all(runners, plan.rounds)
            seconds = time.perf_counter() - began
        finally:
            # The ticket is known to nobody else: such a table is never gone on with.
            for runner in runners:
                runner.forget_journal()
            commits.close()
    return _summary(runners, clock, stops, seconds)


async def _run_all(runners: list[SeatRunner], rounds: int | None) -> list[Stop]:
    """Run every seat to its end; where one fails, the others leave.

    Raises:
        SeatFailedError: a seat could not go on.
    """
    names = {asyncio.create_task(runner.run()): runner.setup.name for runner in runners}
    tasks = list(names)
    stopper = asyncio.create_task(_stop_after(runners, rounds, tasks))
    try:
        failure = await first_failure(names)
        if failure is not None:
            await asyncio.wait(tasks, timeout=GRACE_S)
            for runner in runners:
                runner.driver.leave()
            await asyncio.wait(tasks, timeout=GRACE_S)
            if failure.__cause__ is not None:
                raise failure
        return [task.result() for task in tasks if task.done() and not task.cancelled()]
    finally:
        for task in (stopper, *tasks):
            task.cancel()
        await asyncio.gather(stopper, *tasks, return_exceptions=True)


async def _stop_after(
    runners: list[SeatRunner], rounds: int | None, tasks: list["asyncio.Task[Stop]"]
) -> None:
    """End a match early, once every seat has seen that many rounds."""
    while rounds is not None and not all(task.done() for task in tasks):
        chains = [runner.driver.peer.chain for runner in runners]
        if all(chain is not None and chain.state.round_index >= rounds for chain in chains):
            for runner in runners:
                runner.driver.leave()
            return
        await asyncio.sleep(0.02)


def _summary(
    runners: list[SeatRunner], clock: Clock, stops: list[Stop], seconds: float
) -> dict[str, object]:
    view = runners[0].driver.snapshot()
    steps_ms = clock.step_ms()
    deals_ms, turns = clock.deals_and_turns()
    match = view.match
    heads = {
        runner.driver.peer.chain.state.head.hex()
        for runner in runners
        if runner.driver.peer.chain is not None
    }
    return {
        "seats": [seat.name for seat in view.seats],
        "rounds": match.rounds_played if match is not None else 0,
        "turns": turns,
        "steps": view.step,
        "winner": [view.seats[seat].name for seat in match.winners] if match is not None else [],
        "totals": list(match.totals) if match is not None else [],
        "deal_ms": round(statistics.median(deals_ms), 1) if deals_ms else None,
        "step_ms": {
            "median": round(statistics.median(steps_ms), 2) if steps_ms else None,
            "p99": round(steps_ms[int(len(steps_ms) * 0.99)], 2) if steps_ms else None,
        },
        "bytes_published": sum(r.driver.statistics.published_bytes for r in runners),
        "messages": sum(r.driver.statistics.published for r in runners),
        "late_moves": sum(r.driver.thinker.fell for r in runners if r.driver.thinker),
        "resent": sum(r.transport.statistics.resent_count for r in runners),
        "seconds": round(seconds, 2),
        "heads": sorted(heads),
        "exit_code": max((stop.exit_code for stop in stops), default=0),
        "reasons": sorted({stop.reason for stop in stops if stop.reason}),
    }


def show(result: dict[str, object], *, as_json: bool) -> None:
    """Print what a match came to."""
    if as_json:
        print(json.dumps(result))  # noqa: T201  # the command's result
        return
    for key, value in result.items():
        say(f"{key:16} {_plain(value)}")


def _plain(value: object) -> str:
    """Return a result as a person reads it."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)
