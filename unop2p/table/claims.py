"""What a move claims about its player's hand, put to that player's masked cards.

With `hidden_checks = proved` the move carries the proof of it, and is checked at once. Else, and
where the proof would be too long to send, it is kept for the end of the round (`hindsight.py`).
"""

from functools import lru_cache
from typing import Final

from unop2p.deal.statements import AllOf, AnyOf, Formula, Shows, leaf_count
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.hidden import Case, Claim, hidden_claim
from unop2p.rules.public import problem
from unop2p.table import bodies
from unop2p.table.hindsight import ClaimDue
from unop2p.table.moves import move_of
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.table.work import ClaimTask

LEAVES_MAX: Final = 2_048
"""128 KiB of proof: a statement with it still fits into an answer to somebody who lacks it."""


def claim_due(state: TableState, seat: Seat, body: bodies.Body) -> ClaimDue | None:
    """Return what a body of the open step claims; None where it depends on no hidden card.

    Args:
        state: as all settled steps have left it.
        seat: the author, whose turn it is.
        body: fine on what everybody sees, or fined.
    """
    move = move_of(body)
    if move is None or state.plan.phase is not Phase.TURN:
        return None
    assert state.round is not None
    if problem(state.round, seat, move) is not None:
        return None  # It is fined: the card stays in the hand, and nothing else happens.
    claim = hidden_claim(state.round, move)
    if claim is None:
        return None
    played = body.positions if isinstance(body, bodies.Played) else ()
    drawn = state.drawn if claim.about_drawn else None
    return ClaimDue(
        claim=claim,
        drawn=drawn,
        rest=tuple(p for p in state.hands[seat] if p not in played and p != drawn),
    )


def claim_task(state: TableState, seat: Seat, due: ClaimDue) -> ClaimTask | None:
    """Return the proof that a move has to carry; None where it is left to the end of the round.

    Args:
        state: as all settled steps have left it.
        seat: who moves.
        due: what the move claims.
    """
    if state.table.options.hidden_checks != "proved":
        return None
    faces = tuple(dict.fromkeys(state.deck_faces()))
    formula = formula_of(due, faces)
    if formula is None or leaf_count(formula) > LEAVES_MAX:
        return None
    positions = due.rest if due.drawn is None else (due.drawn, *due.rest)
    return ClaimTask(
        context=state.context(seat),
        key=state.keys[seat],
        cards=tuple(state.cards[position] for position in positions),
        others=tuple(state.residual_shares(position, seat) for position in positions),
        faces=tuple(state.faces.point(str(face)) for face in faces),
        formula=formula,
    )


def claim_owed(state: TableState, seat: Seat, body: bodies.Body) -> ClaimTask | None:
    """Return the proof that a body of the open step has to carry: `claim_task` of its `claim_due`."""
    due = claim_due(state, seat, body)
    return claim_task(state, seat, due) if due is not None else None


def formula_of(due: ClaimDue, faces: tuple[Face, ...]) -> Formula | None:
    """Return a claim as a formula; None where it holds whatever the hand.

    Args:
        due: what is claimed. Card 0 is the drawn one where it asks for it; the rest follows in order.
        faces: the distinct faces of the deck, by index.
    """
    return _formula(due.claim, 0 if due.drawn is None else 1, len(due.rest), faces)


@lru_cache(maxsize=64)
def _formula(claim: Claim, first: int, rest: int, faces: tuple[Face, ...]) -> Formula | None:
    """Return a formula; it is asked for again by the maker, the check and the step that is applied."""
    cards = tuple(range(first, first + rest))
    cases: list[Formula] = []
    for case in claim.cases:
        parts = _parts(case, cards, faces)
        if not parts:
            return None
        if AnyOf(()) not in parts:
            cases.append(parts[0] if len(parts) == 1 else AllOf(parts))
    return cases[0] if len(cases) == 1 else AnyOf(tuple(cases))


def _parts(case: Case, cards: tuple[int, ...], faces: tuple[Face, ...]) -> tuple[Formula, ...]:
    """Return what a case asks for; an `AnyOf` of nothing is what cannot be."""
    parts: list[Formula] = []
    if case.drawn is not None:
        parts.append(AnyOf(_shown((0,), faces, case.drawn)))
    if any(face in case.barred for face in faces):
        allowed = tuple(face for face in faces if face not in case.barred)
        parts += [AnyOf(_shown((card,), faces, allowed)) for card in cards]
    if case.needed:
        parts.append(AnyOf(_shown(cards, faces, case.needed)))
    return tuple(parts)


def _shown(
    cards: tuple[int, ...], faces: tuple[Face, ...], wanted: tuple[Face, ...]
) -> tuple[Shows, ...]:
    return tuple(
        Shows(card, index) for card in cards for index, face in enumerate(faces) if face in wanted
    )
