"""The move of the rules that a body makes."""

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


def move_of(body: bodies.Body) -> Move | None:
    """Return the move that a body of a turn or reaction step makes; None for an assent."""
    match body:
        case bodies.Played():
            return Play(cards=body.cards, color=body.color, target=body.target, uno=body.uno)
        case bodies.Drew():
            return Draw()
        case bodies.Kept():
            return Pass()
        case bodies.CalledUNO():
            return CallUNO()
        case bodies.Caught(seat=seat):
            return Catch(seat=seat)
        case bodies.Challenged():
            return Challenge()
        case bodies.Accepted():
            return Accept()
        case bodies.NamedColor(color=color):
            return NameColor(color=color)
        case _:
            return None
