"""Screens that run in a test: typed keys in, lines out, nothing drawn."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.repl.support import FakeSession, view_of
from unop2p.edge.verify import Verified
from unop2p.peer.events import Stop
from unop2p.repl.app import App

VIEW = view_of("W R7 G3 R5", top="R9", others=("B1 B2 B3",))
WAITING = replace(VIEW, my_turn=False, legal=(), step=13)


async def until(condition: Callable[[], object]) -> None:
    """Let others run until something is so."""
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.001)


class Running:
    """A screen that runs, and what it has shown."""

    def __init__(self, session: FakeSession, app: App, said: list[str]) -> None:
        self.session = session
        self.app = app
        self._said = said
        self.finished: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(app.run(self.finished))

    @property
    def lines(self) -> list[str]:
        return "".join(self._said).splitlines()

    async def shows(self, text: str) -> None:
        """Wait until a line holds a text."""
        await until(lambda: any(text in line for line in self.lines))

    def clear(self) -> None:
        self._said.clear()

    async def finish(self) -> None:
        if not self.finished.done():
            self.finished.set_result(Stop(reason="", exit_code=0))
        await self.task


class Plain(Running):
    """A screen on a pipe."""

    sink: int

    def types(self, text: str) -> None:
        os.write(self.sink, text.encode())


class Rich(Running):
    """A screen on a terminal that is not there."""

    keys: PipeInput

    def types(self, text: str) -> None:
        self.keys.send_text(text)


@contextlib.asynccontextmanager
async def plain(
    session: FakeSession, verify: Callable[[], Awaitable[Verified]] | None = None
) -> AsyncIterator[Plain]:
    source, sink = os.pipe()
    said: list[str] = []
    app = App(
        session,
        link=lambda: "up",
        plain=True,
        write=said.append,
        descriptor=source,
        verify=verify,
    )
    running = Plain(session, app, said)
    running.sink = sink
    try:
        yield running
    finally:
        await running.finish()
        os.close(sink)


@contextlib.asynccontextmanager
async def rich(
    session: FakeSession,
    hint: str = "",
    verify: Callable[[], Awaitable[Verified]] | None = None,
) -> AsyncIterator[Rich]:
    said: list[str] = []
    with create_pipe_input() as keys:
        app = App(
            session,
            link=lambda: "up",
            resume_hint=hint,
            color=False,
            terminal=(keys, DummyOutput()),
            write=said.append,
            verify=verify,
        )
        running = Rich(session, app, said)
        running.keys = keys
        try:
            yield running
        finally:
            await running.finish()
