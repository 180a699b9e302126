"""The last step of a match has no next one in which two closes of it would come out by themselves."""

import pytest

from tests.peer.test_ring import SHORT
from unop2p.ids import Seat
from unop2p.sim.lab.trick import cheating_peer
from unop2p.sim.lab.zoo_agree import TwoFaced
from unop2p.sim.ring import Ring
from unop2p.table import notices
from unop2p.table.phases import Phase
from unop2p.wire.audit import Finding, audit


@pytest.mark.slow
def test_two_closes_of_the_last_step_come_out_before_anybody_goes_and_the_round_is_played_again() -> (
    None
):
    trick = TwoFaced(Phase.HANDS, statements=True, adopts=True)
    trick.seats = frozenset({Seat(2)})
    ring = Ring(
        3, SHORT, seed=8, peers={2: cheating_peer(trick)}, network=trick.network(frozenset({2}))
    )
    ring.run(lambda r: all(place.stop for place in r.places[:2]))
    assert trick.first_step is not None
    for place in ring.places[:2]:
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        assert place.peer.chain is not None
        assert place.peer.chain.state.gone == {2: "expelled"}
        forked = [n for n in place.notices if isinstance(n, notices.HistoryForked)]
        assert [(n.step, n.seats) for n in forked] == [(trick.first_step, (Seat(2),))]
        rounds = [n for n in place.notices if isinstance(n, notices.RoundEnded)]
        assert len(rounds) == 2, "the one that had ended is void: another is played"
        report = audit(place.record)
        assert (report.finding, report.author) == (Finding.FAULT, "p2"), report.reason
        assert len(report.rounds) == 1
        assert sum(report.totals) == sum(rounds[1].outcome.points)  # type: ignore[attr-defined,unused-ignore]
    assert len({place.peer.chain.state.head for place in ring.places[:2] if place.peer.chain}) == 1
