"""Long sleepers, lost journals, whole matches missed: what is needed comes from the others, in chunks."""

import time
import tracemalloc
from collections.abc import Iterator

import pytest

from tests.sim.worlds import chain_of
from unop2p.peer.blame import OLD_JOURNAL_EXIT_CODE
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import notices
from unop2p.wire.audit import Finding, audit

pytestmark = pytest.mark.slow
HOUR_MS = 3_600_000
LONG = with_overrides(preset("official"), {"match_end": "rounds", "target": 30})


@pytest.fixture
def toy() -> Iterator[None]:
    with in_toy_group():
        yield


def asleep(ring: Ring, seat: int, until_step: int) -> None:
    """Let a seat sleep while the others play on to a step."""
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.open.step >= 8 for p in r.places))
    ring.stop(seat)
    other = (seat + 1) % len(ring.places)
    ring.run(lambda r: chain_of(r, other).open.step >= until_step)


def _caught_up(ring: Ring, seat: int) -> bool:
    chain = ring.places[seat].peer.chain
    if chain is None:
        return False
    others = (chain_of(ring, i).open.step for i in range(len(ring.places)) if i != seat)
    return chain.open.step >= max(others) - 1 and seat in chain.state.active


def test_a_laptop_that_wakes_after_an_hour_has_all_it_missed_in_seconds(toy: None) -> None:
    ring = Ring(4, LONG, seed=1, think_ms=30_000)
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.open.step >= 8 for p in r.places))
    ring.stop(2)
    slept = ring.now_ms
    ring.run(lambda r: r.now_ms - slept >= HOUR_MS)
    missed = chain_of(ring, 0).open.step - chain_of(ring, 2).open.step
    assert missed > 100
    ring._think_ms = 0
    ring.wake(2)
    woke, most = ring.now_ms, 0

    def look(r: Ring) -> bool:
        nonlocal most
        most = max(most, r.places[2].peer._ahead_count)
        return _caught_up(r, 2)

    ring.run(look)
    assert ring.now_ms - woke <= 5_000
    assert most <= ring.places[2].peer.limits.ahead_max, "in bounded memory"
    assert audit(ring.places[2].record).finding is Finding.INCOMPLETE
    assert chain_of(ring, 2).fault is None


def test_a_seat_whose_journal_is_lost_says_nothing_more_and_nobody_is_blamed(toy: None) -> None:
    ring = Ring(4, LONG, seed=1, think_ms=500)
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.open.step >= 12 for p in r.places))
    ring.places[2].entries.clear()
    ring.crash(2)
    said = len(ring.places[2].said)
    ring.run(lambda r: r.places[2].stop is not None)
    stop = ring.places[2].stop
    assert stop is not None
    assert stop.exit_code == OLD_JOURNAL_EXIT_CODE
    words = [s for s in ring.places[2].said[said:] if b'"kind":"statement"' in s.payload]
    assert not words, "it could contradict what it has said"
    ring.run(lambda r: any(isinstance(n, notices.SeatAway) for n in r.places[0].notices))
    assert all(chain_of(ring, index).fault is None for index in (0, 1, 3))


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_how_long_a_whole_match_takes_to_catch_up_with() -> None:
    """Prints; in the real group. The sleeper checks every signature and proof that it missed."""
    ring = Ring(4, LONG, seed=1, think_ms=500)
    asleep(ring, 2, 850)
    ring._results.clear()  # it shall find nothing checked by others
    missed = 850 - chain_of(ring, 2).open.step
    tracemalloc.start()
    ring.wake(2)
    began, sim_began = time.perf_counter(), ring.now_ms
    ring.run(lambda r: _caught_up(r, 2))
    took = time.perf_counter() - began
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"{missed} steps of four seats: {took:.1f} s of one core for all four peers, "
        f"{ring.now_ms - sim_began} ms of the table's time, {peak / 1e6:.0f} MB at most"
    )
