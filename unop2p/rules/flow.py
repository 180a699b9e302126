"""How a round goes on by itself: turns, owed cards, windows, effects, the end."""

from dataclasses import replace

from unop2p.ids import Seat
from unop2p.rules.cards import Face, Kind, points
from unop2p.rules.due import (
    BuryFirstCard,
    DealCards,
    OpenHands,
    PassHands,
    ReactionDue,
    RoundOutcome,
    RoundOver,
    ShuffleHands,
    ShufflePile,
    Termination,
    TurnDue,
)
from unop2p.rules.matching import may_jump, needs_target
from unop2p.rules.round import Attack, Round, Then, Threat


def give_turn(round_: Round, seat: Seat, *, attack: Attack | None = None) -> Round:
    """Return the round with a new turn of a seat, attacked or not."""
    return replace(
        round_,
        turn=seat,
        due=TurnDue(seat=seat),
        attack=attack,
        doubt=round_.doubt if attack is not None else None,
        after_draw=False,
        choosing=False,
        fouled=False,
        catchable=frozenset(),
        played=(),
        target=None,
        draws=(),
    )


def deal(round_: Round, draws: tuple[tuple[Seat, int], ...], then: Then) -> Round:
    """Return the round with cards owed; the pile is shuffled before, if it must and can be (F3)."""
    need = sum(count for _, count in draws)
    if need > round_.pile_count and len(round_.discards) > 1:
        return replace(round_, due=ShufflePile(first_card=False), draws=draws, then=then)
    left = round_.pile_count
    given: list[tuple[Seat, int]] = []
    for seat, count in draws:
        taken = min(count, left)
        left -= taken
        if taken:
            given.append((seat, taken))
    round_ = replace(round_, draws=(), then=then)
    if not given:
        return after_deal(round_)
    return replace(round_, due=DealCards(draws=tuple(given)))


def after_deal(round_: Round) -> Round:
    """Return the round once the cards that were owed are in the hands."""
    match round_.then:
        case Then.AFTER_DRAW:
            return replace(round_, due=TurnDue(seat=round_.turn), after_draw=True)
        case Then.NEXT_TURN:
            return give_turn(round_, round_.seat_after(round_.turn))
        case Then.SAME_TURN:
            return replace(round_, due=TurnDue(seat=round_.turn))
        case Then.EFFECT:
            return window_or_effect(round_)
        case _:
            return replace(round_, due=OpenHands())


def window_or_effect(round_: Round) -> Round:
    """Open the window for reactions to the last play where somebody may react, else go on."""
    assert round_.actor is not None
    if round_.catchable or jumpable(round_):
        return replace(round_, due=ReactionDue(actor=round_.actor))
    return take_effect(round_)


def jumpable(round_: Round) -> bool:
    """Say whether somebody could jump in: a pair leaves no third card, a 0 no second (C-ro7)."""
    face = round_.top
    return len(round_.played) == 1 and face.number != 0 and may_jump(round_.options, face)


def finish(round_: Round) -> Round:
    """End a round whose last play emptied a hand (F5): at most the last +2 or +4 is drawn."""
    assert round_.actor is not None
    if round_.attack is not None and round_.options.last_draw_counts:
        victim = round_.seat_after(round_.actor)
        return deal(round_, ((victim, round_.attack.cards),), Then.OPEN_HANDS)
    return replace(round_, due=OpenHands())


def take_effect(round_: Round) -> Round:
    """Return the round once the last play has taken effect; its window is over."""
    round_ = replace(round_, catchable=frozenset())
    face, count, actor = round_.played[0], len(round_.played), round_.actor
    assert actor is not None
    two_left = len([seat for seat in round_.players if seat not in round_.away]) == 2  # noqa: PLR2004
    match face.kind:
        case Kind.SKIP:
            if "skip" in round_.options.deflect:
                attack = Attack(by=actor, cards=0, threat=Threat.SKIP)
                return give_turn(round_, round_.seat_after(actor), attack=attack)
            return give_turn(round_, round_.seat_after(actor, 1 + count))
        case Kind.REVERSE:
            victim = round_.seat_after(actor)
            if count == 1:
                round_ = replace(round_, direction=-round_.direction)
            if "reverse" in round_.options.deflect:
                attack = Attack(by=actor, cards=0, threat=Threat.REVERSE)
                return give_turn(round_, victim, attack=attack)
            return give_turn(round_, round_.seat_after(actor, 1 + count if two_left else 1))
        case Kind.DRAW_TWO | Kind.WILD_DRAW_FOUR:
            return give_turn(round_, round_.seat_after(actor), attack=round_.attack)
        case Kind.SHUFFLE_HANDS:
            return replace(round_, due=_shuffle_hands(round_, actor))
        case Kind.BLANK if round_.options.blank_effect == "others_draw_one":
            draws = tuple((seat, 1) for seat in round_.neighbors(actor))
            return deal(round_, draws, Then.NEXT_TURN)
        case _:
            return _move_hands(round_, face, actor)


def _move_hands(round_: Round, face: Face, actor: Seat) -> Round:
    if needs_target(round_.options, face):
        assert round_.target is not None
        pair = ((actor, round_.target), (round_.target, actor))
        return replace(round_, due=PassHands(moves=pair))
    if face.number == 0 and "zero_rotates" in round_.options.hand_moves:
        movers = [seat for seat in round_.players if seat not in round_.away]
        moves = tuple((seat, round_.seat_after(seat)) for seat in movers)
        return replace(round_, due=PassHands(moves=moves))
    return give_turn(round_, round_.seat_after(actor))


def _shuffle_hands(round_: Round, actor: Seat) -> ShuffleHands:
    takers = [seat for seat in (*round_.neighbors(actor), actor) if seat not in round_.away]
    total = sum(round_.hand_counts[seat] for seat in takers)
    share, rest = divmod(total, len(takers))
    counts = tuple((seat, share + (index < rest)) for index, seat in enumerate(takers))
    return ShuffleHands(player=actor, counts=counts)


# -- the first card ----------------------------------------------------------------------------


def first_card(round_: Round, face: Face) -> Round:
    """Return the round once its first card was turned up."""
    options = round_.options
    round_ = replace(
        round_, discards=(face,), pile_count=round_.pile_count - 1, color=face.color
    )
    stays = face is Face.W and options.first_wild == "choose_color"
    if face.is_wild and not stays:
        if options.first_wild == "bury_middle":
            return replace(round_, due=BuryFirstCard(depth=round_.pile_count // 2))
        return replace(round_, due=ShufflePile(first_card=True))
    left = round_.seat_after(round_.dealer)
    if face is Face.W:
        return replace(give_turn(round_, left), choosing=True)
    if face.number is not None:
        return give_turn(round_, left)
    match options.first_action:
        case "official":
            return _first_official(round_, face, left)
        case "as_played":
            attack = None
            if face.kind is Kind.DRAW_TWO:
                attack = Attack(by=round_.dealer, cards=2, threat=Threat.DRAW)
            played = replace(round_, played=(face,), actor=round_.dealer, attack=attack)
            return take_effect(played)
        case "reverse_only" if face.kind is Kind.REVERSE:
            turned = replace(round_, direction=-1)
            return give_turn(turned, turned.seat_after(round_.dealer))
        case _:
            return give_turn(round_, left)


def _first_official(round_: Round, face: Face, left: Seat) -> Round:
    match face.kind:
        case Kind.SKIP:
            return give_turn(round_, round_.seat_after(left))
        case Kind.REVERSE:
            return give_turn(replace(round_, direction=-1), round_.dealer)
        case _:
            # No answer is possible: the left neighbor draws, and loses the turn.
            return deal(give_turn(round_, left), ((left, 2),), Then.NEXT_TURN)


# -- the end -----------------------------------------------------------------------------------


def score_hands(round_: Round, hands: tuple[tuple[Face, ...], ...]) -> RoundOver:
    """Return the end of a round whose hands were opened."""
    out = [seat for seat in round_.players if round_.hand_counts[seat] == 0]
    winner = out[0] if out else None
    worth = [sum(points(face, round_.options) for face in hand) for hand in hands]
    if round_.options.scoring == "keep_own":
        scored = tuple(worth)
    elif winner is None:
        scored = (0,) * round_.seat_count
    else:
        scored = tuple(
            sum(worth) if seat == winner else 0 for seat in range(round_.seat_count)
        )
    termination = Termination.BLOCKED if winner is None else Termination.WENT_OUT
    return RoundOver(
        outcome=RoundOutcome(termination=termination, winner=winner, points=scored)
    )
