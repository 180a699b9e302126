"""What a card brings, what a hand counts, what a round scores: parts of the transition."""

from typing import Final

from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import (
    BLANK,
    DRAW_TWO,
    REVERSE,
    SKIP,
    WILD_DRAW_FOUR,
    Face,
    blank_rule,
    deck_for,
)
from unop2p.rules.moves import CallUNO, Catch, Move
from unop2p.rules.position import Attack, Round, evolve
from unop2p.rules.sheet import sheet_of

TWO: Final = 2
FOUR: Final = 4


def strike(
    round_: Round,
    seat: Seat,
    face: Face,
    *,
    answering: Attack | None,
) -> tuple[int, Seat, Attack | None]:
    """Return which way a card lets the round go, whose turn it makes it, and what that seat faces."""
    old = round_.direction
    target = round_.next_seat(seat)
    kind = face.kind
    if kind is SKIP:
        if "skip" in round_.options.deflect:
            return old, target, Attack(kind=SKIP, cards=0, by=seat)
        return old, round_.next_seat(target), None
    if kind is REVERSE:
        if "reverse" in round_.options.deflect:
            return -old, target, Attack(kind=REVERSE, cards=0, by=seat)
        alone = len(round_.active) == TWO
        return -old, seat if alone else round_.next_seat(seat, -old), None
    if kind is DRAW_TWO or kind is WILD_DRAW_FOUR:
        cards = TWO if kind is DRAW_TWO else FOUR
        if answering is not None and round_.options.stacking == "add":
            cards += answering.cards
        return old, target, Attack(kind=kind, cards=cards, by=seat)
    if kind is BLANK:
        rule = blank_rule(face, round_.options)
        direction = -old if rule.reverses else old
        after = round_.next_seat(seat, direction)
        if rule.again or (rule.reverses and len(round_.active) == TWO):
            return direction, seat, None
        return direction, round_.next_seat(after, direction) if rule.skips else after, None
    return old, target, None


def with_counts(round_: Round, changed: dict[Seat, int]) -> Round:
    """Return the round with some hand counts set; a call stands for a single card only."""
    counts = tuple(changed.get(Seat(seat), count) for seat, count in enumerate(round_.hand_counts))
    called = frozenset(seat for seat in round_.called if counts[seat] == 1)
    return evolve(round_, hand_counts=counts, called=called)


def score(
    round_: Round,
    hands: tuple[tuple[Face, ...], ...],
    unopened: frozenset[Seat] = frozenset(),
) -> Round:
    """Return the finished round: what the opened hands bring to whom.

    Cards that nobody has seen, in a hand that was not opened or still to be drawn, count as the dearest.
    """
    assert all(
        len(hand) == count or seat in unopened
        for seat, (hand, count) in enumerate(zip(hands, round_.hand_counts, strict=True))
    )
    assert round_.ending is not None
    counted = sheet_of(round_.options).points
    left = [sum(map(counted, hand)) for hand in hands]
    if unopened or round_.debts:
        dearest = max(map(counted, deck_for(round_.options)))
        for seat in unopened:
            left[seat] = dearest * round_.hand_counts[seat]
        for seat, count in round_.debts:
            left[seat] += dearest * count
    winner = round_.actor if round_.ending is dues.Termination.WENT_OUT else None
    partners = round_.partners
    if round_.options.scoring == "winner_takes":
        side = {winner, partners[winner]} if partners and winner is not None else {winner}
        total = sum(count for seat, count in enumerate(left) if seat not in side)
        left = [total * (seat in side) for seat in range(round_.seat_count)]
    elif partners:
        left = [count + left[partners[seat]] for seat, count in enumerate(left)]
    outcome = dues.RoundOutcome(termination=round_.ending, winner=winner, points=tuple(left))
    return evolve(round_, due=dues.RoundOver(outcome=outcome))


def winning_reaction(round_: Round, moves: tuple[tuple[Seat, Move], ...]) -> Seat | None:
    """Return whose reaction stands: late UNO, then catch, then jump-in; ties by distance."""
    if len(moves) < TWO:
        return moves[0][0] if moves else None

    def rank(item: tuple[Seat, Move]) -> tuple[int, int]:
        seat, move = item
        kind = 0 if isinstance(move, CallUNO) else 1 if isinstance(move, Catch) else 2
        return kind, round_.distance(seat)

    return min(moves, key=rank)[0]


def keep_debts(round_: Round) -> Round:
    """Keep what seats have to draw that cannot draw now."""
    if not any(seat in round_.barred for seat, _ in round_.owed):
        return round_
    debts = dict(round_.debts)
    for seat, count in round_.owed:
        if seat in round_.barred:
            debts[seat] = debts.get(seat, 0) + count
    return evolve(
        round_,
        owed=tuple(item for item in round_.owed if item[0] not in round_.barred),
        debts=tuple(sorted(debts.items())),
    )
