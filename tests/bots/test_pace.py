"""How long a bot seems to think hangs on nothing that it holds."""

import statistics
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.bots.pace import FAST, HUMAN, PACE_MAX_MS, PaceError, read_pace


class Counting(Random):
    """Counts what is drawn."""

    drawn = 0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.drawn += 1
        return super().randrange(start, stop, step)


@given(st.integers(0, 1 << 32), st.booleans())
def test_human_times_lie_within_what_people_take(seed: int, reacting: bool) -> None:
    delay = HUMAN.delay_ms(Random(seed), reacting=reacting, most_ms=60_000)
    assert 600 <= delay <= (1_500 if reacting else 3_000)


def test_human_times_have_their_median_and_a_longer_tail_above_it() -> None:
    rng = Random(1)
    found = [HUMAN.delay_ms(rng, reacting=False, most_ms=60_000) for _ in range(4_000)]
    median = statistics.median(found)
    assert 1_150 < median < 1_250
    assert statistics.mean(found) > median
    assert len(set(found)) > 1_000


def test_every_time_takes_as_much_chance_as_any_other() -> None:
    rng = Counting(3)
    HUMAN.delay_ms(rng, reacting=False, most_ms=60_000)
    first = rng.drawn
    HUMAN.delay_ms(rng, reacting=True, most_ms=1)
    assert rng.drawn == 2 * first > 0


@given(st.integers(0, 1 << 32), st.integers(0, 5_000))
def test_no_time_is_longer_than_the_table_allows(seed: int, most_ms: int) -> None:
    assert HUMAN.delay_ms(Random(seed), reacting=False, most_ms=most_ms) <= most_ms


def test_fast_is_at_once() -> None:
    assert FAST.delay_ms(Random(1), reacting=False, most_ms=1_000) == 0


def test_a_number_is_so_many_milliseconds_for_every_decision() -> None:
    pace = read_pace("250")
    for reacting in (False, True):
        assert pace.delay_ms(Random(1), reacting=reacting, most_ms=60_000) == 250
    assert read_pace("human") == HUMAN
    assert read_pace("fast") == FAST


@pytest.mark.parametrize(
    "text", ["", "slow", "-1", "1.5", "٣", "99999999999", str(PACE_MAX_MS + 1)]
)
def test_any_other_word_is_refused(text: str) -> None:
    with pytest.raises(PaceError):
        read_pace(text)
