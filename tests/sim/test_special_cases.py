"""Rare turns of the game, forced through the real protocol by a stacked deck."""

import random
from typing import TypeVar

import pytest

from tests.sim.rigged import NAME, rigged, stacked
from unop2p.rules.cards import Face
from unop2p.rules.due import ReactionDue, Termination
from unop2p.rules.moves import Move, parse_move
from unop2p.rules.options import Options, preset, with_overrides
from unop2p.rules.view import PlayerView
from unop2p.sim.ring import Ring, greedy
from unop2p.table import notices
from unop2p.wire.audit import Finding, audit

ONE_ROUND = with_overrides(preset("official"), {"match_end": "rounds", "target": 1})
NAMES = tuple(f"p{index}" for index in range(10))


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


def play(
    deck: list[Face],
    script: Script,
    *,
    seats: int = 2,
    options: Options = ONE_ROUND,
    more: tuple[list[Face], ...] = (),
) -> Ring:
    with rigged(deck, *more):
        ring = Ring(seats, options, seed=9, player=script, argument=NAME)
        ring.run()
        assert len(ring.heads()) == 1
        for place in ring.places:
            assert place.stop is not None
            assert place.stop.exit_code == 0, place.stop.reason
            assert audit(place.record).finding is Finding.COMPLETE
    return ring


N = TypeVar("N", bound=notices.Notice)


def told(ring: Ring, kind: type[N]) -> list[N]:
    return [notice for notice in ring.places[0].notices if isinstance(notice, kind)]


PLAIN = ("R1 R2 R3 R4 R5 R6 R7", "B1 B2 B3 B4 B5 B6 B7")


@pytest.mark.parametrize("first", ["R9", "RS", "RV", "R+2", "W", "W4", "WH"])
def test_every_kind_of_first_card_is_turned_up_and_played_on(first: str) -> None:
    again = [Face("G9")] if first in {"W4", "WH"} else []
    ring = play(stacked(PLAIN, first), Script(""), more=(again,))
    shown = [notice.face for notice in told(ring, notices.FirstCard)]
    assert shown[0] == Face(first)
    assert len(shown) == (2 if first in {"W4", "WH"} else 1)


def test_an_innocent_accused_proves_it_and_the_doubter_draws_six() -> None:
    deck = stacked(("W4 G1 G2 G3 G4 G5 G6", "B1 B2 B3 B4 B5 B6 B7"), "R9")
    ring = play(deck, Script("play W4:G; challenge"))
    (settled,) = told(ring, notices.ChallengeSettled)
    assert settled.shown is None
    assert [n.count for n in told(ring, notices.CardsDrawn)][0] == 6


def test_a_guilty_accused_shows_one_card_and_draws_four() -> None:
    deck = stacked(("W4 R1 R2 G3 G4 G5 G6", "B1 B2 B3 B4 B5 B6 B7"), "R9")
    ring = play(deck, Script("play W4:G; challenge"))
    (settled,) = told(ring, notices.ChallengeSettled)
    assert settled.shown in {Face("R1"), Face("R2")}
    drawn = told(ring, notices.CardsDrawn)[0]
    assert (drawn.seat, drawn.count) == (settled.accused, 4)


OUT = (
    "play R1; play R1; play R2; play R2; play R3; play R3; "
    "play R4; play R4; play R5; play R5; play R6"
)
TWINS = ("R1 R2 R3 R4 R5 R6 R7", "R1 R2 R3 R4 R5 R6 R7")


def test_who_forgets_uno_is_caught_and_draws_two() -> None:
    ring = play(stacked(TWINS, "R9"), Script(OUT, {1: "catch ACTOR", 0: "catch ACTOR"}))
    moves = [n.move for n in told(ring, notices.MoveMade)]
    assert any(type(move).__name__ == "Catch" for move in moves)
    assert told(ring, notices.CardsDrawn)[0].count == 2


def test_a_late_uno_wins_over_a_catch() -> None:
    class Both(Script):
        def __call__(
            self, seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
        ) -> Move | None:
            due = view.round.due
            if isinstance(due, ReactionDue):
                text = "uno" if seat == due.actor else f"catch p{due.actor}"
                return next((m for m in legal if m == parse_move(text, NAMES)), None)
            return super().__call__(seat, view, legal, rng)

    ring = play(stacked(TWINS, "R9"), Both(OUT))
    void = [type(n.move).__name__ for n in told(ring, notices.MoveVoid)]
    assert void and set(void) == {"Catch"}


@pytest.mark.parametrize(("last", "owed"), [("R+2", 2), ("W4", 4)])
def test_a_last_draw_card_is_still_drawn_before_the_hands_are_scored(last: str, owed: int) -> None:
    deck = stacked((f"R1 R2 R3 R4 R5 R6 {last}", "R1 R2 R3 R4 R5 R6 R8"), "R9")
    color = ":R" if last == "W4" else ""
    moves = OUT.removesuffix("play R6") + f"play R6 uno; play R6 uno; play {last}{color}"
    script = Script(moves + ("; accept" if last == "W4" else ""))
    ring = play(deck, script)
    (ended,) = told(ring, notices.RoundEnded)
    assert sorted(len(hand) for hand in ended.hands) == [0, 1 + owed]


def test_shuffle_hands_as_the_last_card_ends_the_round() -> None:
    deck = stacked(("R1 R2 R3 R4 R5 R6 WH", "R1 R2 R3 R4 R5 R6 R8"), "R9")
    moves = OUT.removesuffix("play R6") + "play R6 uno; play R6 uno; play WH:R"
    ring = play(deck, Script(moves))
    (ended,) = told(ring, notices.RoundEnded)
    assert ended.outcome.termination is Termination.WENT_OUT
