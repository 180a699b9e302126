"""Which move a body makes."""

import pytest

from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Challenge,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
)
from unop2p.table import bodies
from unop2p.table.moves import move_of

PLAYED = bodies.Played(
    cards=(Face.W,), positions=(3,), opening=b"", color=Color.RED, target=Seat(1), uno=True
)


@pytest.mark.parametrize(
    ("body", "move"),
    [
        (PLAYED, Play(cards=(Face.W,), color=Color.RED, target=Seat(1), uno=True)),
        (bodies.Drew(), Draw()),
        (bodies.Kept(), Pass()),
        (bodies.CalledUNO(), CallUNO()),
        (bodies.Caught(seat=Seat(2)), Catch(seat=Seat(2))),
        (bodies.Challenged(), Challenge()),
        (bodies.Accepted(), Accept()),
        (bodies.NamedColor(color=Color.BLUE), NameColor(color=Color.BLUE)),
        (bodies.Assent(), None),
        (bodies.Shares(data=b""), None),
    ],
)
def test_a_body_makes_its_move_and_no_other(body: bodies.Body, move: Move | None) -> None:
    assert move_of(body) == move
