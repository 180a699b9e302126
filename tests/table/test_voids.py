"""Where a table goes on after two closes of one step had settled."""

from tests.peer.standing import chain_of, standing_in
from unop2p.ids import Seat
from unop2p.log.messages import void_head
from unop2p.table import notices
from unop2p.table.phases import Phase
from unop2p.table.riders import Guilt
from unop2p.table.voids import Void, apply_void


def void_of(step: int, base: bytes, *seats: int) -> Void:
    guilty = tuple(Guilt(seat=Seat(seat), step=step, reason="it lied") for seat in seats)
    return Void(step=step, base=base, guilty=guilty)


def test_the_round_is_void_the_guilty_are_out_and_the_chain_goes_on_from_a_head_of_its_own() -> (
    None
):
    with standing_in(Phase.TURN) as ring:
        state = chain_of(ring, 0).state
        step, base = state.step, state.head
        void = void_of(step, base, 1)
        told = apply_void(state, void)
        assert (state.step, state.head) == (step, void_head(base, (Seat(1),)))
        assert state.gone == {1: "expelled"}
        assert (state.round_index, state.plan.phase, state.hands) == (1, Phase.COMMIT, {})
        assert state.voids == 1
        kinds = [type(notice) for notice in told]
        assert kinds[:2] == [notices.HistoryForked, notices.SeatExpelled]
        assert notices.RoundVoid in kinds


def test_each_fork_and_each_group_of_guilty_has_a_head_of_its_own() -> None:
    base = bytes(32)
    voids = [void_of(3, base, *seats) for seats in ((0,), (1,), (0, 1))]
    voids.append(void_of(3, b"1" * 32, 0))
    assert len({void.head for void in voids}) == len(voids)


def test_secrets_of_a_round_that_comes_again_lie_under_another_number() -> None:
    with standing_in(Phase.TURN) as ring:
        state = chain_of(ring, 0).state
        before = {state.secret_index + more for more in range(1000)}
        apply_void(state, void_of(state.step, state.head, 1))
        assert state.secret_index not in before


def test_where_one_seat_is_left_it_has_won() -> None:
    with standing_in(Phase.TURN) as ring:
        state = chain_of(ring, 0).state
        told = apply_void(state, void_of(state.step, state.head, 1, 2))
        assert state.over
        assert [n.winners for n in told if isinstance(n, notices.MatchEnded)] == [(0,)]
