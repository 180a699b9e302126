"""Whole rounds of real peers, on good and bad networks."""

import pytest

from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import Network, Ring
from unop2p.table import notices
from unop2p.wire.audit import Finding, audit

SHORT = with_overrides(preset("official"), {"match_end": "rounds", "target": 1})


def played(seats: int, seed: int, network: Network | None = None) -> Ring:
    ring = Ring(seats, SHORT, seed=seed, network=network)
    ring.run()
    return ring


def outcome(ring: Ring) -> object:
    ended = [n for n in ring.places[0].notices if isinstance(n, notices.RoundEnded)]
    return ended[0].outcome, ended[0].hands


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 10])
def test_a_whole_official_round_ends_alike_for_all_and_its_record_is_complete(seats: int) -> None:
    ring = played(seats, seats)
    assert [place.stop.exit_code for place in ring.places if place.stop] == [0] * seats
    assert len(ring.heads()) == 1
    assert len({tuple(line for line in place.record[:1]) for place in ring.places}) == 1
    report = audit(ring.places[-1].record)
    assert report.finding is Finding.COMPLETE, report.reason
    assert {report.head} == ring.heads()
    assert sum(report.totals) == sum(report.rounds[0].points)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_heads_and_another_seed_others() -> None:
    first, second, other = played(2, 5), played(2, 5), played(2, 6)
    assert first.heads() == second.heads() != other.heads()
    assert [place.record for place in first.places] == [place.record for place in second.places]


@pytest.mark.slow
@pytest.mark.parametrize(
    "network",
    [
        Network(loss=20),
        Network(repeat=50),
        Network(reorder=60),
        Network(loss=10, repeat=20, reorder=40),
    ],
    ids=["loss", "repeat", "reorder", "all"],
)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_bad_network_costs_time_and_no_agreement(network: Network, seats: int) -> None:
    ring = played(seats, 7, network)
    assert len(ring.heads()) == 1
    assert all(place.stop is not None and place.stop.exit_code == 0 for place in ring.places)
    for place in ring.places:
        assert audit(place.record).finding is Finding.COMPLETE
    for index in range(seats):
        assert all(len(said) == 1 for said in ring.statements(index).values())


def test_a_ring_in_which_nothing_arrives_says_that_it_is_stuck() -> None:
    ring = Ring(2, SHORT, network=Network(blocked=lambda _s, _r, _d: True))
    with pytest.raises(AssertionError, match="nothing has happened"):
        ring.run()
