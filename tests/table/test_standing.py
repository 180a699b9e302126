"""How many act for whom: the numbers of protocol section 6."""

import pytest

from unop2p.ids import SEATS_MAX, SEATS_MIN, Seat
from unop2p.table.standing import Standing, resilience_max, route, threshold_for

MEMBERS = tuple(Seat(seat) for seat in range(5))


def standing(threshold: int = 4) -> Standing:
    return Standing(threshold=threshold, step=2, confirmed=set(MEMBERS))


@pytest.mark.parametrize("seats", range(SEATS_MIN, SEATS_MAX + 1))
def test_those_who_act_for_another_are_a_majority_and_never_one_alone(seats: int) -> None:
    for resilience in range(SEATS_MAX):
        for members in range(SEATS_MIN, seats + 1):
            threshold = threshold_for(resilience, seats, members)
            if not threshold:
                continue
            assert 2 <= threshold < members
            assert 2 * threshold > members
            assert threshold >= members - resilience


def test_with_two_nobody_stands_in() -> None:
    assert resilience_max(2) == 0
    assert threshold_for(1, 2, 2) == 0


def test_who_sat_down_with_four_is_not_read_by_two() -> None:
    assert threshold_for(1, 4, 4) == 3
    assert threshold_for(1, 4, 3) == 0
    assert threshold_for(1, 3, 3) == 2


def test_with_ten_seats_and_one_away_nine_act() -> None:
    assert threshold_for(1, 10, 10) == 9
    assert threshold_for(4, 10, 10) == 6
    assert threshold_for(9, 10, 10) == 6


def test_the_lowest_seats_that_can_act_do() -> None:
    assert standing().standers(Seat(4), MEMBERS[:4]) == MEMBERS[:4]
    assert len(standing().standers(Seat(4), MEMBERS[:3])) < 4


def test_who_has_not_spoken_since_the_shares_were_given_is_not_asked() -> None:
    late = standing(3)
    late.confirmed.discard(Seat(0))
    assert late.standers(Seat(4), MEMBERS[:4]) == (1, 2, 3)


def test_who_got_a_false_share_is_not_asked_for_that_seat_alone() -> None:
    some = standing(3)
    some.unable.add((Seat(4), Seat(1)))
    assert some.standers(Seat(4), MEMBERS[:4]) == (0, 2, 3)
    assert some.standers(Seat(3), MEMBERS[:3]) == (0, 1, 2)


def test_a_wait_is_hopeless_only_for_those_who_are_gone() -> None:
    assert not standing().is_hopeless(MEMBERS, {})
    assert not standing().is_hopeless(MEMBERS, {Seat(4): "left"})
    assert standing().is_hopeless(MEMBERS, {Seat(4): "left", Seat(3): "expelled"})
    some = standing()
    some.unable.add((Seat(4), Seat(1)))
    assert some.is_hopeless(MEMBERS, {Seat(4): "left"})


def test_who_has_shuffled_and_gone_counts_for_the_shuffle() -> None:
    some = standing()
    some.shuffled = (Seat(4),)
    assert not some.is_hopeless(MEMBERS, {Seat(4): "left"})
    some.end_shuffle()
    assert not some.shuffled
    assert some.is_hopeless(MEMBERS, {Seat(4): "left", Seat(3): "left"})


def test_a_route_tells_every_share_from_every_other() -> None:
    routes = {
        route(table, number, Seat(dealer), Seat(seat)).encoded()
        for table in (bytes(16), b"t" * 16)
        for number in (0, 1, 258)
        for dealer in range(3)
        for seat in range(3)
    }
    assert len(routes) == 2 * 3 * 3 * 3
