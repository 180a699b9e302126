"""The pieces that a seat owes, made from a real table's state."""

import pytest

from unop2p.deal.keys import derive_round_keys
from unop2p.errors import ProofError
from unop2p.ids import Seat
from unop2p.peer.pieces import OwnSecrets, piece_due
from unop2p.rules.options import preset
from unop2p.sim.ring import Ring
from unop2p.table import bodies
from unop2p.table.checks import shares_task
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.table.work import CheckedShares


def at(phase: Phase) -> tuple[Ring, TableState, OwnSecrets]:
    """Return a table that stands in a phase, and seat 0's secrets there."""
    ring = Ring(2, preset("official"), seed=2)
    ring.run(
        lambda r: (
            all(p.peer.chain is not None for p in r.places)
            and r.places[0].peer.chain is not None
            and r.places[0].peer.chain.state.plan.phase is phase
        )
    )
    chain = ring.places[0].peer.chain
    assert chain is not None
    assert chain.seat is not None
    keys = derive_round_keys(
        chain.secrets[0], table_id=chain.table.offer.table, round_index=0, seat=chain.seat
    )
    return ring, chain.state, OwnSecrets(keys, {}, bytes(32))


def test_secrets_are_in_no_text() -> None:
    _, _, own = at(Phase.DEAL)
    assert repr(own) == "OwnSecrets()"


def test_shares_are_of_the_cards_that_are_due_and_their_proof_holds() -> None:
    ring, state, own = at(Phase.DEAL)
    chain = ring.places[0].peer.chain
    assert chain is not None
    assert chain.seat is not None
    work = piece_due(state, chain.seat, {}, own)
    assert work is not None
    body, checked = work()
    assert isinstance(body, bodies.Shares)
    assert isinstance(checked, CheckedShares)
    assert checked.positions == state.plan.shares_due(chain.seat)
    assert shares_task(state, chain.seat).check(body.data, trusted=False) == checked
    with pytest.raises(ProofError):
        shares_task(state, Seat(1 - chain.seat)).check(body.data, trusted=False)


def test_a_shuffle_waits_for_the_one_before() -> None:
    _, state, own = at(Phase.SHUFFLE)
    first, second = state.plan.speakers
    assert piece_due(state, first, {}, own) is not None
    assert piece_due(state, second, {}, own) is None


def test_where_nothing_is_owed_asking_is_our_own_bug() -> None:
    _, state, own = at(Phase.TURN)
    with pytest.raises(AssertionError, match="turn"):
        piece_due(state, Seat(0), {}, own)
