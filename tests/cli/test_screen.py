"""A seat without a screen of its own, and what Ctrl-C does to it."""

import asyncio
import os
import signal
from types import SimpleNamespace

import pytest

from tests.repl.support import FakeSession, lobby_view
from unop2p.cli.screen import Screen, on_interrupt
from unop2p.edge.mqtt import LinkState, LinkStatus
from unop2p.peer.lobby import Role
from unop2p.repl.app import STILL_LOOKING
from unop2p.table import notices
from unop2p.table.view import TableView


def screen_of(view: TableView, status: LinkStatus = LinkStatus.UP) -> tuple[Screen, FakeSession]:
    """Return a screen whose seat is not there, and what it is told."""
    session = FakeSession(view)
    screen = Screen.__new__(Screen)
    screen._status = LinkState(status=status)
    setup = SimpleNamespace(role=Role.SPECTATOR)
    screen.runner = SimpleNamespace(driver=session, setup=setup)  # type: ignore[assignment]  # a fake
    return screen, session


async def test_who_watches_sees_the_rules_before_anything_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen, session = screen_of(lobby_view("ann", "ben"))
    printing = asyncio.create_task(screen._print())
    for text in ("one", "two"):
        session.notices.put_nowait(notices.Warned(text=text))
    while not session.notices.empty():
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    printing.cancel()
    assert capsys.readouterr().out.splitlines() == [
        "  Rules: official. `rules` shows them all.",
        "! one",
        "! two",
    ]


@pytest.mark.parametrize(
    ("wanted", "status", "said"),
    [
        (0, LinkStatus.UP, True),
        (0, LinkStatus.DOWN, False),  # then the connection is what is wrong, and is told
        (3, LinkStatus.UP, False),
    ],
)
def test_a_table_that_does_not_answer_is_said_to_be_looked_for(
    wanted: int, status: LinkStatus, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    screen, _ = screen_of(lobby_view(wanted=wanted), status)
    screen._still_looking()
    assert (STILL_LOOKING in capsys.readouterr().err) is said


@pytest.mark.skipif(os.name == "nt", reason="no such signals on Windows")
async def test_an_interrupt_does_what_it_is_told_and_later_what_it_did_before() -> None:
    heard = asyncio.Event()
    before = signal.getsignal(signal.SIGINT)
    with on_interrupt(heard.set):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.wait_for(heard.wait(), 5)
    assert signal.getsignal(signal.SIGINT) is before
