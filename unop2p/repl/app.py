"""The screen: notices above, an unbroken input line below; or, in plain mode, appended lines.

It keeps no state of the game: what it shows it asks of the session each time.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout

from unop2p.errors import IllegalMoveError, InvalidNotationError, LocalError
from unop2p.peer.events import Stop
from unop2p.repl.calls import WAIT_STEPS, Call, Later, call_for, open_calls, with_uno
from unop2p.repl.commands import (
    ColorNeededError,
    Screen,
    SeatNeededError,
    Show,
    is_color,
    is_seat,
    read,
    refusal_sentence,
)
from unop2p.repl.completer import TableCompleter
from unop2p.repl.fold import fold
from unop2p.repl.keys import key_bindings
from unop2p.repl.plain import lines
from unop2p.repl.render import Renderer, join_lines, prompt_text, toolbar_text
from unop2p.repl.session import TableSession
from unop2p.repl.signals import Signals
from unop2p.rules.moves import CallUNO
from unop2p.table import notices
from unop2p.table.commands import MakeMove
from unop2p.table.view import Stage, TableView
from unop2p.words import ENGLISH, Words, mark

REFRESH_S: Final = 0.5
"""How often the screen looks at the table by itself: for the seconds that are left."""
MENU_LINES: Final = 5
WITH_WHOM: Final = mark("With whom? Type a name; anything else takes the card back.")
UNO_LATER: Final = mark("UNO goes with it, or right after it.")
WHICH_COLOR: Final = mark("Which color? Type r, y, g or b; anything else takes the card back.")
LEAVE_QUESTION: Final = "Leave the table? It waits for you. [y/N] "
SEARCH_S: Final = 6.0
"""A table that is there has answered by then: it is asked every two seconds."""
STILL_LOOKING: Final = (
    "Nobody has answered yet. Is the table open, and the ticket complete? Still looking."
)
RESUME_HINT: Final = "The table waits for you: the same command goes on with it."
STANDARD_INPUT: Final = 0


class LeaveWanted(Exception):  # noqa: N818  # no error: Ctrl-C and Ctrl-D end a line so
    """The person pressed Ctrl-C or Ctrl-D."""


def color_wanted() -> bool:
    """Say whether colors may be used: only on a terminal that has them, and not under NO_COLOR."""
    return not os.environ.get("NO_COLOR") and sys.stdout.isatty() and _obeys_codes()


def _obeys_codes() -> bool:
    """Say whether the terminal moves its cursor, and knows colors, when it is told to."""
    return os.name == "nt" or os.environ.get("TERM", "dumb") != "dumb"


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and _obeys_codes()


def write_out(text: str) -> None:
    """Write to standard output, in whatever letters it has."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    sys.stdout.write(text.encode(encoding, errors="backslashreplace").decode(encoding))
    sys.stdout.flush()


class App:
    """A person's screen at one table."""

    def __init__(
        self,
        session: TableSession,
        *,
        link: Callable[[], str],
        plain: bool = False,
        resume_hint: str = RESUME_HINT,
        color: bool | None = None,
        terminal: tuple[Input, Output] | None = None,
        write: Callable[[str], None] | None = None,
        descriptor: int = STANDARD_INPUT,
        words: Words = ENGLISH,
        signals: Signals | None = None,
        history: History | None = None,
    ) -> None:
        """Take what to show.

        Args:
            session: the peer's side for players.
            link: says in a word how the connection is.
            plain: only append lines, and read lines from `descriptor`. So it is also where input
                or output is no terminal.
            resume_hint: how to come back, said when the screen is left early.
            color: whether to use ANSI colors; None: as the terminal wants. Never in plain mode.
            terminal: input and output, where they are not the process's own.
            write: where lines go, where not to standard output.
            descriptor: what plain mode reads.
            words: the language of the person.
            signals: rings, and sets the window's title; None: neither.
            history: what was typed before; None: nothing, and nothing is kept.
        """
        self._session = session
        self._link = link
        self._plain = plain or (terminal is None and not _is_terminal())
        self._hint = resume_hint or RESUME_HINT
        wanted = color_wanted() if color is None else color
        self._render = Renderer(color=wanted and not self._plain, words=words)
        self._words = words
        self._terminal = terminal
        self._write = write
        self._descriptor = descriptor
        self._columns: Callable[[], int] | None = None
        """How wide the terminal is; None where lines are not broken."""
        self._announced: tuple[int, bool, bool] | None = None
        """The step, and what was asked in it, that has been shown."""
        self._unfinished: tuple[str, int, bool] | None = None
        """A card that was typed without its color or seat, in which step, and whether it is a color."""
        self._later: Later | None = None
        """UNO is wanted as soon as it can be called."""
        self._signals = signals or Signals(bell=False, title=False)
        self._history = history
        self._stage: Stage | None = None
        self._greeted = False
        """The rules of the table have been shown."""
        self.left = False
        """The person has left before the end."""

    # -- showing -------------------------------------------------------------------------------

    def show(self, said: list[str]) -> None:
        """Put lines above the input line, broken at words where they are longer than it."""
        width = self._columns() if self._columns is not None else None
        parts = [part for line in said for part in ([line] if width is None else fold(line, width))]
        if parts:
            (self._write or write_out)(join_lines(parts) + "\n")

    def _prompt(self) -> FormattedText:
        view = self._session.snapshot()
        style = "bold" if view.my_turn and self._render.paint.allowed else ""
        keys = "".join(f"[{call}] " for call in open_calls(view, self._words))
        return FormattedText([(style, f"{keys}{prompt_text(view, self._words)} ")])

    def _toolbar(self) -> FormattedText:
        text = toolbar_text(self._session.snapshot(), self._link(), self._words)
        return FormattedText([("", f" {text}")])

    def _begin(self) -> None:
        """Show where the table stands, as far as anything is known of it."""
        if self._session.snapshot().seats_wanted:
            self._show_table()
        else:
            self._show_prompt(self._session.snapshot())

    def _show_table(self) -> None:
        view = self._session.snapshot()
        if view.stage is Stage.LOBBY:
            self._greeted = bool(view.seats_wanted)  # the lobby shows the rules itself
        self._greet(view)
        self._announced = _asked(view)
        self._stage = view.stage
        self.show(self._render.table(view))
        self._show_prompt(view)

    def _show_prompt(self, view: TableView) -> None:
        """In plain mode: append the prompt as a line of its own, for programs to look for."""
        if self._plain:
            self.show([prompt_text(view, self._words)])

    # -- running -------------------------------------------------------------------------------

    async def run(
        self, finished: "asyncio.Future[Stop]", leave: asyncio.Event | None = None
    ) -> None:
        """Show the table and read lines, until the peer has finished or the person leaves.

        Args:
            finished: is done when the peer has nothing more to do. It is not cancelled here.
            leave: is set when the person wants to leave in another way than by typing.
        """
        reader = asyncio.create_task(self._read_plain() if self._plain else self._read_rich())
        teller = asyncio.create_task(self._tell())
        leaver = asyncio.create_task((leave or asyncio.Event()).wait())
        waited: set[asyncio.Future[Any]] = {reader, teller, leaver, finished}
        try:
            done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, teller, leaver):
                task.cancel()
            await asyncio.gather(reader, teller, leaver, return_exceptions=True)
            self.left = not finished.done()
            # Nobody reads any more where the pipe is broken: there is nothing left to say.
            with contextlib.suppress(BrokenPipeError):
                self._tell_rest()
                if self.left:
                    self.show([self._hint])
        for task in (reader, teller):
            error = task.exception() if task in done else None
            if error is not None and not isinstance(error, BrokenPipeError):
                raise error

    def _tell_rest(self) -> None:
        self._greet(self._session.snapshot())
        while not self._session.notices.empty():
            self._print(self._session.notices.get_nowait())

    async def _tell(self) -> None:
        """Print notices as they come, then what they ask of the person."""
        searching = asyncio.get_running_loop().call_later(SEARCH_S, self._still_looking)
        try:
            await self._tell_on()
        finally:
            searching.cancel()

    def _still_looking(self) -> None:
        if not self._session.snapshot().seats_wanted:
            self.show([STILL_LOOKING])

    async def _tell_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REFRESH_S):
                    notice = await self._session.notices.get()
                    self._greet(self._session.snapshot())
                    self._print(notice)
            self._tell_rest()
            await self._call_later()
            self._announce()

    def _print(self, notice: notices.Notice) -> None:
        self.show(self._render.notice(notice, self._session.snapshot()))

    def _greet(self, view: TableView) -> None:
        """Show the rules once, before anything is played: who sits down has seen them."""
        if not self._greeted and view.seats_wanted:
            self._greeted = True
            self.show(self._render.rules(view, short=True))

    def _announce(self) -> None:
        """Show the table when it is our turn, and what may be said in a reaction: once a step."""
        if self._session.busy:
            return  # the table would stand above what led to it
        view = self._session.snapshot()
        self._signals.tell(view)
        before, self._stage = self._stage, view.stage
        if before is Stage.LOBBY and view.stage not in (Stage.LOBBY, Stage.DEALING):
            self._show_table()  # a table that goes on where it stood
            return
        asked = _asked(view)
        if asked == self._announced:
            return
        self._announced = asked
        if view.my_turn:
            self._show_table()
        elif view.my_reaction:
            self.show(self._render.hints(view))
            self._show_prompt(view)

    # -- the terminal --------------------------------------------------------------------------

    async def _read_rich(self) -> None:
        source, sink = self._terminal or (None, None)
        with contextlib.ExitStack() as stack:
            if self._terminal is not None:
                stack.enter_context(create_app_session(input=source, output=sink))
            session: PromptSession[str] = PromptSession(
                message=self._prompt,
                bottom_toolbar=self._toolbar,
                completer=TableCompleter(self._session.snapshot, self._words),
                complete_while_typing=True,
                reserve_space_for_menu=MENU_LINES,
                history=self._history or InMemoryHistory(),
                refresh_interval=REFRESH_S,
                interrupt_exception=LeaveWanted,
                eof_exception=LeaveWanted,
                key_bindings=key_bindings(self._call),
            )
            size = session.output.get_size
            self._columns = lambda: size().columns
            if self._write is None:
                stack.enter_context(patch_stdout(raw=True))
            stack.enter_context(self._signals.on_terminal(session.output))
            self._begin()
            while True:
                try:
                    wants_to_leave = await self._do(await session.prompt_async())
                except LeaveWanted:
                    wants_to_leave = True
                if wants_to_leave and await self._may_leave():
                    return

    async def _may_leave(self) -> bool:
        """Ask before leaving a table that goes on; a second Ctrl-C or Ctrl-D is a yes."""
        if self._session.snapshot().stage in (Stage.OVER, Stage.STOPPED):
            return True
        # A session of its own: the question is no command, and goes into no history.
        question: PromptSession[str] = PromptSession(
            message=LEAVE_QUESTION, interrupt_exception=LeaveWanted, eof_exception=LeaveWanted
        )
        try:
            answer = await question.prompt_async()
        except LeaveWanted:
            return True
        return answer.strip().lower() in {"y", "yes"}

    # -- the pipe ------------------------------------------------------------------------------

    async def _read_plain(self) -> None:
        if sys.stdout.isatty():
            self._signals.on_lines(self._write or write_out)
        self._begin()
        async for line in lines(self._descriptor):
            if await self._do(line):
                return
            self._show_prompt(self._session.snapshot())
        if not os.isatty(self._descriptor):
            # The pipe is closed: go on showing; where our time is up the table moves for us.
            await asyncio.Event().wait()

    # -- commands ------------------------------------------------------------------------------

    async def _do(self, line: str) -> bool:
        """Carry out a line; return whether the person wants to leave."""
        view = self._session.snapshot()
        line = self._finished(line, view)
        try:
            command = read(line, view)
            if isinstance(command, Screen):
                return self._screen(command, view)
            if isinstance(command, MakeMove) and self._later is not None:
                command = MakeMove(move=with_uno(command.move, view))
            await self._session.submit(command)
        except (ColorNeededError, SeatNeededError) as error:
            color = isinstance(error, ColorNeededError)
            self._unfinished = (line, view.step, color)
            asked = WHICH_COLOR if color else WITH_WHOM
            self.show([f"  {self._words.say(asked)}"])
        except LocalError as error:
            self._refuse(error, line)
        return False

    def _refuse(self, error: LocalError, typed: str) -> None:
        """Say why something is not done."""
        if isinstance(error, IllegalMoveError | InvalidNotationError):
            self.show([f"  {refusal_sentence(error, typed)}"])
        else:
            self.show([f"  {error.sentence(self._words)}"])

    def _finished(self, line: str, view: TableView) -> str:
        """Return a line, or the card that was typed before it with the word that this line is."""
        before, self._unfinished = self._unfinished, None
        if before is None or before[1] != view.step:
            return line
        if is_color(line) if before[2] else is_seat(line, view):
            return f"{before[0]} {line.strip()}"
        return line

    # -- calls ---------------------------------------------------------------------------------

    async def _call(self, call: Call) -> None:
        """Do what a key calls, whatever is typed meanwhile."""
        view = self._session.snapshot()
        try:
            wanted = call_for(call, view)
            if isinstance(wanted, Later):
                self._later = wanted
                self.show([f"  {self._words.say(UNO_LATER)}"])
            else:
                await self._session.submit(MakeMove(move=wanted))
        except LocalError as error:
            self._refuse(error, call)

    async def _call_later(self) -> None:
        """Call UNO where the key was pressed before it could be called."""
        if self._later is None:
            return
        view = self._session.snapshot()
        if view.step > self._later.step + WAIT_STEPS:
            self._later = None
        elif CallUNO() in view.legal:
            self._later = None
            with contextlib.suppress(LocalError):  # somebody was quicker
                await self._session.submit(MakeMove(move=CallUNO()))

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
                self.show(self._render.help(command.about, view.options))
        return False


def _asked(view: TableView) -> tuple[int, bool, bool]:
    return (view.step, view.my_turn, view.my_reaction)
