"""A budget: a bucket of work that refills with time, and never holds more than its size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.peer.limits import Budget, Limits


def test_a_burst_may_be_spent_at_once_and_no_more() -> None:
    budget = Budget(burst=3, per_second=2)
    assert [budget.spend(0) for _ in range(5)] == [True, True, True, False, False]


def test_it_refills_by_the_second_and_to_its_size_only() -> None:
    budget = Budget(burst=2, per_second=1)
    assert [budget.spend(0), budget.spend(0), budget.spend(999)] == [True, True, False]
    assert [budget.spend(1000), budget.spend(1000)] == [True, False]
    assert [budget.spend(10**9) for _ in range(3)] == [True, True, False]


def test_a_clock_that_goes_back_gives_nothing() -> None:
    budget = Budget(burst=1, per_second=1000)
    assert budget.spend(5000)
    assert not budget.spend(10)
    assert budget.spend(11)


@given(
    burst=st.integers(0, 20),
    rate=st.integers(0, 50),
    waits=st.lists(st.integers(0, 500), max_size=60),
)
def test_no_more_is_ever_spent_than_the_burst_and_what_time_has_brought(
    burst: int, rate: int, waits: list[int]
) -> None:
    budget = Budget(burst=burst, per_second=rate)
    now = spent = 0
    for wait in waits:
        now += wait
        spent += budget.spend(now)
        assert spent * 1000 <= burst * 1000 + now * rate


@pytest.mark.parametrize("field", list(Limits.__slots__))
def test_every_bound_is_a_positive_number(field: str) -> None:
    assert getattr(Limits(), field) > 0


def test_a_look_at_a_budget_takes_nothing() -> None:
    budget = Budget(burst=1, per_second=1)
    assert budget.holds(0)
    assert budget.holds(0)
    assert budget.spend(0)
    assert not budget.holds(0)
    assert budget.holds(1000)
