"""A catch that is typed before the reaction step, and a call after a catch was seen."""

import pytest

from tests.sim.cases import ONE_ROUND, OUT, TWINS, Script
from tests.sim.rigged import NAME, rigged, stacked
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.peer import events
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import CallUNO, Catch
from unop2p.sim.ring import Place, Ring
from unop2p.table import notices
from unop2p.table.commands import MakeMove


def count_is(ring: Ring, count: int) -> bool:
    """Say whether the seat in turn holds so many cards, and it is asked in a turn step."""
    views = [place.peer.view() for place in ring.places]
    return all(
        view.round is not None
        and view.round.phase.value == "start"
        and not isinstance(view.round.due, ReactionDue)
        and view.round.hand_counts[view.round.turn] == count
        for view in views
    )


def ask(ring: Ring, seat: int, move: CallUNO | Catch) -> None:
    for effect in ring.places[seat].peer.handle(
        events.Asked(command=MakeMove(move=move)), now_ms=ring.now_ms
    ):
        ring._carry_out(seat, ring.places[seat], effect)  # noqa: SLF001  # the ring's own way


def turn(ring: Ring) -> tuple[int, int]:
    """Return who is in turn, and the other of two."""
    round_ = ring.places[0].peer.view().round
    assert round_ is not None
    return round_.turn, 1 - round_.turn


def told(ring: Ring, seat: int, kind: type[notices.Notice]) -> list[notices.Notice]:
    return [notice for notice in ring.places[seat].notices if isinstance(notice, kind)]


def moves(ring: Ring, seat: int) -> list[object]:
    return [n.move for n in ring.places[seat].notices if isinstance(n, notices.MoveMade)]


def test_an_early_catch_is_said_as_soon_as_the_seat_can_be_caught() -> None:
    with rigged(stacked(TWINS, "R9")):
        ring = Ring(2, ONE_ROUND, seed=9, player=Script(OUT), argument=NAME)
        ring.run(lambda ring: count_is(ring, 2))
        forgetful, other = turn(ring)
        ask(ring, other, Catch(seat=Seat(forgetful)))
        assert told(ring, other, notices.CatchKept) == [notices.CatchKept(seat=Seat(forgetful))]
        ring.run()
    assert Catch(seat=Seat(forgetful)) in moves(ring, 0)
    assert told(ring, other, notices.CatchDropped) == []
    drawn = told(ring, 0, notices.CardsDrawn)[0]
    assert isinstance(drawn, notices.CardsDrawn)
    assert (drawn.seat, drawn.count) == (forgetful, 2)


def test_an_early_catch_of_who_calls_uno_comes_to_nothing_and_says_why() -> None:
    called = OUT.replace("play R6", "play R6 uno")
    with rigged(stacked(TWINS, "R9")):
        ring = Ring(2, ONE_ROUND, seed=9, player=Script(called), argument=NAME)
        ring.run(lambda ring: count_is(ring, 2))
        forgetful, other = turn(ring)
        ask(ring, other, Catch(seat=Seat(forgetful)))
        ring.run()
    assert Catch(seat=Seat(forgetful)) not in moves(ring, 0)
    assert told(ring, other, notices.CatchDropped) == [
        notices.CatchDropped(seat=Seat(forgetful), reason=f"p{forgetful} has called UNO.")
    ]


@pytest.mark.parametrize(
    ("seat", "reason"), [("turn", "holds 7 cards"), ("other", "cannot catch yourself")]
)
def test_a_catch_that_cannot_come_to_anything_is_refused_with_the_reason(
    seat: str, reason: str
) -> None:
    with rigged(stacked(TWINS, "R9")):
        ring = Ring(2, ONE_ROUND, seed=9, player=Script(OUT), argument=NAME)
        ring.run(lambda ring: count_is(ring, 7))
        in_turn, other = turn(ring)
        said = len(ring.places[other].said)
        with pytest.raises(IllegalMoveError, match=reason):
            ask(ring, other, Catch(seat=Seat(in_turn if seat == "turn" else other)))
        assert len(ring.places[other].said) == said
        assert told(ring, other, notices.CatchKept) == []


class Slow(Ring):
    """A ring in which who has played does not react until it is asked by hand."""

    def _carry_out(self, index: int, place: Place, effect: events.Effect) -> None:
        if isinstance(effect, events.AskPlayer):
            round_ = place.peer.view().round
            if round_ is not None and isinstance(round_.due, ReactionDue):
                if round_.due.actor == index:
                    return
        super()._carry_out(index, place, effect)


def test_who_has_seen_a_catch_of_its_seat_does_not_call_any_more() -> None:
    def actor(ring: Ring) -> int | None:
        for index, place in enumerate(ring.places):
            round_ = place.peer.view().round
            if round_ is not None and isinstance(round_.due, ReactionDue):
                if round_.due.actor == index:
                    return index
        return None

    def seen(ring: Ring) -> bool:
        seat = actor(ring)
        if seat is None:
            return False
        chain = ring.places[seat].peer.chain
        return chain is not None and Seat(1 - seat) in chain.open.statements

    with rigged(stacked(TWINS, "R9")):
        ring = Slow(2, ONE_ROUND, seed=9, player=Script(OUT, {0: "catch ACTOR"}), argument=NAME)
        ring.run(seen)
        forgetful = actor(ring)
        assert forgetful is not None
        with pytest.raises(IllegalMoveError, match="has caught you"):
            ask(ring, forgetful, CallUNO())
