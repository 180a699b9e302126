"""The screen: notices above, an unbroken input line below; or, in plain mode, appended lines.

It keeps no state of the game: what it shows it asks of the session each time.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text import ANSI, FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout

from unop2p.errors import LocalError
from unop2p.peer.events import Stop
from unop2p.repl.commands import Screen, Show, read
from unop2p.repl.completer import TableCompleter
from unop2p.repl.render import WAIT, YOUR_MOVE, Renderer, join_lines
from unop2p.repl.session import TableSession
from unop2p.table import notices
from unop2p.table.view import Stage, TableView

REFRESH_S = 0.5


def color_wanted() -> bool:
    """Say whether colors may be used: never where NO_COLOR is set, or the terminal is dumb."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


class App:
    """A person's screen at one table."""

    def __init__(
        self,
        session: TableSession,
        *,
        link: Callable[[], str],
        plain: bool = False,
        resume_hint: str = "",
        color: bool | None = None,
        terminal: tuple[Input, Output] | None = None,
    ) -> None:
        """Take what to show.

        Args:
            session: the peer's side for players.
            link: says in a word how the connection is.
            plain: only append lines; read lines from standard input.
            resume_hint: how to come back, said when the screen is left early.
            color: whether to use ANSI colors; None: as the terminal wants.
            terminal: input and output, for tests.
        """
        self._session = session
        self._link = link
        self._plain = plain
        self._hint = resume_hint
        self._render = Renderer(color=color_wanted() and not plain if color is None else color)
        self._terminal = terminal
        self._prompted = False
        self.left = False
        """The person has left before the end."""

    # -- showing -------------------------------------------------------------------------------

    def show(self, lines: list[str]) -> None:
        """Put lines above the input line."""
        if lines:
            sys.stdout.write(join_lines(lines) + "\n")
            sys.stdout.flush()

    def _prompt(self) -> ANSI:
        view = self._session.snapshot()
        return ANSI(f"{self.prompt_text(view)} ")

    @staticmethod
    def prompt_text(view: TableView) -> str:
        """Return the prompt: whose move it is, and how long."""
        if view.my_turn:
            left = f" ({view.deadline_ms // 1000} s)" if view.deadline_ms is not None else ""
            return f"{YOUR_MOVE}{left}"
        return WAIT

    def _toolbar(self) -> FormattedText:
        view = self._session.snapshot()
        return FormattedText([("", f" {self.toolbar_text(view)}")])

    def toolbar_text(self, view: TableView) -> str:
        """Return the line below the input: link, seats heard, step, who is waited for, score."""
        heard = sum(
            1 for seat in view.seats if seat.heard_ms is not None and seat.heard_ms < 15_000
        )
        parts = [f"broker {self._link()}", f"heard {heard}/{max(0, len(view.seats) - 1)}"]
        if view.stage is Stage.LOBBY:
            parts.append(f"lobby {len(view.seats)}/{view.seats_wanted}")
        else:
            parts.append(f"step {view.step}")
            parts.append(" ".join(f"{seat.name} {seat.total}" for seat in view.seats))
            if view.waiting_for and not view.my_turn:
                names = ", ".join(view.name(seat) for seat in view.waiting_for)
                parts.append(f"waiting for {names}")
        return " | ".join(parts)

    # -- running -------------------------------------------------------------------------------

    async def run(self, finished: "asyncio.Future[Stop]") -> None:
        """Show the table and read lines, until the peer has finished or the person leaves."""
        printer = asyncio.create_task(self._print_notices())
        reader = asyncio.create_task(self._read_plain() if self._plain else self._read_rich())
        waited: set[asyncio.Future[Any]] = {reader, finished}
        done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if reader in done:
            self.left = not finished.done()
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                reader.result()
        else:
            await asyncio.sleep(0)
        for task in (reader, printer):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, EOFError, KeyboardInterrupt):
                await task
        self._print_rest()
        if self.left and self._hint:
            self.show([self._hint])

    def _print_rest(self) -> None:
        while not self._session.notices.empty():
            self._print(self._session.notices.get_nowait())

    async def _print_notices(self) -> None:
        while True:
            self._print(await self._session.notices.get())

    def _print(self, notice: notices.Notice) -> None:
        view = self._session.snapshot()
        if isinstance(notice, notices.TurnIs):
            if notice.seat == view.seat and view.my_turn:
                self.show(self._render.table(view))
                if self._plain:
                    self.show([self.prompt_text(view)])
            return
        lines = self._render.notice(notice, view)
        if isinstance(notice, notices.MoveMade) and view.my_reaction:
            lines += ["  You may react: `uno`, or `catch NAME`."]
        self.show(lines)

    async def _read_rich(self) -> None:
        source, sink = self._terminal or (None, None)
        session: PromptSession[str] = PromptSession(
            message=self._prompt,
            bottom_toolbar=self._toolbar,
            completer=TableCompleter(self._session.snapshot),
            complete_while_typing=True,
            history=InMemoryHistory(),
            refresh_interval=REFRESH_S,
            input=source,
            output=sink,
        )
        with patch_stdout(raw=True):
            self.show(self._render.table(self._session.snapshot()))
            while True:
                try:
                    line = await session.prompt_async()
                except (EOFError, KeyboardInterrupt):
                    if await self._leave(session):
                        return
                    continue
                if await self._do(line) and await self._leave(session):
                    return

    async def _leave(self, session: "PromptSession[str]") -> bool:
        """Ask before leaving a table that goes on; a second Ctrl-C or Ctrl-D is a yes."""
        view = self._session.snapshot()
        if view.stage in (Stage.OVER, Stage.STOPPED):
            return True
        with contextlib.suppress(EOFError, KeyboardInterrupt):
            answer = await session.prompt_async("Leave the table? It will wait for you. [y/N] ")
            return answer.strip().lower() in {"y", "yes"}
        return True

    async def _read_plain(self) -> None:
        self.show(self._render.table(self._session.snapshot()))
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str] = asyncio.Queue()

        def pump() -> None:
            for line in sys.stdin:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, "")

        # A thread of its own: a blocked read must not keep the program from ending.
        import threading  # noqa: PLC0415  # plain mode only

        threading.Thread(target=pump, daemon=True, name="unop2p-stdin").start()
        while True:
            line = await queue.get()
            if not line:
                # The pipe is closed: go on watching, the table may still be played for us.
                await asyncio.Event().wait()
            if await self._do(line):
                return

    async def _do(self, line: str) -> bool:
        """Carry out a line; return whether the person wants to leave."""
        view = self._session.snapshot()
        try:
            command = read(line, view)
            if isinstance(command, Screen):
                return self._screen(command, view)
            await self._session.submit(command)
        except LocalError as error:
            self.show([f"  {error.sentence()}"])
        return False

    def _screen(self, command: Screen, view: TableView) -> bool:
        match command.show:
            case Show.QUIT:
                return True
            case Show.TABLE:
                self.show(self._render.table(view))
            case Show.HAND:
                self.show([self._render.hand(view)])
            case Show.LEGAL:
                self.show(self._render.legal(view))
            case Show.RULES:
                self.show(self._render.rules(view, short=False))
            case Show.SCORE:
                self.show(self._render.score(view))
            case Show.WHY:
                self.show(self._render.why(view))
            case Show.HELP:
                self.show(self._render.help())
        return False
