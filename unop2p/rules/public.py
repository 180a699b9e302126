"""What the rules forbid on what everybody can see. Hidden cards are judged in `legal.py`."""

from dataclasses import dataclass

from unop2p.ids import Seat
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import Face, Kind, copies
from unop2p.rules.due import ReactionDue, TurnDue
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
from unop2p.rules.position import Round, TurnPhase
from unop2p.words import mark, refused, said

PAIR = 2
_COLORLESS = mark("no color")
_NO_MATCH = mark("it does not match {top} ({color}).")
_NO_SYMBOL = mark("it does not match {top} ({color}). Here a symbol alone is no match.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a move is refused."""

    reason: str
    foul: bool = False
    """Fined where the table fines fouls (F10)."""


def problem(round_: Round, seat: Seat, move: Move) -> Problem | None:
    """Return what is wrong with a move, judged by what everybody sees; None if nothing is."""
    if seat not in round_.players or seat in round_.away:
        return Problem(reason=said("That seat does not play in this round."))
    match round_.due:
        case TurnDue():
            return _turn_problem(round_, seat, move)
        case ReactionDue():
            return _reaction_problem(round_, seat, move)
        case _:
            return Problem(reason=said("Nobody is to move now."))


def _turn_problem(round_: Round, seat: Seat, move: Move) -> Problem | None:
    if isinstance(move, CallUNO | Catch):
        return Problem(
            reason=said(
                "There is nothing to call now. Call UNO with the play that leaves you one card."
            ),
            foul=True,
        )
    if seat != round_.turn:
        return Problem(reason=said("It is not your turn."))
    if isinstance(move, Play):
        return play_problem(round_, seat, move)
    phase = round_.phase
    reason: str | None = None
    match move:
        case NameColor():
            if phase is not TurnPhase.COLOR:
                reason = said("There is no color to name.")
        case _ if phase is TurnPhase.COLOR:
            reason = said("Name the color of the first card: `color R`.")
        case Accept():
            if phase is not TurnPhase.ATTACKED:
                reason = said("There is nothing to accept.")
        case Challenge():
            if round_.attack is None or round_.attack.forbidden is None:
                reason = said("There is nothing to challenge.")
        case Pass():
            if phase is not TurnPhase.AFTER_DRAW:
                reason = said("Draw before you pass.")
            elif round_.options.draw_until_playable and round_.options.drawn_card == "must_play":
                reason = said("Draw until a card fits, and play it.")
        case Draw():
            if phase is TurnPhase.AFTER_DRAW and not round_.options.draw_until_playable:
                reason = said("You have drawn: play the drawn card or pass.")
    return Problem(reason=reason) if reason is not None else None


def play_problem(round_: Round, seat: Seat, play: Play) -> Problem | None:
    """Return what is wrong with a play in turn."""
    return (
        _cards_problem(round_, seat, play)
        or _match_problem(round_, play)
        or _form_problem(round_, seat, play)
    )


def _cards_problem(round_: Round, seat: Seat, play: Play) -> Problem | None:
    if round_.phase is TurnPhase.COLOR:
        return Problem(reason=said("Name the color of the first card before you play."))
    cards = play.cards
    if not cards:
        return Problem(reason=said("A play has a card at least."))
    face, *more = cards
    if copies(face, round_.options) < cards.count(face):
        # Before anything else is asked of it: a blank without a meaning here has no rule either.
        return Problem(reason=said("{face} is not in this deck.", face=face))
    if more and face.kind is Kind.BLANK and face not in more:
        colors = {card.color for card in more}
        if not round_.discards_color(face) or len(colors) > 1 or None in colors:
            return Problem(reason=refused(face, said("these cards cannot go with it.")))
        if any(copies(card, round_.options) < more.count(card) for card in more):
            return Problem(reason=said("So many of that card are not in this deck."))
    elif len(cards) not in {1, PAIR} or len(set(cards)) != 1:
        return Problem(reason=said("Play one card, or two that are the same."), foul=True)
    if len(cards) > round_.hand_counts[seat]:
        return Problem(reason=said("You do not hold that many cards."))
    return None


def _match_problem(round_: Round, play: Play) -> Problem | None:
    face = play.cards[0]
    along = play.cards[1:]
    if along == (face,):
        if not pairs_with(round_, face):
            return Problem(reason=said("Two cards at once are not allowed here."), foul=True)
        if round_.phase is not TurnPhase.START:
            return Problem(reason=said("Now only a single card may be played."), foul=True)
    if round_.phase is TurnPhase.ATTACKED:
        if not round_.answers(face):
            return Problem(
                reason=refused(face, said("it is no answer to {top}.", top=round_.top)), foul=True
            )
    elif not face.is_wild and not round_.matches(face):
        color = said(round_.color.word if round_.color is not None else _COLORLESS)
        symbol = round_.top is not None and face.number is None and face.kind is round_.top.kind
        what = _NO_SYMBOL if symbol else _NO_MATCH
        reason = refused(face, said(what, top=round_.top, color=color))
        return Problem(reason=reason, foul=True)
    elif face.is_wild and round_.options.wild_condition == "no_colored_match":
        held = next((card for card in along if round_.matches(card)), None)
        if held is not None:
            return Problem(
                reason=refused(face, said("you hold {held}, which could be played.", held=held))
            )
    return None


def left_behind(play: Play) -> tuple[Face, ...]:
    """Return the faces of the color that a blank card takes along: all of the hand go, or none."""
    if len(play.cards) == 1 or play.cards[0].kind is not Kind.BLANK:
        return ()
    color = play.cards[1].color
    return tuple(face for face in Face if face.color is color)


def pairs_with(round_: Round, face: Face) -> bool:
    """Return whether two cards with this face may be played at once."""
    if copies(face, round_.options) < PAIR or face.is_wild:
        return False
    match round_.options.play_pairs:
        case "off":
            return False
        case "numbers":
            return face.kind is Kind.NUMBER
        case "colored":
            return True


def _form_problem(round_: Round, seat: Seat, play: Play) -> Problem | None:
    face = play.cards[0]
    if round_.names_color(face) and play.color is None:
        return Problem(
            reason=refused(face, said("name a color with it, as in `play {face}:G`.", face=face))
        )
    if not round_.names_color(face) and play.color is not None:
        return Problem(reason=refused(face, said("its color cannot be named.")))
    left = round_.hand_counts[seat] - len(play.cards)
    if round_.chooses_seat(face):
        # A last card swaps nothing (F5): then a seat may be named, and need not be.
        swap = round_.effect_of(face) is HandMove.SWAP
        if play.target is None and round_.asks_seat(face, left):
            asked = said("say with whom you swap hands.") if swap else said("say who draws.")
            return Problem(reason=refused(face, asked))
        if play.target == seat or (play.target is not None and play.target not in round_.active):
            swapped = said("you cannot swap hands with that seat.")
            return Problem(
                reason=refused(face, swapped if swap else said("that seat cannot draw."))
            )
    elif play.target is not None:
        return Problem(reason=refused(face, said("it needs no other seat.")))
    return None


def _reaction_problem(round_: Round, seat: Seat, move: Move) -> Problem | None:
    reason: str | None = None
    match move:
        case CallUNO():
            if seat not in round_.catchable:
                return Problem(reason=said("You have nothing to call."), foul=True)
            if round_.options.uno_deadline == "before_card":
                reason = said("It is too late to call: here UNO is said with the card.")
        case Catch(seat=caught):
            if caught not in round_.catchable:
                return Problem(reason=said("That seat cannot be caught."), foul=True)
            if caught == seat:
                reason = said("You cannot catch yourself.")
        case Play():
            return _jump_problem(round_, seat, move)
        case _:
            reason = said("Others may still react: wait for your turn.")
    return Problem(reason=reason) if reason is not None else None


def _jump_problem(round_: Round, seat: Seat, play: Play) -> Problem | None:
    if not round_.jumpable():
        return Problem(reason=said("Nobody may jump in now."))
    if seat == round_.actor:
        return Problem(reason=said("You cannot jump in on your own card."))
    if play.cards != (round_.top,):
        return Problem(reason=said("Only another {top} may jump in.", top=round_.top))
    if round_.hand_counts[seat] < 1:
        return Problem(reason=said("You hold no card."))
    return _form_problem(round_, seat, play)
