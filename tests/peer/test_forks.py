"""Comparing histories: few messages, and nothing that a liar says moves what is settled."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.peer.standing import chain_of, standing_in
from unop2p.log.messages import Signed
from unop2p.peer import events
from unop2p.peer.chain import Chain
from unop2p.peer.forks import chunks, spread
from unop2p.sim.ring import Ring
from unop2p.table.phases import Phase
from unop2p.table.talk import POINTS_MAX, Forked, Heads
from unop2p.wire import codec


@pytest.fixture
def ring() -> Iterator[Ring]:
    with standing_in(Phase.TURN) as ring:
        chain_of(ring, 0).desk.take()
        yield ring


def said(chain: Chain) -> list[codec.Message]:
    """Return what a peer has published since it was last asked."""
    found = []
    for effect in chain.desk.take():
        if isinstance(effect, events.Publish):
            found.append(chain.desk.open(effect.data).message())
    return found


def key(ring: Ring, seat: int) -> bytes:
    return chain_of(ring, seat).desk.public


@given(low=st.integers(0, 10**6), more=st.integers(0, 10**6))
def test_the_steps_that_are_compared_rise_and_hold_both_ends(low: int, more: int) -> None:
    steps = spread(low, low + more)
    assert steps[0] == low
    assert steps[-1] == low + more
    assert list(steps) == sorted(set(steps))
    assert len(steps) <= POINTS_MAX


@given(st.integers(1, 10**6), st.data())
def test_a_step_is_found_in_few_comparisons(last: int, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, last - 1))
    low, high, rounds = 0, last, 0
    while high - low > 1:
        rounds += 1
        points = spread(low, high)
        low = max(step for step in points if step <= at)
        high = min(step for step in points if step > at)
    assert low == at
    assert rounds <= 6


def test_another_head_before_a_settled_step_is_asked_about_once_in_a_while(ring: Ring) -> None:
    chain = chain_of(ring, 0)
    step = chain.open.step
    for _ in range(5):
        chain.forks.apart(chain, key(ring, 1), step, bytes(32))
    (heads,) = said(chain)
    assert isinstance(heads, Heads)
    assert heads.points[-1] == (step, chain.open.head)
    chain.forks.apart(chain, key(ring, 1), step, chain.open.head)
    chain.forks.apart(chain, key(ring, 1), step + 9, bytes(32))
    chain.forks.apart(chain, key(ring, 1), -1, bytes(32))
    assert said(chain) == []


def test_who_differs_is_shown_what_settled_the_step_and_else_asked_more(ring: Ring) -> None:
    chain = chain_of(ring, 0)

    def heard(*points: tuple[int, bytes], to: bytes | None = None) -> list[codec.Message]:
        chain.desk.now_ms += 10_000
        heads = Heads(
            table=chain.table.offer.table,
            to=chain.desk.public if to is None else to,
            points=points,
            nonce=bytes(16),
        )
        chain.forks.on_heads(chain, key(ring, 1), heads)
        return said(chain)

    true = [(step, chain.head_at(step)) for step in range(chain.open.step + 1)]
    (shown,) = heard(true[0], (1, bytes(32)))
    assert isinstance(shown, Forked)
    assert shown.step == 0
    assert set(shown.items) == {*chain.history[0].statements, *chain.history[0].adopts}
    (asked,) = heard(true[0], (chain.open.step, bytes(32)))
    assert isinstance(asked, Heads)
    nothing: list[list[tuple[int, bytes]]] = [
        [],
        true,
        [(0, bytes(32))],
        [true[1], true[0]],
        [(-5, bytes(32)), true[0]],
        [true[0]] * 2,
        [(step, bytes(32)) for step in range(POINTS_MAX + 1)],
    ]
    for points in nothing:
        assert heard(*points) == [], points
    assert heard(true[0], (1, bytes(32)), to=bytes(32)) == []


def test_what_is_shown_of_a_step_moves_nothing_where_nobody_contradicts_itself(ring: Ring) -> None:
    chain = chain_of(ring, 0)
    place = (chain.open.step, chain.open.head, dict(chain.state.gone))
    certificate = chain.history[0]
    items = (*certificate.statements, *certificate.adopts)
    broken = Signed(author=items[0].author, signature=bytes(64), payload=items[1].payload)
    for step, shown in [
        (0, items),
        (1, items),
        (0, ()),
        (-1, items),
        (10**9, items),
        (0, (chain.table.genesis,)),
    ]:
        chain.forks.on_forked(
            chain,
            key(ring, 1),
            Forked(table=chain.table.offer.table, step=step, items=shown, nonce=bytes(16)),
        )
    with pytest.raises(codec.SignatureError):
        chain.forks.on_forked(
            chain,
            key(ring, 1),
            Forked(table=chain.table.offer.table, step=0, items=(broken,), nonce=bytes(16)),
        )
    assert (chain.open.step, chain.open.head, chain.state.gone) == place
    assert chain.forks.found == []
    assert chain.forks.rebuilt is None, "no old step is made anew for nothing"
    assert len(chain.forks.pending) <= 3


@given(st.lists(st.binary(min_size=1, max_size=30), max_size=40), st.integers(10, 100))
def test_pieces_hold_all_in_order_and_no_more_than_fits(payloads: list[bytes], limit: int) -> None:
    items = [Signed(author=b"a" * 32, signature=bytes(64), payload=one) for one in payloads]
    pieces = chunks(items, limit)
    assert [item for piece in pieces for item in piece] == items
    for piece in pieces:
        assert len(piece) <= 1 or sum(len(item.payload) for item in piece) <= limit
