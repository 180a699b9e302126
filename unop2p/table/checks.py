"""May this statement stand? Shape and rules at once, proofs as work that runs elsewhere.

`check_for` raises `FaultError` for a statement that is wrong by itself: it is signed by its author, so
it is evidence. It returns None while the statement cannot be judged yet (its predecessor is missing).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from unop2p.deal.masking import CARD_BYTES
from unop2p.errors import IllegalMoveError, RemoteError
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import Face
from unop2p.rules.facts import Acted, Reacted
from unop2p.rules.round import advance
from unop2p.table import bodies
from unop2p.table.claims import claim_owed
from unop2p.table.moves import move_of
from unop2p.table.parts import HeldShare, PartTask, SealTask, StandInTask
from unop2p.table.phases import SPEAKER_BODIES, Phase, StepKind
from unop2p.table.replay import SeedTask, check_doubt, take_commitment
from unop2p.table.standing import route
from unop2p.table.state import TableState
from unop2p.table.work import (
    Checked,
    CheckedOpening,
    InnocenceTask,
    Nothing,
    OpeningTask,
    SharesTask,
    ShuffleTask,
    check_reveal,
)

Check = Callable[[], Checked]
"""Runs anywhere; raises `RemoteError` where a proof does not hold."""


class FaultError(RemoteError):
    """A statement breaks the protocol by itself."""


SMALL_CARDS_MAX = 4
"""Cards in one batch of shares up to which making or checking it is small: about 20 multiplications
in the group, a millisecond (`make bench` shows the unit)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A statement of the open step: its hash and its body."""

    hash: bytes
    body: bodies.Body


def opening_task(state: TableState, seat: Seat, positions: tuple[int, ...]) -> OpeningTask:
    """Return what opens these cards of a seat's hand."""
    return OpeningTask(
        context=state.context(seat),
        key=state.keys[seat],
        positions=positions,
        cards=tuple(state.cards[position] for position in positions),
        others=tuple(state.residual_shares(position, seat) for position in positions),
        faces=state.faces,
    )


def shares_task(state: TableState, seat: Seat) -> SharesTask:
    """Return the batch of shares that a seat owes in the open DEAL step."""
    positions = state.plan.shares_due(seat)
    return SharesTask(
        context=state.context(seat),
        key=state.keys[seat],
        positions=positions,
        cards=tuple(state.cards[position] for position in positions),
    )


def seal_task(state: TableState, seat: Seat) -> SealTask:
    """Return what seals a seat's shares to the others in the open SHARE step."""
    assert state.standing is not None
    keys = state.standing.box_keys
    return SealTask(
        context=state.context(seat),
        dealer=seat,
        box_keys={other: keys[other] for other in state.members if other != seat},
    )


def held_share(state: TableState, dealer: Seat, seat: Seat) -> HeldShare:
    """Return the share of a key that was sealed to a seat in this round."""
    assert state.standing is not None
    return HeldShare(
        route=route(state.table.offer.table, state.round_index, dealer, seat),
        sealed=state.standing.sealed[dealer],
        commitments=state.standing.commitments[dealer],
    )


def standin_task(state: TableState, seat: Seat) -> StandInTask:
    """Return what a seat owes in the open step, in which it stands in for others."""
    own: SharesTask | OpeningTask | None = None
    if state.plan.phase is Phase.HANDS:
        if seat in state.unopened():
            own = opening_task(state, seat, tuple(state.hands[seat]))
    elif state.plan.shares_due(seat):
        own = shares_task(state, seat)
    return StandInTask(
        context=state.context(seat),
        own=own,
        parts=tuple(
            PartTask(
                seat=part.seat,
                held=held_share(state, part.seat, seat),
                positions=part.positions,
                cards=tuple(state.cards[position] for position in part.positions),
            )
            for part in state.plan.parts_due(seat)
        ),
    )


def shuffle_task(state: TableState, seat: Seat, said: dict[Seat, Said]) -> ShuffleTask | None:
    """Return a seat's part of the open SHUFFLE step, or None while the one before is missing.

    One that builds on another statement than the one held here is as good as missing.
    """
    turn = state.plan.speakers.index(seat)
    previous: bodies.Shuffled | None = None
    base = state.head
    if turn > 0:
        seat_before = state.plan.speakers[turn - 1]
        before = said.get(seat_before)
        if before is None or not isinstance(before.body, bodies.Shuffled):
            return None
        if seat_before in unfounded(state, said):
            return None
        previous, base = before.body, before.hash
    return ShuffleTask(
        context=state.context(seat),
        joint=state.joint_of(state.plan.masks),
        argument=state.table.offer.argument,
        counts=tuple(len(part) for part in state.plan.inputs),
        inputs=state.plan.inputs if previous is None else None,
        previous=previous,
        base=base,
        first=sum(len(shuffle.inputs) for shuffle in state.shuffles),
    )


def seed_task(state: TableState, seat: Seat) -> SeedTask:
    """Return what replays the shuffles of a seat in the open SEEDS step."""
    return SeedTask(
        argument=state.table.offer.argument,
        seat=seat,
        joints={shuffle.masks: state.joint_of(shuffle.masks) for shuffle in state.shuffles},
        commitment=state.seed_points[seat],
        shuffles=tuple(state.shuffles),
    )


def innocence_task(state: TableState, seat: Seat) -> InnocenceTask:
    """Return the statement about the accused's hand in the open ANSWER step."""
    allowed = state.allowed_faces(forbidden_faces(state))
    return InnocenceTask(
        context=state.context(seat),
        key=state.keys[seat],
        residuals=tuple(state.residual(position, seat) for position in state.plan.positions),
        allowed=tuple(state.faces.point(str(face)) for face in allowed),
    )


def forbidden_faces(state: TableState) -> tuple[Face, ...]:
    """Return the faces that the challenged hand must not hold."""
    assert state.round is not None
    assert isinstance(state.round.due, dues.AnswerChallenge)
    return state.round.due.forbidden


def check_for(
    state: TableState, seat: Seat, said: dict[Seat, Said], *, trusted: bool
) -> Check | Checked | None:
    """Judge a statement of the open step.

    Args:
        state: as all settled steps have left it.
        seat: the author; `said[seat]` is there.
        said: every statement of the open step that is held.
        trusted: the proofs were checked before: take them apart only.

    Returns:
        Work that checks its proofs; or what it yields, where there is nothing to prove; or None
        while it cannot be judged.

    Raises:
        FaultError: the statement is wrong by itself.
    """
    body = said[seat].body
    speaks = seat in state.plan.speakers
    wanted = SPEAKER_BODIES[state.plan.phase] if speaks else (bodies.Assent,)
    if not isinstance(body, wanted):
        message = f"`{body.kind}` in a {state.plan.phase} step"
        raise FaultError(message)
    match body:
        case bodies.Commit(digest=digest, shuffle_seed=shuffle_seed):
            take_commitment(shuffle_seed, replayed=state.replayed)
            return _sized(digest)
        case bodies.Reveal():
            committed = state.commits[seat]
            return partial(
                check_reveal,
                state.context(seat),
                body,
                committed,
                seat,
                threshold=state.threshold,
                trusted=trusted,
            )
        case bodies.Sealed():
            return partial(seal_task(state, seat).check, body, trusted=trusted)
        case bodies.StoodIn() | bodies.Shares() | bodies.OpenedHand():
            return _check_given(state, seat, body, trusted=trusted)
        case bodies.Shuffled():
            return _check_shuffle(state, seat, said, body, trusted=trusted)
        case bodies.Played():
            return _check_play(state, seat, body, trusted=trusted)
        case bodies.Guilty():
            return _check_guilty(state, seat, body, trusted=trusted)
        case bodies.Innocent(proof=proof):
            return partial(innocence_task(state, seat).check, proof, trusted=trusted)
        case bodies.ShownSeed(seed=seed):
            return partial(seed_task(state, seat).check, seed, trusted=trusted)
        case bodies.Doubted():
            return _check_doubt(state, seat, body)
        case bodies.Drew() | bodies.Kept():
            _check_rules(state, seat, body)
            return _check_claim(state, seat, body, trusted=trusted) or Nothing()
        case _:
            _check_rules(state, seat, body)
            return Nothing()


def _check_given(
    state: TableState,
    seat: Seat,
    body: bodies.Shares | bodies.OpenedHand | bodies.StoodIn,
    *,
    trusted: bool,
) -> Check:
    """Judge shares, or an opened hand; with them go those for others where its author stands in."""
    if isinstance(body, bodies.StoodIn) != bool(state.plan.parts_due(seat)):
        message = f"`{body.kind}` of a seat that owes something else"
        raise FaultError(message)
    match body:
        case bodies.StoodIn():
            return partial(standin_task(state, seat).check, body, trusted=trusted)
        case bodies.Shares(data=data):
            return partial(shares_task(state, seat).check, data, trusted=trusted)
        case bodies.OpenedHand(opening=opening):
            task = opening_task(state, seat, tuple(state.hands[seat]))
            if state.replayed:
                # A false shuffle may have put there what is no face: its holder is not to blame.
                return partial(task.check_any, opening)
            return partial(task.check, opening, None, trusted=False)


def is_small(state: TableState, seat: Seat, body: bodies.Body | None) -> bool:
    """Say whether making or checking a seat's word in the open step takes about a millisecond.

    Args:
        state: as all settled steps have left it.
        seat: who speaks, one of the step's speakers.
        body: what it says, where that is known; a play's opening may still be missing.
    """
    match state.plan.phase:
        case Phase.REVEAL:
            return True  # one proof of one key
        case Phase.DEAL:
            parts = sum(len(part.positions) for part in state.plan.parts_due(seat))
            return len(state.plan.shares_due(seat)) + 2 * parts <= SMALL_CARDS_MAX
        case Phase.TURN | Phase.REACTION:
            return (
                isinstance(body, bodies.Played)
                and len(body.positions) <= SMALL_CARDS_MAX
                and claim_owed(state, seat, body) is None
            )
        case _:
            return False


def _check_claim(
    state: TableState,
    seat: Seat,
    body: bodies.Played | bodies.Drew | bodies.Kept,
    *,
    trusted: bool,
) -> Check | None:
    """Judge what a move says of its player's hidden cards; None where it owes no proof."""
    task = claim_owed(state, seat, body)
    if task is not None:
        return partial(task.check, body.claim, trusted=trusted)
    if body.claim:
        message = "a proof about the hand where none is due"
        raise FaultError(message)
    return None


def _sized(digest: bytes) -> Checked:
    if len(digest) != 32:  # SHA-512/256
        message = f"a commitment of {len(digest)} bytes"
        raise FaultError(message)
    return Nothing()


def _check_shuffle(
    state: TableState, seat: Seat, said: dict[Seat, Said], body: bodies.Shuffled, *, trusted: bool
) -> Check | None:
    """Judge a shuffle: by its shape, by what it builds on, then by its proof.

    Wrong by itself is one of another shape, and one that names what can never be the shuffle before it:
    the first another than the head, a later one the head or the statement of another seat. A statement
    that is not here may have been said to its author alone: then it is no fault of his.
    """
    sizes = [CARD_BYTES * len(part) for part in state.plan.inputs]
    if [len(part.cards) for part in body.parts] != sizes:
        message = "a shuffle of other lists than are due"
        raise FaultError(message)
    turn = state.plan.speakers.index(seat)
    if (turn == 0) != (body.base == state.head):
        message = "a shuffle that builds on something else than the one before it"
        raise FaultError(message)
    for other, item in said.items():
        if item.hash == body.base and other != state.plan.speakers[turn - 1]:
            message = f"a shuffle that builds on a statement of seat {other}, out of order"
            raise FaultError(message)
    task = shuffle_task(state, seat, said)
    if task is None or task.base != body.base:
        return None
    return partial(task.check, body, trusted=trusted)


def unfounded(state: TableState, said: dict[Seat, Said]) -> tuple[Seat, ...]:
    """Return the seats whose shuffle builds on another statement than the one held here.

    Either its author has made that up, or the seat before has said two things: who is asked for all
    that they hold will tell.
    """
    if state.plan.phase is not Phase.SHUFFLE:
        return ()
    order = state.plan.speakers
    found: list[Seat] = []
    for before, seat in pairwise(order):
        body = said[seat].body if seat in said else None
        if isinstance(body, bodies.Shuffled) and before in said and said[before].hash != body.base:
            found.append(seat)
    return tuple(found)


def _check_rules(state: TableState, seat: Seat, body: bodies.Body) -> None:
    """Raise `FaultError` for a move that the rules forbid on what everybody can see."""
    move = move_of(body)
    if move is None:
        return
    assert state.round is not None
    fact = (
        Acted(seat=seat, move=move)
        if state.plan.kind is StepKind.TURN
        else Reacted(moves=((seat, move),))
    )
    try:
        advance(state.round, fact)
    except IllegalMoveError as error:
        raise FaultError(str(error)) from error


def _check_play(state: TableState, seat: Seat, body: bodies.Played, *, trusted: bool) -> Check:
    positions = body.positions
    if not positions or len(positions) != len(body.cards) or len(set(positions)) != len(positions):
        message = "a play whose cards and positions do not match"
        raise FaultError(message)
    if any(position not in state.hands.get(seat, ()) for position in positions):
        message = "a card that is not in the player's hand"
        raise FaultError(message)
    if state.plan.phase is Phase.TURN and state.drawn is not None and positions[0] != state.drawn:
        # What a blank card takes along lies in the hand already; pairs are refused by the rules.
        message = "after drawing, only the drawn card may be played"
        raise FaultError(message)
    _check_rules(state, seat, body)
    claim = _check_claim(state, seat, body, trusted=trusted)
    opening = partial(
        opening_task(state, seat, positions).check, body.opening, body.cards, trusted=trusted
    )
    if claim is None:
        return opening

    def check() -> Checked:
        claim()
        return opening()

    return check


def _check_doubt(state: TableState, seat: Seat, body: bodies.Doubted) -> Check:
    positions = body.positions
    hand = state.hands.get(seat, [])
    if not state.replayed:
        message = "a doubt at a table whose shuffles are proved"
        raise FaultError(message)
    if (
        not positions
        or len(set(positions)) != len(positions)
        or any(position not in hand for position in positions)
    ):
        message = "a doubt about cards that are not in the seat's hand"
        raise FaultError(message)
    task = opening_task(state, seat, positions)
    return partial(check_doubt, task, body.opening, state.seen(positions), state.deck_faces())


def _check_guilty(state: TableState, seat: Seat, body: bodies.Guilty, *, trusted: bool) -> Check:
    if body.position not in state.plan.positions:
        message = "a card that was not in the challenged hand"
        raise FaultError(message)
    task = opening_task(state, seat, (body.position,))
    forbidden = forbidden_faces(state)

    def check() -> Checked:
        checked = task.check(body.opening, None, trusted=False)
        assert isinstance(checked, CheckedOpening)
        if checked.faces[0] not in forbidden:
            message = f"{checked.faces[0]} was shown, and is not forbidden"
            raise FaultError(message)
        return checked

    del trusted  # one card: it is opened again in any case
    return check
