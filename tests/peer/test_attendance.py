"""What a peer carries of others on its next statement."""

import pytest

from tests.peer.standing import chain_of, standing_in
from unop2p.ids import Seat
from unop2p.log.evidence import Evidence
from unop2p.peer.attendance import RETURN_MS
from unop2p.peer.events import Received
from unop2p.sim.ring import SEALING_KEY, Ring
from unop2p.table.phases import Phase
from unop2p.table.riders import Back, Carried, Proof
from unop2p.wire.reading import Reader

AWAY, LEFT_AT = Seat(2), 3


def ring_with_one_away() -> Ring:
    with standing_in(Phase.TURN) as ring:
        chain_of(ring, 0).state.away = {AWAY: LEFT_AT}
        return ring


def say_back(ring: Ring, step: int = LEFT_AT, head: bytes | None = b"head") -> None:
    chain = chain_of(ring, 0)
    word = Back(table=chain.table.offer.table, step=step, head=b"head")
    signed = chain_of(ring, AWAY).desk.sign(word)
    chain.attendance.on_back(chain.state, signed, word, head)


def test_a_seat_that_is_back_is_carried() -> None:
    ring = ring_with_one_away()
    chain = chain_of(ring, 0)
    assert chain.attendance.riders(chain.state) == ()
    say_back(ring)
    (rider,) = chain.attendance.riders(chain.state)
    assert isinstance(rider, Carried)
    assert rider.signed.author == chain.table.keys[AWAY]
    assert chain.attendance.urgent(chain.state)


def test_a_word_of_another_absence_or_another_chain_is_not_carried() -> None:
    ring = ring_with_one_away()
    say_back(ring, step=LEFT_AT - 1)
    say_back(ring, head=b"another")
    say_back(ring, head=None)
    chain = chain_of(ring, 0)
    assert chain.attendance.riders(chain.state) == ()


def test_each_further_return_in_a_round_waits_longer() -> None:
    ring = ring_with_one_away()
    chain = chain_of(ring, 0)
    chain.state.returns = {AWAY: 2}
    say_back(ring)
    assert chain.attendance.riders(chain.state) == ()
    ready_ms = chain.attendance.next_ready_ms()
    assert ready_ms == chain.desk.now_ms + 2 * RETURN_MS
    chain.desk.now_ms = ready_ms
    assert len(chain.attendance.riders(chain.state)) == 1


def test_who_is_there_again_is_carried_no_more() -> None:
    ring = ring_with_one_away()
    chain = chain_of(ring, 0)
    say_back(ring)
    chain.state.away = {}
    assert chain.attendance.riders(chain.state) == ()


def test_a_proof_rides_until_its_seat_is_out_and_who_is_guilty_is_not_brought_back() -> None:
    ring = ring_with_one_away()
    chain = chain_of(ring, 0)
    say_back(ring)
    proof = Evidence(author=chain.table.keys[AWAY], step=1, reason="it lied", items=())
    chain.attendance.proofs[AWAY] = proof
    assert chain.attendance.riders(chain.state) == (Proof(step=1, items=()),)
    chain.state.gone = {AWAY: "expelled"}
    assert chain.attendance.riders(chain.state) == ()


def test_who_is_back_before_we_have_settled_that_it_went_is_heard_when_it_says_so_again() -> None:
    ring = ring_with_one_away()
    chain = chain_of(ring, 0)
    core = ring.places[0].peer
    gone_at = chain.open.step
    chain.state.away = {}
    word = Back(table=chain.table.offer.table, step=gone_at, head=chain.open.head)
    other = chain_of(ring, AWAY).desk
    data = Reader(SEALING_KEY).seal(other.sign(word), bytes(24))
    core.handle(Received(data=data), now_ms=chain.desk.now_ms)
    assert AWAY not in chain.attendance.backs
    # As when the step has settled without it.
    chain.history.append(chain.history[-1])
    chain.open.step += 1
    chain.state.away = {AWAY: gone_at}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(chain), "head_at", lambda _chain, _step: word.head)
        core.handle(Received(data=data), now_ms=chain.desk.now_ms)
    assert AWAY in chain.attendance.backs


def test_a_seat_that_is_away_again_is_brought_back_by_its_new_word_alone() -> None:
    ring = ring_with_one_away()
    chain = chain_of(ring, 0)
    say_back(ring)
    chain.state.away = {AWAY: LEFT_AT + 4}
    assert chain.attendance.riders(chain.state) == ()
    say_back(ring, step=LEFT_AT)
    assert chain.attendance.backs == {}
    say_back(ring, step=LEFT_AT + 4)
    (rider,) = chain.attendance.riders(chain.state)
    assert isinstance(rider, Carried)
    chain.state.away = {AWAY: LEFT_AT + 8}  # nobody has asked for riders since
    chain.desk.now_ms += 60_000
    assert not chain.attendance.presses(chain.state)
    say_back(ring, step=LEFT_AT + 8)
    assert chain.attendance.backs[AWAY].step == LEFT_AT + 8
