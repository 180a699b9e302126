"""What a card brings, what a hand counts, what a round scores: parts of the transition."""

from dataclasses import replace
from typing import Final

from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import Face, Kind, blank_rule, points
from unop2p.rules.position import Attack, Round, TurnPhase

TWO: Final = 2
FOUR: Final = 4


def strike(
    round_: Round,
    seat: Seat,
    face: Face,
    *,
    answering: Attack | None,
) -> Round:
    """Return whose turn a card makes it, which way, and what that seat faces."""
    old = round_.direction
    target = round_.next_seat(seat)
    deflect = round_.options.deflect
    attack: Attack | None = None
    direction = old
    turn = target
    match face.kind:
        case Kind.SKIP if "skip" in deflect:
            attack = Attack(kind=Kind.SKIP, cards=0, by=seat)
        case Kind.SKIP:
            turn = round_.next_seat(target)
        case Kind.REVERSE:
            direction = -old
            if "reverse" in deflect:
                attack = Attack(kind=Kind.REVERSE, cards=0, by=seat)
            else:
                turn = seat if len(round_.active) == TWO else round_.next_seat(seat, -old)
        case Kind.DRAW_TWO | Kind.WILD_DRAW_FOUR:
            cards = TWO if face.kind is Kind.DRAW_TWO else FOUR
            if answering is not None and round_.options.stacking == "add":
                cards += answering.cards
            attack = Attack(kind=face.kind, cards=cards, by=seat)
        case Kind.BLANK:
            rule = blank_rule(face, round_.options)
            direction = -old if rule.reverses else old
            after = round_.next_seat(seat, direction)
            if rule.again or (rule.reverses and len(round_.active) == TWO):
                turn = seat
            else:
                turn = round_.next_seat(after, direction) if rule.skips else after
        case _:
            pass
    phase = TurnPhase.START if attack is None else TurnPhase.ATTACKED
    return replace(round_, direction=direction, turn=turn, attack=attack, phase=phase)


def with_counts(round_: Round, changed: dict[Seat, int]) -> Round:
    """Return the round with some hand counts set; a call stands for a single card only."""
    counts = tuple(changed.get(Seat(seat), count) for seat, count in enumerate(round_.hand_counts))
    called = frozenset(seat for seat in round_.called if counts[seat] == 1)
    return replace(round_, hand_counts=counts, called=called)


def score(round_: Round, hands: tuple[tuple[Face, ...], ...]) -> Round:
    """Return the finished round: what the opened hands bring to whom."""
    assert tuple(len(hand) for hand in hands) == round_.hand_counts
    assert round_.ending is not None
    left = [sum(points(face, round_.options) for face in hand) for hand in hands]
    winner = round_.actor if round_.ending is dues.Termination.WENT_OUT else None
    partners = round_.partners
    if round_.options.scoring == "winner_takes":
        side = {winner, partners[winner]} if partners and winner is not None else {winner}
        total = sum(count for seat, count in enumerate(left) if seat not in side)
        left = [total * (seat in side) for seat in range(round_.seat_count)]
    elif partners:
        left = [count + left[partners[seat]] for seat, count in enumerate(left)]
    outcome = dues.RoundOutcome(termination=round_.ending, winner=winner, points=tuple(left))
    return replace(round_, due=dues.RoundOver(outcome=outcome))
