"""Views of a table as a peer would give them, made from a game that knows every card."""

import asyncio
from dataclasses import replace

from tests.bots.support import position
from unop2p.ids import Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.describe import describe
from unop2p.rules.due import ReactionDue, TurnDue
from unop2p.rules.options import PRESETS
from unop2p.table.commands import Command
from unop2p.table.notices import Notice
from unop2p.table.phases import Phase
from unop2p.table.view import DealView, SeatView, Stage, TableView

NAMES = ("ann", "ben", "Cleo", "dan", "eva")


def table_view(game: DealtGame, seat: int = 0, names: tuple[str, ...] = NAMES) -> TableView:
    """Return what a seat sees of a game."""
    state, match = game.round, game.match
    player = game.view(Seat(seat))
    seats = tuple(
        SeatView(
            seat=Seat(index),
            name=names[index],
            bot=index > 0,
            fingerprint=f"00{index:02}",
            hand_count=state.hand_counts[index],
            total=match.totals[index],
            heard_ms=None if index == seat else 1_000,
            due=True,
            uno=index in state.called,
            catchable=index in state.catchable,
        )
        for index in range(match.seat_count)
    )
    legal = player.legal()
    turn = isinstance(state.due, TurnDue)
    return TableView(
        stage=Stage.PLAYING,
        seat=Seat(seat),
        seats=seats,
        order=match.order,
        options=match.options,
        seats_wanted=match.seat_count,
        step=12,
        round_number=1,
        match=match,
        round=state,
        hand=player.hand,
        drawn=player.drawn,
        legal=legal,
        my_turn=turn and state.turn == seat,
        my_reaction=isinstance(state.due, ReactionDue) and bool(legal),
        deadline_ms=45_500 if turn else None,
        waiting_for=(state.turn,),
        shuffle=None,
        player=player,
        reason="",
        rules_lines=tuple(describe(match.options)),
        deal=DealView(
            phase=Phase.TURN if turn else Phase.REACTION,
            done=(),
            owing=(state.turn,),
            proved=True,
            shuffled=match.order,
            cards=112,
            fresh=0,
        ),
    )


def view_of(hand: str, *, top: str = "R9", **rest: object) -> TableView:
    """Return the view of seat 0, which is to move with these cards."""
    return table_view(position(hand, top=top, **rest))  # type: ignore[arg-type]


def lobby_view(*names: str, wanted: int = 3) -> TableView:
    """Return a table that has not begun."""
    view = view_of("R1 R2", others=("B1",) * (max(2, len(names)) - 1))
    seats = tuple(replace(shown, name=name) for shown, name in zip(view.seats, names, strict=False))
    return replace(
        view,
        stage=Stage.LOBBY,
        seat=None,
        seats=seats,
        order=(),
        seats_wanted=wanted,
        step=-1,
        round_number=0,
        match=None,
        round=None,
        hand=(),
        legal=(),
        my_turn=False,
        deadline_ms=None,
        waiting_for=(),
        player=None,
        options=PRESETS["official"],
        deal=None,
    )


class FakeSession:
    """A peer's side that shows what it is given, and keeps what it is asked."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self.notices: asyncio.Queue[Notice] = asyncio.Queue()
        self.busy = False
        self.asked: list[Command] = []
        self.refuse: Exception | None = None

    def snapshot(self) -> TableView:
        return self.view

    async def submit(self, command: Command) -> None:
        if self.refuse is not None:
            raise self.refuse
        self.asked.append(command)
