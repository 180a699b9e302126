"""A `catch` that is typed before there is anything to catch: may it still come to that?

Protocol section 10: it is kept for the coming reaction step, else refused with the reason.
"""

from unop2p.ids import Seat
from unop2p.rules.due import DealCards, TurnDue
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.public import PAIR
from unop2p.words import said, said_n


def early_catch_refusal(round_: Round | None, caught: Seat, name: str) -> str | None:
    """Return why a seat will not be left with one uncalled card by what it does next.

    Args:
        round_: the position; None between rounds.
        caught: whom somebody wants to catch.
        name: what that seat is called.

    Returns:
        None where the catch may wait: the seat is in turn, or may jump in, and its play could leave
        it one card. Else a sentence.
    """
    if round_ is None or round_.over:
        return said("The round is over.")
    if round_.options.uno_penalty == 0:
        return said("UNO need not be called at this table.")
    if caught not in round_.active:
        return said("{name} is not in this round.", name=name)
    if caught in round_.called:
        return said("{name} has called UNO.", name=name)
    if round_.turn != caught and round_.options.jump_in == "off":
        return said("It is not {name}'s turn.", name=name)
    # Who holds one card may draw another, and play that; a pair takes two at once.
    may_draw = isinstance(round_.due, TurnDue | DealCards) and round_.phase is TurnPhase.START
    least = 1 if round_.turn == caught and may_draw else 2
    most = 2 if round_.options.play_pairs == "off" else 1 + PAIR
    count = round_.hand_counts[caught]
    if not least <= count <= most:
        return said_n("{name} holds {n} card.", "{name} holds {n} cards.", count, name=name)
    return None


def may_forget(round_: Round | None, seat: Seat) -> bool:
    """Return whether a catch of a seat may wait for what it does next."""
    return early_catch_refusal(round_, seat, "") is None
