"""Whom a table waits for, as its players are told."""

import pytest

from tests.peer.test_ring import SHORT
from unop2p.ids import Seat
from unop2p.sim.lab.trick import cheating_peer
from unop2p.sim.lab.zoo_time import Leaves
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import notices
from unop2p.table.phases import Phase


@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_in_a_shuffle_the_table_waits_for_the_one_whose_turn_it_is(leaver: int) -> None:
    trick = Leaves(Phase.SHUFFLE)
    trick.seats = frozenset({Seat(leaver)})
    with in_toy_group():
        ring = Ring(3, SHORT, seed=7, peers={leaver: cheating_peer(trick)})
        ring.run(lambda r: r.now_ms > 12_000)
    told = [
        notice.seats
        for index, place in enumerate(ring.places)
        if index != leaver
        for notice in place.notices
        if isinstance(notice, notices.Waiting)
    ]
    assert set(told) == {(Seat(leaver),)}
