"""What a seat may do, given its own hand: the rules on hidden cards join those that all can see."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from unop2p.ids import SEATS_MAX, Seat
from unop2p.rules.cards import Color, Face, Kind
from unop2p.rules.due import ReactionDue, TurnDue
from unop2p.rules.listing import plays, turn_moves
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
)
from unop2p.rules.position import ATTACKED, Round, TurnPhase
from unop2p.rules.public import left_behind, problem
from unop2p.words import mark, refused, said

_ACCEPT: Final = Accept()


def forced_move(round_: Round) -> Move | None:
    """Return the only lawful act of the seat in turn whatever its hand, or None."""
    if isinstance(round_.due, TurnDue) and round_.phase is ATTACKED and not round_.answerable():
        return _ACCEPT
    return None


def is_lawful(round_: Round, move: Move, hand: Sequence[Face]) -> bool:
    """Return whether a move breaks no rule on hidden cards, not even one that may be risked.

    False for a Wild Draw Four that a challenge would punish. `hand` holds the played cards too.
    """
    if not isinstance(move, Play) or not isinstance(round_.due, TurnDue):
        return True
    face = move.cards[0]
    if round_.phase is TurnPhase.ATTACKED or not face.is_wild:
        return True
    rest = _without(hand, move.cards)
    if face.kind is Kind.WILD_DRAW_FOUR:
        return not set(rest) & set(round_.wd4_forbidden())
    if set(rest) & set(left_behind(move)):
        return False
    if round_.options.wild_condition == "no_colored_match":
        return not any(round_.matches(held) for held in (*rest, *move.cards[1:]))
    return True


def _without(hand: Sequence[Face], cards: Sequence[Face]) -> list[Face]:
    rest = list(hand)
    for face in cards:
        if face in rest:
            rest.remove(face)
    return rest


def fits(round_: Round, face: Face, hand: Sequence[Face]) -> bool:
    """Return whether a card of a hand could lawfully be played now, outside an attack."""
    return (face.is_wild or round_.matches(face)) and is_lawful(round_, Play(cards=(face,)), hand)


def refusal(
    round_: Round, seat: Seat, move: Move, hand: Sequence[Face], drawn: Face | None = None
) -> str | None:
    """Return why a move is refused, in a sentence; None if it is legal.

    Args:
        round_: the position.
        seat: who moves.
        move: what is tried.
        hand: all cards of the seat.
        drawn: the card just drawn, while it alone may be played; by default the hand's last.
    """
    wrong = problem(round_, seat, move)
    if wrong is not None:
        return wrong.reason
    if isinstance(move, Play):
        return _play_refusal(round_, move, hand, drawn)
    if round_.phase not in {TurnPhase.START, TurnPhase.AFTER_DRAW}:
        return None
    if isinstance(move, Draw | Pass):
        return _draw_refusal(round_, move, hand, drawn)
    return None


def _play_refusal(
    round_: Round, play: Play, hand: Sequence[Face], drawn: Face | None
) -> str | None:
    face = play.cards[0]
    missing = Counter(play.cards) - Counter(hand)
    if missing:
        lacked = next(iter(missing))
        one = play.cards.count(lacked) == 1
        return refused(
            lacked, said("you do not hold it.") if one else said("you do not hold so many.")
        )
    if not isinstance(round_.due, TurnDue):
        return None
    if round_.after_draw:
        only = drawn if drawn is not None else hand[-1]
        if face != only:
            return refused(
                face, said("after drawing, only the drawn card ({only}) may be played.", only=only)
            )
    if is_lawful(round_, play, hand):
        return None
    challenge = round_.options.wd4_challenge != "off"
    if face.kind is Kind.WILD_DRAW_FOUR and challenge:
        return None
    return refused(face, said("{clause}.", clause=barring(round_, play, hand)))


_BARRED: Final = {
    "no_color": mark("you hold {held}, a card of the color in force"),
    "no_colored_match": mark("you hold {held}, a colored card that fits"),
    "no_other_playable": mark("you hold {held}, which can be played"),
}


def barring(round_: Round, play: Play, hand: Sequence[Face]) -> str | None:
    """Return what in the hand makes a play unlawful, and by which rule; None where nothing does.

    A clause, without a full stop: `you hold G5, a card of the color in force`.
    """
    if is_lawful(round_, play, hand):
        return None
    four = play.cards[0].kind is Kind.WILD_DRAW_FOUR
    barred = round_.wd4_forbidden() if four else round_.colored_matches()
    rule = round_.options.wd4_condition if four else round_.options.wild_condition
    rest = _without(hand, play.cards)
    kept = next((card for card in rest if card in left_behind(play)), None)
    if kept is not None:
        return said("you hold {kept} too, and all cards of the color go, or none", kept=kept)
    held = next(card for card in rest if card in barred)
    return said(_BARRED[rule], held=held)


def why_not(
    round_: Round, seat: Seat, face: Face, hand: Sequence[Face], drawn: Face | None = None
) -> str | None:
    """Return why a card of a hand cannot be played now, in whatever way; None where it can.

    Args:
        round_: the position.
        seat: whose hand.
        face: one of its cards.
        hand: all its cards.
        drawn: the card just drawn, while it alone may be played.
    """
    ways = plays(round_, seat, (face,), name_targets=False)
    reasons = [refusal(round_, seat, way, hand, drawn) for way in ways]
    return None if None in reasons else reasons[0]


def _draw_refusal(
    round_: Round, move: Draw | Pass, hand: Sequence[Face], drawn: Face | None
) -> str | None:
    options = round_.options
    if not round_.after_draw:
        playable = next((face for face in hand if fits(round_, face, hand)), None)
        if playable is not None and not options.voluntary_draw:
            return refused(
                said("Draw"), said("you hold {playable}, which can be played.", playable=playable)
            )
        return None
    only = drawn if drawn is not None else hand[-1]
    playable_drawn = fits(round_, only, hand)
    if isinstance(move, Pass):
        if playable_drawn and options.drawn_card == "must_play":
            return refused(said("Pass"), said("the drawn card {only} has to be played.", only=only))
        if not playable_drawn and options.draw_until_playable:
            return refused(said("Pass"), said("{only} does not fit, draw on.", only=only))
    elif playable_drawn:
        return refused(said("Draw"), said("the drawn card {only} fits.", only=only))
    return None


# -- lists of moves ----------------------------------------------------------------------------


def legal_moves(
    round_: Round,
    seat: Seat,
    hand: Sequence[Face],
    *,
    drawn: Face | None = None,
    name_targets: bool = True,
) -> tuple[Move, ...]:
    """Return every lawful move of a seat, in a fixed order; empty where it can only wait.

    Args:
        round_: the position.
        seat: whose moves.
        hand: all its cards.
        drawn: the card just drawn, while it alone may be played; by default the hand's last.
        name_targets: one move for each seat to swap with; else the first such seat stands for all.
    """
    match round_.due:
        case TurnDue(seat=mover) if mover == seat:
            return turn_moves(round_, seat, hand, drawn, name_targets=name_targets)
        case ReactionDue():
            return _reactions(round_, seat, hand, name_targets=name_targets)
        case _:
            return ()


_CALL: Final = CallUNO()
_CATCHES: Final = tuple(Catch(seat=Seat(seat)) for seat in range(SEATS_MAX))


def _reactions(
    round_: Round, seat: Seat, hand: Sequence[Face], *, name_targets: bool
) -> tuple[Move, ...]:
    options, catchable, found = round_.options, round_.catchable, list[Move]()
    if seat not in round_.players or seat in round_.away:
        return ()
    for caught in round_.players if catchable else ():
        if caught not in catchable:
            continue
        if caught != seat:
            found.append(_CATCHES[caught])
        elif options.uno_deadline != "before_card":
            found.insert(0, _CALL)
    top = round_.top
    if options.jump_in != "off" and top is not None and top in hand:
        ways = plays(round_, seat, (top,), name_targets=name_targets)
        found += [way for way in ways if refusal(round_, seat, way, hand) is None]
    return tuple(found)


def sleeping_move(
    round_: Round, seat: Seat, hand: Sequence[Face], drawn: Face | None = None
) -> Move:
    """Return what the table does for a seat whose time is up.

    Accept an attack, name the most frequent color of the hand, else draw, and then pass. Where the
    rules forbid to draw or to pass, the first legal move.
    """
    if round_.phase is TurnPhase.ATTACKED:
        return Accept()
    if round_.phase is TurnPhase.COLOR:
        held = Counter(face.color for face in hand if face.color is not None)
        return NameColor(color=max(Color, key=lambda color: held[color]))
    for move in (Pass(), Draw()):
        if refusal(round_, seat, move, hand, drawn) is None:
            return move
    return legal_moves(round_, seat, hand, drawn=drawn)[0]
