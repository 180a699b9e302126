"""How a screen is wanted."""

import asyncio

from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.repl.running import until
from tests.repl.support import FakeSession, lobby_view
from unop2p.peer.events import Stop
from unop2p.repl.app import App
from unop2p.repl.manner import Manner
from unop2p.repl.panel import Size
from unop2p.repl.terminal import ASCII, UNICODE


def test_a_screen_is_silent_and_keeps_nothing_unless_told_otherwise() -> None:
    manner = Manner()
    assert (manner.depth, manner.signs, manner.history, manner.invitation) == (None, None, None, ())


async def drawn(manner: Manner) -> list[str]:
    """Return the lines above the input line of a lobby."""
    with create_pipe_input() as keys:
        terminal = (keys, DummyOutput())
        app = App(
            FakeSession(lobby_view("ann")), link=lambda: "up", terminal=terminal, manner=manner
        )
        finished: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(app.run(finished))
        await until(lambda: app.screen is not None)
        lines = app.above(Size(rows=20, columns=60))
        finished.set_result(Stop(reason="", exit_code=0))
        await task
    return lines


async def test_a_screen_draws_with_the_signs_that_are_wanted_and_shows_the_invitation() -> None:
    plain = await drawn(Manner(signs=ASCII, invitation=("come in",)))
    assert "come in" in plain
    assert all(line.isascii() for line in plain)
    fine = await drawn(Manner(signs=UNICODE))
    assert any("─" in line for line in fine)
