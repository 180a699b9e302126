"""The single transition of a round: `advance`. All changes of a `Round` are made here."""

from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import REVERSE, STAY, WILD_DRAW_FOUR, Face, Kind, effect_of
from unop2p.rules.consequences import (
    TWO,
    keep_debts,
    score,
    strike,
    winning_reaction,
    with_counts,
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
from unop2p.rules.position import (
    AFTER_DRAW,
    ATTACKED,
    DRAWN,
    NEW_TURN,
    REACTION,
    START,
    Resume,
    Round,
    TurnPhase,
    evolve,
)
from unop2p.rules.public import Problem, problem
from unop2p.rules.sheet import sheet_of
from unop2p.rules.shortcuts import (
    NOBODY,
    after_draw,
    after_play,
    begin_turn,
    doubtful,
    play_quiet,
    with_count,
    without_seats,
)

_WENT_OUT = dues.Termination.WENT_OUT
_OPEN_HANDS = dues.OpenHands()
CHALLENGE_EXTRA = 2
"""What a failed challenge costs beyond the four."""


def advance(round_: Round, fact: facts.Fact) -> Round:
    """Return the round after what has happened.

    Raises:
        IllegalMoveError: a move that the rules forbid on what everybody can see.
        AssertionError: the fact does not answer what is due.
    """
    after = _advance(round_, fact)
    return settle_absence(after) if after.away or after.debts else after


def _advance(round_: Round, fact: facts.Fact) -> Round:
    if isinstance(fact, facts.Acted):
        assert isinstance(round_.due, dues.TurnDue)
        return _act(round_, fact.seat, fact.move)
    if isinstance(fact, facts.CardsDealt):
        assert isinstance(round_.due, dues.DealCards)
        return _dealt(round_, round_.due.draws)
    if isinstance(fact, facts.PresenceChanged):
        return _presence(round_, fact)
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
                evolve(
                    round_,
                    pile_count=round_.pile_count + below,
                    discards=round_.discards[-1:],
                )
            )
        case dues.ReactionDue(), facts.Reacted(moves=moves):
            return _react(evolve(round_, fouled=False), moves)
        case dues.AnswerChallenge(), facts.ChallengeAnswered(shown=shown, silent=silent):
            return _judge(round_, shown, silent=silent)
        case dues.PassHands(moves=hands), facts.HandsPassed():
            return _passed(round_, hands)
        case dues.ShuffleHands(counts=counts), facts.HandsShuffled():
            return _hands_shuffled(round_, counts)
        case dues.OpenHands(), facts.HandsOpened(hands=opened, unopened=unopened):
            return score(round_, opened, unopened)
        case _:
            message = f"{fact} does not answer {round_.due}"
            raise AssertionError(message)


# -- the first card ----------------------------------------------------------------------------


def _turn_up(round_: Round, face: Face) -> Round:
    options = round_.options
    left = round_.next_seat(round_.dealer)
    begun = evolve(
        round_,
        pile_count=round_.pile_count - 1,
        discards=(face,),
        color=face.color,
        turn=left,
    )
    if face.is_wild:
        if face.kind is Kind.WILD and options.first_wild == "choose_color":
            return evolve(begun, phase=TurnPhase.COLOR, due=dues.TURNS[left])
        if options.first_wild == "bury_middle":
            return evolve(begun, due=dues.BuryFirstCard(depth=begun.pile_count // 2))
        return evolve(begun, due=dues.ShufflePile(first_card=True))
    match options.first_action, face.kind:
        case _, Kind.NUMBER:
            return begin_turn(begun)
        case "official", Kind.SKIP:
            return begin_turn(evolve(begun, turn=begun.next_seat(left)))
        case "official", Kind.REVERSE:
            starter = begun.next_seat(left, -1)  # the dealer, unless passed over
            return begin_turn(evolve(begun, direction=-1, turn=starter))
        case "official", Kind.DRAW_TWO:
            return _owe(evolve(begun, turn=begun.next_seat(left)), ((left, TWO),), NEW_TURN)
        case "reverse_only", Kind.REVERSE:
            right = begun.next_seat(round_.dealer, -1)
            return begin_turn(evolve(begun, direction=-1, turn=right))
        case "as_played", _:
            direction, turn, attack = strike(begun, round_.dealer, face, answering=None)
            phase = START if attack is None else ATTACKED
            struck = evolve(begun, direction=direction, turn=turn, attack=attack, phase=phase)
            return begin_turn(struck)
        case _:
            return begin_turn(begun)


def _take_back(round_: Round) -> Round:
    return evolve(
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
        return fined(round_, seat, wrong, Resume.SAME_TURN)
    return make_move(round_, seat, move)


def fined(round_: Round, seat: Seat, wrong: Problem, resume: Resume) -> Round:
    """Return the round after a foul, which costs its seat cards (F10), and then goes on as it was.

    A call or catch out of place in a reaction (F7) is one around one board only: a peer's own client
    says none (protocol section 10).

    Raises:
        IllegalMoveError: it is no foul here, or the seat has paid in this turn.
    """
    fine = round_.options.foul_penalty
    if not wrong.foul or not fine or seat in round_.fined:
        raise IllegalMoveError(wrong.reason)
    fouled = evolve(round_, fouled=True, fined=round_.fined | {seat})
    return _owe(fouled, ((seat, fine),), resume)


def make_move(round_: Round, seat: Seat, move: Move) -> Round:
    """Return the round after a move of the seat in turn that is known to be allowed.

    `advance` is for all others; this is for who has just looked the move up among the lawful ones.
    """
    if round_.fouled:
        round_ = evolve(round_, fouled=False)
    match move:
        case Play():
            return _play(round_, seat, move)
        case Draw() if round_.phase is not ATTACKED:
            drawing = evolve(round_, dry=after_draw(round_, seat))
            return _owe(drawing, ((seat, 1),), DRAWN)
        case Draw() | Accept():
            return _accept(round_, seat)
        case Challenge():
            attack = round_.attack
            assert attack is not None
            assert attack.forbidden is not None
            return evolve(
                round_,
                due=dues.AnswerChallenge(
                    accused=attack.by, forbidden=attack.forbidden, hand_count=attack.hand_count
                ),
            )
        case Pass():
            return begin_turn(round_, phase=START, turn=round_.next_seat(seat))
        case NameColor(color=color):
            return begin_turn(evolve(round_, phase=START, color=color))
        case _:
            message = f"{move} is no move of a turn"
            raise AssertionError(message)


def _accept(round_: Round, seat: Seat) -> Round:
    attack = round_.attack
    assert attack is not None
    if attack.kind is REVERSE:
        two_seats = len(round_.active) == TWO
        turn = attack.by if two_seats else round_.next_seat(attack.by)
    else:
        turn = round_.next_seat(seat)
    owed = ((seat, attack.cards),) if attack.cards else ()
    relieved = evolve(
        round_,
        attack=None,
        phase=START,
        turn=turn,
        owed=owed,
        resume=NEW_TURN,
        due=dues.DealCards(draws=owed),
    )
    ready = 0 < attack.cards <= round_.pile_count and not round_.barred
    return relieved if ready else _pay(relieved)


def _judge(round_: Round, shown: Face | None, *, silent: bool = False) -> Round:
    attack = round_.attack
    assert attack is not None
    seat = round_.turn
    relieved = evolve(round_, attack=None, phase=START)
    if silent:
        return _owe(relieved, ((attack.by, attack.cards),), NEW_TURN)
    if shown is None:
        relieved = evolve(relieved, turn=round_.next_seat(seat))
        return _owe(relieved, ((seat, attack.cards + CHALLENGE_EXTRA),), NEW_TURN)
    assert attack.forbidden is not None
    assert shown in attack.forbidden
    # Where a penalty has had the card below shuffled away, there is nothing to go back to.
    if round_.options.wd4_challenge == "card_returns" and len(round_.discards) > 1:
        relieved = with_counts(
            evolve(relieved, discards=round_.discards[:-1], color=attack.prior_color),
            {attack.by: round_.hand_counts[attack.by] + 1},
        )
    return _owe(relieved, ((attack.by, attack.cards),), NEW_TURN)


# -- a play ------------------------------------------------------------------------------------


def _play(round_: Round, seat: Seat, play: Play) -> Round:
    face, options = play.cards[0], round_.options
    left = round_.hand_counts[seat] - len(play.cards)
    quick = evolve(round_)
    if play_quiet(quick, sheet_of(options), seat, play, left):
        return quick
    effect = effect_of(face, options)
    duty = left == 1 and options.uno_penalty > 0 and effect is STAY
    answering = round_.attack if round_.phase is ATTACKED else None
    direction, turn, attack = strike(round_, seat, face, answering=answering)
    if attack is not None and answering is None and face.kind is WILD_DRAW_FOUR:
        attack = doubtful(round_, attack, left)
    counts, called = with_count(round_, seat, left)
    if duty and play.uno:
        called |= {seat}
    # What a blank card takes along lies under it.
    discards = (*round_.discards, *play.cards[1:], face)
    played = evolve(
        round_,
        discards=discards,
        color=play.color or face.color or round_.color,
        actor=seat,
        attack=attack,
        phase=START if attack is None else ATTACKED,
        direction=direction,
        turn=turn,
        hand_counts=counts,
        called=called,
        dry=after_play(round_, seat, face),
        effect=effect,
        effect_target=play.target,
        catchable=frozenset({seat}) if duty and not play.uno else NOBODY,
        idle=0,
        owed=(),
    )
    if not left and effect is not HandMove.SHUFFLE:
        return _went_out(played)
    fine = options.foul_penalty
    misplaced = play.uno and not duty and options.uno_penalty > 0
    if misplaced and fine and seat not in round_.fined:
        return _owe(played, ((seat, fine),), Resume.PLAYED)
    return _after_play(played)


def _went_out(round_: Round) -> Round:
    ended = evolve(
        round_,
        ending=_WENT_OUT,
        effect=STAY,
        effect_target=None,
        attack=None,
        phase=START,
        catchable=NOBODY,
        due=_OPEN_HANDS,
    )
    attack = round_.attack
    if attack is not None and attack.cards and round_.options.last_draw_counts:
        return _owe(ended, ((round_.turn, attack.cards),), Resume.OPEN)
    return ended


def _after_play(round_: Round) -> Round:
    if round_.catchable or round_.jumpable():
        assert round_.actor is not None
        return evolve(round_, due=dues.ReactionDue(actor=round_.actor))
    return _take_effect(round_)


def _react(round_: Round, moves: tuple[tuple[Seat, Move], ...]) -> Round:
    assert len({seat for seat, _ in moves}) == len(moves)
    for seat, move in moves:
        wrong = problem(round_, seat, move)
        if wrong is not None:
            raise IllegalMoveError(wrong.reason)
    winner = winning_reaction(round_, moves)
    if winner is None:
        return _take_effect(evolve(round_, catchable=NOBODY))
    match dict(moves)[winner]:
        case CallUNO():
            safe = evolve(
                round_, catchable=round_.catchable - {winner}, called=round_.called | {winner}
            )
            return _after_play(safe)
        case Catch(seat=caught):
            quiet = evolve(round_, catchable=round_.catchable - {caught})
            return _owe(quiet, ((caught, round_.options.uno_penalty),), REACTION)
        case Play() as play:
            # A new turn: the effect of the card below is lost with its turn (F9).
            fresh = evolve(round_, attack=None, phase=START, fined=NOBODY)
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
    if round_.effect is STAY and not owed:
        return begin_turn(round_, catchable=NOBODY)
    return _move_hands(evolve(round_, catchable=NOBODY, owed=owed, resume=NEW_TURN))


def _move_hands(round_: Round) -> Round:
    """Ask for what a play does to the hands; who is away keeps its own."""
    actor, target = round_.actor, round_.effect_target
    assert actor is not None
    match round_.effect:
        case HandMove.STAY:
            return _pay(round_)
        case HandMove.ROTATE:
            moves = tuple((seat, round_.next_seat(seat)) for seat in round_.around(actor))
            return evolve(round_, due=dues.PassHands(moves=moves))
        case HandMove.SWAP if actor in round_.away or target in round_.away:
            return _pay(round_)
        case HandMove.SWAP:
            assert target is not None
            return evolve(round_, due=dues.PassHands(moves=((actor, target), (target, actor))))
        case HandMove.SHUFFLE:
            order = round_.around(actor)
            total = sum(round_.hand_counts[seat] for seat in order)
            each, more = divmod(total, len(order))
            counts = tuple((seat, each + (place < more)) for place, seat in enumerate(order))
            return evolve(round_, due=dues.ShuffleHands(player=actor, counts=counts))


def _passed(round_: Round, moves: tuple[tuple[Seat, Seat], ...]) -> Round:
    movers = frozenset(giver for giver, _ in moves)
    held = {receiver: round_.hand_counts[giver] for giver, receiver in moves}
    moved = evolve(round_, called=round_.called - movers, dry=without_seats(round_, movers))
    return _pay(with_counts(moved, held))


def _hands_shuffled(round_: Round, counts: tuple[tuple[Seat, int], ...]) -> Round:
    movers = frozenset(seat for seat, _ in counts)
    moved = evolve(round_, called=round_.called - movers, dry=without_seats(round_, movers))
    dealt = with_counts(moved, dict(counts))
    # With fewer cards than seats somebody got none, and nobody goes out by that (F5).
    owed = dict(round_.owed)
    due = tuple((seat, owed.get(seat, int(not count))) for seat, count in counts)
    return _owe(dealt, tuple(item for item in due if item[1]), NEW_TURN)


# -- cards that are owed -----------------------------------------------------------------------


def _owe(round_: Round, owed: tuple[tuple[Seat, int], ...], resume: Resume) -> Round:
    if len(owed) == 1 and owed[0][1] <= round_.pile_count and not round_.barred:
        return evolve(round_, owed=owed, resume=resume, due=dues.DealCards(draws=owed))
    return _pay(evolve(round_, owed=owed, resume=resume))


def _pay(round_: Round) -> Round:
    """Ask for a shuffle where the pile is too small, else for the cards that there are."""
    if round_.barred:
        round_ = keep_debts(round_)
    if not round_.owed:
        return _go_on(round_, drew=False)
    wanted = sum(count for _, count in round_.owed)
    if wanted > round_.pile_count and len(round_.discards) > 1:
        return evolve(round_, due=dues.ShufflePile(first_card=False))
    left = round_.pile_count
    draws: list[tuple[Seat, int]] = []
    for seat, count in round_.owed:
        taken = min(count, left)
        left -= taken
        if taken:
            draws.append((seat, taken))
    if draws:
        return evolve(round_, due=dues.DealCards(draws=tuple(draws)))
    return _go_on(evolve(round_, owed=()), drew=False)


def _dealt(round_: Round, draws: tuple[tuple[Seat, int], ...]) -> Round:
    if round_.resume is DRAWN:
        ((seat, taken),) = draws
        counts, called = with_count(round_, seat, round_.hand_counts[seat] + taken)
        return evolve(
            round_,
            hand_counts=counts,
            called=called,
            pile_count=round_.pile_count - taken,
            owed=(),
            phase=AFTER_DRAW,
            idle=0,
            due=dues.TURNS[round_.turn],
        )
    held, called = list(round_.hand_counts), round_.called
    for seat, count in draws:
        held[seat] += count
        called -= {seat}
    dry = without_seats(round_, [seat for seat, _ in draws])
    pile_count = round_.pile_count - sum(count for _, count in draws)
    if round_.resume is NEW_TURN:
        return evolve(
            round_,
            hand_counts=tuple(held),
            called=called,
            dry=dry,
            pile_count=pile_count,
            effect=STAY,
            effect_target=None,
            owed=(),
            fined=NOBODY,
            due=dues.TURNS[round_.turn],
        )
    dealt = evolve(
        round_,
        hand_counts=tuple(held),
        called=called,
        dry=dry,
        pile_count=pile_count,
        owed=(),
    )
    return _go_on(dealt, drew=True)


def _go_on(round_: Round, *, drew: bool) -> Round:
    match round_.resume:
        case Resume.NEW_TURN:
            return begin_turn(round_)
        case Resume.SAME_TURN:
            return evolve(round_, due=dues.TURNS[round_.turn])
        case Resume.PLAYED | Resume.REACTION:
            return _after_play(round_)
        case Resume.OPEN:
            return evolve(round_, due=dues.OpenHands())
        case Resume.DRAWN if round_.turn in round_.away:
            return begin_turn(round_, phase=START, turn=round_.next_seat(round_.turn))
        case Resume.DRAWN:
            assert not drew
            return _drew_nothing(round_)


def _drew_nothing(round_: Round) -> Round:
    """Pass the turn on; after a full lap of this the round is blocked (F4)."""
    idle = round_.idle + (round_.phase is START)
    if idle >= len(round_.active):
        return evolve(round_, idle=idle, ending=dues.Termination.BLOCKED, due=dues.OpenHands())
    return begin_turn(evolve(round_, idle=idle, phase=START, turn=round_.next_seat(round_.turn)))


# -- who is away -------------------------------------------------------------------------------


def _presence(round_: Round, fact: facts.PresenceChanged) -> Round:
    """Go on with those who are there; what was due of others is passed over, or done for them."""
    now = evolve(round_, away=fact.away, barred=fact.barred, pile_count=fact.pile_count)
    match now.due:
        case dues.DealCards() | dues.ShufflePile(first_card=False):
            return _pay(now)
        case dues.AnswerChallenge(accused=accused) if accused in now.away:
            return _judge(now, None, silent=True)
        case dues.PassHands() | dues.ShuffleHands():
            return _move_hands(now)
        case _:
            return now


def settle_absence(round_: Round) -> Round:
    """Pass over who is to move and is away; let those draw that could not, and can now."""
    while round_.active and isinstance(round_.due, dues.TurnDue) and round_.turn in round_.away:
        round_ = _absent(round_, round_.turn)
    if isinstance(round_.due, dues.TurnDue) and round_.debts:
        back = tuple(item for item in round_.debts if item[0] not in round_.barred)
        if back:
            left = tuple(item for item in round_.debts if item[0] in round_.barred)
            return _owe(evolve(round_, debts=left), back, Resume.SAME_TURN)
    return round_


def _absent(round_: Round, seat: Seat) -> Round:
    """Pass over a seat whose turn it is: it takes what it faces, so that going away saves nothing."""
    match round_.phase:
        case TurnPhase.ATTACKED:
            return _accept(round_, seat)
        case TurnPhase.COLOR:
            after = round_.next_seat(seat)
            return evolve(round_, turn=after, due=dues.TURNS[after])
        case _:
            return begin_turn(round_, phase=START, turn=round_.next_seat(seat))
