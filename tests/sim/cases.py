"""Turns of the game that do not come by chance, each as a stacked deck, moves, and what comes of it.

They are played in the simulator and over a real broker alike.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tests.sim.rigged import stacked
from unop2p.rules.cards import Face, Kind, deck_for
from unop2p.rules.due import ReactionDue, Termination
from unop2p.rules.moves import Catch, Draw, Move, Pass, Play, parse_move
from unop2p.rules.options import preset, with_overrides
from unop2p.rules.view import PlayerView
from unop2p.sim.ring import Player, greedy
from unop2p.table import notices

ONE_ROUND = with_overrides(preset("official"), {"match_end": "rounds", "target": 1})
NAMES = tuple(f"p{index}" for index in range(10))
PLAIN = ("R1 R2 R3 R4 R5 R6 R7", "B1 B2 B3 B4 B5 B6 B7")
TWINS = ("R1 R2 R3 R4 R5 R6 R7", "R1 R2 R3 R4 R5 R6 R7")
OUT = (
    "play R1; play R1; play R2; play R2; play R3; play R3; "
    "play R4; play R4; play R5; play R5; play R6"
)
"""What two seats with the hands `TWINS` play until one of them holds a single card."""


class Script:
    """Plays these moves one after another, whoever is asked; then as the greedy bot.

    Reactions are `step: move` by the number of the reaction asked, counted from 0.
    """

    def __init__(self, moves: str, reactions: dict[int, str] | None = None) -> None:
        self.moves = [move.strip() for move in moves.split(";") if move.strip()]
        self.reactions = reactions or {}
        self.asked = 0

    def __call__(
        self, seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
    ) -> Move | None:
        if isinstance(view.round.due, ReactionDue):
            text = self.reactions.get(self.asked)
            self.asked += 1
            if text is None:
                return None
            wanted = text.replace("ACTOR", NAMES[view.round.due.actor])
            return next((m for m in legal if m == parse_move(wanted, NAMES)), None)
        if not self.moves:
            return greedy(seat, view, legal, rng)
        move = parse_move(self.moves.pop(0), NAMES)
        assert move in legal, (move, legal)
        return move


class LateCall(Script):
    """Calls UNO in the reaction step, while the other seat says a catch."""

    def __call__(
        self, seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
    ) -> Move | None:
        due = view.round.due
        if isinstance(due, ReactionDue):
            text = "uno" if seat == due.actor else f"catch p{due.actor}"
            return next((m for m in legal if m == parse_move(text, NAMES)), None)
        return super().__call__(seat, view, legal, rng)


class DrawOn(Script):
    """Draws and keeps what it draws, until the pile is empty; whoever could not draw has no move left."""

    def __call__(
        self, seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
    ) -> Move | None:
        if view.match.rounds_played:
            return super().__call__(seat, view, legal, rng)
        return Pass() if view.round.after_draw else Draw()


class UntilTheEnd(Script):
    """The seat beside the dealer plays each card that it draws, the dealer keeps all that it draws.

    Once the pile is nearly gone, and the discards are many, that seat makes the moves.
    """

    LEFT = 3
    began = False

    def __call__(
        self, seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
    ) -> Move | None:
        round_ = view.round
        if isinstance(round_.due, ReactionDue):
            return None
        if seat == round_.dealer:
            return Pass() if round_.after_draw else Draw()
        if round_.after_draw:
            return next(move for move in legal if move != Pass())
        self.began = self.began or round_.pile_count <= self.LEFT
        return super().__call__(seat, view, legal, rng) if self.began else Draw()


N = TypeVar("N", bound=notices.Notice)
Notices = Sequence[notices.Notice]


def told(seen: Notices, kind: type[N]) -> list[N]:
    """Return the notices of one kind, in order."""
    return [notice for notice in seen if isinstance(notice, kind)]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One forced turn."""

    name: str
    deck: list[Face]
    player: Callable[[], Player]
    """Makes the players, who share what they know."""
    check: Callable[[Notices], None]
    """What one seat's notices show at the end."""
    more: tuple[list[Face], ...] = field(default=())
    """What lies on top after later shuffles of readable cards."""


def _first_card(first: str) -> Case:
    goes_back = first in {"W4", "WH", "WB"}

    def check(seen: Notices) -> None:
        shown = [notice.face for notice in told(seen, notices.FirstCard)]
        assert shown == ([Face(first), Face.R8] if goes_back else [Face(first)])

    return Case(
        name=f"first card {first}",
        deck=stacked(TWINS, f"{first} R8"),
        player=lambda: Script(""),
        check=check,
    )


def _innocent(seen: Notices) -> None:
    (settled,) = told(seen, notices.ChallengeSettled)
    assert settled.shown is None
    assert [n.count for n in told(seen, notices.CardsDrawn)][0] == 6


def _guilty(seen: Notices) -> None:
    (settled,) = told(seen, notices.ChallengeSettled)
    assert settled.shown in {Face("R1"), Face("R2")}
    drawn = told(seen, notices.CardsDrawn)[0]
    assert (drawn.seat, drawn.count) == (settled.accused, 4)


def _caught(seen: Notices) -> None:
    assert any(isinstance(notice.move, Catch) for notice in told(seen, notices.MoveMade))
    assert told(seen, notices.CardsDrawn)[0].count == 2


def _late(seen: Notices) -> None:
    void = {type(notice.move) for notice in told(seen, notices.MoveVoid)}
    assert void == {Catch}


def _last(last: str, owed: int) -> Case:
    def check(seen: Notices) -> None:
        (ended,) = told(seen, notices.RoundEnded)
        assert sorted(len(hand) for hand in ended.hands) == [0, 1 + owed]

    moves = OUT.removesuffix("play R6") + "play R6 uno; play R6 uno; "
    moves += "play W4:R; accept" if last == "W4" else f"play {last}"
    return Case(
        name=f"last card {last}",
        deck=stacked((f"R1 R2 R3 R4 R5 R6 {last}", "R1 R2 R3 R4 R5 R6 R8"), "R9"),
        player=lambda: Script(moves),
        check=check,
    )


def _shuffled_hands(seen: Notices) -> None:
    assert told(seen, notices.HandsMoved)
    (ended,) = told(seen, notices.RoundEnded)
    assert ended.outcome.termination is Termination.WENT_OUT


def _blocked(seen: Notices) -> None:
    first, second = told(seen, notices.RoundEnded)
    assert first.outcome.termination is Termination.BLOCKED
    assert first.outcome.points == (0, 0)
    assert sum(len(hand) for hand in first.hands) == 111
    assert second.outcome.termination is Termination.WENT_OUT


def _reshuffled(seen: Notices) -> None:
    table = [n for n in seen if not isinstance(n, notices.SeatShuffled | notices.Waiting)]
    place = max(i for i, notice in enumerate(table) if isinstance(notice, notices.PileShuffled))
    shuffle, drawn = table[place], table[place + 1]
    assert isinstance(shuffle, notices.PileShuffled)
    moves = [notice.move for notice in told(table[:place], notices.MoveMade)]
    played = [str(move.cards[0]) for move in moves if isinstance(move, Play)]
    assert played[-3:] == ["W", "R1", "R+2"]
    assert shuffle.cards == len(played)  # with the first card, and without the top
    assert isinstance(drawn, notices.CardsDrawn)
    assert drawn.count == 2
    # One card was left in the pile: one of the two is old, and one came by the shuffle.
    taken = [notice.count for notice in told(table[:place], notices.CardsDrawn)]
    assert sum(taken) == 112 - 15 - 1


def _until_the_end() -> list[Face]:
    """Return a deck in which the seat beside the dealer draws what fits, 47 times."""
    hands = ("W R+2 R1 R2 R3 R4 R5", "B1 B2 B3 B4 B5 B6 B7")
    known = stacked(hands, "R9")
    left = list(deck_for(ONE_ROUND))
    for face in known:
        left.remove(face)
    fitting: list[Face] = []
    for color, first, last in (("R", "0", "8"), ("Y", "8", "7"), ("G", "7", "0")):
        numbers = [f for f in left if f.value[0] == color and f.kind is Kind.NUMBER]
        numbers.sort(key=lambda f: (f.value[1] != first, f.value[1] == last))  # noqa: B023  # at once
        fitting += numbers
    fitting = fitting[:47]
    for face in fitting:
        left.remove(face)
    pairs = [face for pair in zip(fitting, left, strict=False) for face in pair]
    return known + pairs


CASES: tuple[Case, ...] = (
    *(_first_card(first) for first in ("R9", "RS", "RV", "R+2", "W", "W4", "WH", "WB")),
    Case(
        name="challenge of an innocent",
        deck=stacked(("W4 G1 G2 G3 G4 G5 G6", "B1 B2 B3 B4 B5 B6 B7"), "R9"),
        player=lambda: Script("play W4:G; challenge"),
        check=_innocent,
    ),
    Case(
        name="challenge of a guilty",
        deck=stacked(("W4 R1 R2 G3 G4 G5 G6", "G1 G2 G3 G4 G5 G6 G7"), "R9"),
        player=lambda: Script("play W4:G; challenge"),
        check=_guilty,
    ),
    Case(
        name="caught",
        deck=stacked(TWINS, "R9"),
        player=lambda: Script(OUT, {1: "catch ACTOR", 0: "catch ACTOR"}),
        check=_caught,
    ),
    Case(name="late call", deck=stacked(TWINS, "R9"), player=lambda: LateCall(OUT), check=_late),
    _last("R+2", 2),
    _last("W4", 4),
    Case(
        name="shuffle hands as the last card",
        deck=stacked(("R1 R2 R3 R4 R5 R6 WH", "R1 R2 R3 R4 R5 R6 R8"), "R9"),
        player=lambda: Script(OUT.removesuffix("play R6") + "play R6 uno; play R6 uno; play WH:R"),
        check=_shuffled_hands,
    ),
    Case(
        name="blocked round",
        deck=stacked(PLAIN, "R9"),
        player=lambda: DrawOn(OUT.removesuffix("play R6") + "play R6 uno; play R6 uno; play R7"),
        check=_blocked,
        more=(stacked(TWINS, "R9"),),
    ),
    Case(
        name="re-shuffle inside a penalty",
        deck=_until_the_end(),
        player=lambda: UntilTheEnd(
            "play W:R; play R1; play R+2; play R2; play R3; play R4 uno; play R5"
        ),
        check=_reshuffled,
    ),
)
