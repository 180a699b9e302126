"""What settled steps make of shares, parts and complaints."""

from collections.abc import Iterator

import pytest

from tests.sim.standing import at, chain_of, kind_of, owes, seat_of, table
from unop2p.ids import Seat
from unop2p.sim.toy import in_toy_group
from unop2p.table.phases import Phase
from unop2p.table.sharing import begun_elsewhere, confirm, note_misdealt
from unop2p.table.state import TableState


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with in_toy_group():
        yield


def before_the_shuffle() -> TableState:
    ring = table(3, 1, 1)
    ring.run(at("shuffle"))
    return chain_of(ring, 0).state


@pytest.fixture(name="state")
def _state() -> TableState:
    return before_the_shuffle()


def test_the_shares_of_all_are_there_and_nobody_has_taken_them_yet(state: TableState) -> None:
    assert state.standing is not None
    assert state.stands
    assert state.threshold == 2
    assert set(state.standing.sealed) == set(state.members)
    assert state.standing.confirmed == set()
    assert all(len(points) == 2 for points in state.standing.commitments.values())
    assert state.maskers == state.members


def test_a_complaint_at_once_makes_the_round_void(state: TableState) -> None:
    assert state.standing is not None
    note_misdealt(state, state.step, {Seat(1): (Seat(2),)})
    assert "p2" in state.void
    assert state.standing.unable == {(2, 1)}


def test_a_complaint_that_comes_later_leaves_the_round_as_it_is(state: TableState) -> None:
    assert state.standing is not None
    note_misdealt(state, state.step + 3, {Seat(1): (Seat(2),)})
    assert state.void == ""
    assert state.standing.unable == {(2, 1)}


def test_a_word_before_the_shares_takes_none(state: TableState) -> None:
    assert state.standing is not None
    assert state.standing.step is not None
    confirm(state, state.standing.step, dict.fromkeys(state.seats))  # type: ignore[arg-type]
    assert not state.standing.confirmed
    confirm(state, state.step, {Seat(1): None})  # type: ignore[dict-item]
    assert state.standing.confirmed == {1}


def test_cards_on_their_way_go_there_or_nowhere() -> None:
    ring = table(3, 1, 1)
    ring.run(at("turn"))
    ring.run(lambda r: kind_of(chain_of(r, 0).state) in {"draw", "penalty 2", "penalty 4"})
    state = chain_of(ring, 0).state
    assert state.standing is not None
    assert not begun_elsewhere(state)
    state.standing.begun = (state.plan.dealt, state.plan.opened)
    assert not begun_elsewhere(state)
    state.standing.begun = (((1, Seat(0)),), ())
    assert begun_elsewhere(state)


def test_cards_whose_dealing_was_cut_short_go_where_they_were_to_go() -> None:
    ring = table(3, 1, 1)
    ring.run(owes("first deal", 1))
    ring.stop(1)
    away = seat_of(ring, 1)
    plan = chain_of(ring, 1).state.plan
    ring.run(lambda r: away in chain_of(r, 0).state.away)
    state = chain_of(ring, 0).state
    assert state.standing is not None
    assert state.plan.phase is Phase.DEAL
    assert (state.plan.dealt, state.plan.opened) == (plan.dealt, plan.opened)
    assert state.standing.begun == (plan.dealt, plan.opened)
    (standin,) = state.plan.standins
    assert standin.seat == away
    assert not set(standin.positions) & {p for p, receiver in plan.dealt if receiver == away}
    assert all(not state.plan.shares_due(seat) for seat in state.present)
