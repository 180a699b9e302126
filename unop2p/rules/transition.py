"""The single transition of a round: `advance`. All changes of a `Round` are made here."""

from dataclasses import replace

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import HAND_SIZE, Face, Kind, deck_for
from unop2p.rules.consequences import TWO, score, strike, with_counts
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
from unop2p.rules.options import Options
from unop2p.rules.position import Resume, Round, TurnPhase
from unop2p.rules.public import problem

CHALLENGE_EXTRA = 2
"""What a failed challenge costs beyond the four."""
NOBODY: frozenset[Seat] = frozenset()


def start_round(
    options: Options,
    *,
    seat_count: int,
    players: tuple[Seat, ...],
    dealer: Seat,
    away: frozenset[Seat] = NOBODY,
    partners: tuple[Seat, ...] = (),
) -> Round:
    """Return a round after the deal of seven cards each, before the first discard is turned up.

    Args:
        options: what is played.
        seat_count: seats of the table.
        players: seats that play this round, clockwise.
        dealer: one of them.
        away: those of them that are passed over.
        partners: by seat, who sits opposite; empty where everybody plays alone.
    """
    assert len(set(players)) == len(players) > 1
    assert dealer in players
    return Round(
        options=options,
        seat_count=seat_count,
        players=players,
        away=away,
        partners=partners,
        dealer=dealer,
        turn=dealer,
        hand_counts=tuple(HAND_SIZE * (seat in players) for seat in range(seat_count)),
        pile_count=len(deck_for(options)) - HAND_SIZE * len(players),
        due=dues.TurnUpFirstCard(),
    )


def advance(round_: Round, fact: facts.Fact) -> Round:
    """Return the round after what has happened.

    Raises:
        IllegalMoveError: a move that the rules forbid on what everybody can see.
        AssertionError: the fact does not answer what is due.
    """
    match round_.due, fact:
        case dues.TurnUpFirstCard(), facts.CardTurned(face=face):
            return _turn_up(round_, face)
        case dues.BuryFirstCard(), facts.CardBuried():
            return _take_back(round_)
        case dues.ShufflePile(first_card=True), facts.PileShuffled():
            return _take_back(round_)
        case dues.ShufflePile(), facts.PileShuffled():
            below = len(round_.discards) - 1
            return _pay(
                replace(
                    round_,
                    pile_count=round_.pile_count + below,
                    discards=round_.discards[-1:],
                )
            )
        case dues.TurnDue(), facts.Acted(seat=seat, move=move):
            return _act(replace(round_, fouled=False), seat, move)
        case dues.ReactionDue(), facts.Reacted(moves=moves):
            return _react(replace(round_, fouled=False), moves)
        case dues.DealCards(draws=draws), facts.CardsDealt():
            return _dealt(round_, draws)
        case dues.AnswerChallenge(), facts.ChallengeAnswered(shown=shown):
            return _judge(round_, shown)
        case dues.PassHands(moves=hands), facts.HandsPassed():
            return _passed(round_, hands)
        case dues.ShuffleHands(counts=counts), facts.HandsShuffled():
            return _hands_shuffled(round_, counts)
        case dues.OpenHands(), facts.HandsOpened(hands=opened):
            return score(round_, opened)
        case _:
            message = f"{fact} does not answer {round_.due}"
            raise AssertionError(message)


def winning_reaction(round_: Round, moves: tuple[tuple[Seat, Move], ...]) -> Seat | None:
    """Return whose reaction stands: late UNO, then catch, then jump-in; ties by distance."""
    if not moves:
        return None

    def rank(item: tuple[Seat, Move]) -> tuple[int, int]:
        seat, move = item
        kind = 0 if isinstance(move, CallUNO) else 1 if isinstance(move, Catch) else 2
        return kind, round_.distance(seat)

    return min(moves, key=rank)[0]


# -- the first card ----------------------------------------------------------------------------


def _turn_up(round_: Round, face: Face) -> Round:
    options = round_.options
    left = round_.next_seat(round_.dealer)
    begun = replace(
        round_,
        pile_count=round_.pile_count - 1,
        discards=(face,),
        color=face.color,
        turn=left,
    )
    if face.is_wild:
        if face.kind is Kind.WILD and options.first_wild == "choose_color":
            return replace(begun, phase=TurnPhase.COLOR, due=dues.TurnDue(seat=left))
        if options.first_wild == "bury_middle":
            return replace(begun, due=dues.BuryFirstCard(depth=begun.pile_count // 2))
        return replace(begun, due=dues.ShufflePile(first_card=True))
    match options.first_action, face.kind:
        case _, Kind.NUMBER:
            return _begin(begun)
        case "official", Kind.SKIP:
            return _begin(replace(begun, turn=begun.next_seat(left)))
        case "official", Kind.REVERSE:
            starter = begun.next_seat(left, -1)  # the dealer, unless passed over
            return _begin(replace(begun, direction=-1, turn=starter))
        case "official", Kind.DRAW_TWO:
            return _owe(replace(begun, turn=begun.next_seat(left)), ((left, TWO),), Resume.NEW_TURN)
        case "reverse_only", Kind.REVERSE:
            right = begun.next_seat(round_.dealer, -1)
            return _begin(replace(begun, direction=-1, turn=right))
        case "as_played", _:
            return _begin(strike(begun, round_.dealer, face, answering=None))
        case _:
            return _begin(begun)


def _take_back(round_: Round) -> Round:
    return replace(
        round_,
        pile_count=round_.pile_count + 1,
        discards=(),
        color=None,
        turn=round_.dealer,
        due=dues.TurnUpFirstCard(),
    )


# -- a turn ------------------------------------------------------------------------------------


def _act(round_: Round, seat: Seat, move: Move) -> Round:
    wrong = problem(round_, seat, move)
    if wrong is not None:
        fine = round_.options.foul_penalty
        if not wrong.foul or not fine or seat in round_.fined:
            raise IllegalMoveError(wrong.reason)
        fouled = replace(round_, fouled=True, fined=round_.fined | {seat})
        return _owe(fouled, ((seat, fine),), Resume.SAME_TURN)
    match move:
        case Play():
            return _play(round_, seat, move)
        case Draw() if round_.phase is not TurnPhase.ATTACKED:
            return _owe(round_, ((seat, 1),), Resume.DRAWN)
        case Draw() | Accept():
            return _accept(round_, seat)
        case Challenge():
            attack = round_.attack
            assert attack is not None
            assert attack.forbidden is not None
            return replace(
                round_,
                due=dues.AnswerChallenge(
                    accused=attack.by, forbidden=attack.forbidden, hand_count=attack.hand_count
                ),
            )
        case Pass():
            return _begin(replace(round_, phase=TurnPhase.START, turn=round_.next_seat(seat)))
        case NameColor(color=color):
            return _begin(replace(round_, phase=TurnPhase.START, color=color))
        case _:
            message = f"{move} is no move of a turn"
            raise AssertionError(message)


def _accept(round_: Round, seat: Seat) -> Round:
    attack = round_.attack
    assert attack is not None
    if attack.kind is Kind.REVERSE:
        two_seats = len(round_.active) == TWO
        turn = attack.by if two_seats else round_.next_seat(attack.by)
    else:
        turn = round_.next_seat(seat)
    relieved = replace(round_, attack=None, phase=TurnPhase.START, turn=turn)
    if not attack.cards:
        return _begin(relieved)
    return _owe(relieved, ((seat, attack.cards),), Resume.NEW_TURN)


def _judge(round_: Round, shown: Face | None) -> Round:
    attack = round_.attack
    assert attack is not None
    seat = round_.turn
    relieved = replace(round_, attack=None, phase=TurnPhase.START)
    if shown is None:
        relieved = replace(relieved, turn=round_.next_seat(seat))
        return _owe(relieved, ((seat, attack.cards + CHALLENGE_EXTRA),), Resume.NEW_TURN)
    assert attack.forbidden is not None
    assert shown in attack.forbidden
    # Where a penalty has had the card below shuffled away, there is nothing to go back to.
    if round_.options.wd4_challenge == "card_returns" and len(round_.discards) > 1:
        relieved = with_counts(
            replace(relieved, discards=round_.discards[:-1], color=attack.prior_color),
            {attack.by: round_.hand_counts[attack.by] + 1},
        )
    return _owe(relieved, ((attack.by, attack.cards),), Resume.NEW_TURN)


# -- a play ------------------------------------------------------------------------------------


def _play(round_: Round, seat: Seat, play: Play) -> Round:
    face = play.cards[0]
    duty = round_.uno_due(face, len(play.cards), seat)
    answering = round_.attack if round_.phase is TurnPhase.ATTACKED else None
    left = round_.hand_counts[seat] - len(play.cards)
    forbidden = round_.wd4_forbidden()
    played = with_counts(
        replace(
            round_,
            # What a blank card takes along lies under it.
            discards=(*round_.discards, *play.cards[1:], face),
            color=play.color or face.color or round_.color,
            actor=seat,
            attack=None,
            phase=TurnPhase.START,
            effect=round_.effect_of(face),
            effect_target=play.target,
            catchable=frozenset({seat}) if duty and not play.uno else NOBODY,
            idle=0,
        ),
        {seat: left},
    )
    if duty and play.uno:
        played = replace(played, called=played.called | {seat})
    played = strike(played, seat, face, answering=answering)
    if answering is None and face.kind is Kind.WILD_DRAW_FOUR and played.attack is not None:
        attack = replace(played.attack, hand_count=left, prior_color=round_.color)
        if round_.options.wd4_challenge != "off":
            attack = replace(attack, forbidden=forbidden)
        played = replace(played, attack=attack)
    if played.goes_out(face, left):
        return _went_out(played)
    fine = round_.options.foul_penalty
    misplaced = play.uno and not duty and round_.options.uno_penalty > 0
    if misplaced and fine and seat not in round_.fined:
        return _owe(played, ((seat, fine),), Resume.PLAYED)
    return _after_play(played)


def _went_out(round_: Round) -> Round:
    ended = replace(
        round_, ending=dues.Termination.WENT_OUT, effect=HandMove.STAY, effect_target=None
    )
    attack = round_.attack
    ended = replace(ended, attack=None, phase=TurnPhase.START, catchable=NOBODY)
    if attack is not None and attack.cards and round_.options.last_draw_counts:
        return _owe(ended, ((round_.turn, attack.cards),), Resume.OPEN)
    return replace(ended, due=dues.OpenHands())


def _after_play(round_: Round) -> Round:
    if round_.catchable or round_.jumpable():
        assert round_.actor is not None
        return replace(round_, due=dues.ReactionDue(actor=round_.actor))
    return _take_effect(round_)


def _react(round_: Round, moves: tuple[tuple[Seat, Move], ...]) -> Round:
    assert len({seat for seat, _ in moves}) == len(moves)
    for seat, move in moves:
        wrong = problem(round_, seat, move)
        if wrong is not None:
            raise IllegalMoveError(wrong.reason)
    winner = winning_reaction(round_, moves)
    if winner is None:
        return _take_effect(replace(round_, catchable=NOBODY))
    match dict(moves)[winner]:
        case CallUNO():
            safe = replace(
                round_, catchable=round_.catchable - {winner}, called=round_.called | {winner}
            )
            return _after_play(safe)
        case Catch(seat=caught):
            quiet = replace(round_, catchable=round_.catchable - {caught})
            return _owe(quiet, ((caught, round_.options.uno_penalty),), Resume.REACTION)
        case Play() as play:
            # A new turn: the effect of the card below is lost with its turn (F9).
            fresh = replace(round_, attack=None, phase=TurnPhase.START, fined=NOBODY)
            return _play(fresh, winner, play)
        case move:
            message = f"{move} is no reaction"
            raise AssertionError(message)


def _take_effect(round_: Round) -> Round:
    actor = round_.actor
    assert actor is not None
    target = round_.effect_target
    # What a blank card makes seats draw comes after the hands have moved.
    owed = round_.draws_of(round_.discards[-1], actor, target)
    round_ = replace(round_, catchable=NOBODY, owed=owed, resume=Resume.NEW_TURN)
    match round_.effect:
        case HandMove.STAY:
            return _pay(round_)
        case HandMove.ROTATE:
            moves = tuple((seat, round_.next_seat(seat)) for seat in round_.around(actor))
            return replace(round_, due=dues.PassHands(moves=moves))
        case HandMove.SWAP:
            assert target is not None
            return replace(round_, due=dues.PassHands(moves=((actor, target), (target, actor))))
        case HandMove.SHUFFLE:
            order = round_.around(actor)
            total = sum(round_.hand_counts[seat] for seat in order)
            each, more = divmod(total, len(order))
            counts = tuple((seat, each + (place < more)) for place, seat in enumerate(order))
            return replace(round_, due=dues.ShuffleHands(player=actor, counts=counts))


def _passed(round_: Round, moves: tuple[tuple[Seat, Seat], ...]) -> Round:
    movers = frozenset(giver for giver, _ in moves)
    held = {receiver: round_.hand_counts[giver] for giver, receiver in moves}
    return _pay(with_counts(replace(round_, called=round_.called - movers), held))


def _hands_shuffled(round_: Round, counts: tuple[tuple[Seat, int], ...]) -> Round:
    movers = frozenset(seat for seat, _ in counts)
    dealt = with_counts(replace(round_, called=round_.called - movers), dict(counts))
    # With fewer cards than seats somebody got none, and nobody goes out by that (F5).
    owed = dict(round_.owed)
    due = tuple((seat, owed.get(seat, int(not count))) for seat, count in counts)
    return _owe(dealt, tuple(item for item in due if item[1]), Resume.NEW_TURN)


# -- cards that are owed -----------------------------------------------------------------------


def _owe(round_: Round, owed: tuple[tuple[Seat, int], ...], resume: Resume) -> Round:
    return _pay(replace(round_, owed=owed, resume=resume))


def _pay(round_: Round) -> Round:
    """Ask for a shuffle where the pile is too small, else for the cards that there are."""
    wanted = sum(count for _, count in round_.owed)
    if wanted > round_.pile_count and len(round_.discards) > 1:
        return replace(round_, due=dues.ShufflePile(first_card=False))
    left = round_.pile_count
    draws: list[tuple[Seat, int]] = []
    for seat, count in round_.owed:
        taken = min(count, left)
        left -= taken
        if taken:
            draws.append((seat, taken))
    if draws:
        return replace(round_, due=dues.DealCards(draws=tuple(draws)))
    return _go_on(replace(round_, owed=()), drew=False)


def _dealt(round_: Round, draws: tuple[tuple[Seat, int], ...]) -> Round:
    counts = {seat: round_.hand_counts[seat] + count for seat, count in draws}
    taken = sum(count for _, count in draws)
    dealt = with_counts(replace(round_, pile_count=round_.pile_count - taken, owed=()), counts)
    return _go_on(dealt, drew=True)


def _go_on(round_: Round, *, drew: bool) -> Round:
    match round_.resume:
        case Resume.NEW_TURN:
            return _begin(round_)
        case Resume.SAME_TURN:
            return replace(round_, due=dues.TurnDue(seat=round_.turn))
        case Resume.PLAYED | Resume.REACTION:
            return _after_play(round_)
        case Resume.OPEN:
            return replace(round_, due=dues.OpenHands())
        case Resume.DRAWN if drew:
            return replace(
                round_, phase=TurnPhase.AFTER_DRAW, idle=0, due=dues.TurnDue(seat=round_.turn)
            )
        case Resume.DRAWN:
            return _drew_nothing(round_)


def _drew_nothing(round_: Round) -> Round:
    """Pass the turn on; after a full lap of this the round is blocked (F4)."""
    idle = round_.idle + (round_.phase is TurnPhase.START)
    if idle >= len(round_.active):
        return replace(round_, idle=idle, ending=dues.Termination.BLOCKED, due=dues.OpenHands())
    return _begin(
        replace(round_, idle=idle, phase=TurnPhase.START, turn=round_.next_seat(round_.turn))
    )


def _begin(round_: Round) -> Round:
    return replace(
        round_,
        effect=HandMove.STAY,
        effect_target=None,
        owed=(),
        fined=NOBODY,
        due=dues.TurnDue(seat=round_.turn),
    )
