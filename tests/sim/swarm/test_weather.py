"""Messages are lost, doubled, late and overtaken as the faults that are on say; and in order else."""

from collections import Counter

import pytest

from unop2p.sim.swarm.faults import Fault, Kind
from unop2p.sim.swarm.weather import Weather


def weather(*faults: Fault) -> Weather:
    made = Weather(seed=1, latency_ms=20, counts=Counter())
    for fault in faults:
        made.begin(fault)
    return made


def arrivals(made: Weather, count: int = 1_000) -> list[list[int]]:
    return [made.arrivals(number, 0, 1, b"") for number in range(count)]


def test_in_fair_weather_every_message_comes_once_and_in_order() -> None:
    found = arrivals(weather())
    assert all(len(times) == 1 for times in found)
    times = [at_ms for (at_ms,) in found]
    assert times == sorted(times)
    assert all(0 < at_ms - sent <= 21 + 20 for sent, at_ms in enumerate(times))


@pytest.mark.parametrize(
    ("kind", "low", "high"), [(Kind.LOSS, 620, 780), (Kind.REPEAT, 1_220, 1_380)]
)
def test_a_share_of_messages_is_lost_or_comes_twice(kind: Kind, low: int, high: int) -> None:
    made = weather(Fault(kind=kind, percent=30))
    assert low < sum(len(times) for times in arrivals(made)) < high
    assert made.counts[kind] > 200


def test_messages_overtake_others() -> None:
    found = [at_ms for (at_ms,) in arrivals(weather(Fault(kind=Kind.REORDER, percent=30)))]
    assert found != sorted(found)


def test_a_cut_parts_seats_from_others_both_ways_and_a_one_way_cut_one_way() -> None:
    cut = weather(Fault(kind=Kind.CUT, seats=(0, 1)))
    way = weather(Fault(kind=Kind.ONE_WAY, seats=(0, 1)))
    pairs = [(sender, to) for sender in range(3) for to in range(3) if sender != to]
    assert {pair for pair in pairs if not cut.arrivals(0, *pair, b"")} == {
        (0, 2), (1, 2), (2, 0), (2, 1),
    }  # fmt: skip
    assert {pair for pair in pairs if not way.arrivals(0, *pair, b"")} == {(0, 2), (1, 2)}


def test_one_more_fault_changes_no_other_ones_chance() -> None:
    loss = Fault(kind=Kind.LOSS, percent=50)
    alone = [bool(times) for times in arrivals(weather(loss))]
    beside = [bool(t) for t in arrivals(weather(Fault(kind=Kind.REPEAT, percent=50), loss))]
    assert alone == beside


def test_a_fault_ends_and_the_healing_ends_all() -> None:
    outage = Fault(kind=Kind.OUTAGE)
    made = weather(outage)
    assert made.arrivals(0, 0, 1, b"") == []
    made.end(outage)
    assert made.arrivals(0, 0, 1, b"")
    made.begin(outage)
    made.blocked.append(lambda *_: True)
    made.clear()
    assert made.arrivals(0, 0, 1, b"")
