"""Killed between persisting and publishing, a peer says the same bytes again, and the round ends."""

import pytest

from tests.peer.test_ring import SHORT
from unop2p.peer import events
from unop2p.peer.blame import OLD_JOURNAL_EXIT_CODE
from unop2p.sim.ring import Ring
from unop2p.wire.audit import Finding, audit


class KillAfterPersist:
    """Kills one peer before each effect that directly follows a `Persist`."""

    def __init__(self, victim: int, *, only: int | None = None) -> None:
        self.victim, self.only = victim, only
        self.persisted = False
        self.points = 0
        self.kills = 0

    def __call__(self, index: int, _number: int, effect: events.Effect) -> bool:
        if index != self.victim:
            return False
        before, self.persisted = self.persisted, isinstance(effect, events.Persist)
        if not before or not isinstance(effect, events.Publish):
            return False
        self.points += 1
        if self.only is not None and self.points != self.only:
            return False
        self.kills += 1
        return True


def assert_well(ring: Ring) -> None:
    assert len(ring.heads()) == 1
    for index, place in enumerate(ring.places):
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        assert audit(place.record).finding is Finding.COMPLETE
        assert all(len(said) == 1 for said in ring.statements(index).values())


@pytest.mark.slow
@pytest.mark.parametrize("victim", [0, 1])
def test_killed_at_every_point_between_persist_and_publish_it_says_the_same_again(
    victim: int,
) -> None:
    crash = KillAfterPersist(victim)
    ring = Ring(2, SHORT, seed=4, crash=crash)
    ring.run()
    assert crash.kills > 30
    assert_well(ring)


@pytest.mark.slow
@pytest.mark.parametrize("only", [1, 2, 3, 4, 5, 6, 8, 12, 25])
def test_killed_once_among_three_it_comes_back(only: int) -> None:
    crash = KillAfterPersist(2, only=only)
    ring = Ring(3, SHORT, seed=4, crash=crash)
    ring.run()
    assert crash.kills == 1
    assert_well(ring)


@pytest.mark.slow
@pytest.mark.parametrize("cut", [6, 9, 12])
def test_a_seat_whose_journal_is_an_old_copy_finds_its_own_words_at_the_table_and_stops(
    cut: int,
) -> None:
    """What it said since the copy was made it does not know: going on, it would contradict itself."""
    ring = Ring(2, SHORT, seed=4)
    ring.run(lambda ring: settled(ring) >= cut)
    place = ring.places[1]
    copy = list(place.entries)
    ring.run(lambda ring: settled(ring) >= cut + 6)
    place.entries = copy
    said = ring.statements(1)
    ring.crash(1)
    ring.run(lambda _ring: place.stop is not None)
    assert place.stop is not None
    assert place.stop.exit_code == OLD_JOURNAL_EXIT_CODE == 31
    assert "old copy" in place.stop.reason
    assert ring.statements(1) == said, "a word that its journal lacks was said anew"
    assert ring.places[0].stop is None


def settled(ring: Ring) -> int:
    """Return how many steps every peer has settled."""
    return min(p.peer.chain.state.step if p.peer.chain else 0 for p in ring.places)
