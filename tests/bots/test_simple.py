"""What all levels have in common; what `random` and `greedy` choose is in `test_levels.py`."""

from tests.bots.support import position
from unop2p.bots.simple import called_plays, gain_of, reaction
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.moves import CallUNO, Catch, Play


def test_a_call_that_is_due_is_never_left_out() -> None:
    view = position("R1 B3", top="R9").view(Seat(0))
    assert called_plays(view.legal()) == [Play(cards=(Face.R1,), uno=True)]


def test_who_can_call_late_calls_and_does_not_catch() -> None:
    assert reaction((Catch(seat=Seat(1)), CallUNO())) == CallUNO()
    assert reaction(()) is None


def test_a_swap_gains_the_difference_of_the_hands() -> None:
    game = position("R7 G1 G2", top="R9", others=("B1",), hand_moves=["seven_swaps"])
    play = Play(cards=(Face.R7,), target=Seat(1))
    assert gain_of(game.view(Seat(0)), play, 2) == 1
