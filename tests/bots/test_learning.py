"""Training: gradients, λ-returns, and that a little of it already teaches something."""

from typing import Any

import numpy as np
import pytest

from unop2p.bots import layout
from unop2p.bots.batch import Tables
from unop2p.bots.kinds import DRAW
from unop2p.bots.learning import (
    Adam,
    Arrays,
    Learner,
    Network,
    Plan,
    against_greedy,
    greedy_actions,
)


def test_gradients_are_the_slopes_of_the_error() -> None:
    rng = np.random.default_rng(1)
    network = Network((5, 4, 3, 1), rng)
    network.weights = [weight.astype(np.float64) for weight in network.weights]
    for bias in network.weights[1::2]:
        bias += rng.standard_normal(bias.shape)  # at nothing a rectifier has two slopes
    # Twice as exact as its own numbers: a slope is measured as a small difference.
    inputs: Any = rng.standard_normal((20, 5))
    targets: Any = rng.standard_normal(20)

    def error() -> float:
        return float(((network.value(inputs) - targets) ** 2).mean() / 2)

    slopes, told = network.gradients(inputs, targets)
    assert told == pytest.approx(error())
    for place, weight in enumerate(network.weights):
        for at in list(np.ndindex(weight.shape))[:6]:
            kept = weight[at]
            weight[at] = kept + 1e-5
            above = error()
            weight[at] = kept - 1e-5
            below = error()
            weight[at] = kept
            assert slopes[place][at] == pytest.approx((above - below) / 2e-5, abs=1e-4)


def test_adam_walks_downhill_and_keeps_a_mean() -> None:
    rng = np.random.default_rng(2)
    network = Network((3, 8, 1), rng)
    adam = Adam(network)
    inputs = rng.standard_normal((256, 3)).astype(np.float32)
    targets = (inputs[:, 0] * inputs[:, 1]).astype(np.float32)
    errors = []
    for _ in range(400):
        slopes, error = network.gradients(inputs, targets)
        adam.step(slopes, 0.01, 0.9)
        errors.append(error)
    assert errors[-1] < errors[0] / 3
    assert not np.array_equal(adam.mean[0], network.weights[0])


def test_a_return_is_cut_where_chance_has_moved_and_unknown_where_play_goes_on() -> None:
    rng = np.random.default_rng(1)
    tables = Arrays(2, 2, rng)
    learner = Learner(Plan(steps=4, warm=0, fade=0.5), rng, [tables])
    seats = np.array([[0, 0], [1, 1], [0, 0], [0, 0]])
    used = np.ones((4, 2), dtype=np.bool_)
    best = np.array([[0.1, 0.1], [0.2, 0.2], [0.4, 0.4], [0.8, 0.8]], dtype=np.float32)
    strayed = np.array([[False, False], [False, False], [False, True], [False, False]])
    ended = np.array([[False, False], [False, False], [False, False], [True, False]])
    rewards = np.zeros((4, 2, 2), dtype=np.float32)
    rewards[3, 0] = (60, -60)
    found = learner._targets(tables, seats, used, best, strayed, ended, rewards)
    # The round of the first column ends with 60 points for seat 0.
    assert found[3, 0] == pytest.approx(0.6)
    assert found[2, 0] == pytest.approx(0.8 + 0.5 * (0.6 - 0.8))
    assert found[0, 0] == pytest.approx(0.4 + 0.5 * (found[2, 0] - 0.4))
    assert found[1, 0] == pytest.approx(-0.6)
    # The other goes on: its last moves have no return, and who strayed teaches by its best forecast.
    assert np.isnan(found[3, 1])
    assert np.isnan(found[1, 1])
    assert found[2, 1] == pytest.approx(0.8)
    assert found[0, 1] == pytest.approx(0.4)


def test_greedy_in_arrays_plays_high_cards_and_bluffs_never() -> None:
    tables = Tables(400, 3, np.random.default_rng(5))
    for _ in range(60):
        actions = greedy_actions(tables)
        legal = tables.legal()
        assert legal[np.arange(tables.count), actions].all()
        can = legal[:, :52].any(axis=1)
        assert (actions[can] < 52).all()
        tables.step(actions)
        assert not tables.guilty[tables.phase == 2].any()
        tables.deal()


def test_nobody_draws_of_its_own_accord_with_many_cards() -> None:
    tables = Tables(300, 2, np.random.default_rng(5), spare=3)
    legal = tables.legal()
    playable = legal[:, :DRAW].any(axis=1)
    assert not legal[playable & (tables.phase == 0), DRAW].any()


def lessons(seed: int, samples: int) -> tuple[Learner, list[float]]:
    plan = Plan(steps=48, batch=256, warm=samples, layers=(16,))
    rng = np.random.default_rng(seed)
    learner = Learner(plan, rng, [Arrays(64, 2, rng)])
    errors: list[float] = []
    while learner.samples < samples:
        errors.append(learner.lesson())
    return learner, errors


def test_the_same_seed_learns_the_same() -> None:
    (one, _), (same, _), (other, _) = (lessons(seed, 3_000) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one.adam.mean, same.adam.mean, strict=True))
    assert not np.array_equal(one.adam.mean[0], other.adam.mean[0])
    assert one.rounds > 20


@pytest.mark.slow
def test_forecasts_become_better_with_lessons() -> None:
    _, errors = lessons(1, 60_000)
    assert np.isfinite(errors).all()
    assert np.mean(errors[-8:]) < 0.95 * np.mean(errors[:4])


def test_a_seat_of_the_network_plays_among_greedy_ones_and_is_counted() -> None:
    network = Network((layout.SIZE, 1), np.random.default_rng(1))
    network.weights[0][:] = 0
    network.weights[0][layout.POINTS] = -1  # to hold few points is all it wants
    tables = Arrays(100, 3, np.random.default_rng(7), spare=0)
    points, half, won = against_greedy(network.weights, network.sizes, tables, 300)
    assert -15 < points < 15
    assert 2 < half < 20
    assert 0.2 < won < 0.45
