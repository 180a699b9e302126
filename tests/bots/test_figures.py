"""Intervals and ratings: against textbook values, and against chance itself."""

from random import Random

import pytest

from unop2p.bots.figures import clustered, elo, ratio, solved, wilson


def test_wilsons_interval_is_the_one_of_the_textbook() -> None:
    found = wilson(10, 20)  # Brown, Cai and DasGupta 2001 give 0.299 to 0.701
    assert found.low == pytest.approx(0.2993, abs=1e-4)
    assert found.high == pytest.approx(0.7007, abs=1e-4)
    assert wilson(0, 20).low == 0
    assert 0.8 < wilson(20, 20).low < wilson(20, 20).high == 1
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


def test_a_ratio_to_ones_is_a_mean_with_the_normal_interval() -> None:
    found = ratio([(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (4.0, 1.0)])
    half = 1.959964 * (5 / 3 / 4) ** 0.5
    assert found.value == 2.5
    assert found.high - found.value == pytest.approx(half)
    assert ratio([(1.0, 1.0)]).low == float("-inf")


def test_a_ratio_of_equal_sizes_is_the_mean_over_the_size() -> None:
    found, plain = ratio([(2.0, 4.0), (6.0, 4.0)]), ratio([(0.5, 1.0), (1.5, 1.0)])
    assert found.value == plain.value
    assert found.low == pytest.approx(plain.low)
    assert ratio([]).value == 0


def test_sets_of_games_that_agree_count_as_one_game_each() -> None:
    rng = Random(1)
    one = [float(rng.random() < 0.5) for _ in range(200)]
    found, alone = clustered(one, 2), wilson(sum(one), 200)
    assert found.value == alone.value
    assert found.low == pytest.approx(alone.low, abs=2e-3)
    assert found.n == 400


def test_sets_without_a_difference_are_not_certain() -> None:
    assert clustered([1.0] * 10, 2).low == pytest.approx(wilson(10, 10).low)
    assert clustered([1.0], 2).low < 0.5


def test_in_nineteen_of_twenty_cases_the_truth_lies_in_the_interval() -> None:
    rng = Random(4)
    hits = 0
    for _ in range(400):
        sets = [(float(rng.random() < 0.6) + float(rng.random() < 0.6)) / 2 for _ in range(100)]
        found = clustered(sets, 2)
        hits += found.low <= 0.6 <= found.high
    assert 360 <= hits <= 396


def test_elo_of_two_is_the_logarithm_of_their_odds() -> None:
    found = elo(["a", "b"], {("a", "b"): (24.5, 99)})  # 25 of 100 once half a win each is added
    assert found["b"].value == pytest.approx(400 * 0.47712, abs=0.01)
    assert found["a"].value == 0
    half = 1.959964 * 400 / 2.302585 / (100 * 0.25 * 0.75) ** 0.5
    assert found["b"].high - found["b"].value == pytest.approx(half, rel=1e-3)


def test_elo_of_many_is_found_again_from_their_games() -> None:
    truth = {"a": 0.0, "b": 100.0, "c": 250.0}
    scores = {
        (a, b): (10_000 / (1 + 10 ** ((truth[b] - truth[a]) / 400)), 10_000)
        for a, b in (("a", "b"), ("a", "c"), ("b", "c"))
    }
    found = elo(list(truth), scores)
    for name, value in truth.items():
        assert found[name].value == pytest.approx(value, abs=0.2)
        assert found[name].low <= found[name].value <= found[name].high


def test_who_never_lost_has_a_rating_too() -> None:
    found = elo(["a", "b"], {("a", "b"): (0, 10)})
    assert 300 < found["b"].value < 700
    assert found["b"].low < found["b"].value < found["b"].high
    assert elo(["a"], {}) == {"a": found["a"].__class__(value=0.0, low=0.0, high=0.0, n=0)}


def test_equations_are_solved() -> None:
    assert solved([[0.0, 2.0], [4.0, 0.0]], [6.0, 8.0]) == [2.0, 3.0]
