"""What comes out of a round at its end, and what does not."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.hidden import Case, Claim
from unop2p.table.hindsight import ClaimDue, HiddenMove, Hindsight, Renumbered

REDS = (Face.R1, Face.R2, Face.R3)


def hindsight(
    faces: dict[int, Face], *shuffles: tuple[tuple[int, ...], tuple[int, ...]]
) -> Hindsight:
    return Hindsight(
        faces=dict(faces), shuffles=[Renumbered(old=old, new=new) for old, new in shuffles]
    )


def found(held: Hindsight, claim: Claim, rest: tuple[int, ...], drawn: int | None = None) -> bool:
    due = ClaimDue(claim=claim, drawn=drawn, rest=rest)
    held.moves.append(HiddenMove(step=4, seat=Seat(1), statement=b"h", due=due))
    return bool(held.faults())


NO_REDS = Claim(cases=(Case(barred=REDS),), broken="held a red card")


def test_a_card_that_was_opened_tells() -> None:
    assert found(hindsight({0: Face.B1, 1: Face.R1}), NO_REDS, (0, 1))
    assert not found(hindsight({0: Face.B1, 1: Face.R1}), NO_REDS, (0,))


def test_a_card_that_was_never_opened_tells_nothing() -> None:
    assert not found(hindsight({}), NO_REDS, (0, 1, 2))


def test_a_fault_names_the_step_the_seat_and_the_statement() -> None:
    held = hindsight({1: Face.R1})
    assert found(held, NO_REDS, (1,))
    (fault,) = held.faults()
    assert (fault.step, fault.seat, fault.statement) == (4, 1, b"h")
    assert fault.reason == "held a red card"


def test_a_hand_that_was_passed_on_whole_is_known_as_a_set() -> None:
    passed = hindsight({10: Face.B1, 11: Face.R1}, ((0, 1), (10, 11)))
    assert found(passed, NO_REDS, (0, 1))


def test_a_card_that_came_before_the_hand_was_passed_on_may_be_the_red_one() -> None:
    # Hand (0, 1) at the move; 2 was drawn before the hand was passed on.
    faces = {10: Face.B1, 11: Face.R1, 12: Face.B2}
    assert not found(hindsight(faces, ((0, 1, 2), (10, 11, 12))), NO_REDS, (0, 1))
    # With two reds among the three, one of them was in the hand for certain.
    faces[12] = Face.R2
    assert found(hindsight(faces, ((0, 1, 2), (10, 11, 12))), NO_REDS, (0, 1))


def test_a_card_that_was_shown_before_its_hand_moved_is_not_counted_twice() -> None:
    # 2 was shown red, and is not of the hand that is asked about.
    faces = {2: Face.R1, 10: Face.B1, 11: Face.R1, 12: Face.B2}
    assert not found(hindsight(faces, ((0, 1, 2), (10, 11, 12))), NO_REDS, (0, 1))
    faces[10] = Face.R2
    assert found(hindsight(faces, ((0, 1, 2), (10, 11, 12))), NO_REDS, (0, 1))


def test_a_hand_that_was_passed_on_twice_is_followed_through() -> None:
    twice = hindsight({20: Face.B1, 21: Face.R1}, ((0, 1), (10, 11)), ((10, 11), (20, 21)))
    assert found(twice, NO_REDS, (0, 1))


def test_what_all_hands_held_before_they_were_shuffled_is_not_known() -> None:
    faces = {10: Face.R1, 11: Face.B1, 12: Face.B2, 13: Face.B3}
    shuffled = hindsight(faces, ((0, 1, 2, 3), (10, 11, 12, 13)))
    assert not found(shuffled, NO_REDS, (0, 1))


UNFIT = Claim(
    cases=(Case(drawn=(Face.B1, Face.B2)), Case(drawn=(Face.W,), needed=REDS)), broken="kept"
)
FIT = Claim(cases=(Case(drawn=REDS), Case(drawn=(Face.W,), barred=REDS)), broken="passed")


@pytest.mark.parametrize(
    ("drawn", "rest", "unfit", "fit"),
    [
        (Face.B1, Face.B2, True, False),
        (Face.R1, Face.B2, False, True),
        (Face.W, Face.B2, False, True),
        (Face.W, Face.R2, True, False),
    ],
)
def test_a_drawn_wild_is_judged_with_the_rest_of_the_hand(
    drawn: Face, rest: Face, *, unfit: bool, fit: bool
) -> None:
    faces = {0: drawn, 1: rest}
    assert found(hindsight(faces), UNFIT, (1,), 0) == (not unfit)
    assert found(hindsight(faces), FIT, (1,), 0) == (not fit)


def test_where_one_case_is_open_nobody_is_blamed() -> None:
    assert not found(hindsight({0: Face.W}), UNFIT, (1,), 0)
    assert not found(hindsight({0: Face.W}), FIT, (1,), 0)
    assert not found(hindsight({1: Face.B1}), UNFIT, (1,), 0)


def test_a_needed_card_is_missing_from_an_empty_hand() -> None:
    assert found(hindsight({0: Face.W}), UNFIT, (), 0)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_at_least_so_many_are_there_in_every_deal_that_fits_what_was_opened(
    data: st.DataObject,
) -> None:
    """A hand that was passed on, some of its cards opened before and after."""
    faces = data.draw(st.lists(st.sampled_from([*REDS, Face.B1, Face.W]), min_size=4, max_size=4))
    shown = data.draw(st.sets(st.integers(0, 3)))
    asked = data.draw(st.sets(st.integers(0, 3), min_size=1))
    ends = data.draw(st.sets(st.integers(0, 3)))
    held = hindsight(
        {place: faces[place] for place in shown} | {10 + place: faces[place] for place in ends},
        ((0, 1, 2, 3), (10, 11, 12, 13)),
    )
    # The new numbers are in any order: what was opened of them says how often a face is there.
    ends_have = Counter(faces[place] for place in ends)
    deals = (
        deal
        for deal in product([*REDS, Face.B1, Face.W], repeat=4)
        if all(deal[place] == faces[place] for place in shown) and not ends_have - Counter(deal)
    )
    worst = min(sum(deal[place] in REDS for place in asked) for deal in deals)
    least = held.at_least(asked, REDS)
    assert least <= worst  # Nobody is blamed for what some deal excuses.
    if len(ends) == len(faces):
        assert least == worst  # Of a hand that was opened whole nothing is left unused.
