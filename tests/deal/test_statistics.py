"""Deals are uniform by chi-square; the full run is `python -m tests.deal.statistics`."""

import math

import pytest

from tests.deal import statistics
from tests.deal.statistics import FACES, GROUPS, P_MIN, cases, chi_square_tail, count
from unop2p.deal import commit_reveal
from unop2p.deal.commit_reveal import CommitRevealShuffle
from unop2p.deal.shuffle import ShuffleArgument
from unop2p.sim.toy import in_toy_group

QUICK = list(cases(250, 6))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("group", "argument", "deals", "one_honest"),
    QUICK,
    ids=[f"{g}-{a.name}-{'one' if one else 'all'}" for g, a, _, one in QUICK],
)
def test_deals_are_uniform_also_when_one_seat_alone_is_honest(
    group: str, argument: ShuffleArgument, deals: int, one_honest: bool
) -> None:
    with GROUPS[group]():
        found = count(argument, deals, one_honest=one_honest).p_values()
    assert min(found.values()) > P_MIN, found


@pytest.mark.slow
@pytest.mark.parametrize("bias", ["naive", "modulo"])
def test_a_biased_shuffle_is_seen(monkeypatch: pytest.MonkeyPatch, bias: str) -> None:
    """The two classic mistakes: swapping with any place, and a remainder of a small word."""

    def biased(size: int, word: object) -> tuple[int, ...]:
        items = list(range(size))
        for last in range(size - 1, 0, -1):
            drawn = word()  # type: ignore[operator]
            other = drawn % size if bias == "naive" else drawn % 12 % (last + 1)
            items[last], items[other] = items[other], items[last]
        return tuple(items)

    monkeypatch.setattr(commit_reveal, "shuffled", biased)
    with in_toy_group():
        found = count(CommitRevealShuffle(), 1_500, one_honest=True).p_values()
    assert min(found.values()) < P_MIN


@pytest.mark.parametrize(
    ("value", "degrees", "tail"),
    [(3.841, 1, 0.05), (18.307, 10, 0.05), (124.342, 100, 0.05), (63.691, 40, 0.01), (0, 5, 1)],
)
def test_tail_of_chi_square_is_that_of_the_tables(value: float, degrees: int, tail: float) -> None:
    assert math.isclose(chi_square_tail(value, degrees), tail, rel_tol=1e-3)


def test_far_tail_of_two_degrees_is_the_exponential() -> None:
    for value in (0.5, 3.0, 40.0, 200.0):
        assert math.isclose(chi_square_tail(value, 2), math.exp(-value / 2), rel_tol=1e-9)


def test_a_deal_leaves_every_card_once() -> None:
    with in_toy_group():
        table = statistics.new_table()
        order = statistics.deal(table, CommitRevealShuffle(), "one", (1,))
    assert sorted(order) == list(range(len(FACES)))
