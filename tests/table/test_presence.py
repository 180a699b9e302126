"""What a close changes about who is there, and what that means for the round."""

import copy
from functools import cache

from tests.peer.standing import chain_of, seats_of, standing_in
from unop2p.ids import Seat
from unop2p.rules.due import ShufflePile, TurnDue
from unop2p.rules.facts import Acted
from unop2p.rules.moves import Draw
from unop2p.table import notices
from unop2p.table.phases import Phase
from unop2p.table.presence import change_presence, expel, move_round, too_few
from unop2p.table.riders import Guilt, Riders
from unop2p.table.state import At, TableState

ONE = Seat(1)


@cache
def _played(seats: int) -> TableState:
    with standing_in(Phase.TURN, seats) as ring:
        return copy.deepcopy(chain_of(ring, 0).state)


def playing(seats: int = 4) -> TableState:
    """Return a table in its first turn."""
    return copy.deepcopy(_played(seats))


def close(
    state: TableState, *left_out: int, riders: dict[Seat, Riders] | None = None
) -> list[notices.Notice]:
    """Close a step that leaves seats out."""
    told: list[notices.Notice] = []
    before = state.present
    state.step += 1
    change_presence(state, state.step - 1, before, seats_of(*left_out), riders or {}, told)
    return told


def back(state: TableState, seat: int) -> dict[Seat, Riders]:
    step = state.away[Seat(seat)]
    return {state.active[0]: Riders(back=((Seat(seat), step),))}


def test_who_is_left_out_is_passed_over_keeps_its_hand_and_has_its_vote() -> None:
    state = playing()
    hand = list(state.hands[ONE])
    told = close(state, 1)
    assert told == [notices.SeatAway(seat=ONE, step=state.step - 1)]
    assert ONE not in state.active
    assert ONE in state.voters
    assert state.hands[ONE] == hand
    assert state.round is not None
    assert state.round.away == {ONE}
    assert state.round.next_seat(state.round.players[state.round.players.index(ONE) - 1]) != ONE


def test_the_pile_is_set_aside_and_used_again() -> None:
    state = playing()
    pile, before = list(state.pile), state.present
    close(state, 1)
    assert (state.pile, state.aside) == ([], {before: pile})
    assert state.round is not None
    assert state.round.pile_count == 0
    told = close(state, riders=back(state, 1))
    assert told == [notices.SeatBack(seat=ONE)]
    assert (state.pile, state.aside) == (pile, {})
    assert state.round.pile_count == len(pile)


def test_a_back_is_good_for_the_absence_that_it_names_and_once() -> None:
    state = playing()
    close(state, 1)
    old = back(state, 1)
    close(state, riders=old)
    close(state, 1)
    assert close(state, riders=old) == []
    assert ONE in state.away
    assert state.returns == {ONE: 1}


def test_a_draw_asks_for_the_discards_and_with_too_few_of_them_the_round_is_void() -> None:
    state = playing()
    close(state, 1)
    assert state.round is not None
    assert isinstance(state.round.due, TurnDue)
    move_round(state, Acted(seat=state.round.turn, move=Draw()))
    assert "too few cards" in state.void, "one discard lies on the table"


def test_with_enough_discards_they_become_the_pile() -> None:
    state = playing()
    close(state, 1)
    assert state.round is not None
    object.__setattr__(state.round, "discards", state.round.discards * 4)
    move_round(state, Acted(seat=state.round.turn, move=Draw()))
    assert not state.void
    assert isinstance(state.round.due, ShufflePile)


def test_who_goes_away_while_hands_are_dealt_makes_the_round_void() -> None:
    state = playing()
    state.at = At.DEAL
    close(state, 1)
    assert "p1 went away" in state.void


def test_who_sits_the_round_out_changes_nothing_about_it() -> None:
    state = playing()
    state.members = seats_of(0, 2, 3)
    round_ = state.round
    close(state, 1)
    assert state.round is round_
    assert not state.void


def test_where_nobody_would_be_due_everybody_is() -> None:
    state = playing()
    state.at = At.COMMIT
    state.round, state.members = None, ()
    close(state, 0, 1, 2, 3)
    assert state.active == state.seats


def test_a_round_with_one_player_there_waits() -> None:
    state = playing(3)
    assert not too_few(state)
    close(state, 1)
    assert not too_few(state)
    close(state, 2)
    assert too_few(state)


def test_who_is_proved_guilty_is_out_once_and_for_good() -> None:
    state = playing()
    guilt = Guilt(seat=ONE, step=3, reason="it lied")
    told = close(state, riders={Seat(0): Riders(guilty=(guilt,)), Seat(2): Riders(guilty=(guilt,))})
    assert told == [notices.SeatExpelled(seat=ONE, step=3, reason="it lied")]
    assert ONE not in state.voters
    assert state.match is not None
    assert ONE not in state.match.players
    more: list[notices.Notice] = []
    expel(state, guilt, more)
    assert more == []


def test_who_leaves_opens_its_hand_and_votes_no_more() -> None:
    state = playing()
    faces = state.deck_faces()
    hand = tuple(zip(state.hands[ONE], faces[: len(state.hands[ONE])], strict=True))
    told = close(state, riders={ONE: Riders(leaves=True, hand=hand)})
    assert notices.SeatLeft(seat=ONE) in told
    assert state.left_hands[ONE] == dict(hand)
    assert ONE not in state.voters


def test_the_last_one_wins() -> None:
    state = playing(2)
    told = close(state, riders={ONE: Riders(leaves=True)})
    assert state.over
    assert told[-1] == notices.MatchEnded(winners=seats_of(0), totals=(0, 0))
