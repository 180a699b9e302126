"""A settled step moves the table on: the one place where `TableState` changes.

`apply_step` takes what every active seat has said and what it yields once checked, and returns the
notices that players are told. After it `state.plan` says what the next step asks.
"""

from collections.abc import Mapping
from types import MappingProxyType

from unop2p.deal.coin import coin, permutation
from unop2p.deal.keys import joint_key
from unop2p.deal.masking import open_card
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules import facts
from unop2p.rules.cards import Face
from unop2p.rules.match import choose_dealer, start_match
from unop2p.rules.moves import Draw, Move, Play
from unop2p.rules.position import Resume, TurnPhase
from unop2p.rules.round import forced_move, winning_reaction
from unop2p.table import bodies, notices
from unop2p.table.bodies import Commit, GivesUp
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
    put_out_silent,
    score,
    wipe_round,
)
from unop2p.table.hindsight import HiddenMove
from unop2p.table.moves import move_of
from unop2p.table.phases import Phase, StepPlan
from unop2p.table.presence import (
    PLAYERS_MIN,
    change_presence,
    move_round,
    too_few,
)
from unop2p.table.replay import take_commitment
from unop2p.table.riders import Riders
from unop2p.table.sharing import (
    apply_share,
    begun_elsewhere,
    collect_shares,
    confirm,
    note_reveals,
)
from unop2p.table.shuffling import apply_shuffle
from unop2p.table.standing import Standing
from unop2p.table.state import At, TableState
from unop2p.table.work import (
    Checked,
    CheckedDoubt,
    CheckedOpening,
    CheckedReveal,
    CheckedShares,
)
from unop2p.words import said


def apply_step(
    state: TableState,
    results: Results,
    next_head: bytes,
    riders: Mapping[Seat, Riders] = MappingProxyType({}),
) -> tuple[notices.Notice, ...]:
    """Apply a settled step, and plan the next.

    Args:
        state: changed in place.
        results: for every seat in the close its statement and what that yields; an active seat that
            is missing was left out.
        next_head: the head after the step.
        riders: what rides on these statements, by author; who carries nothing may be missing.

    Returns:
        What players are told, in order.

    Raises:
        ProofError: a card that all have opened is no face.
    """
    told: list[notices.Notice] = []
    step, before = state.step, state.present
    left_out = tuple(seat for seat in state.active if seat not in results)
    match state.plan.phase:
        case Phase.COMMIT:
            _apply_commit(state, results)
        case Phase.REVEAL:
            _apply_reveal(state, results, told)
        case Phase.SHARE:
            apply_share(state, results)
        case Phase.SHUFFLE:
            apply_shuffle(state, results, told)
        case Phase.DEAL:
            _apply_deal(state, results, told)
        case Phase.TURN:
            _apply_turn(state, results, told)
        case Phase.REACTION:
            _apply_reaction(state, results, told)
        case Phase.ANSWER:
            _apply_answer(state, results, told)
        case Phase.HANDS:
            apply_hands(state, results, told)
        case Phase.SEEDS:
            apply_seeds(state, results, told)
        case Phase.WAIT:
            _apply_wait(state, results)
    confirm(state, step, results)
    state.step += 1
    state.head = next_head
    change_presence(state, step, before, left_out, riders, told)
    plan_next(state, told)
    return tuple(told)


def plan_next(state: TableState, told: list[notices.Notice]) -> None:
    """Plan the step that comes, and apply all that asks nobody before it."""
    while not state.over and not _planned(state, told):
        pass


def _planned(state: TableState, told: list[notices.Notice]) -> bool:
    """Plan the next step; or apply what asks nobody, and say that there is more to do."""
    if state.void:
        told.append(notices.RoundVoid(number=state.round_index + 1, reason=state.void))
        wipe_round(state)
    match state.at:
        case At.COMMIT:
            state.plan = StepPlan(phase=Phase.COMMIT, speakers=state.active)
        case At.REVEAL:
            state.plan = StepPlan(phase=Phase.REVEAL, speakers=state.present)
        case At.SHARE:
            state.plan = StepPlan(phase=Phase.SHARE, speakers=state.present)
        case At.DECK:
            state.plan = state.plan_deck()
        case At.DEAL:
            state.plan = state.plan_start_deal()
        case At.SEEDS:
            return _plan_seeds(state, told)
        case At.MOVE if not too_few(state):
            state.plan = state.plan_deal(state.moving)
        case At.PLAY if not too_few(state):
            return _go_on(state, told)
        case At.MOVE | At.PLAY:
            state.plan = state.plan_wait()
    return _can_stand(state)


def _can_stand(state: TableState) -> bool:
    """Say whether the planned step can be, where others stand in; else the round is void."""
    standing, waits = state.standing, state.plan.phase is Phase.WAIT
    if standing is None or not state.stands:
        return True
    if waits and standing.is_hopeless(state.members, state.gone):
        state.void = said("too few are left to act for those who are gone")
    elif not waits and begun_elsewhere(state):
        state.void = said("cards cannot be dealt as it was begun")
    return not state.void


def _plan_seeds(state: TableState, told: list[notices.Notice]) -> bool:
    """Ask for the seeds of all that have shuffled, away or not; of who is gone there is none.

    Not to show it is to be out for good, so nobody is put out who was only away.
    """
    silent = [seat for seat in state.seed_points if seat in state.gone]
    for seat in silent:
        put_out_silent(state, seat, told)
    if silent:
        return False
    for seat in state.seed_points:
        state.away.pop(seat, None)
    state.plan = state.plan_seeds()
    return True


def _go_on(state: TableState, told: list[notices.Notice]) -> bool:
    """Plan the step that is due in play; or apply what asks nobody, and return False."""
    assert state.round is not None
    if state.replayed and is_doubtful(state):
        told.append(notices.DealDoubted(reason=state.doubt))
        state.at = At.SEEDS
        return False
    match state.round.due:
        case dues.TurnDue(seat=seat):
            forced = forced_move(state.round)
            if forced is not None:
                move_round(state, facts.Acted(seat=seat, move=forced))
                told.append(notices.MoveMade(seat=seat, move=forced))
                return False
            told.append(notices.TurnIs(seat=seat))
        case dues.BuryFirstCard(depth=depth):
            assert state.turned is not None
            state.pile.insert(depth, state.turned)
            state.turned = None
            move_round(state, facts.CardBuried())
            return False
        case dues.PassHands() | dues.ShuffleHands() if not _movable(state):
            state.void = said("hands cannot be moved that were drawn while others were away")
            return False
        case dues.OpenHands() if not state.unopened():
            if state.replayed:
                state.at = At.SEEDS
            else:
                score(state, state.opened, told)
            return False
        case dues.RoundOver():
            end_round(state, told)
            return False
        case _:
            pass
    state.plan = state.plan_due()
    return _can_stand(state)


def _movable(state: TableState) -> bool:
    """Say whether the cards of all who are there can be shuffled under the keys of all of them."""
    return all(
        state.movable(position) for seat in state.present for position in state.hands.get(seat, ())
    )


# -- the start of a round ----------------------------------------------------------------------


def _apply_commit(state: TableState, results: Results) -> None:
    commits = {
        seat: said.body for seat, (said, _) in results.items() if isinstance(said.body, Commit)
    }
    playing = state.match.present(commits) if state.match is not None else tuple(commits)
    if len(playing) < PLAYERS_MIN:
        return  # They wait for somebody to play with, and commit again.
    threshold = state.threshold_of(len(commits))
    if threshold != state.threshold:
        return  # They have committed to polynomials for more seats: nothing was shown, they do it again.
    if threshold:
        state.standing = Standing(threshold=threshold)
    state.commits = {seat: body.digest for seat, body in commits.items()}
    state.members = tuple(sorted(commits))
    for seat, body in commits.items():
        point = take_commitment(body.shuffle_seed, replayed=state.replayed)
        if point is not None:
            state.seed_points[seat] = point
    state.at = At.REVEAL


def _apply_reveal(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    silent = [seat for seat in state.members if seat not in results]
    if silent:
        # The others have shown what they had committed to: they commit anew, without these.
        names = ", ".join(state.table.names[seat] for seat in silent)
        state.void = said("{names} did not reveal what was committed to", names=names)
        return
    seeds: list[bytes] = []
    for seat in state.members:
        _, checked = results[seat]
        assert isinstance(checked, CheckedReveal)
        state.keys[seat] = checked.key
        seeds.append(checked.seed)
    try:
        state.joint = joint_key([state.keys[seat] for seat in state.members])
    except ProofError:
        # All seats have agreed on it, or one drawn by chance would stand in the sum: nobody is to
        # blame for what nobody is harmed by, and nothing was dealt.
        state.void = KEYS_CANCEL
        return
    if state.match is None:
        tossed = coin(seeds)
        options = state.table.options
        order = tuple(Seat(index) for index in permutation(tossed, "order", len(state.seats)))
        deck = state.deck_faces()
        mixed = [deck[index] for index in permutation(tossed, "dealer", len(deck))]
        dealer, laps = choose_dealer(options, order, mixed, state.table.names)
        state.match = start_match(options, order, dealer).without(frozenset(state.gone))
        told.append(notices.DealerDrawn(order=order, dealer=dealer, laps=laps))
    told.append(
        notices.RoundBegan(
            number=state.round_index + 1,
            dealer=state.match.dealer_among(state.members),
            proved=not state.replayed,
        )
    )
    state.hands = {}
    state.at = At.DECK
    if state.standing is not None:
        note_reveals(state, state.standing, results)
        state.at = At.SHARE


def _apply_wait(state: TableState, results: Results) -> None:
    given_up = sum(isinstance(said.body, GivesUp) for said, _ in results.values())
    if 2 * given_up > len(state.voters):
        state.void = said("most have given it up")


def _apply_deal(state: TableState, results: Results, told: list[notices.Notice]) -> None:
    plan = state.plan
    assert state.round is not None
    gone = {position for position, _ in plan.dealt} | set(plan.opened)
    if state.standing is not None:
        if not collect_shares(state, state.standing, results):
            return
    elif any(seat not in results for seat in plan.speakers):
        # Shares of these cards were given, for one receiver each: nobody else may get them any more.
        state.pile = [position for position in state.pile if position not in gone]
        return
    for seat, (_, checked) in results.items():
        if isinstance(checked, CheckedShares):
            for position, point in zip(checked.positions, checked.points, strict=True):
                state.shares.setdefault(position, {})[seat] = point
    state.pile = [position for position in state.pile if position not in gone]
    state.at = At.PLAY
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
        move_round(state, fact)
        told.append(notices.HandsMoved(counts=state.round.hand_counts))
        return
    if isinstance(state.round.due, dues.DealCards):
        by_choice = state.round.resume is Resume.DRAWN
        move_round(state, facts.CardsDealt())
        for seat, count in counts.items():
            told.append(notices.CardsDrawn(seat=seat, count=count, faces=()))
        if by_choice:
            # The seat in turn may play this card alone; a fine or penalty does not change which.
            # Where the one who drew is away by now, the turn has passed on, and nobody has drawn.
            drew = state.round.phase is TurnPhase.AFTER_DRAW
            state.drawn = state.hands[state.round.turn][-1] if drew else None
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
    move_round(state, facts.CardTurned(face=face))


def _open(state: TableState, position: int) -> Face | None:
    """Open a card of which every share is there; None for no face, where shuffles are replayed.

    Raises:
        ProofError: it opens to no face, which proofs that hold make impossible.
    """
    held = state.shares[position]
    points = tuple(held[seat] for seat in state.masks[position])
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
                state.forget(position)
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
    if seat not in results:
        return  # It is away: its turn is passed over.
    said, checked = results[seat]
    if isinstance(said.body, bodies.Waits):
        return  # It has told who is back; its turn goes on in the next step.
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
    move_round(state, facts.Acted(seat=seat, move=move))
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
    for seat, (word, checked) in results.items():
        move = move_of(word.body)
        if move is None:
            continue
        said_moves.append((seat, move))
        if isinstance(checked, CheckedOpening):
            _show(state, seat, checked)
    winner = winning_reaction(state.round, tuple(said_moves))
    move_round(state, facts.Reacted(moves=tuple(said_moves)))
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
    if accused not in results:
        return  # It does not answer, which counts as guilty once it is passed over.
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
    move_round(state, facts.ChallengeAnswered(shown=shown))
    if len(state.round.discards) < before:
        # The table's rule gives the card back: it lies in the hand again, seen by all.
        state.hands[accused] += state.last_play
        state.last_play = ()
    told.append(notices.ChallengeSettled(accused=accused, shown=shown))
