"""When a peer tries to close a step without somebody, and when it does not."""

from tests.peer.standing import chain_of, standing_in
from unop2p.ids import Seat
from unop2p.log.messages import Try
from unop2p.peer.voter import IDLE_STEP_MS
from unop2p.sim.ring import Ring
from unop2p.table.genesis import Timers
from unop2p.table.phases import Phase

PATIENCE_MS = Timers().patience_ms
NOBODY: frozenset[Seat] = frozenset()


def try_at(
    ring: Ring, seat: int, now_ms: int, *, lacking: set[int], guilty: set[int]
) -> Try | None:
    chain = chain_of(ring, seat)
    chain.desk.now_ms = now_ms
    return chain.voter.next_try(
        chain.state,
        chain.open,
        Seat(seat),
        lacking=frozenset(map(Seat, lacking)),
        guilty=frozenset(map(Seat, guilty)),
        fine=lambda _: True,
    )


def waiting_ring() -> Ring:
    """Return a ring of four in a turn in which one seat has said nothing."""
    with standing_in(Phase.TURN, 4) as ring:
        mover = chain_of(ring, 0).state.plan.speakers[0]
        ring.stop(mover)
        ring.run(lambda r: r.now_ms > chain_of(r, (mover + 1) % 4).open.opened_ms + 3_000)
        return ring


def test_a_silent_seat_is_tried_without_when_patience_is_out_and_not_before() -> None:
    ring = waiting_ring()
    (mover,) = chain_of(ring, 0).state.plan.speakers
    voter = (mover + 1) % 4
    due_ms = chain_of(ring, voter).open.opened_ms + PATIENCE_MS
    assert try_at(ring, voter, due_ms - 1, lacking={mover}, guilty=set()) is None
    word = try_at(ring, voter, due_ms, lacking={mover}, guilty=set())
    assert word is not None
    assert (word.attempt, word.seal) == (1, None)


def test_a_guilty_seat_is_not_waited_for() -> None:
    ring = waiting_ring()
    (mover,) = chain_of(ring, 0).state.plan.speakers
    voter = (mover + 1) % 4
    now_ms = chain_of(ring, voter).open.opened_ms
    assert try_at(ring, voter, now_ms, lacking={mover}, guilty={mover}) is not None


def test_where_no_majority_is_left_nobody_tries() -> None:
    ring = waiting_ring()
    (mover,) = chain_of(ring, 0).state.plan.speakers
    voter, other = (mover + 1) % 4, (mover + 2) % 4
    late_ms = chain_of(ring, voter).open.opened_ms + 10 * PATIENCE_MS
    assert try_at(ring, voter, late_ms, lacking={mover, other}, guilty=set()) is None


def test_where_nothing_is_missing_nobody_tries() -> None:
    ring = waiting_ring()
    (mover,) = chain_of(ring, 0).state.plan.speakers
    late_ms = 100 * PATIENCE_MS
    assert try_at(ring, (mover + 1) % 4, late_ms, lacking=set(), guilty=set()) is None


def test_a_human_that_is_heard_has_its_turn_time_and_one_that_is_gone_has_not() -> None:
    ring = waiting_ring()
    (mover,) = chain_of(ring, 0).state.plan.speakers
    chain = chain_of(ring, (mover + 1) % 4)
    voter, opened = chain.voter, chain.open.opened_ms
    bots = tuple(seat != mover for seat in range(4))
    object.__setattr__(voter.table, "bots", bots)
    turn_ms = voter.table.offer.timers.turn_ms
    voter.heard_ms[mover] = opened + turn_ms + 99_000
    assert voter.until_ms(chain.state, chain.open, mover) == opened + turn_ms + PATIENCE_MS
    voter.heard_ms[mover] = opened + 4_000
    assert voter.until_ms(chain.state, chain.open, mover) == opened + 4_000 + PATIENCE_MS


def test_a_step_in_which_nothing_can_be_done_is_not_hurried() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        assert not chain.voter.holds_back(chain.state, chain.open)
        object.__setattr__(chain.state.plan, "phase", Phase.WAIT)
        chain.desk.now_ms = chain.open.opened_ms
        assert chain.voter.holds_back(chain.state, chain.open)
        chain.desk.now_ms += IDLE_STEP_MS
        assert not chain.voter.holds_back(chain.state, chain.open)
