"""A person, or a bot, at one seat: the seat runs, the screen shows; then the words at the end."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator

from unop2p.cli.common import say
from unop2p.cli.direction import arrange
from unop2p.cli.early import take_back
from unop2p.cli.exits import close_output
from unop2p.cli.look import Colors, Look
from unop2p.cli.tongue import words
from unop2p.edge.keystore import KnownPeers, PeerVerdict
from unop2p.edge.mqtt import LinkState, LinkStatus
from unop2p.edge.paths import data_home, ensure_folder
from unop2p.edge.seat import SeatRunner, SeatSetup
from unop2p.edge.verify import verify
from unop2p.errors import EdgeError
from unop2p.peer.events import Stop
from unop2p.peer.lobby import Role
from unop2p.repl.app import SEARCH_S, STILL_LOOKING, App
from unop2p.repl.history import KeptHistory
from unop2p.repl.manner import Manner
from unop2p.repl.render import Renderer
from unop2p.repl.signals import Signals
from unop2p.repl.terminal import DEPTHS, SIGNS
from unop2p.table.genesis import Table
from unop2p.table.notices import Warned
from unop2p.words import said

LEFT_EXIT_CODE = 3
"""The table goes on without an end; the same command resumes it."""


@contextlib.contextmanager
def on_interrupt(act: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C, where no line is read that takes it, do something else than break off.

    Where the system's loop has no signals (Windows) it breaks off as ever.
    """
    if os.name == "nt":
        yield
        return
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, act)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)


async def _until(play: "asyncio.Task[Stop]", leave: asyncio.Event) -> None:
    """Wait until a seat has ended, or is to be left."""
    leaving = asyncio.create_task(leave.wait())
    try:
        await asyncio.wait({play, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()


class Screen:
    """Runs one seat with a screen."""

    def __init__(
        self,
        setup: SeatSetup,
        *,
        look: Look,
        hint: str,
        profile: str = "",
        opened: Callable[[], None] = lambda: None,
        invitation: tuple[str, ...] = (),
        code: str = "",
    ) -> None:
        """Open the seat; nothing is sent yet.

        Args:
            setup: of the seat.
            look: how the person wants it.
            hint: how to come back.
            profile: whose seat it is; empty for nobody's, of which nothing is kept.
            opened: called once journal, record and broker are seen to work, before anything is said.
            invitation: what the lobby shows as long as seats are free: how others find the table.
            code: what the lobby shows as a QR code so long; empty: nothing.

        Raises:
            EdgeError: journal or record.
        """
        self._status = LinkState(status=LinkStatus.DOWN)
        self.runner = SeatRunner(setup, on_state=self._on_state)
        self._look = look
        self._profile = profile
        self._hint = words().tell(hint)
        self._opened = opened
        self._code = code
        self._invitation = tuple(words().tell(line) for line in invitation)

    def _on_state(self, state: LinkState) -> None:
        before, self._status = self._status, state
        lost = before.status is LinkStatus.UP and state.status is not LinkStatus.CONNECTING
        if lost and state.reason:
            self.runner.driver.notices.put_nowait(Warned(text=state.reason))

    async def run_with_app(self) -> int:
        """Let a person play; return the exit code."""
        take_back()
        look = self._look
        app = App(
            self.runner.driver,
            link=self._link,
            plain=self._look.plain,
            resume_hint=self._hint,
            words=words(),
            verify=lambda: verify(self.runner.driver.peer),
            color=None if look.colors is Colors.AUTO else look.colors is not Colors.NEVER,
            manner=Manner(
                depth=DEPTHS.get(look.colors),
                signs=SIGNS.get(look.signs),
                signals=Signals(bell=look.bell, title=look.title, words=words()),
                history=self._history(),
                arrange=arrange(),
                invitation=self._invitation,
                code=self._code,
            ),
        )
        return await self._run(app)

    def _link(self) -> str:
        """Return how the connection is: in a word, or by broker where there are several."""
        links = self.runner.transport.links
        if len(links) == 1:
            return self._status.status.value
        return ", ".join(f"{at} {words().say(status.value)}" for at, status in links)

    def _history(self) -> KeptHistory | None:
        """Return what this profile has typed before; None where that is unwanted.

        Raises:
            FolderError: its folder cannot be made.
        """
        if not self._look.history or self._look.plain or not self._profile:
            return None
        return KeptHistory(ensure_folder(data_home() / "history") / f"{self._profile}.txt")

    async def run_without_app(self) -> int:
        """Let a bot play, or a spectator watch, with lines on standard output."""
        printer = asyncio.create_task(self._print())
        looking = asyncio.get_running_loop().call_later(SEARCH_S, self._still_looking)
        try:
            return await self._run(None)
        except asyncio.CancelledError:
            if self._hint:
                say(self._hint)
            raise
        finally:
            looking.cancel()
            printer.cancel()
            result, *_ = await asyncio.gather(printer, return_exceptions=True)
            if isinstance(result, BrokenPipeError):
                raise result

    def _still_looking(self) -> None:
        if self._status.status is LinkStatus.UP and not self.runner.driver.snapshot().seats_wanted:
            say(STILL_LOOKING)

    async def _print(self) -> None:
        renderer = Renderer(color=False, words=words())
        driver = self.runner.driver
        rules: list[str] | None = None
        while True:
            notice = await driver.notices.get()
            view = driver.snapshot()
            lines = renderer.notice(notice, view)
            if rules is None and view.seats_wanted:
                rules = renderer.rules(view, short=True)
                lines = [*rules, *lines]
            try:
                for line in lines:
                    print(line, flush=True)  # noqa: T201  # the command's result
            except BrokenPipeError:
                # Nobody reads any more. A seat plays on all the same; who only watches goes.
                close_output()
                if self.runner.setup.role is Role.SPECTATOR:
                    driver.leave()
                    raise
                return

    async def _run(self, app: App | None) -> int:
        try:
            await self.runner.transport.first_connect()
            self._opened()
        except BaseException:
            self.runner.close()
            raise
        leave = asyncio.Event()
        play = asyncio.create_task(self.runner.run(), name="unop2p.seat")
        knowing = asyncio.create_task(self._check_known())
        try:
            # Who only watches has nothing to come back to.
            with on_interrupt(leave.set) if self._hint else contextlib.nullcontext():
                await (_until(play, leave) if app is None else app.run(play, leave))
                if not play.done():
                    self.runner.driver.leave()
                    await play
                    if app is None:
                        say(self._hint)
                    return LEFT_EXIT_CODE
            stop: Stop = await play
        finally:
            knowing.cancel()
            if not play.done():
                play.cancel()
                await asyncio.gather(play, return_exceptions=True)
        if stop.exit_code == 0:
            self._note_result()
            self.runner.forget_journal()
        if stop.reason:
            say(said("unop2p: {reason}", reason=words().tell(stop.reason)))
        return stop.exit_code

    def _note_result(self) -> None:
        """Keep what the match came to for `stats`; that it cannot be kept spoils no match."""
        if not self._profile:
            return
        from unop2p.cli.stats import note  # noqa: PLC0415  # the first prompt does without

        driver = self.runner.driver
        try:
            note(driver.snapshot(), driver.peer.lobby.table, self._profile)
        except EdgeError as error:
            say(error.sentence())

    async def _check_known(self) -> None:
        """Remember the keys at the table; shout where a known name has another key."""
        await self.runner.driver.began.wait()
        table = self.runner.driver.peer.lobby.table
        if table is None:
            return
        try:
            self._compare(table, KnownPeers(data_home()))
        except EdgeError as error:  # no reason to leave the table, and nothing to be silent about
            self.runner.driver.notices.put_nowait(Warned(text=error.sentence()))

    def _compare(self, table: Table, known: KnownPeers) -> None:
        own = self.runner.driver.peer.desk.public
        for name, key in zip(table.names, table.keys, strict=True):
            if key == own:
                continue
            verdict = known.check(name, key)
            if verdict in {PeerVerdict.NEW, PeerVerdict.ALIKE}:
                known.remember(name, key)
            if verdict is PeerVerdict.ALIKE:
                text = said(
                    "{name} looks like somebody whom you know, and has another key: compare "
                    "fingerprints before you trust the name.",
                    name=name,
                )
                self.runner.driver.notices.put_nowait(Warned(text=text))
            elif verdict is PeerVerdict.CHANGED:
                text = said(
                    "{name} HAS ANOTHER KEY THAN THE LAST TIME. It may be somebody else, or a "
                    "new machine: compare fingerprints before you trust it.",
                    name=name,
                )
                self.runner.driver.notices.put_nowait(Warned(text=text))
