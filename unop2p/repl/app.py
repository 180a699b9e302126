"""The screen: the table drawn above an unbroken input line; or, in plain mode, appended lines.

It keeps no state of the game: what it shows it asks of the session each time.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Awaitable, Callable
from random import SystemRandom
from typing import Any, Final

from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from unop2p.bots.levels import UnknownBotError
from unop2p.edge.verify import Verified
from unop2p.errors import EdgeError, IllegalMoveError, InvalidNotationError, LocalError
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
from unop2p.repl.hint import hint_lines
from unop2p.repl.keys import key_bindings
from unop2p.repl.manner import Manner
from unop2p.repl.panel import Panel, Size
from unop2p.repl.plain import lines
from unop2p.repl.render import Renderer, join_lines, prompt_text
from unop2p.repl.rich import RichScreen
from unop2p.repl.session import TableSession
from unop2p.repl.story import Story
from unop2p.repl.terminal import depth_for, symbols_for
from unop2p.repl.toolbar import toolbar_text
from unop2p.repl.vocabulary import in_english
from unop2p.repl.why import verified_lines
from unop2p.rules.moves import CallUNO
from unop2p.table import notices
from unop2p.table.commands import MakeMove
from unop2p.table.view import Stage, TableView
from unop2p.words import ENGLISH, Words, mark, said, typed

REFRESH_S: Final = 0.5
"""How often the screen looks at the table by itself: for the seconds that are left."""
WITH_WHOM: Final = mark("With whom? Type a name; anything else takes the card back.")
UNO_LATER: Final = mark("UNO goes with it, or right after it.")
WHICH_COLOR: Final = mark("Which color? Type r, y, g or b; anything else takes the card back.")
LEAVE_QUESTION: Final = mark("Leave the table? Your hand is kept. [y/N] ")
YES: Final = typed("yes")
TAIL_LINES: Final = 12
"""So much of the story stays on the terminal when the drawing is gone."""
SEARCH_S: Final = 6.0
"""A table that is there has answered by then: it is asked every two seconds."""
STILL_LOOKING: Final = said(
    "Nobody has answered yet. Is the table open, and the ticket complete? Still looking."
)
RESUME_HINT: Final = said("Your hand is kept: the same command comes back to it.")
STANDARD_INPUT: Final = 0


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
        manner: Manner | None = None,
        verify: Callable[[], Awaitable[Verified]] | None = None,
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
            manner: how the person likes it.
            verify: checks the record so far, without holding up anything; None: it cannot be.
        """
        self._session = session
        self._link = link
        self._plain = plain or (terminal is None and not _is_terminal())
        self._hint = words.tell(resume_hint or RESUME_HINT)
        wanted = color_wanted() if color is None else color
        self._render = Renderer(color=wanted and not self._plain, words=words)
        self._manner = manner = manner or Manner()
        if not self._plain:
            self._render.invitation, self._render.code = manner.invitation, manner.code
        self._words = words
        self._terminal = terminal
        self._write = write
        self._descriptor = descriptor
        self._story = Story()
        known = symbols_for(os.environ, getattr(sys.stdout, "encoding", None))
        self._panel = Panel(self._render, manner.signs or known)
        self.screen: RichScreen | None = None
        """What draws, while it does."""
        self._seen: TableView | None = None
        """What was drawn last, while what led to anything newer is not told."""
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        """Lines that wait for the one before them to be carried out."""
        self._doing = False
        self._announced: tuple[int, bool, bool] | None = None
        """The step, and what was asked in it, that has been shown."""
        self._unfinished: tuple[str, int, bool] | None = None
        """A card that was typed without its color or seat, in which step, and whether it is a color."""
        self._later: Later | None = None
        """UNO is wanted as soon as it can be called."""
        self._signals = manner.signals
        self._verify = verify
        self._verifying: asyncio.Task[None] | None = None
        self._stage: Stage | None = None
        self._greeted = False
        """The rules of the table have been shown."""
        self.left = False
        """The person has left before the end."""

    # -- showing -------------------------------------------------------------------------------

    def show(self, said: list[str]) -> None:
        """Say lines: at the end of the story, or at the end of the output."""
        self._tell(said, self._story.add)

    def answer(self, said: list[str]) -> None:
        """Say what was asked for, to be read from its beginning."""
        self._tell(said, self._story.answer)

    def _tell(self, said: list[str], keep: Callable[[list[str]], None]) -> None:
        if not said:
            return
        if self._plain:
            (self._write or write_out)(join_lines(said) + "\n")
            return
        keep(said)
        if self._write is not None:
            self._write(join_lines(said) + "\n")
        if self.screen is not None:
            self.screen.changed()

    # -- what is drawn -------------------------------------------------------------------------

    def _view(self) -> TableView:
        """Return the table as far as what led to it is told: no hand is ahead of the story."""
        told = not self._session.busy and self._session.notices.empty()
        if self._seen is None or told:
            self._seen = self._session.snapshot()
        return self._seen

    def above(self, size: Size) -> list[str]:
        """Return the lines above the input line."""
        return self._panel.compose(self._view(), self._story, size)

    def prompt(self) -> FormattedText:
        """Return what stands before what is typed."""
        view = self._seen or self._view()
        style = "class:prompt.mine" if view.my_turn and self._render.paint.allowed else ""
        arrange = self._manner.arrange
        keys = "".join(f"{arrange(f'[{call}]')} " for call in open_calls(view, self._words))
        return FormattedText([(style, f"{keys}{arrange(prompt_text(view, self._words))} ")])

    def toolbar(self, columns: int) -> str:
        """Return the line below what is typed."""
        return toolbar_text(self._seen or self._view(), self._link(), self._words, columns=columns)

    def scroll(self, pages: int, size: Size) -> None:
        """Look further back in the story, or on."""
        height = self._panel.story_rows(self._view(), size)
        self._story.scroll(pages * max(1, height - 1), height)

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
        if self._plain:
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
        teller = asyncio.create_task(self._tell_all())
        leaver = asyncio.create_task((leave or asyncio.Event()).wait())
        waited: set[asyncio.Future[Any]] = {reader, teller, leaver, finished}
        try:
            done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending: list[asyncio.Task[Any]] = [reader, teller, leaver]
            if self._verifying is not None:
                ending.append(self._verifying)
            for task in ending:
                task.cancel()
            await asyncio.gather(*ending, return_exceptions=True)
            self.left = not finished.done()
            # Nobody reads any more where the pipe is broken: there is nothing left to say.
            with contextlib.suppress(BrokenPipeError):
                self._tell_rest()
                self._part()
        for task in (reader, teller):
            error = task.exception() if task in done else None
            if error is not None and not isinstance(error, BrokenPipeError):
                raise error

    def _part(self) -> None:
        """Leave the end of the story where the drawing was, and say how to come back."""
        said = [self._hint] if self.left else []
        if not self._plain and self._write is None:
            said = [*self._story.tail(TAIL_LINES), *said]
        if said:
            (self._write or write_out)(join_lines(said) + "\n")

    def _tell_rest(self) -> None:
        self._greet(self._session.snapshot())
        while not self._session.notices.empty():
            self._print(self._session.notices.get_nowait())

    async def _tell_all(self) -> None:
        """Print notices as they come, then what they ask of the person."""
        searching = asyncio.get_running_loop().call_later(SEARCH_S, self._still_looking)
        try:
            await self._tell_on()
        finally:
            searching.cancel()

    def _still_looking(self) -> None:
        if not self._session.snapshot().seats_wanted:
            self.show([self._words.tell(STILL_LOOKING)])

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
        elif view.my_reaction and self._plain:
            self.show(self._render.hints(view))
            self._show_prompt(view)
        if self.screen is not None:
            self.screen.changed()

    # -- the terminal --------------------------------------------------------------------------

    async def _read_rich(self) -> None:
        self.screen = screen = RichScreen(
            self,
            TableCompleter(self._session.snapshot, self._words),
            depth=self._manner.depth or depth_for(os.environ),
            terminal=self._terminal,
            bindings=(key_bindings(self._call),),
            history=self._manner.history,
            arrange=self._manner.arrange,
        )
        self._begin()
        worker = asyncio.create_task(self._work())
        drawing = asyncio.create_task(screen.run())
        try:
            with self._signals.on_terminal(screen.app.output):
                done, _ = await asyncio.wait({worker, drawing}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            worker.cancel()
            drawing.cancel()
            await asyncio.gather(worker, drawing, return_exceptions=True)
            self.screen = None

    async def _work(self) -> None:
        """Carry out what could not be at once, line by line."""
        while True:
            line = await self._typed.get()
            self._doing = True
            try:
                await self._obey(line)
            finally:
                self._doing = False

    def entered(self, line: str) -> None:
        """Take a line that was typed."""
        self._story.follow()
        if self._doing or not self._typed.empty() or not self._at_once(line):
            self._typed.put_nowait(line)

    def _at_once(self, line: str) -> bool:
        """Do what only the screen has to do; return whether it was that."""
        view = self._session.snapshot()
        if self._unfinished is not None:
            return False
        try:
            command = read(line, view)
        except LocalError:
            return False
        if not isinstance(command, Screen):
            return False
        if not line.strip():
            return True  # the table can be seen
        if self._show_screen(command, view):
            self.leaving()
        return True

    async def _obey(self, line: str) -> None:
        if await self._do(line):
            self.leaving()

    def leaving(self) -> None:
        """Ask before leaving a table that goes on; a second Ctrl-C or Ctrl-D is a yes."""
        screen = self.screen
        if screen is None:
            return
        over = self._session.snapshot().stage in (Stage.OVER, Stage.STOPPED)
        if over or screen.asking:
            screen.leave()
        else:
            screen.ask(self._words.say(LEAVE_QUESTION), self._may_leave)

    def _may_leave(self, answer: str) -> None:
        said_yes = answer.strip().casefold() in {"y", "yes", *self._words.typed(YES)}
        if said_yes and self.screen is not None:
            self.screen.leave()

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
        typed, line = line, self._finished(in_english(line, view, self._words), view)
        try:
            command = read(line, view)
            if isinstance(command, Screen):
                return self._show_screen(command, view)
            if isinstance(command, MakeMove) and self._later is not None:
                command = MakeMove(move=with_uno(command.move, view))
            await self._session.submit(command)
        except (ColorNeededError, SeatNeededError) as error:
            color = isinstance(error, ColorNeededError)
            self._unfinished = (line, view.step, color)
            asked = WHICH_COLOR if color else WITH_WHOM
            self.show([f"  {self._words.say(asked)}"])
        except LocalError as error:
            self._refuse(error, line, typed)
        return False

    def _refuse(self, error: LocalError, line: str, typed: str = "") -> None:
        """Say why something is not done."""
        if isinstance(error, IllegalMoveError | InvalidNotationError):
            self.show([f"  {refusal_sentence(error, line, self._words, typed=typed)}"])
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

    def _show_screen(self, command: Screen, view: TableView) -> bool:
        match command.show:
            case Show.QUIT:
                return True
            case Show.TABLE:
                self.answer(self._render.table(view))
            case Show.HAND:
                self.answer([self._render.hand(view)])
            case Show.LEGAL:
                self.answer(self._render.legal(view))
            case Show.RULES:
                self.answer(self._render.rules(view, short=False))
            case Show.SCORE:
                self.answer(self._render.score(view))
            case Show.HINT:
                self._hint_for(command.about, view)
            case Show.WHY:
                self.answer(self._render.why(view))
            case Show.VERIFY:
                self._begin_to_verify(view)
            case Show.HELP:
                self.answer(self._render.help(command.about, view.options))
        return False

    def _hint_for(self, level: str, view: TableView) -> None:
        """Say what a bot would play."""
        try:
            told = hint_lines(view, level, SystemRandom(), self._words)
        except UnknownBotError as error:
            told = [error.sentence(self._words)]
        self.answer([f"  {line}" for line in told])

    def _begin_to_verify(self, view: TableView) -> None:
        """Check the record in the background; what comes of it is said when it is there."""
        if self._verify is None or view.match is None:
            self.answer([f"  {self._words.say('There is nothing to check yet.')}"])
        elif self._verifying is not None and not self._verifying.done():
            self.answer([f"  {self._words.say('It is being checked already: a moment.')}"])
        else:
            said = self._words.say("Checked from nothing, beside the game: a moment.")
            self.answer([f"  {said}"])
            self._verifying = asyncio.create_task(self._say_verified(self._verify))

    async def _say_verified(self, verify: Callable[[], Awaitable[Verified]]) -> None:
        try:
            said = verified_lines(await verify(), self._words)
        except EdgeError as error:
            said = [error.sentence(self._words)]
        self.show([f"  {line}" for line in said])


def _asked(view: TableView) -> tuple[int, bool, bool]:
    return (view.step, view.my_turn, view.my_reaction)
