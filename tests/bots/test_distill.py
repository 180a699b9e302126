"""One weight for each feature, learned from a network."""

import numpy as np
import pytest

from unop2p.bots import layout
from unop2p.bots.distill import Pupil, softmax
from unop2p.bots.learning import Arrays, Network


def test_chances_of_a_round_add_up_to_one() -> None:
    values = np.array([1.0, 2.0, 3.0, 500.0, 499.0], dtype=np.float32)
    found = softmax(values, np.array([0, 3]), np.array([3, 2]))
    assert found[:3].sum() == pytest.approx(1)
    assert found[3:].sum() == pytest.approx(1)
    assert found[3] / found[4] == pytest.approx(np.e, rel=1e-5)


def test_a_pupil_of_a_linear_teacher_comes_to_choose_as_it_does() -> None:
    rng = np.random.default_rng(1)
    teacher = Network((layout.SIZE, 1), rng)
    teacher.weights[0] *= 2
    chance = np.random.default_rng(2)
    pupil = Pupil(teacher, chance, [Arrays(64, seats, chance) for seats in (2, 3)])
    first = float(np.mean([pupil.lesson() for _ in range(5)]))
    for _ in range(250):
        pupil.lesson()
    last = float(np.mean([pupil.lesson() for _ in range(20)]))
    assert last > max(first, 0.8)
    assert pupil.samples > 5_000
    assert pupil.rounds
