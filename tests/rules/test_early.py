"""Whether a catch may be kept for the coming reaction."""

from dataclasses import replace

import pytest

from tests.bots.support import position
from unop2p.ids import Seat
from unop2p.rules.early import early_catch_refusal, may_forget
from unop2p.rules.options import Options, preset, with_overrides
from unop2p.rules.position import Round, TurnPhase

OFFICIAL = preset("official")


def round_with(counts: tuple[int, ...], *, options: Options = OFFICIAL) -> Round:
    """Return a round in which seat 0 is to move."""
    others = tuple(" ".join(["B1"] * count) for count in counts[1:])
    state = position(" ".join(["R1"] * counts[0]), top="R9", others=others).round
    return replace(state, options=options)


@pytest.mark.parametrize("count", [1, 2])
def test_a_seat_in_turn_that_may_come_to_one_card_can_be_caught_early(count: int) -> None:
    state = round_with((count, 5))
    assert early_catch_refusal(state, Seat(0), "ann") is None
    assert may_forget(state, Seat(0))
    assert not may_forget(state, Seat(1))


def test_a_pair_may_leave_one_of_three_where_pairs_are_played() -> None:
    pairs = with_overrides(OFFICIAL, {"play_pairs": "numbers"})
    assert early_catch_refusal(round_with((3, 5), options=pairs), Seat(0), "ann") is None
    assert early_catch_refusal(round_with((3, 5)), Seat(0), "ann") == "ann holds 3 cards."


def test_after_drawing_one_card_more_is_left() -> None:
    state = replace(round_with((1, 5)), phase=TurnPhase.ATTACKED)
    assert early_catch_refusal(state, Seat(0), "ann") == "ann holds 1 card."


def test_who_is_not_in_turn_cannot_forget_unless_it_may_jump_in() -> None:
    state = round_with((5, 2))
    assert early_catch_refusal(state, Seat(1), "ben") == "It is not ben's turn."
    jumping = with_overrides(OFFICIAL, {"jump_in": "numbers"})
    assert early_catch_refusal(round_with((5, 2), options=jumping), Seat(1), "ben") is None
    single = round_with((5, 1), options=jumping)
    assert early_catch_refusal(single, Seat(1), "ben") == "ben holds 1 card."


def test_who_has_called_is_not_away_and_plays_at_such_a_table_alone_can_forget() -> None:
    state = round_with((1, 5))
    called = replace(state, called=frozenset({Seat(0)}))
    assert early_catch_refusal(called, Seat(0), "ann") == "ann has called UNO."
    away = replace(state, away=frozenset({Seat(0)}))
    assert early_catch_refusal(away, Seat(0), "ann") == "ann is not in this round."
    assert early_catch_refusal(None, Seat(0), "ann") == "The round is over."
    quiet = round_with((2, 5), options=with_overrides(OFFICIAL, {"uno_penalty": 0}))
    assert "need not be called" in str(early_catch_refusal(quiet, Seat(0), "ann"))
