"""The toy group is a group of the same order, deals as the real one does, and is kept from tables."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.deal.helpers import CONTEXT, chance, party
from tests.peer.test_ring import SHORT
from unop2p.deal import group, toy_group
from unop2p.deal.group import (
    IDENTITY,
    Q,
    add,
    base_mul,
    decode_point,
    hash_to_point,
    is_real,
    mul,
    sub,
)
from unop2p.deal.proved import ProvedShuffle
from unop2p.edge.driver import Driver
from unop2p.edge.errors import ToyGroupError
from unop2p.errors import MalformedError, ProofError
from unop2p.peer.core import Peer
from unop2p.peer.lobby import Role
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.wire.audit import Finding, audit

SCALARS = st.integers(min_value=0, max_value=Q - 1)


@given(SCALARS, SCALARS, SCALARS)
def test_its_points_are_a_group_on_which_scalars_act(a: int, b: int, c: int) -> None:
    with in_toy_group():
        left, right, point = base_mul(a), base_mul(b), base_mul(c)
        assert add(left, right) == add(right, left) == base_mul(a + b)
        assert add(add(left, right), point) == add(left, add(right, point))
        assert sub(add(left, right), right) == left
        assert mul(b, left) == mul(a, right) == base_mul(a * b)
        assert add(left, base_mul(Q - a)) == IDENTITY


def test_it_has_the_order_of_the_real_one_and_another_base() -> None:
    assert toy_group.Q == Q
    with in_toy_group():
        assert base_mul(1) != base_mul(0)
        assert mul(Q, base_mul(1)) == IDENTITY
        assert base_mul(1).encoded != group.BASE.encoded
        assert hash_to_point("face", b"R1") != hash_to_point("face", b"R2")


def test_bit_255_is_refused_by_the_check_alone_as_with_the_real_one() -> None:
    for real in (True, False):
        with nullcontext() if real else in_toy_group():
            point = base_mul(5).encoded
            other = point[:31] + bytes([point[31] | 128])
            assert group.Point(other) != group.Point(point)
            assert mul(3, group.Point(other)) == mul(3, group.Point(point))
            with pytest.raises(MalformedError):
                decode_point(other)


@pytest.mark.parametrize("data", [Q, Q + 1, 2**256 - 1, 0], ids=["q", "q+1", "all", "identity"])
def test_bytes_that_are_no_element_are_refused(data: int) -> None:
    with in_toy_group(), pytest.raises(MalformedError):
        decode_point(data.to_bytes(32, "little"))


def test_a_proof_of_a_shuffle_holds_in_it_and_a_false_one_does_not() -> None:
    with in_toy_group():
        table = party()
        shuffle = ProvedShuffle()
        outputs, proof = shuffle.shuffle(CONTEXT, table.joint, table.cards, chance("toy"))
        assert len(shuffle.verify(CONTEXT, table.joint, table.cards, outputs, proof)) == 5
        with pytest.raises(ProofError):
            shuffle.verify(CONTEXT, table.joint, table.cards[::-1], outputs, proof)
    real = party()
    outputs, proof = shuffle.shuffle(CONTEXT, real.joint, real.cards, chance("toy"))
    assert len(shuffle.verify(CONTEXT, real.joint, real.cards, outputs, proof)) == 5


def test_the_real_group_is_back_afterwards_even_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), in_toy_group():
        assert not is_real()
        _ = 1 // 0
    assert is_real()


@pytest.mark.slow
@pytest.mark.parametrize("argument", ["proved", "commit-reveal"])
def test_a_whole_round_is_played_in_it(argument: str) -> None:
    with in_toy_group():
        ring = Ring(4, SHORT, seed=3, argument=argument)
        ring.run()
        assert len(ring.heads()) == 1
        report = audit(ring.places[0].record)
    assert report.finding is Finding.COMPLETE, report.reason
    outside = audit(ring.places[0].record)
    assert outside.finding is Finding.BROKEN


def test_no_seat_at_a_real_table_is_played_in_it() -> None:
    peer = Peer(
        key=Ed25519PrivateKey.generate(),
        role=Role.JOINER,
        name="toy",
        bot=True,
        sealing_key=bytes(32),
        entropy=chance("toy"),
    )
    with ThreadPoolExecutor(max_workers=1) as executor:
        with in_toy_group(), pytest.raises(ToyGroupError):
            Driver(peer, executor=executor)
        Driver(peer, executor=executor)


def test_a_group_that_is_put_in_place_by_hand_is_not_real_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group, "backend", toy_group)
    assert not is_real()
