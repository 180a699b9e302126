"""Calls on one key: what each does, and when."""

from dataclasses import replace

import pytest

from tests.bots.support import position
from tests.repl.support import lobby_view, table_view, view_of
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.repl.calls import KEYS, Call, Later, call_for, open_calls, with_uno
from unop2p.rules.cards import Face
from unop2p.rules.moves import CallUNO, Catch, Draw, Play
from unop2p.table.view import TableView


def forgotten(seat: int, hand: str = "R1 R2", jump_in: str = "off") -> TableView:
    """Return what a seat sees when seat 0 has played to one card without a call."""
    game = position(hand, top="R9", others=("B1 R1 B2", "B3 B4"), jump_in=jump_in)
    game.act(Seat(0), Play(cards=(Face.R1,)))
    return table_view(game, seat)


def test_each_key_does_its_call_in_a_reaction() -> None:
    assert call_for(Call.UNO, forgotten(0)) == CallUNO()
    assert call_for(Call.CATCH, forgotten(1)) == Catch(seat=Seat(0))
    jump = call_for(Call.JUMP, forgotten(1, jump_in="numbers"))
    assert jump == Play(cards=(Face.R1,))


def test_uno_before_the_play_waits_for_it() -> None:
    view = view_of("R7 G3", top="R9")
    assert call_for(Call.UNO, view) == Later(step=view.step)
    said = replace(view, my_turn=False, legal=())  # the card is typed, and not yet settled
    assert call_for(Call.UNO, said) == Later(step=view.step)


def test_a_play_is_called_where_it_can_be() -> None:
    view = view_of("R7 G3", top="R9")
    assert with_uno(Play(cards=(Face.R7,)), view) == Play(cards=(Face.R7,), uno=True)
    assert with_uno(Draw(), view) == Draw()
    many = view_of("R7 G3 G4", top="R9")
    assert with_uno(Play(cards=(Face.R7,)), many) == Play(cards=(Face.R7,))


@pytest.mark.parametrize("call", Call)
def test_a_key_that_can_do_nothing_says_so(call: Call) -> None:
    for view in (view_of("R7 G3 G4", top="R9"), lobby_view("ann")):
        with pytest.raises(IllegalMoveError):
            call_for(call, view)
        assert open_calls(view) == []


def test_the_keys_that_do_something_now_are_shown() -> None:
    assert open_calls(forgotten(0)) == ["F2 UNO"]
    assert open_calls(forgotten(1)) == ["F3 catch ann"]
    assert open_calls(forgotten(1, jump_in="numbers")) == ["F3 catch ann", "F4 jump in"]
    assert open_calls(view_of("R7 G3", top="R9")) == ["F2 UNO"]


def test_an_early_catch_works_and_is_not_shown() -> None:
    game = position("R1 R2 R3", top="R9", others=("B1 B2", "B3 B4"))
    game.act(Seat(0), Play(cards=(Face.R1,)))
    view = table_view(game, 2)
    assert call_for(Call.CATCH, view) == Catch(seat=Seat(1))
    assert open_calls(view) == []


def test_each_call_has_two_keys_of_its_own() -> None:
    keys = [key for pair in KEYS.values() for key in pair]
    assert len(set(keys)) == 2 * len(Call)
