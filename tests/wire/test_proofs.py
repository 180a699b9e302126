"""Evidence as anybody judges it, and what rides on a statement."""

from dataclasses import replace

import pytest

from tests.peer.standing import chain_of, standing_in
from unop2p.errors import RemoteError
from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Signed, Statement, close_digest
from unop2p.peer.chain import Chain
from unop2p.sim.ring import Ring
from unop2p.table import bodies
from unop2p.table.checks import FaultError
from unop2p.table.phases import Phase
from unop2p.table.riders import NO_RIDERS, Back, Carried, Guilt, Leave, Proof, Rider
from unop2p.wire import codec
from unop2p.wire.proofs import ADOPTS_WRONG, check_riders, judge, seat_of, state_before

CHEAT = 1


def signed_by(ring: Ring, seat: int, message: codec.Message) -> Signed:
    return chain_of(ring, seat).desk.sign(message)


def statement(chain: Chain, body: bodies.Body, *riders: Rider) -> Statement:
    return Statement(
        table=chain.table.offer.table,
        step=chain.open.step,
        head=chain.open.head,
        body=body,
        riders=riders,
    )


def judged(chain: Chain, *items: Signed, step: int | None = None) -> tuple[Seat, str] | None:
    at = chain.open.step if step is None else step
    guilt = judge(chain.table, at, items, chain.past)
    return (guilt.seat, guilt.reason) if guilt is not None else None


def test_two_words_that_contradict_each_other_prove_their_author_guilty() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        first = signed_by(ring, CHEAT, statement(chain, bodies.Assent()))
        second = signed_by(ring, CHEAT, statement(chain, bodies.Drew()))
        assert judged(chain, first, second) == (CHEAT, "two different statements")
        forged = replace(second, signature=bytes(64))
        other = signed_by(ring, 2, statement(chain, bodies.Drew()))
        for items in [(first, first), (first, forged), (first, other), (), (first, second, other)]:
            assert judged(chain, *items) is None
        assert judged(chain, first, second, step=chain.open.step - 1) is None


def test_a_statement_that_is_wrong_by_itself_is_judged_in_the_past_too() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        certificate = chain.history[0]
        wrong = Statement(
            table=chain.table.offer.table, step=0, head=certificate.head, body=bodies.Drew()
        )
        found = judged(chain, signed_by(ring, CHEAT, wrong), step=0)
        assert found is not None
        assert found[0] == CHEAT
        assert judged(chain, certificate.statements[CHEAT], step=0) is None


def test_a_statement_is_wrong_by_itself_for_what_it_carries() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        truth = chain.history[0].statements[2]
        (mover,) = chain.state.plan.speakers
        liar = next(seat for seat in chain.state.seats if seat != mover)
        said = statement(chain, bodies.Assent(), Proof(step=0, items=(truth,)))
        found = judged(chain, signed_by(ring, liar, said))
        assert found == (liar, "a proof that proves nothing")


def test_an_adopt_of_a_close_that_holds_a_wrong_statement_proves_its_author_guilty() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        step, active = chain.open.step, chain.state.active
        (mover,) = chain.state.plan.speakers
        liar, adopter = (seat for seat in active if seat != mover)
        words = {seat: signed_by(ring, seat, statement(chain, bodies.Assent())) for seat in active}
        wrong = signed_by(ring, liar, statement(chain, bodies.Drew()))
        right = words[liar]
        del words[mover]

        def adopted(**changes: object) -> Signed:
            hashes = {seat: word.hash for seat, word in words.items()}
            close = close_digest(step, chain.open.head, active, hashes)
            word = Adopt(
                table=chain.table.offer.table,
                step=step,
                head=chain.open.head,
                attempt=1,
                close=close,
            )
            return signed_by(ring, adopter, replace(word, **changes))  # type: ignore[arg-type]

        def guilty(*items: Signed, close: tuple[bytes, ...]) -> Guilt | None:
            return judge(chain.table, step, items, chain.past, close)

        words[liar] = wrong
        close = tuple(words[seat].hash if seat in words else b"" for seat in active)
        found = guilty(adopted(), wrong, close=close)
        assert found == Guilt(seat=adopter, step=step, reason=ADOPTS_WRONG)
        assert guilty(adopted(), right, close=close) is None, "it is not in the close"
        assert guilty(adopted(head=bytes(32)), wrong, close=close) is None
        assert guilty(adopted(), wrong, close=close[:-1]) is None
        assert guilty(adopted(), wrong, close=close[::-1]) is None
        assert guilty(adopted(), close=close) is None
        assert guilty(wrong, wrong, close=close) is None
        words[liar] = right
        close = tuple(words[seat].hash if seat in words else b"" for seat in active)
        assert guilty(adopted(), right, close=close) is None, "nothing in it is wrong"


def test_an_adopt_of_a_shuffle_that_counts_as_not_made_is_no_fault() -> None:
    with standing_in(Phase.SHUFFLE) as ring:
        chain = chain_of(ring, 0)
        step, active = chain.open.step, chain.state.active
        first, second, third = chain.state.plan.speakers
        base = signed_by(ring, first, statement(chain, bodies.Shuffled(base=bytes(32), parts=())))
        wrong = signed_by(ring, second, statement(chain, bodies.Shuffled(base=base.hash, parts=())))
        for holds_base in (False, True):
            hashes = {second: wrong.hash} | ({first: base.hash} if holds_base else {})
            adopt = Adopt(
                table=chain.table.offer.table,
                step=step,
                head=chain.open.head,
                attempt=1,
                close=close_digest(step, chain.open.head, active, hashes),
            )
            items = (signed_by(ring, third, adopt), wrong, base)
            close = tuple(hashes.get(seat, b"") for seat in active)
            found = judge(chain.table, step, items, chain.past, close)
            assert (found is not None) == holds_base


def test_only_who_signed_it_is_back() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        word = Back(table=chain.table.offer.table, step=2, head=bytes(32))
        true = signed_by(ring, 2, word)

        def check(signed: Signed) -> tuple[tuple[Seat, int], ...]:
            said = statement(chain, bodies.Assent(), Carried(signed=signed))
            return check_riders(chain.state, Seat(0), said, chain.past, trusted=False).back

        assert check(true) == ((2, 2),)
        stranger = replace(true, author=bytes(32))
        adopt = Adopt(table=word.table, step=2, head=bytes(32), attempt=0, close=bytes(32))
        for wrong in (
            replace(true, signature=bytes(64)),
            stranger,
            signed_by(ring, 2, adopt),
            signed_by(ring, 2, replace(word, table=bytes(16))),
        ):
            with pytest.raises(RemoteError):
                check(wrong)


def test_who_leaves_opens_its_hand_once() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)

        def check(*riders: Rider) -> int:
            said = statement(chain, bodies.Assent(), *riders)
            found = check_riders(chain.state, Seat(0), said, chain.past, trusted=False)
            return len(found.hand)

        assert (
            check_riders(
                chain.state, Seat(0), statement(chain, bodies.Assent()), chain.past, trusted=False
            )
            is NO_RIDERS
        )
        with pytest.raises(RemoteError):
            check(Leave())
        chain.state.hands[Seat(0)] = []
        assert check(Leave()) == 0
        with pytest.raises(FaultError, match="where there is none"):
            check(Leave(opening=b"shares"))
        with pytest.raises(FaultError, match="twice"):
            check(Leave(), Leave())


def test_the_state_before_a_step_is_the_one_that_there_was() -> None:
    with standing_in(Phase.TURN) as ring:
        chain = chain_of(ring, 0)
        now = state_before(chain.table, chain.history, chain.open.step, chain.head_at)
        assert now is not None
        assert (now.step, now.head, now.hands) == (
            chain.state.step,
            chain.state.head,
            chain.state.hands,
        )
        assert now.plan == chain.state.plan
        start = state_before(chain.table, chain.history, 0, chain.head_at)
        assert start is not None
        assert start.head == chain.table.head
        assert state_before(chain.table, chain.history, 99, chain.head_at) is None


def test_a_key_without_a_seat_has_none() -> None:
    with standing_in(Phase.TURN) as ring:
        table = chain_of(ring, 0).table
        assert [seat_of(table, key) for key in (*table.keys, bytes(32))] == [0, 1, 2, None]
