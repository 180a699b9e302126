"""A settled step moves the table on: the one place where `TableState` changes.

`apply_step` takes what every active seat has said and what it yields once checked, and returns the
notices that players are told. After it `state.plan` says what the next step asks.
"""

from unop2p.deal.coin import coin, permutation
from unop2p.deal.keys import joint_key
from unop2p.deal.masking import MaskedCard, open_card
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.cards import Face
from unop2p.rules.match import choose_dealer, start_match
from unop2p.rules.moves import Draw, Move, Play
from unop2p.rules.position import Resume
from unop2p.rules.round import advance, forced_move, winning_reaction
from unop2p.table import bodies, notices
from unop2p.table.checks import Said, forbidden_faces
from unop2p.table.claims import claim_due, claim_task
from unop2p.table.ending import (
    FIRST_HAS_NO_FACE,
    KEYS_CANCEL,
    Results,
    apply_hands,
    apply_seeds,
    end_round,
    is_doubtful,
    note_doubt,
    score,
    wipe_round,
)
from unop2p.table.hindsight import HiddenMove, Renumbered
from unop2p.table.moves import move_of
from unop2p.table.phases import Phase, StepPlan
from unop2p.table.replay import SettledShuffle, take_commitment
from unop2p.table.state import TableState
from unop2p.table.work import (
    Checked,
    CheckedDoubt,
    CheckedOpening,
    CheckedReveal,
    CheckedShares,
    CheckedShuffle,
)


def apply_step(state: TableState, results: Results, next_head: bytes) -> tuple[notices.Notice, ...]:
    """Apply a settled step, and plan the next.

    Args:
        state: changed in place.
        results: for every active seat its statement and what that yields.
        next_head: the head after the step.

    Returns:
        What players are told, in order.

    Raises:
        ProofError: a card that all have opened is no face.
    """
    told: list[notices.Notice] = []
    planned = False
    match state.plan.phase:
        case Phase.COMMIT:
            planned = _apply_commit(state, results)
        case Phase.REVEAL:
            planned = _apply_reveal(state, results, told)
        case Phase.SHUFFLE:
            planned = _apply_shuffle(state, results, told)
        case Phase.DEAL:
            _apply_deal(state, results, told)
        case Phase.TURN:
            _apply_turn(state, results, told)
        case Phase.REACTION:
            _apply_reaction(state, results, told)
        case Phase.ANSWER:
            _apply_answer(state, results, told)
        case Phase.HANDS:
            planned = apply_hands(state, results, told)
        case Phase.SEEDS:
            planned = apply_seeds(state, told)
    state.step += 1
    state.head = next_head
    if not planned:
        _go_on(state, told)
    return tuple(told)


def _go_on(state: TableState, told: list[notices.Notice]) -> None:
    """Apply what asks nobody, then plan the step that is due."""
    assert state.round is not None
    while not state.over:
        if state.replayed and is_doubtful(state):
            told.append(notices.DealDoubted(reason=state.doubt))
            state.plan = state.plan_seeds()
            return
        match state.round.due:
            case dues.TurnDue(seat=seat):
                forced = forced_move(state.round)
                if forced is None:
                    told.append(notices.TurnIs(seat=seat))
                    break
                state.round = advance(state.round, facts.Acted(seat=seat, move=forced))
                told.append(notices.MoveMade(seat=seat, move=forced))
            case dues.BuryFirstCard(depth=depth):
                assert state.turned is not None
                state.pile.insert(depth, state.turned)
                state.turned = None
                state.round = advance(state.round, facts.CardBuried())
            case dues.OpenHands() if not any(state.hands.values()):
                if state.replayed:
                    state.plan = state.plan_seeds()
                    return
                score(state, {}, told)
            case dues.RoundOver():
                end_round(state, told)
                return
            case _:
                break
    if not state.over:
        state.plan = state.plan_due()


# -- the start of a round ----------------------------------------------------------------------


def _apply_commit(state: TableState, results: Results) -> bool:
    state.commits = {
        seat: said.body.digest
        for seat, (said, _) in results.items()
        if isinstance(said.body, bodies.Commit)
    }
    for seat, (said, _) in results.items():
        if isinstance(said.body, bodies.Commit):
            point = take_commitment(said.body.shuffle_seed, replayed=state.replayed)
            if point is not None:
                state.seed_points[seat] = point
    state.plan = StepPlan(phase=Phase.REVEAL, speakers=state.seats)
    return True


def _apply_reveal(state: TableState, results: Results, told: list[notices.Notice]) -> bool:
    seeds: list[bytes] = []
    for seat in state.seats:
        _, checked = results[seat]
        assert isinstance(checked, CheckedReveal)
        state.keys[seat] = checked.key
        seeds.append(checked.seed)
    try:
        state.joint = joint_key([state.keys[seat] for seat in state.seats])
    except ProofError:
        # All seats have agreed on it, or one drawn by chance would stand in the sum: nobody is to
        # blame for what nobody is harmed by, and nothing was dealt.
        told.append(
            notices.RoundVoid(
                number=state.round_index + 1,
                reason=KEYS_CANCEL,
            )
        )
        wipe_round(state)
        state.plan = StepPlan(phase=Phase.COMMIT, speakers=state.seats)
        return True
    if state.match is None:
        tossed = coin(seeds)
        options = state.table.options
        order = tuple(Seat(index) for index in permutation(tossed, "order", len(state.seats)))
        deck = state.deck_faces()
        mixed = [deck[index] for index in permutation(tossed, "dealer", len(deck))]
        dealer, laps = choose_dealer(options, order, mixed, state.table.names)
        state.match = start_match(options, order, dealer)
        told.append(notices.DealerDrawn(order=order, dealer=dealer, laps=laps))
    told.append(
        notices.RoundBegan(
            number=state.round_index + 1, dealer=state.match.dealer, proved=not state.replayed
        )
    )
    state.hands = {}
    deck_cards = state.trivial([str(face) for face in state.deck_faces()])
    state.plan = StepPlan(phase=Phase.SHUFFLE, speakers=state.shuffle_order(), inputs=(deck_cards,))
    return True


def _apply_shuffle(state: TableState, results: Results, told: list[notices.Notice]) -> bool:
    _, checked = results[state.plan.speakers[-1]]
    assert isinstance(checked, CheckedShuffle)
    if state.replayed:
        _keep_shuffle(state, results)
    numbered: list[list[int]] = []
    for part in checked.parts:
        numbered.append(list(range(state.next_position, state.next_position + len(part))))
        state.cards.update(zip(numbered[-1], part, strict=True))
        state.next_position += len(part)
    told.append(
        notices.PileShuffled(
            cards=sum(len(part) for part in checked.parts), proved=not state.replayed
        )
    )
    if state.round is None:
        assert state.match is not None
        state.pile = numbered[0]
        state.round = state.match.start_round()
        state.plan = state.plan_start_deal()
        return True
    match state.round.due:
        case dues.ShufflePile(first_card=True):
            state.pile = numbered[0]
            state.turned = None
            state.known = {}
            state.round = advance(state.round, facts.PileShuffled())
        case dues.ShufflePile():
            state.pile += numbered[0]
            state.round = advance(state.round, facts.PileShuffled())
        case dues.PassHands(moves=moves):
            givers = [giver for giver, _ in moves if state.hands[giver]]
            for giver, fresh in zip(givers, numbered, strict=True):
                _renumber(state, state.hands[giver], fresh)
            receivers = [receiver for giver, receiver in moves if state.hands[giver]]
            state.moving = tuple(
                (position, receiver)
                for positions, receiver in zip(numbered, receivers, strict=True)
                for position in positions
            )
            _take_hands(state, tuple(giver for giver, _ in moves))
        case dues.ShuffleHands(counts=counts):
            held = [p for seat in state.match_players() for p in state.hands[seat]]
            _renumber(state, held, numbered[0])
            left = dict(counts)
            takers: list[Seat] = []
            while any(left.values()):
                for seat, _ in counts:
                    if left[seat]:
                        left[seat] -= 1
                        takers.append(seat)
            state.moving = tuple(zip(numbered[0], takers, strict=True))
            _take_hands(state, state.match_players())
        case _:
            message = f"a shuffle was not due: {state.round.due}"
            raise AssertionError(message)
    if state.moving:
        state.plan = state.plan_deal(state.moving)
    return bool(state.moving)


def _keep_shuffle(state: TableState, results: Results) -> None:
    """Keep what every seat did in the step, to replay it at the end of the round."""
    outputs: list[tuple[Seat, tuple[tuple[MaskedCard, ...], ...]]] = []
    for seat in state.plan.speakers:
        _, checked = results[seat]
        assert isinstance(checked, CheckedShuffle)
        outputs.append((seat, checked.parts))
    state.shuffles.append(
        SettledShuffle(
            step=state.step,
            first=sum(len(shuffle.inputs) for shuffle in state.shuffles),
            inputs=state.plan.inputs,
            outputs=tuple(outputs),
        )
    )


def _renumber(state: TableState, old: list[int], new: list[int]) -> None:
    state.hindsight.shuffles.append(Renumbered(old=tuple(old), new=tuple(new)))


def _take_hands(state: TableState, givers: tuple[Seat, ...]) -> None:
    """Forget the hands that were shuffled: their cards go on under new numbers."""
    for seat in givers:
        for position in state.hands[seat]:
            _forget(state, position)
        state.hands[seat] = []


def _forget(state: TableState, position: int) -> None:
    state.cards.pop(position, None)
    state.shares.pop(position, None)
    state.known.pop(position, None)


def _apply_deal(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    for seat, (_, checked) in results.items():
        if isinstance(checked, CheckedShares):
            for position, point in zip(checked.positions, checked.points, strict=True):
                state.shares.setdefault(position, {})[seat] = point
    plan = state.plan
    assert state.round is not None
    gone = {position for position, _ in plan.dealt} | set(plan.opened)
    state.pile = [position for position in state.pile if position not in gone]
    counts: dict[Seat, int] = {}
    for position, receiver in plan.dealt:
        state.hands.setdefault(receiver, []).append(position)
        counts[receiver] = counts.get(receiver, 0) + 1
    if state.moving:
        state.moving = ()
        fact = (
            facts.HandsPassed()
            if isinstance(state.round.due, dues.PassHands)
            else facts.HandsShuffled()
        )
        state.round = advance(state.round, fact)
        told.append(notices.HandsMoved(counts=state.round.hand_counts))
        return
    if isinstance(state.round.due, dues.DealCards):
        by_choice = state.round.resume is Resume.DRAWN
        state.round = advance(state.round, facts.CardsDealt())
        for seat, count in counts.items():
            told.append(notices.CardsDrawn(seat=seat, count=count, faces=()))
        if by_choice:
            # The seat in turn may play this card alone; a fine or penalty does not change which.
            state.drawn = state.hands[state.round.turn][-1]
        return
    (opened,) = plan.opened
    face = _open(state, opened)
    if face is None:
        state.doubt = FIRST_HAS_NO_FACE
        return
    state.turned = opened
    state.known[opened] = face
    state.hindsight.opened((opened,), (face,))
    told.append(notices.FirstCard(face=face))
    state.round = advance(state.round, facts.CardTurned(face=face))


def _open(state: TableState, position: int) -> Face | None:
    """Open a card of which every share is there; None for no face, where shuffles are replayed.

    Raises:
        ProofError: it opens to no face, which proofs that hold make impossible.
    """
    held = state.shares[position]
    points = tuple(held[seat] for seat in state.seats)
    label = state.faces.find(open_card(state.cards[position], points))
    if label is None and state.replayed:
        return None
    if label is None:
        message = "a card of the pile opens to no face"
        raise ProofError(message)
    return Face(label)


# -- play --------------------------------------------------------------------------------------


def _show(state: TableState, seat: Seat, checked: Checked) -> None:
    """Keep what an opening has shown, whether or not the card leaves the hand."""
    assert isinstance(checked, CheckedOpening)
    for position, point, face in zip(checked.positions, checked.points, checked.faces, strict=True):
        state.shares[position][seat] = point
        state.known[position] = face
    state.hindsight.opened(checked.positions, checked.faces)


def _leave_hand(state: TableState, seat: Seat, body: bodies.Body) -> None:
    """Take played cards out of a hand; they are forgotten at the next play, for one may return."""
    if isinstance(body, bodies.Played):
        for position in state.last_play:
            if not any(position in hand for hand in state.hands.values()):
                _forget(state, position)
        state.last_play = body.positions
        for position in body.positions:
            state.hands[seat].remove(position)


def _keep_unseen(state: TableState, seat: Seat, said: Said) -> None:
    """Keep a move for the end of the round that claims something and does not prove it."""
    due = claim_due(state, seat, said.body)
    if due is not None and claim_task(state, seat, due) is None:
        state.hindsight.moves.append(
            HiddenMove(step=state.step, seat=seat, statement=said.hash, due=due)
        )


def _apply_turn(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    (seat,) = state.plan.speakers
    said, checked = results[seat]
    if isinstance(checked, CheckedDoubt):
        note_doubt(state, checked)
        return
    move = move_of(said.body)
    assert move is not None
    assert state.round is not None
    _keep_unseen(state, seat, said)
    if isinstance(checked, CheckedOpening):
        _show(state, seat, checked)
    before = state.round.hand_counts[seat]
    state.round = advance(state.round, facts.Acted(seat=seat, move=move))
    told.append(notices.MoveMade(seat=seat, move=move))
    if not isinstance(move, Play) or state.round.hand_counts[seat] != before:
        # A play that was fined (foul) leaves the card in the hand, seen by all.
        _leave_hand(state, seat, said.body)
        if not isinstance(move, Draw) or not isinstance(state.round.due, dues.DealCards):
            state.drawn = None
    if isinstance(move, Play):
        state.turned = None


def _apply_reaction(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    assert state.round is not None
    said_moves: list[tuple[Seat, Move]] = []
    for seat, (said, checked) in results.items():
        move = move_of(said.body)
        if move is None:
            continue
        said_moves.append((seat, move))
        if isinstance(checked, CheckedOpening):
            _show(state, seat, checked)
    winner = winning_reaction(state.round, tuple(said_moves))
    state.round = advance(state.round, facts.Reacted(moves=tuple(said_moves)))
    for seat, move in said_moves:
        if seat == winner:
            told.append(notices.MoveMade(seat=seat, move=move))
            _leave_hand(state, seat, results[seat][0].body)
            if isinstance(move, Play):
                state.drawn = None
        else:
            told.append(notices.MoveVoid(seat=seat, move=move))


def _apply_answer(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    (accused,) = state.plan.speakers
    _, checked = results[accused]
    assert state.round is not None
    if isinstance(checked, CheckedDoubt):
        note_doubt(state, checked)
        return
    shown: Face | None = None
    if isinstance(checked, CheckedOpening):
        _show(state, accused, checked)
        shown = checked.faces[0]
        assert shown in forbidden_faces(state)
    before = len(state.round.discards)
    state.round = advance(state.round, facts.ChallengeAnswered(shown=shown))
    if len(state.round.discards) < before:
        # The table's rule gives the card back: it lies in the hand again, seen by all.
        state.hands[accused] += state.last_play
        state.last_play = ()
    told.append(notices.ChallengeSettled(accused=accused, shown=shown))
