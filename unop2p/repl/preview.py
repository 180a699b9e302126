"""What a move would do, told from the rules engine itself: the move is made in a copy of the round. Pure.

No effect of any card is written down here: the round before is held against the round after, as far as
both follow from what everybody can see. What nobody can know (the answer to a challenge, the cards that
are drawn) is left open.
"""

from dataclasses import dataclass, field
from typing import Final

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.repl.paint import name
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.legal import barring
from unop2p.rules.moves import CallUNO, Catch, Move, Play
from unop2p.rules.position import Attack, Round, TurnPhase
from unop2p.rules.round import advance, forced_move
from unop2p.table.view import TableView
from unop2p.words import ENGLISH, Said, Words, mark, said, said_n

STEPS_MAX: Final = 40
"""A move is settled in far fewer steps; a bound for our own bugs."""
GUILTY: Final = mark("if guilty, {drawn}")
INNOCENT: Final = mark("if not, {drawn}")


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a move brings, until somebody is asked again."""

    after: Round
    drawn: dict[Seat, int] = field(default_factory=dict)
    """Who draws how many."""
    passed: tuple[tuple[Seat, Seat], ...] = ()
    """Whose hand goes to whom."""
    mixed: bool = False
    """All hands are shuffled together."""


def outcome(round_: Round, seat: Seat, move: Move) -> Outcome:
    """Make a move in a copy of the round, and all that follows and asks nobody.

    Nobody reacts, for whether somebody will cannot be known.

    Args:
        round_: the position, in which a turn or a reaction of this seat is due.
        seat: who moves.
        move: a move that is lawful on what all can see.

    Raises:
        IllegalMoveError: it is not.
    """
    if isinstance(round_.due, dues.ReactionDue):
        if not isinstance(move, Play | Catch | CallUNO):
            message = said("That is no reaction.")
            raise IllegalMoveError(message)
        fact: facts.Fact = facts.Reacted(moves=((seat, move),))
    else:
        fact = facts.Acted(seat=seat, move=move)
    return _settled(Outcome(after=advance(round_, fact)))


def _settled(found: Outcome) -> Outcome:
    """Go on for as long as nobody is asked."""
    for _ in range(STEPS_MAX):
        answer = _answer(found)
        if answer is None:
            break
        found.after = advance(found.after, answer)
    return found


def _answer(found: Outcome) -> facts.Fact | None:
    """Return the answer to what is due, and note what it brings; None where somebody is asked."""
    match found.after.due:
        case dues.ReactionDue():
            return facts.Reacted(moves=())
        case dues.DealCards(draws=draws):
            for seat, count in draws:
                found.drawn[seat] = found.drawn.get(seat, 0) + count
            return facts.CardsDealt()
        case dues.PassHands(moves=moves):
            found.passed = moves
            return facts.HandsPassed()
        case dues.ShuffleHands():
            found.mixed = True
            return facts.HandsShuffled()
        case dues.ShufflePile():
            return facts.PileShuffled()
        case dues.TurnDue(seat=seat):
            forced = forced_move(found.after)
            return facts.Acted(seat=seat, move=forced) if forced is not None else None
        case _:
            return None


def preview(view: TableView, move: Move, words: Words = ENGLISH) -> str:
    """Return in a few words what a legal move would do; empty where nothing can be said.

    Args:
        view: of the seat that may make it.
        move: one of `view.legal`.
        words: the language of the person.
    """
    round_, seat = view.round, view.seat
    if round_ is None or seat is None:
        return ""
    try:
        found = outcome(round_, seat, move)
    except IllegalMoveError as error:
        return words.tell(str(error))
    return "; ".join(
        words.tell(part)
        for part in (
            *_named(round_, found, move),
            *_drawing(view, found),
            *_hands(view, found),
            *_turning(round_, found),
            *_next(view, round_, found, move),
            *_duty(view, round_, move),
        )
    )


def _named(round_: Round, found: Outcome, move: Move) -> list[Said]:
    color = found.after.color
    if isinstance(move, Play) and color is not None and color is not round_.color:
        return [said("color {color}", color=said(color.word))]
    return []


def _drawing(view: TableView, found: Outcome) -> list[Said]:
    return [_draws(view, seat, count) for seat, count in found.drawn.items()]


def _draws(view: TableView, seat: Seat, count: int) -> Said:
    if seat == view.seat:
        return said_n("you draw {n} card", "you draw {n} cards", count)
    return said_n("{name} draws {n} card", "{name} draws {n} cards", count, name=name(view, seat))


def _hands(view: TableView, found: Outcome) -> list[Said]:
    if found.mixed:
        return [said("all hands are shuffled and dealt again")]
    return [
        said_n(
            "you get the hand of {name}, {n} card",
            "you get the hand of {name}, {n} cards",
            found.after.hand_counts[taker],
            name=name(view, giver),
        )
        for giver, taker in found.passed
        if taker == view.seat
    ]


def _turning(before: Round, found: Outcome) -> list[Said]:
    return [said("play turns round")] if found.after.direction != before.direction else []


def _next(view: TableView, before: Round, found: Outcome, move: Move) -> list[Said]:
    """Return who is passed over, and who moves then."""
    after = found.after
    match after.due:
        case dues.OpenHands() | dues.RoundOver():
            return [said("you go out") if after.actor == view.seat else said("the round ends")]
        case dues.AnswerChallenge():
            return _judged(view, found)
        case dues.TurnDue(seat=then):
            if isinstance(move, Catch | CallUNO):
                return [] if found.drawn else [said("nobody can catch you any more")]
            skipped = _skipped(after, then, move)
            return [*(_misses(view, seat) for seat in skipped), _then(view, before, after, then)]
        case _:
            return []


def _judged(view: TableView, found: Outcome) -> list[Said]:
    """Return what a challenge comes to, either way."""
    asked = found.after.due
    assert isinstance(asked, dues.AnswerChallenge)
    told: list[Said] = []
    for shown, template in ((asked.forbidden[0], GUILTY), (None, INNOCENT)):
        judged = advance(found.after, facts.ChallengeAnswered(shown=shown))
        drawn = _drawing(view, _settled(Outcome(after=judged)))
        told.append(said(template, drawn=drawn[0] if drawn else said("nobody draws")))
    return told


def _skipped(after: Round, then: Seat, move: Move) -> list[Seat]:
    """Return who would have moved, the way play goes now, and does not."""
    if not isinstance(move, Play) or after.actor is None:
        return []
    passed: list[Seat] = []
    seat = after.next_seat(after.actor)
    while seat not in {then, after.actor}:
        passed.append(seat)
        seat = after.next_seat(seat)
    return passed


def _misses(view: TableView, seat: Seat) -> Said:
    if seat == view.seat:
        return said("you miss a turn")
    return said("{name} misses a turn", name=name(view, seat))


def _then(view: TableView, before: Round, after: Round, then: Seat) -> Said:
    if after.phase is TurnPhase.ATTACKED and after.attack is not None:
        return _faces(view, then, after.attack)
    if then != view.seat:
        return said("then {name}", name=name(view, then))
    if after.after_draw:
        return said("you play it or keep it")
    return said("you move again") if before.turn == then else said("then you")


def _faces(view: TableView, seat: Seat, attack: Attack) -> Said:
    """Return what somebody else faces, and may do about it."""
    hit = _draws(view, seat, attack.cards) if attack.cards else _misses(view, seat)
    if attack.forbidden is not None:
        return said("{hit}, or challenges", hit=hit)
    return said("{hit}, or answers", hit=hit)


def _duty(view: TableView, round_: Round, move: Move) -> list[Said]:
    """Return what the move risks."""
    told: list[Said] = []
    if not isinstance(move, Play) or view.seat is None:
        return told
    if round_.uno_due(move.cards[0], len(move.cards), view.seat) and not move.uno:
        told.append(said("UNO is not called"))
    risk = barring(round_, move, view.hand)
    if risk is not None and view.my_turn:
        told.append(said("guilty if challenged: {reason}", reason=risk))
    return told
