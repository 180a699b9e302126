"""Calls for which there is no time to type: UNO, catch, jump in, each on one key. Pure.

A key acts at once, and leaves alone what is half typed. Which call it makes is read off the view:
`call_for` says what a key does now, `open_calls` which keys are worth showing.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from unop2p.errors import IllegalMoveError
from unop2p.repl.commands import who_forgot
from unop2p.repl.paint import name
from unop2p.rules.due import TurnDue
from unop2p.rules.moves import CallUNO, Catch, Move, Play
from unop2p.table.view import TableView
from unop2p.words import ENGLISH, Words, said


class Call(StrEnum):
    """What a key calls."""

    UNO = "uno"
    CATCH = "catch"
    JUMP = "jump in"


KEYS: Final[dict[Call, tuple[str, str]]] = {
    Call.UNO: ("F2", "Alt-U"),
    Call.CATCH: ("F3", "Alt-C"),
    Call.JUMP: ("F4", "Alt-J"),
}
"""For each call its two keys: some terminals keep the function keys for themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """UNO is called as soon as it can be: with the next play, or in the reaction to it."""

    step: int
    """In which the key was pressed."""


WAIT_STEPS: Final = 2
"""The reaction to a play is the next step, or the one after where a card is drawn before it."""


def call_for(call: Call, view: TableView) -> Move | Later:
    """Return what a key does now.

    Raises:
        IllegalMoveError: nothing, and why.
    """
    match call:
        case Call.UNO:
            return _uno(view)
        case Call.CATCH:
            return Catch(seat=who_forgot(view))
        case Call.JUMP:
            return _jump(view)


def _uno(view: TableView) -> Move | Later:
    if CallUNO() in view.legal:
        return CallUNO()
    # In a reaction the turn is already the next seat's.
    due = view.round.due if view.round is not None else None
    own = isinstance(due, TurnDue) and due.seat == view.seat
    if own and (not view.my_turn or any(isinstance(m, Play) and m.uno for m in view.legal)):
        return Later(step=view.step)
    message = said("There is nothing to call UNO for.")
    raise IllegalMoveError(message)


def _jump(view: TableView) -> Move:
    if view.my_reaction:
        plays = [move for move in view.legal if isinstance(move, Play)]
        if plays:
            return max(plays, key=lambda play: play.uno)
    message = said("There is nothing to jump in with.")
    raise IllegalMoveError(message)


def with_uno(move: Move, view: TableView) -> Move:
    """Return a play with the call that its player has asked for, where it needs one."""
    if not isinstance(move, Play):
        return move
    called = Play(cards=move.cards, color=move.color, target=move.target, uno=True)
    return called if called in view.legal else move


def open_calls(view: TableView, words: Words = ENGLISH) -> list[str]:
    """Return the keys that do something now, with what they do: `F3 catch ben`."""
    found: list[str] = []
    for call, (key, _) in KEYS.items():
        try:
            move = call_for(call, view)
        except IllegalMoveError:
            continue
        match move:
            case Catch(seat=seat):
                if move in view.legal:  # an early one waits: no need to hurry
                    found.append(words.say("{key} catch {name}", key=key, name=name(view, seat)))
            case Later() | CallUNO():
                if view.legal:  # else our word is said; the key works, and is nothing to look at
                    found.append(words.say("{key} UNO", key=key))
            case _:
                found.append(words.say("{key} jump in", key=key))
    return found
