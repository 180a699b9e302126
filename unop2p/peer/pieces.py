"""What a seat owes in a step, as work for a worker: its reveal, shuffle, shares, answer, hand or card."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from unop2p.deal.entropy import Entropy
from unop2p.deal.keys import SECRET_BYTES, RoundKeys, derive_round_keys
from unop2p.ids import Seat
from unop2p.log.evidence import Evidence
from unop2p.peer import events
from unop2p.peer.attendance import Attendance
from unop2p.peer.desk import Desk
from unop2p.rules.cards import Face
from unop2p.table import bodies
from unop2p.table.checks import (
    Said,
    forbidden_faces,
    held_share,
    innocence_task,
    opening_task,
    seal_task,
    seed_task,
    shares_task,
    shuffle_task,
    standin_task,
)
from unop2p.table.claims import claim_owed
from unop2p.table.phases import Phase
from unop2p.table.riders import RIDERS_MAX, Complaint, Leave, Rider
from unop2p.table.state import TableState
from unop2p.table.work import (
    Checked,
    Nothing,
    PreparedLists,
    can_prepare,
    make_reveal,
    prepare_shuffle,
)
from unop2p.words import said

Piece = Callable[[], tuple[bodies.Body, Checked]]
"""Makes a body, and says what it yields once checked. Touches nothing that changes."""


@dataclass(frozen=True, slots=True)
class OwnSecrets:
    """What a piece is made with."""

    keys: RoundKeys = field(repr=False)
    faces: Mapping[int, Face] = field(repr=False)
    """Our own cards, by position."""
    seed: bytes = field(repr=False)
    """Fresh bytes for this piece alone."""
    prepared: PreparedLists | None = field(default=None, repr=False)
    """Our part of a shuffle step, as far as it could be made before the cards were there."""


LOST_KEY_EXIT_CODE = 16
LOST_KEY_REASON = said("The secret of this round is lost or damaged: take a new seat.")
OLD_JOURNAL_REASON = said(
    "The table holds words of this seat that its journal lacks: the journal is an old copy, or "
    "another program plays this seat. Nothing more is said."
)


def ended_by(name: str, seat: Seat | None, fault: Evidence) -> str:
    """Return that the match ends with a proved fault, and whose it is."""
    return said(
        "{name} (seat {seat}) broke the protocol at step {step}: {reason}. The match ends here; "
        "the evidence is in the record.",
        name=name,
        seat=seat,
        step=fault.step,
        reason=fault.reason,
    )


def not_applied(error: Exception) -> str:
    """Return that a step was settled that the state does not take."""
    return said("The step cannot be applied: {reason}.", reason=error)


def round_keys(desk: Desk, state: TableState, seat: Seat, secrets: dict[int, bytes]) -> RoundKeys:
    """Return a seat's keys of the round; the first call of a round draws its secret, and keeps it."""
    index = state.secret_index
    if index not in secrets:
        secrets[index] = desk.entropy(SECRET_BYTES)
        desk.put(events.KeepSecret(round_index=index, data=secrets[index]))
    return derive_round_keys(
        secrets[index],
        table_id=state.table.offer.table,
        round_index=state.round_index,
        seat=seat,
        threshold=state.threshold,
        seats=state.table.seat_count,
    )


def lost_secret(state: TableState, seat: Seat | None, keys: RoundKeys | None) -> bool:
    """Say whether a seat is bound by a commitment that the keys it holds do not open."""
    committed = state.commits.get(seat) if seat is not None else None
    return committed is not None and (keys is None or keys.commitment != committed)


def piece_due(
    state: TableState, seat: Seat, said: dict[Seat, Said], own: OwnSecrets
) -> Piece | None:
    """Return the work that makes what a seat owes in the open step; None while it cannot be made.

    Args:
        state: as all settled steps have left it.
        seat: our own, one of the step's speakers.
        said: the statements of the open step that are held.
        own: our secrets.
    """
    keys, seed = own.keys, own.seed
    if state.plan.parts_due(seat):
        standin = standin_task(state, seat)
        return lambda: standin.make(keys, seed)
    match state.plan.phase:
        case Phase.REVEAL:
            context = state.context(seat)
            return lambda: make_reveal(context, keys, seed)
        case Phase.SHARE:
            seal = seal_task(state, seat)
            return lambda: seal.make(keys, seed)
        case Phase.SHUFFLE:
            shuffle = shuffle_task(state, seat, said)
            return (lambda: shuffle.make(keys, seed, own.prepared)) if shuffle is not None else None
        case Phase.DEAL:
            shares = shares_task(state, seat)
            return lambda: shares.make(keys, seed)
        case Phase.ANSWER:
            return _answer(state, seat, own)
        case Phase.HANDS:
            positions = tuple(state.hands[seat])
            return _opening(
                state,
                seat,
                positions,
                own,
                lambda data: bodies.OpenedHand(opening=data),
                lenient=state.replayed,
            )
        case Phase.SEEDS:
            replay = seed_task(state, seat)
            return lambda: replay.make(keys)
        case _:
            message = f"nothing is owed in a {state.plan.phase} step"
            raise AssertionError(message)


def move_due(state: TableState, seat: Seat, body: bodies.Body, own: OwnSecrets) -> Piece | None:
    """Return the work that makes a move of ours ready to be said; None where it is ready.

    A play lacks the opening of its cards, and a move that a rule on hidden cards limits lacks its proof
    at a table that asks for it.

    Args:
        state: as all settled steps have left it.
        seat: our own.
        body: a lawful move, with neither opening nor claim.
        own: our secrets.
    """
    claim = claim_owed(state, seat, body)
    opening = None
    if isinstance(body, bodies.Played):
        opening = opening_task(state, seat, body.positions)
    if claim is None and opening is None:
        return None

    def work() -> tuple[bodies.Body, Checked]:
        made: bodies.Body = body
        checked: Checked = Nothing()
        if claim is not None:
            assert isinstance(made, bodies.Played | bodies.Drew | bodies.Kept)
            made = replace(made, claim=claim.make(own.keys, own.seed + b"claim"))
        if opening is not None:
            assert isinstance(made, bodies.Played)
            data = opening.make(own.keys, own.seed)
            checked = opening.take_own(data, made.cards)
            made = replace(made, opening=data)
        return made, checked

    return work


def preparation(state: TableState, seat: Seat, seed: bytes) -> Callable[[], object] | None:
    """Return the work that prepares our part of the open SHUFFLE step; None where there is none."""
    if state.joint is None or not can_prepare(state.table.offer.argument):
        return None
    joint = state.joint_of(state.plan.masks)
    context, name = state.context(seat), state.table.offer.argument
    counts = tuple(len(part) for part in state.plan.inputs)
    return lambda: prepare_shuffle(context, joint, name, counts, seed)


def open_hand(state: TableState, seat: Seat, keys: RoundKeys | None, seed: bytes) -> bytes:
    """Return what opens a seat's hand to everybody, as it leaves.

    Empty where it holds no cards, or others can open them when the round is over.
    """
    positions = tuple(state.hands.get(seat, ()))
    if keys is None or not positions or state.stands:
        return b""
    return opening_task(state, seat, positions).make(keys, seed)


def carried(
    state: TableState,
    seat: Seat,
    keys: RoundKeys | None,
    attendance: Attendance,
    entropy: Entropy,
) -> tuple[Rider, ...]:
    """Return what rides on our next statement.

    Args:
        state: as all settled steps have left it.
        seat: our own.
        keys: of the round, where we play it.
        attendance: who is there.
        entropy: fresh bytes.
    """
    riders = (*complaints(state, seat, keys, entropy), *attendance.riders(state))[: RIDERS_MAX - 1]
    if not attendance.leaving:
        return riders
    return (*riders, Leave(opening=open_hand(state, seat, keys, entropy(SECRET_BYTES))))


def complaints(
    state: TableState, seat: Seat, keys: RoundKeys | None, entropy: Entropy
) -> tuple[Complaint, ...]:
    """Return what our next statement has to say of shares that we got: which are false.

    Looked at once in a round, for who has spoken since has taken its shares.
    """
    standing = state.standing
    if standing is None or not state.stands or keys is None or seat in standing.confirmed:
        return ()
    if seat not in state.members:
        return ()
    held = [held_share(state, other, seat) for other in state.members if other != seat]
    context = state.context(seat)
    return tuple(
        share.complain(context, keys, entropy) for share in held if not share.is_right(keys)
    )


def doubt(state: TableState, seat: Seat, positions: tuple[int, ...], own: OwnSecrets) -> Piece:
    """Return the work that shows cards of ours which cannot be."""
    task = opening_task(state, seat, positions)

    def work() -> tuple[bodies.Body, Checked]:
        data = task.make(own.keys, own.seed)
        return bodies.Doubted(positions=positions, opening=data), task.check_any(data)

    return work


def _answer(state: TableState, seat: Seat, own: OwnSecrets) -> Piece:
    """Show one forbidden card where the hand holds one, else prove that it holds none."""
    forbidden = forbidden_faces(state)
    guilty = [position for position in state.plan.positions if own.faces[position] in forbidden]
    if guilty:
        return _opening(
            state,
            seat,
            (guilty[0],),
            own,
            lambda data: bodies.Guilty(position=guilty[0], opening=data),
        )
    innocence = innocence_task(state, seat)
    return lambda: (innocence.make(own.keys, own.seed), Nothing())


def _opening(
    state: TableState,
    seat: Seat,
    positions: tuple[int, ...],
    own: OwnSecrets,
    body: Callable[[bytes], bodies.Body],
    *,
    lenient: bool = False,
) -> Piece:
    task = opening_task(state, seat, positions)

    def work() -> tuple[bodies.Body, Checked]:
        data = task.make(own.keys, own.seed)
        if lenient:
            return body(data), task.check_any(data)
        return body(data), task.take_own(data, None)

    return work
