"""The coin is everybody's, and what grows out of it is uniform."""

from collections import Counter
from itertools import permutations

import pytest

from unop2p.deal.coin import coin, permutation, shuffled, uniform_below

SEEDS = [bytes([seat]) * 32 for seat in range(4)]


def test_coin_depends_on_every_seed_and_on_their_order() -> None:
    tossed = coin(SEEDS)
    assert len(tossed) == 32
    assert coin(list(SEEDS)) == tossed
    changed = [[*SEEDS[:i], b"!" * 32, *SEEDS[i + 1 :]] for i in range(4)]
    changed += [SEEDS[::-1], SEEDS[:3]]
    assert len({tossed, *(coin(seeds) for seeds in changed)}) == 7


def test_permutation_depends_on_coin_and_label() -> None:
    found = {permutation(coin(SEEDS), label, 50) for label in ("order", "dealer")}
    found.add(permutation(coin(SEEDS[:2]), "order", 50))
    assert len(found) == 3
    assert all(sorted(one) == list(range(50)) for one in found)
    assert permutation(coin(SEEDS), "order", 50) in found


@pytest.mark.parametrize("count", [0, 1])
def test_permutation_of_nothing_or_one_is_itself(count: int) -> None:
    assert permutation(coin(SEEDS), "order", count) == tuple(range(count))


def test_words_that_would_bias_are_drawn_again() -> None:
    # 2^64 = 4 modulo 6: the four highest words are refused.
    words = iter([2**64 - 1, 2**64 - 4, 2**64 - 5])
    assert uniform_below(6, lambda: next(words)) == (2**64 - 5) % 6
    assert next(words, None) is None


def test_every_word_serves_where_the_bound_divides() -> None:
    assert uniform_below(8, lambda: 2**64 - 1) == 7


def test_every_permutation_is_reached_by_exactly_one_choice_of_swaps() -> None:
    def choices(first: int, second: int, third: int) -> tuple[int, ...]:
        words = iter([first, second, third])
        return shuffled(4, lambda: next(words))

    found = [choices(a, b, c) for a in range(4) for b in range(3) for c in range(2)]
    assert sorted(found) == sorted(permutations(range(4)))


def test_permutations_are_uniform_by_chi_square() -> None:
    draws = 2400
    counts = Counter(permutation(number.to_bytes(4, "big"), "order", 4) for number in range(draws))
    expected = draws / 24
    statistic = sum((counts[p] - expected) ** 2 / expected for p in permutations(range(4)))
    # 99.9 % of uniform draws stay below, at 23 degrees of freedom; the seeds are fixed.
    assert statistic < 49.73
