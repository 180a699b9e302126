"""A terminal that is a value: what a screen draws, as lines of text."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TextIO, cast

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from tests.repl.running import until
from tests.repl.support import FakeSession
from unop2p.peer.events import Stop
from unop2p.repl.app import App


class Glass:
    """What a program writes is drawn on it as a terminal would."""

    encoding = "utf-8"

    def __init__(self, columns: int, rows: int, depth: ColorDepth = ColorDepth.DEPTH_4_BIT) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self.written = ""
        """All that was written."""
        self.output = Vt100_Output(
            cast("TextIO", self),
            lambda: Size(rows=self.screen.lines, columns=self.screen.columns),
            term="xterm",
            default_color_depth=depth,
            enable_cpr=False,
        )

    def write(self, text: str) -> int:
        self.written += text
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""

    def fileno(self) -> int:
        return -1

    def isatty(self) -> bool:
        return True

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)

    @property
    def lines(self) -> list[str]:
        """What can be seen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def cursor_line(self) -> str:
        """The line in which one types."""
        return self.lines[self.screen.cursor.y]


class Drawn:
    """A screen that draws on a glass."""

    def __init__(self, session: FakeSession, app: App, glass: Glass, keys: PipeInput) -> None:
        self.session, self.app, self.glass = session, app, glass
        self._keys = keys
        self.finished: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(app.run(self.finished))

    def types(self, text: str) -> None:
        self._keys.send_text(text)

    async def sees(self, text: str) -> None:
        await until(lambda: any(text in line for line in self.glass.lines))

    def redraws(self) -> None:
        """Hear that the window has another size."""
        assert self.app.screen is not None
        self.app.screen.app._on_resize()


@contextlib.asynccontextmanager
async def drawn(
    session: FakeSession, columns: int = 80, rows: int = 24, **more: object
) -> AsyncIterator[Drawn]:
    glass = Glass(columns, rows)
    with create_pipe_input() as keys:
        app = App(
            session,
            link=lambda: "up",
            terminal=(keys, glass.output),
            write=lambda _text: None,
            **{"color": False, **more},  # type: ignore[arg-type]  # the options of a test
        )
        running = Drawn(session, app, glass, keys)
        try:
            yield running
        finally:
            if not running.finished.done():
                running.finished.set_result(Stop(reason="", exit_code=0))
            await running.task
