"""The one transition of a round: `advance(round, fact)`. Refused facts leave the round as it was."""

from dataclasses import replace

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.rules import facts
from unop2p.rules.cards import Face, Kind
from unop2p.rules.due import (
    AnswerChallenge,
    DealCards,
    PassHands,
    ReactionDue,
    ShuffleHands,
    ShufflePile,
    TurnDue,
    TurnUpFirstCard,
)
from unop2p.rules.flow import (
    after_deal,
    deal,
    finish,
    first_card,
    give_turn,
    jumpable,
    score_hands,
    take_effect,
    window_or_effect,
)
from unop2p.rules.matching import (
    answers_exist,
    can_answer,
    fits,
    may_pair,
    moves_hands,
    needs_target,
    wd4_forbidden,
)
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
from unop2p.rules.round import Attack, Doubt, Round, Then, Threat

PAIR = 2
CHALLENGE_EXTRA = 2


class IllegalCardError(IllegalMoveError):
    """That card cannot be played now."""


def _illegal(reason: str, round_: Round) -> IllegalMoveError:
    return IllegalMoveError(f"{reason} ({round_.text()}).")


def advance(round_: Round, fact: facts.Fact) -> Round:
    """Return the round after a fact.

    Args:
        round_: as it stands; unchanged.
        fact: an answer to `round_.due`.

    Raises:
        IllegalMoveError: a move that the rules refuse on what everybody can see.
    """
    match fact:
        case facts.Acted(seat=seat, move=move):
            return _act(round_, seat, move)
        case facts.Reacted(moves=moves):
            return _react(round_, moves)
        case facts.CardsDealt():
            assert isinstance(round_.due, DealCards)
            return after_deal(_dealt(round_, round_.due))
        case facts.CardTurned(face=face):
            assert isinstance(round_.due, TurnUpFirstCard)
            return first_card(round_, face)
        case facts.CardBuried():
            return _returned(round_)
        case facts.PileShuffled():
            return _shuffled(round_)
        case facts.ChallengeAnswered(shown=shown):
            return _answered(round_, shown)
        case facts.HandsPassed():
            return _passed(round_)
        case facts.HandsShuffled():
            assert isinstance(round_.due, ShuffleHands)
            counts = list(round_.hand_counts)
            for seat, count in round_.due.counts:
                counts[seat] = count
            return _hands_moved(round_, counts)
        case facts.HandsOpened(hands=hands):
            return replace(round_, due=score_hands(round_, hands))


def forced_move(round_: Round) -> Move | None:
    """Return the move of the seat in turn if it is its only one whatever its hand, else None."""
    attack = round_.attack
    if not isinstance(round_.due, TurnDue) or attack is None:
        return None
    if attack.threat is not Threat.DRAW or may_challenge(round_):
        return None
    if round_.options.stacking != "none" and answers_exist(
        round_.options, round_.top
    ):
        return None
    return Accept()


def may_challenge(round_: Round) -> bool:
    """Say whether the seat in turn may doubt the Wild Draw Four that it faces."""
    return (
        round_.attack is not None
        and round_.doubt is not None
        and round_.options.wd4_challenge != "off"
    )


# -- answers of the table ----------------------------------------------------------------------


def _dealt(round_: Round, due: DealCards) -> Round:
    counts = list(round_.hand_counts)
    for seat, count in due.draws:
        counts[seat] += count
    drawn = frozenset(seat for seat, _ in due.draws)
    return replace(
        round_,
        hand_counts=tuple(counts),
        pile_count=round_.pile_count - sum(count for _, count in due.draws),
        called=round_.called - drawn,
        catchable=round_.catchable - drawn,
    )


def _returned(round_: Round) -> Round:
    return replace(
        round_,
        pile_count=round_.pile_count + 1,
        discards=(),
        color=None,
        due=TurnUpFirstCard(),
    )


def _shuffled(round_: Round) -> Round:
    assert isinstance(round_.due, ShufflePile)
    if round_.due.first_card:
        return _returned(round_)
    anew = replace(
        round_,
        pile_count=round_.pile_count + len(round_.discards) - 1,
        discards=round_.discards[-1:],
    )
    return deal(anew, round_.draws, round_.then)


def _answered(round_: Round, shown: Face | None) -> Round:
    due, attack, doubt = round_.due, round_.attack, round_.doubt
    assert isinstance(due, AnswerChallenge)
    assert attack is not None
    assert doubt is not None
    round_ = replace(round_, attack=None, doubt=None)
    if shown is None:
        return deal(round_, ((round_.turn, attack.cards + CHALLENGE_EXTRA),), Then.NEXT_TURN)
    assert shown in due.forbidden
    if round_.options.wd4_challenge == "card_returns":
        round_ = replace(
            round_,
            discards=round_.discards[:-1],
            color=doubt.color_before,
            hand_counts=round_.with_hand(doubt.by, 1),
            called=round_.called - {doubt.by},
        )
    return deal(round_, ((doubt.by, attack.cards),), Then.SAME_TURN)


def _passed(round_: Round) -> Round:
    assert isinstance(round_.due, PassHands)
    counts = list(round_.hand_counts)
    for giver, receiver in round_.due.moves:
        counts[receiver] = round_.hand_counts[giver]
    return _hands_moved(round_, counts)


def _hands_moved(round_: Round, counts: list[int]) -> Round:
    """Hands that moved carry no call, and no duty (F6)."""
    assert round_.actor is not None
    round_ = replace(round_, hand_counts=tuple(counts), called=frozenset())
    return give_turn(round_, round_.seat_after(round_.actor))


# -- turns -------------------------------------------------------------------------------------


def _act(round_: Round, seat: Seat, move: Move) -> Round:
    if not isinstance(round_.due, TurnDue) or round_.due.seat != seat:
        message = "it is not that seat's turn"
        raise _illegal(message, round_)
    if round_.choosing != isinstance(move, NameColor):
        message = "the color of the first card is named first, and only then"
        raise _illegal(message, round_)
    round_ = replace(round_, catchable=frozenset())
    match move:
        case Play():
            return _play(round_, seat, move)
        case NameColor(color=color):
            return replace(round_, color=color, choosing=False)
        case Draw() if round_.attack is None:
            return _draw(round_, seat)
        case Draw() | Accept():
            return _accept(round_)
        case Pass() if round_.after_draw:
            return give_turn(round_, round_.seat_after(seat))
        case Challenge() if may_challenge(round_):
            return _challenge(round_)
        case _:
            message = "that cannot be said now"
            raise _illegal(message, round_)


def _draw(round_: Round, seat: Seat) -> Round:
    if round_.after_draw and not round_.options.draw_until_playable:
        message = "one card is drawn a turn"
        raise _illegal(message, round_)
    if round_.pile_count + len(round_.discards) > 1:
        return deal(replace(round_, idle=0), ((seat, 1),), Then.AFTER_DRAW)
    # F4: nothing can be drawn, and the turn passes; a whole lap of that blocks the round.
    idle = round_.idle + (0 if round_.after_draw else 1)
    round_ = replace(round_, idle=idle)
    if idle >= len([player for player in round_.players if player not in round_.away]):
        return finish(replace(round_, actor=seat, attack=None))
    return give_turn(round_, round_.seat_after(seat))


def _accept(round_: Round) -> Round:
    attack = round_.attack
    if attack is None:
        message = "there is nothing to accept"
        raise _illegal(message, round_)
    plain = replace(round_, attack=None, doubt=None)
    match attack.threat:
        case Threat.DRAW:
            return deal(plain, ((round_.turn, attack.cards),), Then.NEXT_TURN)
        case Threat.SKIP:
            return give_turn(plain, plain.seat_after(plain.turn))
        case _:
            active = [seat for seat in plain.players if seat not in plain.away]
            behind = plain.turn if len(active) == PAIR else attack.by
            return give_turn(plain, plain.seat_after(behind))


def _challenge(round_: Round) -> Round:
    assert round_.doubt is not None
    forbidden = wd4_forbidden(
        round_.options, round_.discards[-2], round_.doubt.color_before
    )
    due = AnswerChallenge(
        accused=round_.doubt.by, forbidden=forbidden, hand_count=round_.doubt.hand_count
    )
    return replace(round_, due=due)


# -- plays -------------------------------------------------------------------------------------


def _play(round_: Round, seat: Seat, move: Play) -> Round:
    _check_form(round_, seat, move)
    try:
        _check_card(round_, move)
    except IllegalCardError:
        if round_.options.foul_penalty and not round_.fouled:
            fined = replace(round_, fouled=True)
            return deal(fined, ((seat, round_.options.foul_penalty),), Then.SAME_TURN)
        raise
    return _put(round_, seat, move)


def is_foul(round_: Round, move: Play) -> bool:
    """Say whether a play of the seat in turn is one that is fined, or refused where it was already."""
    try:
        _check_card(round_, move)
    except IllegalCardError:
        return True
    return False


def _check_form(round_: Round, seat: Seat, move: Play) -> None:
    """Refuse a play that is not well said; such a play is never fined."""
    faces = move.cards
    if len(faces) not in (1, PAIR) or any(face is not faces[0] for face in faces):
        message = "a play is one card, or two equal ones"
        raise _illegal(message, round_)
    left = round_.hand_counts[seat] - len(faces)
    if left < 0:
        message = "that many cards are not in the hand"
        raise _illegal(message, round_)
    if round_.after_draw and len(faces) > 1:
        message = "after drawing, only the drawn card may be played"
        raise _illegal(message, round_)
    if faces[0].is_wild != (move.color is not None):
        message = (
            "a wild needs a color" if faces[0].is_wild else "only a wild names a color"
        )
        raise _illegal(message, round_)
    if move.target is not None and (
        not needs_target(round_.options, faces[0])
        or move.target == seat
        or move.target not in round_.players
    ):
        message = "that seat cannot be named here"
        raise _illegal(message, round_)
    if move.target is None and needs_target(round_.options, faces[0]) and left:
        message = "this card needs a seat to swap hands with"
        raise _illegal(message, round_)


def _check_card(round_: Round, move: Play) -> None:
    """Refuse a card that does not go on the top."""
    face, top = move.cards[0], round_.top
    if len(move.cards) == PAIR and not may_pair(round_.options, face):
        message = f"{face} cannot go as a pair at this table ({round_.text()})."
        raise IllegalCardError(message)
    attack = round_.attack
    if attack is None:
        allowed = fits(round_.options, top, round_.color, face)
    elif attack.threat is Threat.DRAW:
        allowed = len(move.cards) == 1 and can_answer(round_.options, top, round_.color, face)
    else:
        allowed = len(move.cards) == 1 and face.kind is top.kind
    if not allowed:
        reason = "does not answer" if attack is not None else "does not go on"
        message = f"{face} {reason} {top} ({round_.text()})."
        raise IllegalCardError(message)


def _put(round_: Round, seat: Seat, move: Play) -> Round:
    """Put the cards down: color, attack, duty to call; then the window, the effect or the end."""
    face, count = move.cards[0], len(move.cards)
    before = round_.attack
    attack: Attack | None = None
    doubt: Doubt | None = None
    hands = round_.with_hand(seat, -count)
    if face.kind in {Kind.DRAW_TWO, Kind.WILD_DRAW_FOUR}:
        cards = count * (2 if face.kind is Kind.DRAW_TWO else 4)
        if before is not None and round_.options.stacking == "add":
            cards += before.cards
        attack = Attack(by=seat, cards=cards, threat=Threat.DRAW)
        if face is Face.W4 and before is None:
            doubt = Doubt(by=seat, color_before=round_.color, hand_count=hands[seat])
    duty = (
        hands[seat] == 1
        and round_.options.uno_penalty > 0
        and not moves_hands(round_.options, face)
    )
    called = round_.called - {seat}
    round_ = replace(
        round_,
        turn=seat,
        hand_counts=hands,
        discards=round_.discards + move.cards,
        color=move.color or face.color,
        attack=attack,
        doubt=doubt,
        catchable=frozenset([seat]) if duty and not move.uno else frozenset(),
        called=called | {seat} if duty and move.uno else called,
        after_draw=False,
        played=move.cards,
        target=move.target,
        actor=seat,
        idle=0,
    )
    if hands[seat] == 0 and face.kind is not Kind.SHUFFLE_HANDS:
        return finish(round_)
    return window_or_effect(round_)


# -- reactions ---------------------------------------------------------------------------------

_RANKS = {CallUNO: 0, Catch: 1, Play: 2}


def winning_reaction(round_: Round, moves: tuple[tuple[Seat, Move], ...]) -> Seat | None:
    """Return whose reaction counts: late UNO before catch before jump-in, then by distance."""
    if not moves:
        return None
    order = (round_.turn, *round_.neighbors(round_.turn))
    return min(moves, key=lambda said: (_RANKS[type(said[1])], order.index(said[0])))[0]


def _react(round_: Round, moves: tuple[tuple[Seat, Move], ...]) -> Round:
    if not isinstance(round_.due, ReactionDue):
        message = "there is nothing to react to"
        raise _illegal(message, round_)
    for seat, move in moves:
        check_reaction(round_, seat, move)
    winner = winning_reaction(round_, moves)
    if winner is None:
        return take_effect(round_)
    match dict(moves)[winner]:
        case CallUNO():
            round_ = replace(
                round_,
                catchable=round_.catchable - {winner},
                called=round_.called | {winner},
            )
            return window_or_effect(round_)
        case Catch(seat=caught):
            round_ = replace(round_, catchable=round_.catchable - {caught})
            return deal(round_, ((caught, round_.options.uno_penalty),), Then.EFFECT)
        case Play() as play:
            # A new turn begins: the window of the last one is over (F9).
            return _put(replace(round_, catchable=frozenset(), attack=None), winner, play)
        case move:
            message = f"{type(move).__name__} is no reaction"
            raise _illegal(message, round_)


def check_reaction(round_: Round, seat: Seat, move: Move) -> None:
    """Refuse a reaction that the rules do not know here.

    Raises:
        IllegalMoveError: with the reason.
    """
    if not isinstance(round_.due, ReactionDue) or seat not in round_.players:
        message = "there is nothing to react to"
        raise _illegal(message, round_)
    match move:
        case CallUNO():
            if seat not in round_.catchable:
                message = "there is no UNO to call"
                raise _illegal(message, round_)
            if round_.options.uno_deadline == "before_card":
                message = "UNO is called with the play at this table, not after it"
                raise _illegal(message, round_)
        case Catch(seat=caught):
            if caught not in round_.catchable or caught == seat:
                message = "that seat cannot be caught"
                raise _illegal(message, round_)
        case Play():
            if move.cards != (round_.top,) or not jumpable(round_) or seat == round_.turn:
                message = "only an identical card jumps in"
                raise _illegal(message, round_)
            _check_form(replace(round_, after_draw=False), seat, move)
        case _:
            message = "that is no reaction"
            raise _illegal(message, round_)
