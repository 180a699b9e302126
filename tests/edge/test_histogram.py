"""Times in buckets: percentiles are right within a bucket, and histograms add up."""

from hypothesis import given
from hypothesis import strategies as st

from unop2p.edge.histogram import BOUNDS_S, LEAST_S, Histogram

TIMES = st.lists(st.floats(LEAST_S, 900.0), min_size=1, max_size=50)


def of(times: list[float]) -> Histogram:
    made = Histogram()
    for seconds in times:
        made.add(seconds)
    return made


@given(TIMES, st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_a_percentile_is_at_most_a_bucket_above_the_true_one(
    times: list[float], part: float
) -> None:
    true = sorted(times)[max(1, round(part * len(times))) - 1]
    found = of(times).quantile_s(part)
    assert found is not None
    assert true <= found * (1 + 1e-9)
    assert found <= true * 1.101


@given(TIMES, TIMES)
def test_two_that_are_merged_are_the_one_of_all_times(
    left: list[float], right: list[float]
) -> None:
    merged, whole = of(left), of(left + right)
    merged.merge(of(right).counts, of(right).sum_s)
    assert merged.counts == whole.counts
    assert abs(merged.sum_s - whole.sum_s) < 1e-6


@given(TIMES)
def test_coarse_bounds_rise_and_count_all_that_is_not_above_them(times: list[float]) -> None:
    coarse = list(of(times).coarse())
    assert [bound for bound, _ in coarse] == sorted(bound for bound, _ in coarse)
    for bound, count in coarse:
        assert count == sum(seconds <= bound for seconds in times)


def test_of_no_times_there_is_no_percentile_and_a_long_one_has_a_bucket() -> None:
    assert Histogram().quantile_s(0.5) is None
    assert of([5_000.0]).quantile_s(0.5) == BOUNDS_S[-1]
    assert of([5_000.0, 0.0]).count == 2
