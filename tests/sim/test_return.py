"""Who is back plays again at once, though somebody thinks: the thinker's program lets the turn go on."""

from collections.abc import Iterator

import pytest

from tests.sim.worlds import SHORT, chain_of
from unop2p.ids import Seat
from unop2p.log.messages import Statement
from unop2p.rules.moves import Draw
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import bodies, notices
from unop2p.table.commands import MakeMove
from unop2p.table.phases import Phase
from unop2p.wire.audit import Finding, audit

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with in_toy_group():
        yield


def thinking(seed: int = 1) -> tuple[Ring, int, int]:
    """Return a table of four persons, the one who thinks, and one who was left out."""
    ring = Ring(4, SHORT, seed=seed, bots=False)
    ring.run(lambda r: all(_turn(r, i) is not None for i in range(4)))
    away = next(i for i in range(4) if i != _turn(ring, i))
    ring.stop(away)
    first = (away + 1) % 4
    ring.run(lambda r: any(isinstance(n, notices.SeatAway) for n in r.places[first].notices))
    ring.run(lambda r: all(_turn(r, i) is not None for i in range(4) if i != away))
    thinker = _turn(ring, first)
    assert thinker is not None
    return ring, thinker, away


def _turn(ring: Ring, index: int) -> int | None:
    chain = ring.places[index].peer.chain
    if chain is None or chain.state.plan.phase is not Phase.TURN:
        return None
    return chain.state.plan.speakers[0]


@pytest.mark.parametrize("restarted", [True, False])
def test_a_back_is_carried_at_once_while_somebody_thinks(*, restarted: bool) -> None:
    ring, thinker, away = thinking()
    chain = chain_of(ring, thinker)
    hand, began = list(chain.state.hands[Seat(thinker)]), ring.now_ms
    (ring.crash if restarted else ring.wake)(away)
    ring.run(lambda r: away in chain_of(r, away).state.active)
    assert ring.now_ms - began <= 3_000
    assert _turn(ring, thinker) == thinker, "it is still the same one's turn"
    assert chain.state.hands[Seat(thinker)] == hand
    ring.submit(thinker, MakeMove(move=Draw()))
    ring.run(lambda r: len(chain.state.hands[Seat(thinker)]) == len(hand) + 1)
    for place in ring.places:
        assert audit(place.record).finding is Finding.INCOMPLETE


def test_a_move_that_comes_while_the_turn_is_put_off_is_made_in_the_next_step() -> None:
    ring, thinker, away = thinking()
    chain = chain_of(ring, thinker)
    cards = len(chain.state.hands[Seat(thinker)])
    ring.wake(away)
    ring.run(lambda r: _put_off(r, thinker))
    ring.submit(thinker, MakeMove(move=Draw()))
    ring.run(lambda r: len(chain.state.hands[Seat(thinker)]) == cards + 1)


def _put_off(ring: Ring, thinker: int) -> bool:
    chain = chain_of(ring, thinker)
    held = chain.open.statements.get(Seat(thinker))
    return held is not None and isinstance(held.statement.body, bodies.Waits)


def test_a_turn_that_is_put_off_without_anybody_being_back_is_evidence() -> None:
    ring = Ring(4, SHORT, seed=1, bots=False)
    ring.run(lambda r: all(_turn(r, i) is not None for i in range(4)))
    thinker = _turn(ring, 0)
    assert thinker is not None
    chain = chain_of(ring, thinker)
    statement = Statement(
        table=chain.table.offer.table,
        step=chain.open.step,
        head=chain.open.head,
        body=bodies.Waits(),
    )
    chain.desk.publish(chain.desk.sign(statement))
    for effect in chain.desk.take():
        ring._carry_out(thinker, ring.places[thinker], effect)
    other = (thinker + 1) % 4
    ring.run(lambda r: bool(chain_of(r, other).state.gone))
    assert chain_of(ring, other).state.gone == {thinker: "expelled"}
