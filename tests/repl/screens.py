"""Screens as text, in every language and size: `python -m tests.repl.screens` (`make screens`) writes them.

The real screen draws on a terminal that is a value, scene after scene, of games that are always the same.
What it drew is kept in `tests/repl/screens`, to be read by people before it is kept anew.
"""

import asyncio
import gettext
import io
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

from tests.bots.support import position
from tests.repl.glass import Drawn, drawn
from tests.repl.running import until
from tests.repl.support import FakeSession, lobby_view, table_view, view_of
from tests.repl.test_sentences import CASES
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.repl.direction import visual
from unop2p.repl.manner import Manner
from unop2p.repl.render import Renderer, prompt_text
from unop2p.repl.terminal import UNICODE
from unop2p.rules.cards import Color, Face
from unop2p.rules.legal import why_not
from unop2p.rules.moves import Draw, Play
from unop2p.table import notices
from unop2p.table.view import ShuffleProgress, Stage, TableView
from unop2p.words import ENGLISH, LANGUAGES, Words

FOLDER: Final = Path(__file__).parent / "screens"
SIZES: Final = ((60, 18), (80, 24), (200, 50))
LARGE_ROWS: Final = 30
"""Of larger windows one or two scenes are kept: they show the same with more room."""
NAMES: Final = ("mia", "ben", "Cleo", "dan", "eva")
MIA, BEN, CLEO = Seat(0), Seat(1), Seat(2)


class Missing(gettext.NullTranslations):
    """Notes what is said and stands in no catalog."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.said: set[str] = set()

    def gettext(self, message: str) -> str:
        """Note it."""
        self.said.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Note it."""
        self.said.add(msgid1)
        return msgid1 if n == 1 else msgid2


def strict(language: str) -> tuple[Words, Missing]:
    """Return the words of a language, and what is missing there as soon as it is said."""
    missing = Missing()
    if language == "en":
        return ENGLISH, missing
    path = resources.files("unop2p") / "locale" / language / "LC_MESSAGES" / "unop2p.mo"
    catalog = gettext.GNUTranslations(io.BytesIO(path.read_bytes()))
    catalog.add_fallback(missing)
    return Words(language, catalog), missing


# -- the games -------------------------------------------------------------------------------------


def turn() -> TableView:
    """Return our turn with many cards, one seat that has called UNO, and one that has not."""
    hand = "R5 R7 RS Y2 Y+2 YV G0 G3 B9 W W4"
    view = table_view(position(hand, top="R9", others=("B1", "B4", "G1 G2")), names=NAMES)
    seats = list(view.seats)
    seats[1] = replace(seats[1], uno=True)
    seats[2] = replace(seats[2], catchable=True)
    seats[3] = replace(seats[3], heard_ms=42_000, total=121)
    return replace(view, seats=tuple(seats), deadline_ms=45_000)


def attacked() -> TableView:
    """Return a Wild Draw Four that was played at us."""
    game = position("W4 G1 G2 G3", top="R9", others=("B1 B2", "B3"))
    assert game.act(MIA, Play(cards=(Face.W4,), color=Color.GREEN))
    return table_view(game, 1, ("ben", "mia", "Cleo"))


def drawn_card() -> TableView:
    """Return a card that was drawn, and can be played."""
    game = position("B1 G2", top="R9")
    game.pile[0] = Face.R3
    assert game.act(MIA, Draw())
    return table_view(game, names=NAMES)


def reaction() -> TableView:
    """Return a seat with one card that has not called UNO."""
    game = position("R1 R2", top="R9", others=("B1 B2",))
    assert game.act(MIA, Play(cards=(Face.R1,)))
    return table_view(game, 1, ("ben", "mia"))


def dealing() -> TableView:
    """Return a deck that is being shuffled."""
    return replace(
        turn(),
        stage=Stage.DEALING,
        round=None,
        hand=(),
        legal=(),
        my_turn=False,
        shuffle=ShuffleProgress(done=(BEN,), total=4),
        waiting_for=(MIA,),
    )


def lobby() -> TableView:
    """Return a table that has not begun."""
    view = lobby_view("mia", "ben", wanted=3)
    return replace(view, seats=(view.seats[0], replace(view.seats[1], ready=False)))


def last_card() -> TableView:
    """Return a play that leaves one card."""
    return table_view(position("R1 B2", top="R9", others=("B1 B2", "B3 B4")), names=NAMES)


@dataclass(frozen=True)
class Scene:
    """One screen."""

    title: str
    view: TableView
    told: tuple[notices.Notice, ...] = ()
    typed: str = ""
    refused: Face | None = None
    """A card that is played, and that the rules do not allow."""
    leaving: bool = False


def scenes(*, large: bool) -> list[Scene]:
    """Return what is drawn, in order."""
    told: tuple[notices.Notice, ...] = (
        notices.RoundBegan(number=1, dealer=CLEO),
        notices.SeatShuffled(seat=BEN, done=1, total=4, cards=112),
        notices.SeatShuffled(seat=MIA, done=2, total=4, cards=112),
        notices.PileShuffled(cards=112),
        notices.FirstCard(face=Face.R9),
        notices.CardsDrawn(seat=BEN, count=1, faces=()),
        notices.CardsDrawn(seat=CLEO, count=5, faces=()),
        notices.CardsDrawn(seat=MIA, count=2, faces=(Face.R7, Face.W4)),
        notices.ChatSaid(name="ben", text="γεια, cześć"),
    )
    shown = [
        Scene("lobby", lobby()),
        Scene("dealing", dealing()),
        Scene("our turn", turn(), told),
        Scene("why a card is refused", turn(), typed="g0", refused=Face.G0),
        Scene("what cannot be read", turn(), typed="xyzzy"),
        Scene("a color is asked for", turn(), typed="w"),
        Scene("what may be played", turn(), typed="legal"),
        Scene("why the deal is fair", turn(), typed="why"),
        Scene("the last card but one", last_card()),
        Scene("a card was drawn", drawn_card()),
        Scene("attacked", attacked()),
        Scene("somebody can be caught", reaction()),
        Scene("leaving", turn(), leaving=True),
    ]
    return [shown[1], shown[2]] if large else shown


# -- drawing ---------------------------------------------------------------------------------------


async def _show(running: Drawn, scene: Scene) -> list[str]:
    session, app = running.session, running.app
    session.view = scene.view
    for notice in scene.told:
        session.notices.put_nowait(notice)
    await until(session.notices.empty)
    for _ in range(10):
        await asyncio.sleep(0)
    session.refuse = None
    if scene.refused is not None:
        assert scene.view.round is not None
        reason = why_not(scene.view.round, MIA, scene.refused, scene.view.hand)
        session.refuse = IllegalMoveError(reason)
    if scene.typed:
        app.entered(scene.typed)
        for _ in range(50):
            await asyncio.sleep(0)
    if scene.leaving:
        app.leaving()
    assert app.screen is not None
    app.screen.app._redraw()  # noqa: SLF001  # now, and not in a moment
    return running.glass.lines


async def draw(language: str, columns: int, rows: int) -> tuple[str, set[str]]:
    """Return all screens of a language and a size as one text, and what no catalog has."""
    words, missing = strict(language)
    manner = Manner(signs=UNICODE, arrange=visual if words.right_to_left else str)
    session = FakeSession(lobby())
    parts: list[str] = []
    async with drawn(session, columns, rows, words=words, manner=manner) as running:
        await until(lambda: running.app.screen is not None and running.app.screen.app.is_running)
        for scene in scenes(large=rows > LARGE_ROWS):
            lines = await _show(running, scene)
            parts += [f"=== {scene.title}", *lines]
    return "\n".join(parts) + "\n", missing.said


async def say(language: str) -> tuple[str, set[str]]:
    """Return what is appended in plain mode: tables, prompts, answers, and every notice."""
    words, missing = strict(language)
    render, view = Renderer(color=False, words=words), view_of("R1 R5 W", top="R9")
    lines: list[str] = []
    for scene in scenes(large=False):
        lines += [f"=== {scene.title}", *render.table(scene.view), prompt_text(scene.view, words)]
    told = table_view(position("R5 W", top="R9", others=("B1 B2", "G1")), names=NAMES)
    lines += ["=== notices", *(part for case in CASES for part in render.notice(case[0], told))]
    lines += ["=== help", *render.help(), *render.help("w4"), *render.help("xyz")]
    lines += ["=== score", *render.score(view)]
    arrange = visual if words.right_to_left else str
    return "\n".join(arrange(line) for line in lines) + "\n", missing.said


def kinds() -> Iterator[tuple[str, Callable[[], Awaitable[tuple[str, set[str]]]]]]:
    """Yield the name of each file, and what makes its text."""
    for language in LANGUAGES:
        for columns, rows in SIZES:
            yield (
                f"{language}-{columns}x{rows}",
                lambda at=(language, columns, rows): draw(*at),  # type: ignore[misc]  # bound
            )
        yield f"{language}-plain", lambda language=language: say(language)  # type: ignore[misc]


async def _write() -> None:
    for name, make in kinds():
        text, missing = await make()
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
        if missing:
            sys.stdout.write(f"{name}: not translated: {sorted(missing)}\n")


def main() -> int:
    """Write all files anew."""
    FOLDER.mkdir(exist_ok=True)
    asyncio.run(_write())
    return 0


if __name__ == "__main__":
    sys.exit(main())
