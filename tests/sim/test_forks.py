"""A seat that plays one game with each half of the table: what both have settled is void, the others go on."""

from collections.abc import Iterator

import pytest

from tests.sim.worlds import chain_of, honest_of, talk_about, two_worlds
from unop2p.ids import Seat
from unop2p.peer.blame import CLOSED_KEPT
from unop2p.repl.replay import read_replay
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import notices
from unop2p.table.phases import Phase
from unop2p.wire.audit import Finding, audit

pytestmark = pytest.mark.slow
LONG = with_overrides(preset("official"), {"match_end": "rounds", "target": 40})
THREE = with_overrides(preset("official"), {"match_end": "rounds", "target": 3})
PART = 6
"""The step at which the halves part."""


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with in_toy_group():
        yield


def until_void(ring: Ring) -> int:
    """Let the halves hear each other; return after how many ms all know that they were two."""
    began = ring.now_ms
    honest = honest_of(ring)
    ring.run(lambda r: all(chain_of(r, index).state.voids for index in honest))
    return ring.now_ms - began


def assert_goes_on(ring: Ring, cheat: int) -> None:
    """Check that the honest play to the end of the match, alike, and records tell how it came."""
    ring.run()
    places = [ring.places[index] for index in honest_of(ring)]
    assert len({chain.state.head for chain in (p.peer.chain for p in places) if chain}) == 1
    for place in places:
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        assert place.peer.chain is not None
        assert place.peer.chain.state.gone == {cheat: "expelled"}
        assert place.peer.chain.state.match is not None
        report = audit(place.record)
        assert (report.finding, report.author) == (Finding.FAULT, f"p{cheat}"), report.reason
        assert report.totals == place.peer.chain.state.match.totals
        assert report.head == place.peer.chain.state.head
        counted = [0] * len(report.totals)
        for outcome in report.rounds:
            counted = [a + b for a, b in zip(counted, outcome.points, strict=True)]
        assert tuple(counted) == report.totals, "no round counts that is void"


@pytest.mark.parametrize(("seats", "depth"), [(3, 2), (3, 40), (5, 12)])
def test_a_fork_however_deep_is_found_and_the_others_begin_a_new_round(
    seats: int, depth: int
) -> None:
    cheat = seats - 1
    ring = two_worlds(seats, depth, options=THREE)
    assert until_void(ring) <= 12_000
    for index in honest_of(ring):
        chain = chain_of(ring, index)
        forked = [n for n in ring.places[index].notices if isinstance(n, notices.HistoryForked)]
        assert [(n.step, n.seats) for n in forked] == [(PART, (Seat(cheat),))]
        assert chain.open.step in {PART, PART + 1}
        assert chain.state.round_index == 1
    if depth > CLOSED_KEPT:
        assert 0 < talk_about(ring, "heads") <= 6 * seats
    assert_goes_on(ring, cheat)


@pytest.mark.parametrize(
    ("resilience", "apart_at", "waits"),
    [(1, PART, True), (2, PART, False), (2, 2, False)],
    ids=["too few to stand in", "each half stands in", "from the share step on"],
)
def test_a_fork_where_others_stand_in_makes_the_round_void_and_keys_are_shared_anew(
    resilience: int, apart_at: int, *, waits: bool
) -> None:
    ring = two_worlds(5, 8, resilience=resilience, apart_at=apart_at)
    honest = honest_of(ring)
    phases = {chain_of(ring, index).state.plan.phase for index in honest}
    assert (Phase.WAIT in phases) == waits
    before = [chain_of(ring, index).state.standing for index in honest]
    until_void(ring)
    assert {chain_of(ring, index).open.step for index in honest} <= {apart_at, apart_at + 1}
    ring.run(lambda r: all(chain_of(r, index).state.stands for index in honest))
    for index in honest:
        state = chain_of(ring, index).state
        assert state.members == tuple(honest)
        assert state.threshold == len(honest) - 1, "two of four are no majority"
        assert state.standing not in before
        forked = [n for n in ring.places[index].notices if isinstance(n, notices.HistoryForked)]
        assert [(n.step, n.seats) for n in forked] == [(apart_at, (Seat(4),))]
    assert_goes_on(ring, 4)


@pytest.mark.soak
@pytest.mark.parametrize("depth", [400, 1500])
def test_a_fork_of_many_rounds_is_found_in_few_messages(depth: int) -> None:
    ring = two_worlds(3, depth, options=LONG)
    took = until_void(ring)
    print(f"{depth} steps apart: {took} ms, {talk_about(ring, 'heads')} comparisons")
    assert talk_about(ring, "heads") <= 12
    ring.run(lambda r: all(chain_of(r, i).state.round_index >= 4 for i in honest_of(r)))
    for index in honest_of(ring):
        report = audit(ring.places[index].record)
        assert report.finding is Finding.FAULT, report.reason


def test_a_peer_that_is_killed_after_a_fork_comes_back_to_where_the_others_are() -> None:
    ring = two_worlds(3, 8)
    until_void(ring)
    before = list(ring.places[1].record)
    ring.crash(1)
    chain = chain_of(ring, 1)
    assert chain.state.voids == 1
    assert chain.state.gone == {2: "expelled"}
    assert ring.places[1].record[: len(before)] == before
    assert_goes_on(ring, 2)


def test_the_secret_of_a_round_that_is_void_is_never_used_again() -> None:
    ring = two_worlds(3, 8)
    before = {index: dict(ring.places[index].secrets) for index in honest_of(ring)}
    until_void(ring)
    ring.run(lambda r: all(bool(chain_of(r, i).state.keys) for i in honest_of(r)))
    for index in honest_of(ring):
        now = ring.places[index].secrets
        assert now
        assert not set(now) & set(before[index])
        assert not set(now.values()) & set(before[index].values())


def test_who_was_not_there_is_told_of_the_fork_and_plays_on() -> None:
    ring = two_worlds(5, 6)
    ring.stop(3)
    honest = [0, 1, 2]
    ring.run(lambda r: all(chain_of(r, index).state.voids for index in honest))
    ring.run(lambda r: chain_of(r, 0).open.step >= PART + 4)
    ring.wake(3)
    ring.run(lambda r: chain_of(r, 3).state.voids == 1)
    assert_goes_on(ring, 4)


def test_a_record_with_a_fork_can_be_looked_at_card_by_card() -> None:
    ring = two_worlds(3, 12, options=THREE)
    until_void(ring)
    ring.run(lambda r: all(chain_of(r, index).open.step >= PART + 8 for index in (0, 1)))
    replay = read_replay(ring.places[0].record)
    assert not replay.wrong
    steps = [frame.step for frame in replay.frames]
    assert steps != sorted(steps), "steps that are void are shown, and then those in their place"
    forked = [n for f in replay.frames for n in f.told if isinstance(n, notices.HistoryForked)]
    assert [n.step for n in forked] == [PART]
    rounds = {frame.cards_of for frame in replay.frames}
    assert len(rounds) == 2, "cards of the round that is void are no cards of the other"
