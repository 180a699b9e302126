"""One seat of a bot that runs by itself, at one table: from sitting down to the end, with no hand."""

import asyncio
import contextlib
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.edge.bot_config import BotConfig
from unop2p.edge.bot_judge import Judge
from unop2p.edge.link_state import LinkState, LinkStatus
from unop2p.edge.lounge import Announcement, announce, lobby_announcement
from unop2p.edge.seat import SeatRunner, SeatSetup, Transport
from unop2p.errors import LocalError
from unop2p.peer.lobby import Lobby, Role
from unop2p.table import notices
from unop2p.table.commands import Command, LeaveTable, Say, SetReady
from unop2p.table.genesis import Table
from unop2p.wire.lounge import Lounge

POLL_S: Final = 0.25
NO_ANSWER_S: Final = 60.0
"""So long a table of a lounge may be silent before the bot looks elsewhere."""
LAST_WORD_S: Final = 0.3
"""Between a last word of chat and going: so that it is on its way."""
BACK_S: Final = 10.0
"""Who was heard within this is back."""
LEAVE_S: Final = 8.0
"""So long the others may take to settle that the bot has left for good."""
LOST_CODES: Final = (16, 31)
"""Of stops after which the journal is kept: to be looked at."""


class Log(Protocol):
    """Where the bot tells what it does."""

    def __call__(self, event: str, text: str, **facts: object) -> None:
        """Tell one thing, in one line."""
        ...


class Outcome(StrEnum):
    """What became of a seat at a table."""

    OVER = "over"
    """The match has ended, or never began: nothing to come back to."""
    LEFT = "left"
    """The bot has given the seat up."""
    WAITS = "waits"
    """The bot was stopped, and comes back."""


class _End(StrEnum):
    STOPPED = "stopped"
    LEFT = "left"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSeat:
    """What a seat is made of, beside what `SeatSetup` says."""

    setup: SeatSetup
    level: str
    resumed: bool
    lasting: bool
    """Of a ticket in the file: there is no hurry."""
    secret: bytes
    """Of the ticket, for the lounge."""
    lounge: Lounge | None

    def __repr__(self) -> str:
        """Show no secret."""
        return f"BotSeat({self.setup!r})"


class BotTable:
    """Plays one seat."""

    def __init__(self, seat: BotSeat, config: BotConfig, judge: Judge, log: Log) -> None:
        """Take what is needed; nothing is opened yet."""
        self.seat, self._config, self._judge, self._log = seat, config, judge, log
        self._runner: SeatRunner | None = None
        self._transport: Transport | None = None
        self._end: _End | None = None
        self._greeted = seat.resumed
        self._stopping = asyncio.Event()
        self._round = 0
        self._stop_s = 0.0
        self._stop_round = 0
        self._left_s: float | None = None
        self._moved_s = self._sat_s = time.monotonic()
        self._step = -1
        self.rounds = self.matches = 0

    # -- from outside --------------------------------------------------------------------------

    @property
    def link(self) -> Transport | None:
        """Return the link to its broker, while there is one."""
        return self._transport

    @property
    def began(self) -> bool:
        """Whether the match is on."""
        return self._runner is not None and self._runner.driver.peer.chain is not None

    def missing(self) -> int:
        """Return how many statements of others are waited for in the open step."""
        chain = self._runner.driver.peer.chain if self._runner is not None else None
        return 0 if chain is None or chain.state.over else len(chain.open.missing_statements())

    def stop(self, patience_s: float = 0.0) -> None:
        """End in good order; the table waits.

        Args:
            patience_s: so long a round that is being played may take to end.
        """
        self._stop_s = time.monotonic() + patience_s
        self._stop_round = self.rounds
        self._stopping.set()

    def _may_stop(self, runner: SeatRunner) -> bool:
        """Say whether no round is being played, or the time for it is over."""
        playing = runner.driver.peer.lobby.table is not None and self.rounds == self._stop_round
        return not playing or time.monotonic() >= self._stop_s

    async def run(self) -> Outcome:
        """Play until the match is over, the seat is given up, or `stop`.

        Raises:
            EdgeError: disk or journal; the seat can be tried again.
        """
        while True:
            self._end = None
            outcome = await self._play()
            if outcome is not None:
                return outcome
            if not await self._until_somebody_is_back():
                return Outcome.WAITS
            self._log("back", "somebody is back: the match goes on")
            self._moved_s = time.monotonic()

    # -- one go --------------------------------------------------------------------------------

    async def _play(self) -> Outcome | None:
        """Play until there is nothing more to do; None for a pause."""
        runner = self._runner = SeatRunner(self.seat.setup, on_state=self._link)
        self._transport = runner.transport
        tasks = [asyncio.create_task(self._listen(runner)), *self._announcing()]
        play = asyncio.create_task(runner.run(), name=f"unop2p[{self.seat.setup.name}].table")
        try:
            while not play.done():
                await asyncio.wait({play}, timeout=POLL_S)
                if not play.done() and self._end is None:
                    await self._look(runner)
            stop = await play
        finally:
            for task in (*tasks, play):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.gather(play, return_exceptions=True)
            self._runner = self._transport = None
        match self._end:
            case _End.PAUSED:
                return None
            case _End.STOPPED:
                return Outcome.WAITS
            case _End.LEFT:
                runner.forget_journal()
                return Outcome.LEFT
            case None:
                if stop.reason or stop.exit_code:
                    self._log("stop", stop.reason or "the table ended", code=stop.exit_code)
                if stop.exit_code not in LOST_CODES:
                    runner.forget_journal()
                return Outcome.OVER

    def _announcing(self) -> list["asyncio.Task[None]"]:
        setup, lounge = self.seat.setup, self.seat.lounge
        if lounge is None or setup.role is not Role.OPENER:
            return []
        urls = (setup.url, *setup.more_urls)
        return [
            asyncio.create_task(announce(url, lounge, setup.key, self._announcement))
            for url in urls
        ]

    def _announcement(self) -> Announcement | None:
        lobby = self._lobby()
        if lobby is None or self._end is not None:
            return None
        return lobby_announcement(lobby, self.seat.secret)

    def _lobby(self) -> Lobby | None:
        return self._runner.driver.peer.lobby if self._runner is not None else None

    async def _go(self, runner: SeatRunner, end: _End, last_word: str = "") -> None:
        """Leave the table, with a last word."""
        self._end = end
        if last_word:
            await self._say(runner, last_word)
            await asyncio.sleep(LAST_WORD_S)
        runner.driver.leave()

    async def _say(self, runner: SeatRunner, text: str) -> None:
        filled = text.replace("{name}", self.seat.setup.name).replace("{level}", self.seat.level)
        await self._command(runner, Say(text=filled[:500]))

    async def _command(self, runner: SeatRunner, command: Command) -> None:
        with contextlib.suppress(LocalError):  # nobody is there to hear it, or it is too late
            await runner.driver.submit(command)

    # -- what is to be seen to -------------------------------------------------------------------

    async def _look(self, runner: SeatRunner) -> None:
        """See to what no event brings."""
        if self._stopping.is_set() and self._may_stop(runner):
            await self._end_here(runner)
            return
        lobby = runner.driver.peer.lobby
        if lobby.table is None:
            await self._look_at_lobby(runner, lobby)
        else:
            await self._look_at_table(runner, lobby.table)

    async def _end_here(self, runner: SeatRunner) -> None:
        """Go, as the file says: to come back, or for good where the others settle that in time."""
        chain, now_s = runner.driver.peer.chain, time.monotonic()
        if self._config.when_stopped == "leave" and chain is not None and chain.seat is not None:
            if chain.seat in chain.state.gone or chain.state.over:
                await self._go(runner, _End.LEFT)
                return
            if self._left_s is None:
                self._left_s = now_s
                self._log("leaves", "leaves the table for good")
                await self._command(runner, LeaveTable())
            if now_s - self._left_s < LEAVE_S:
                return
        await self._go(runner, _End.STOPPED, self._config.manners.away)

    async def _look_at_lobby(self, runner: SeatRunner, lobby: Lobby) -> None:
        waited_s = time.monotonic() - self._sat_s
        opener = self.seat.setup.role is Role.OPENER
        if lobby.offered is None:
            if waited_s > NO_ANSWER_S and not self.seat.lasting and not self.seat.resumed:
                self._log("silent", "nobody answers at this table")
                await self._go(runner, _End.LEFT)
            return
        why = None if opener else self._judge.rules(lobby.offered)
        why = why or self._judge.seats((k, held.join) for k, held in lobby.joins.items())
        if why is not None and not opener:
            self._log("refused", f"no seat taken: {why}")
            await self._go(runner, _End.LEFT, why)
            return
        if lobby.own_join is not None:
            if not self._greeted:
                self._greeted = True
                await self._say(runner, self._config.manners.greeting)
            alone = all(held.join.bot for held in lobby.joins.values())
            ready = self._config.company.bots_alone or not alone
            if lobby.wants != ready:
                await self._command(runner, SetReady(ready=ready))
        late = waited_s > self._config.lobby_minutes * 60
        if late and not opener and not self.seat.lasting:
            self._log("unfilled", "the table does not fill: the seat is given up")
            await self._go(runner, _End.LEFT)

    async def _look_at_table(self, runner: SeatRunner, table: Table) -> None:
        now_s, chain = time.monotonic(), runner.driver.peer.chain
        if chain is None:
            return
        if chain.state.step != self._step:
            self._step, self._moved_s = chain.state.step, now_s
        elif now_s - self._moved_s > self._config.give_up_minutes * 60:
            self._log("given_up", "nothing has moved here for a long while: the seat is given up")
            await self._go(runner, _End.LEFT)
            return
        company = self._config.company
        people = [seat for seat in chain.state.seats if not table.bots[seat]]
        if not people or company.when_alone == "play" or chain.state.over:
            return
        now_ms, heard = round(now_s * 1000), runner.driver.peer.gossip.heard_ms
        since_ms = min(now_ms - heard.get(seat, round(self._began_s() * 1000)) for seat in people)
        if since_ms <= company.alone_after * 1000:
            return
        if company.when_alone == "leave":
            self._log("alone", "only bots are left: the seat is given up")
            await self._go(runner, _End.LEFT, "Only bots are left: I go.")
        else:
            self._log("alone", "only bots are left: the match is paused until somebody is back")
            await self._go(
                runner, _End.PAUSED, "Only bots are left: I wait until one of you is back."
            )

    def _began_s(self) -> float:
        return self._sat_s

    # -- what is told ----------------------------------------------------------------------------

    def _link(self, state: LinkState) -> None:
        if state.status is LinkStatus.UP:
            self._log("link", "connected")
        elif state.status is LinkStatus.DOWN and state.reason:
            self._log("link", f"not connected: {state.reason}")

    async def _listen(self, runner: SeatRunner) -> None:
        while True:
            await self._told(runner, await runner.driver.notices.get())

    async def _told(self, runner: SeatRunner, notice: notices.Notice) -> None:
        match notice:
            case notices.SeatJoined():
                kind = "a bot" if notice.bot else "a person"
                self._log(
                    "joined",
                    f"{notice.name} ({kind}, key {notice.fingerprint}) sits down: "
                    f"{notice.seats_taken} of {notice.seats_wanted}",
                )
            case notices.TableBegan():
                self._moved_s = self._sat_s = time.monotonic()
                self._log("began", f"the match is on: {', '.join(notice.names)}")
            case notices.RoundEnded():
                self.rounds += 1
                self._round = notice.number
                totals = ", ".join(map(str, notice.totals))
                self._log("round", f"round {notice.number} ended: {totals}", round=notice.number)
            case notices.MatchEnded():
                self.matches += 1
                totals = ", ".join(map(str, notice.totals))
                self._log("match", f"the match ended: {totals}", rounds=self._round)
                if self._config.manners.farewell:
                    await self._say(runner, self._config.manners.farewell)
            case notices.FaultProved():
                self._log("fault", f"seat {notice.seat + 1} broke the protocol: {notice.reason}")
            case notices.Warned():
                self._log("warned", notice.text)
            case _:
                pass

    # -- a pause -----------------------------------------------------------------------------------

    async def _until_somebody_is_back(self) -> bool:
        """Watch the table, with a key of this moment, until a person is heard; False: stopped."""
        setup = replace(
            self.seat.setup,
            key=Ed25519PrivateKey.generate(),
            role=Role.SPECTATOR,
            bot=None,
            owner=None,
            terms=None,
            journal_path=None,
            record_path=None,
        )
        while not self._stopping.is_set():
            runner = SeatRunner(setup)
            self._transport = runner.transport
            play = asyncio.create_task(runner.run())
            try:
                while not play.done() and not self._stopping.is_set():
                    await asyncio.wait({play}, timeout=1.0)
                    while not runner.driver.notices.empty():
                        runner.driver.notices.get_nowait()
                    if self._is_somebody_there(runner):
                        return True
            finally:
                runner.driver.leave()
                await asyncio.wait({play}, timeout=5.0)
                play.cancel()
                await asyncio.gather(play, return_exceptions=True)
                self._transport = None
        return False

    def _is_somebody_there(self, runner: SeatRunner) -> bool:
        table, now_ms = runner.driver.peer.lobby.table, time.monotonic_ns() // 1_000_000
        if table is None:
            return False
        heard = runner.driver.peer.gossip.heard_ms
        return any(
            not table.bots[seat] and now_ms - at_ms < BACK_S * 1000 for seat, at_ms in heard.items()
        )
