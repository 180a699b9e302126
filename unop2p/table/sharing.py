"""Settled steps of a round in which others can stand in: keys are shared, missing shares put together.

Source: protocol section 6. A card gets every share that it is due, of whoever is there from itself, of
who is not from t others; no step asks for a share of a card of who is to hold it, but to open the hands
when the round is over.
"""

from collections.abc import Mapping

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.table.checks import Said
from unop2p.table.parts import combined, opened_face
from unop2p.table.phases import StandIn
from unop2p.table.standing import Standing
from unop2p.table.state import At, TableState
from unop2p.table.work import (
    Checked,
    CheckedOpening,
    CheckedPart,
    CheckedReveal,
    CheckedSealed,
    CheckedShares,
    CheckedStandIn,
)
from unop2p.words import said

Results = Mapping[Seat, tuple[Said, Checked]]


def note_reveals(state: TableState, standing: Standing, results: Results) -> None:
    """Keep what the shares of the next step are sealed with, and checked against."""
    for seat in state.members:
        _, checked = results[seat]
        assert isinstance(checked, CheckedReveal)
        assert checked.box_key is not None
        standing.box_keys[seat] = checked.box_key
        standing.commitments[seat] = checked.commitments


def apply_share(state: TableState, results: Results) -> None:
    """Take the sealed shares; where somebody's are missing the others commit anew."""
    standing = state.standing
    assert standing is not None
    silent = [seat for seat in state.members if seat not in results]
    if silent:
        names = ", ".join(state.table.names[seat] for seat in silent)
        state.void = said("{names} did not share out a round key", names=names)
        return
    for seat in state.members:
        _, checked = results[seat]
        assert isinstance(checked, CheckedSealed)
        standing.sealed[seat] = checked.sealed
    standing.step = state.step
    state.at = At.DECK


def confirm(state: TableState, step: int, results: Results) -> None:
    """Note who has spoken since the shares were given, and so has had its chance to complain."""
    standing = state.standing
    if standing is not None and standing.step is not None and step > standing.step:
        standing.confirmed.update(seat for seat in results if seat in state.members)


def note_misdealt(state: TableState, step: int, misdealt: Mapping[Seat, tuple[Seat, ...]]) -> None:
    """Apply the complaints of a close, whose dealers are expelled: at once the round is void, too.

    A complaint that comes later is of a seat that was left out: the others have theirs, and play on.

    Args:
        state: changed in place.
        step: the step that has closed.
        misdealt: by author, whose shares for it were false.
    """
    standing = state.standing
    if standing is None or standing.step is None:
        return
    for seat, dealers in misdealt.items():
        standing.unable.update((dealer, seat) for dealer in dealers)
        if dealers and step == standing.step + 1:
            names = ", ".join(state.table.names[dealer] for dealer in dealers)
            state.void = said("{names} gave out a false share of a round key", names=names)


def collect_shares(state: TableState, standing: Standing, results: Results) -> bool:
    """Keep the shares of a step; say whether every card has all that it is due.

    Where it has not, what is missing is asked for in a next step: the cards stay on their way.
    """
    plan = state.plan
    for seat, (_, checked) in results.items():
        own = checked.own if isinstance(checked, CheckedStandIn) else checked
        if isinstance(own, CheckedShares):
            for position, point in zip(own.positions, own.points, strict=True):
                state.shares.setdefault(position, {})[seat] = point
    for part in plan.standins:
        _put_together(state, standing, part, results)
    receivers = dict(plan.dealt)
    whole = all(
        seat in state.shares.get(position, ())
        for position in (*receivers, *plan.opened)
        for seat in plan.masks
        if seat != receivers.get(position)
    )
    standing.begun = None if whole else (plan.dealt, plan.opened)
    return whole


def open_hands(state: TableState, standing: Standing, results: Results) -> None:
    """Take the hands that were opened: by their holders, and by others for who is not there.

    Raises:
        ProofError: a card opens to no face, which proofs that hold make impossible.
    """
    for seat, (_, checked) in results.items():
        own = checked.own if isinstance(checked, CheckedStandIn) else checked
        if isinstance(own, CheckedOpening):
            _opened(state, seat, own.positions, own.faces)
    for part in state.plan.standins:
        if not _put_together(state, standing, part, results):
            continue
        faces = tuple(
            opened_face(
                state.faces,
                state.cards[position],
                tuple(state.shares[position][seat] for seat in state.masks[position]),
            )
            for position in part.positions
        )
        _opened(state, part.seat, part.positions, faces)


def _opened(
    state: TableState, seat: Seat, positions: tuple[int, ...], faces: tuple[Face, ...]
) -> None:
    state.opened[seat] = faces
    state.hindsight.opened(positions, faces)


def _put_together(state: TableState, standing: Standing, part: StandIn, results: Results) -> bool:
    """Combine the partial shares for an away seat, if all that were asked for them are there."""
    given: dict[Seat, CheckedPart] = {}
    for seat in part.by:
        _, checked = results.get(seat, (None, None))
        if isinstance(checked, CheckedStandIn):
            given[seat] = next(item for item in checked.parts if item.seat == part.seat)
    if len(given) < standing.threshold:
        return False
    points = combined(given, standing.threshold)
    for position, point in zip(part.positions, points, strict=True):
        state.shares.setdefault(position, {})[part.seat] = point
    return True


def begun_elsewhere(state: TableState) -> bool:
    """Say whether cards of which shares were given would go elsewhere than where they were to go.

    It never should be so; then the round is void, for with the shares that are missing others could
    read them.
    """
    standing, plan = state.standing, state.plan
    if standing is None or standing.begun is None:
        return False
    return (plan.dealt, plan.opened) != standing.begun
