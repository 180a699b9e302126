"""What seats have done adds up, while they play and afterwards."""

import pytest

from unop2p.edge.link_state import LinkStatistics
from unop2p.edge.meter import Meter
from unop2p.peer.events import Settled
from unop2p.peer.gossip import Repairs


def test_what_a_seat_has_counted_stays_when_it_ends() -> None:
    meter = Meter()
    first, second = LinkStatistics(sent_count=3), LinkStatistics(sent_count=4, round_trip_ms=7.0)
    first.round_trip_s.add(0.01)
    end = meter.begin(lambda: first, Repairs(asked=1))
    meter.begin(lambda: second, Repairs(asked=1, mended=2))
    assert (meter.links().sent_count, meter.repairs().asked) == (7, 2)
    end()
    first.sent_count += 100  # nobody's any more
    assert (meter.links().sent_count, meter.repairs()) == (7, Repairs(asked=2, mended=2))
    assert meter.links().round_trip_s.count == 1
    assert meter.links().round_trip_ms == 7.0


def test_work_is_counted_whether_it_succeeds_or_not() -> None:
    meter = Meter()
    assert meter.measured("check", lambda: 5)() == 5

    def fails() -> object:
        raise ValueError

    with pytest.raises(ValueError):
        meter.measured("check", fails)()
    assert meter.work["check"].count == 2
    assert meter.work["check"].cpu_s >= 0


def test_each_seat_has_a_clock_of_its_own() -> None:
    meter = Meter()
    settled: Settled = None  # type: ignore[assignment]  # no clock looks at it
    one, other = meter.clock(), meter.clock()
    for clock in (one, other, one, one):
        clock(settled)
    assert meter.step_s.count == 2
