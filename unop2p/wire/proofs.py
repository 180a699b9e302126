"""What rides on a statement, checked; and evidence, judged by whoever reads it.

A statement is wrong by itself where its body is, or what it carries: a `back` that its seat has not
signed, a hand that does not open, a proof that proves nothing. All of this is the same for everybody
who holds the settled steps before it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from unop2p.errors import RemoteError
from unop2p.ids import Seat
from unop2p.log.evidence import contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try, close_digest
from unop2p.log.steps import Certificate
from unop2p.rules.cards import Face
from unop2p.table import bodies
from unop2p.table.apply import apply_step
from unop2p.table.checks import FaultError, Said, check_for, held_share, opening_task
from unop2p.table.genesis import Table
from unop2p.table.phases import Phase
from unop2p.table.riders import (
    NO_RIDERS,
    Back,
    Carried,
    Complaint,
    Guilt,
    Leave,
    Proof,
    Riders,
)
from unop2p.table.state import TableState, new_state
from unop2p.table.voids import Void, apply_void
from unop2p.table.work import Checked, CheckedOpening, Nothing
from unop2p.wire import codec
from unop2p.words import said as sentence

ADOPTS_WRONG: Final = sentence("an adopt of a close that holds a wrong statement")
Past = Callable[[int], TableState | None]
"""The table's state before a step; None where that has not come yet."""


def seat_of(table: Table, key: bytes) -> Seat | None:
    """Return the seat of a key, or None."""
    return Seat(table.keys.index(key)) if key in table.keys else None


# -- riders ------------------------------------------------------------------------------------


def check_riders(
    state: TableState, seat: Seat, statement: Statement, past: Past, *, trusted: bool
) -> Riders:
    """Check what rides on a statement of the open step.

    Args:
        state: as all settled steps have left it.
        seat: the author.
        statement: of the open step.
        past: the states of earlier steps, for proofs about these.
        trusted: signatures and openings were checked before.

    Raises:
        RemoteError: something that it carries does not hold.
    """
    bare = isinstance(statement.body, bodies.Waits) and state.plan.phase is Phase.TURN
    if not statement.riders and not bare:
        return NO_RIDERS
    back: list[tuple[Seat, int]] = []
    guilty: list[Guilt] = []
    hand: tuple[tuple[int, Face], ...] = ()
    misdealt: list[Seat] = []
    leaves = False
    for rider in statement.riders:
        match rider:
            case Carried(signed=signed):
                back.append(_check_back(state, signed, trusted=trusted))
            case Proof():
                guilt = judge(state.table, rider.step, rider.items, past, rider.close)
                if guilt is None:
                    message = "a proof that proves nothing"
                    raise FaultError(message)
                guilty.append(guilt)
            case Complaint(seat=dealer) if dealer not in misdealt:
                guilty.append(_check_complaint(state, seat, rider, trusted=trusted))
                misdealt.append(dealer)
            case Leave(opening=opening) if not leaves:
                leaves = True
                hand = _check_leave(state, seat, opening, trusted=trusted)
            case _:
                message = "it leaves, or complains of a seat, twice"
                raise FaultError(message)
    if bare and not any(state.away.get(who) == left_at for who, left_at in back):
        message = "a turn that is put off, and nobody is back by it"
        raise FaultError(message)
    return Riders(
        back=tuple(back),
        guilty=tuple(guilty),
        leaves=leaves,
        hand=hand,
        misdealt=tuple(misdealt),
    )


def _check_complaint(state: TableState, seat: Seat, rider: Complaint, *, trusted: bool) -> Guilt:
    """Open the share that a seat has got, and see who lies."""
    standing, dealer = state.standing, rider.seat
    if (
        standing is None
        or standing.step is None
        or dealer == seat
        or dealer not in standing.sealed
        or seat not in standing.sealed
        or seat in standing.confirmed
    ):
        message = "a complaint about a share that it did not get, or has taken"
        raise FaultError(message)
    if not trusted:
        held = held_share(state, dealer, seat)
        held.check_complaint(state.context(seat), standing.box_keys[seat], rider.opening)
    reason = f"it gave seat {seat} a false share of its round key"
    return Guilt(seat=dealer, step=standing.step, reason=reason)


def _check_back(state: TableState, signed: Signed, *, trusted: bool) -> tuple[Seat, int]:
    seat = seat_of(state.table, signed.author)
    if not trusted:
        codec.verify(signed)
    back = codec.decode(signed.payload)
    if seat is None or not isinstance(back, Back) or back.table != state.table.offer.table:
        message = "somebody is said to be back who has not signed it"
        raise FaultError(message)
    return seat, back.step


def _check_leave(
    state: TableState, seat: Seat, opening: bytes, *, trusted: bool
) -> tuple[tuple[int, Face], ...]:
    positions = tuple(state.hands.get(seat, ())) if seat in state.members else ()
    if not positions or state.stands:
        if opening:
            message = "a hand is opened where there is none, or others open it later"
            raise FaultError(message)
        return ()
    checked = opening_task(state, seat, positions).check(opening, None, trusted=trusted)
    assert isinstance(checked, CheckedOpening)
    return tuple(zip(positions, checked.faces, strict=True))


# -- evidence ----------------------------------------------------------------------------------


def judge(
    table: Table,
    step: int,
    items: tuple[Signed, ...],
    past: Past,
    close: tuple[bytes, ...] = (),
) -> Guilt | None:
    """Return whom signed messages prove guilty, and of what; None where they prove nothing.

    Args:
        table: the table.
        step: at which the fault is said to have been made.
        items: two messages of one seat that contradict each other; or a statement that is wrong by
            itself, for a shuffle with the one that it builds on behind it; or an adopt, with such a
            statement behind it that stands in its close.
        past: the state of the table before a step.
        close: of an adopt, the hash of each active seat's statement, empty for who is left out.
    """
    try:
        return _judge(table, step, items, past, close)
    except RemoteError:
        return None


def _judge(
    table: Table, step: int, items: tuple[Signed, ...], past: Past, close: tuple[bytes, ...]
) -> Guilt | None:
    if not 0 < len(items) <= 2 + bool(close):
        return None
    said: list[Statement | Try | Adopt] = []
    for item in items:
        codec.verify(item)
        message = codec.decode(item.payload)
        if not isinstance(message, Statement | Try | Adopt):
            return None
        if message.table != table.offer.table:
            return None
        said.append(message)
    seat = seat_of(table, items[0].author)
    if seat is None or said[0].step != step:
        return None
    if said[-1].step > step and isinstance(said[-1], Statement):
        return _complained_of(table, seat, step, (items[-1].author, said[-1]), past)
    if any(message.step != step for message in said):
        return None
    reason: str | None
    if close:
        reason = _adopts_wrong(table, items, said, past, close)
    elif len(items) == 2 and items[0].author == items[1].author:
        reason = contradiction(said[0], said[1])
    else:
        reason = _wrong_by_itself(table, items, said, past)
    return Guilt(seat=seat, step=step, reason=reason) if reason is not None else None


def _adopts_wrong(
    table: Table,
    items: tuple[Signed, ...],
    said: list[Statement | Try | Adopt],
    past: Past,
    close: tuple[bytes, ...],
) -> str | None:
    """Say how an adopt is a fault: a statement in its close is wrong by itself.

    A shuffle that builds on one which is left out of the close counts as not made, so it may stand there.
    """
    adopt, state = said[0], past(said[0].step)
    if state is None or not isinstance(adopt, Adopt) or adopt.head != state.head:
        return None
    if len(items) < 2 or len(close) != len(state.active):
        return None
    hashes = {seat: one for seat, one in zip(state.active, close, strict=True) if one}
    if close_digest(state.step, state.head, state.active, hashes) != adopt.close:
        return None
    by, statement = seat_of(table, items[1].author), said[1]
    if by is None or hashes.get(by) != items[1].hash or not isinstance(statement, Statement):
        return None
    body = statement.body
    if isinstance(body, bodies.Shuffled) and body.base not in {state.head, *hashes.values()}:
        return None
    if _wrong_by_itself(table, items[1:], said[1:], past) is None:
        return None
    return ADOPTS_WRONG


def _complained_of(
    table: Table, dealer: Seat, step: int, complaint: tuple[bytes, Statement], past: Past
) -> Guilt | None:
    """Return the guilt of who gave out a false share, which another statement opens.

    Args:
        table: the table.
        dealer: whose share it is.
        step: in which it was given.
        complaint: author and statement; its signature holds.
        past: the state of the table before a step.
    """
    author, statement = complaint
    seat, state = seat_of(table, author), past(statement.step)
    if state is None or seat is None or seat not in state.active or statement.head != state.head:
        return None
    found = check_riders(state, seat, statement, past, trusted=False)
    guilt = next((guilt for guilt in found.guilty if guilt.seat == dealer), None)
    return guilt if guilt is not None and guilt.step == step else None


def _wrong_by_itself(
    table: Table, items: tuple[Signed, ...], said: list[Statement | Try | Adopt], past: Past
) -> str | None:
    state = past(said[0].step)
    words: dict[Seat, Said] = {}
    for item, statement in zip(items, said, strict=True):
        by = seat_of(table, item.author)
        if state is None or by is None or not isinstance(statement, Statement):
            return None
        if statement.head != state.head or not isinstance(statement.body, bodies.Body):
            return None
        words[by] = Said(hash=item.hash, body=statement.body)
    first, statement = seat_of(table, items[0].author), said[0]
    if state is None or first not in state.active or first is None:
        return None
    assert isinstance(statement, Statement)
    try:
        check = check_for(state, first, words, trusted=False)
        if callable(check):
            check()
        check_riders(state, first, statement, past, trusted=False)
    except RemoteError as error:
        return str(error) or error.sentence()
    return None


# -- the past ----------------------------------------------------------------------------------


def take_step(state: TableState, certificate: Certificate, next_head: bytes, past: Past) -> None:
    """Apply a settled step again, whose proofs were checked before.

    Raises:
        RemoteError: it is not a step of this table.
    """
    said: dict[Seat, Said] = {}
    riders: dict[Seat, Riders] = {}
    for item in certificate.statements:
        seat = seat_of(state.table, item.author)
        statement = codec.decode(item.payload)
        assert seat is not None
        assert isinstance(statement, Statement)
        assert isinstance(statement.body, bodies.Body)
        said[seat] = Said(hash=item.hash, body=statement.body)
        riders[seat] = check_riders(state, seat, statement, past, trusted=True)
    results: dict[Seat, tuple[Said, Checked]] = {}
    for author, word in said.items():
        check = check_for(state, author, said, trusted=True)
        checked = check() if callable(check) else check
        results[author] = (word, checked if checked is not None else Nothing())
    apply_step(state, results, next_head, riders)


def state_before(
    table: Table,
    history: list[Certificate],
    step: int,
    heads: Callable[[int], bytes],
    voids: Mapping[int, tuple[Void, ...]] = MappingProxyType({}),
) -> TableState | None:
    """Return the state of a table before a step, made anew from its settled steps.

    Args:
        table: the table.
        history: its certificates from step 0 on.
        step: which.
        heads: the head before each step that is settled, and before the open one.
        voids: by step what forks have made void; it stands before what was settled there anew.
    """
    if not 0 <= step <= len(history):
        return None
    state = new_state(table)

    def past(number: int) -> TableState | None:
        if number >= state.step:
            return state
        return state_before(table, history, number, heads, voids)

    for number in range(step + 1):
        for void in voids.get(number, ()):
            apply_void(state, void)
        if number < step:
            take_step(state, history[number], heads(number + 1), past)
    return state
