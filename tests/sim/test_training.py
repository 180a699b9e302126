"""The loop around the training."""

from dataclasses import replace

import numpy as np
import pytest

from unop2p.bots.weights import parse, shipped
from unop2p.rules.options import PRESETS, with_overrides
from unop2p.sim import training
from unop2p.sim.training import Course, Look, deck_of, learn, network_of


def course(level: str, samples: int) -> Course:
    return Course(level=level, seats=(2,), samples=samples, seed=1, tables=32)


@pytest.mark.parametrize("level", ["net", "linear"])
def test_a_course_ends_with_a_file_and_a_look(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "LOOK_ROUNDS", 40)
    monkeypatch.setattr(
        training, "look", lambda course, network, weights, samples: Look(samples=samples, points=())
    )
    files: list[str] = []
    looks: list[Look] = []
    counts: list[int] = []
    teacher = shipped("net-two") if level == "linear" else None
    learn(
        course(level, 2_000),
        teacher=teacher,
        told=counts.append,
        looked=looks.append,
        keep=files.append,
    )
    assert counts == sorted(counts)
    assert len(files) == len(looks) == 1
    found = parse(files[0])
    assert found.trained["samples"] == counts[-1] >= 2_000
    assert found.trained["command"] == course(level, 2_000).command()
    assert found.sizes[-2] == (154 if level == "linear" else 32)


def test_a_network_is_read_from_its_file() -> None:
    weights = shipped("net-two")
    network = network_of(weights)
    assert [weight.shape for weight in network.weights[::2]] == [(154, 64), (64, 32), (32, 1)]
    assert network.weights[1].tolist() == pytest.approx(list(weights.added[0]))


def test_a_look_is_at_every_number_of_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "LOOK_ROUNDS", 20)
    monkeypatch.setattr(training, "LOOK_TABLES", 20)
    wide = Course(level="net", seats=(2, 4), samples=1, seed=1, tables=32, spare=9)
    network = network_of(shipped("net-more"))
    found = training.look(wide, network, network.weights, 5)
    assert [seats for seats, *_ in found.points] == [2, 4]
    assert wide.command().endswith("--seats 2,4 --samples 1 --tables 32 --seed 1 --spare 9")


def test_official_but_for_the_deck_is_played_in_arrays_and_all_else_on_the_engine() -> None:
    assert deck_of(PRESETS["official"]) == "112_shuffle"
    assert deck_of(PRESETS["polish"]) == "108"
    changed = {"target": 300, "uno_penalty": 4, "hidden_checks": "proved"}
    assert deck_of(with_overrides(PRESETS["polish"], changed)) == "108"
    for name in ("greek", "hebrew", "ukrainian", "romanian"):
        assert deck_of(PRESETS[name]) is None
    others = ({"scoring": "keep_own"}, {"deck": "112_swap"}, {"extra_wild_points": 50})
    for other in others:
        assert deck_of(with_overrides(PRESETS["official"], other)) is None


@pytest.mark.parametrize("level", ["net", "linear"])
def test_any_rules_are_learned_on_from_weights_that_are_there(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "LOOK_ROUNDS", 20)
    romanian = replace(
        course(level, 1_500), rules="romanian", options=PRESETS["romanian"], start="official"
    )
    net = shipped("net-two")
    files: list[str] = []
    looks: list[Look] = []
    learn(
        romanian,
        teacher=net if level == "linear" else None,
        start=net if level == "net" else None,
        told=lambda _: None,
        looked=looks.append,
        keep=files.append,
    )
    found = parse(files[-1])
    assert found.trained["command"].endswith("--seed 1 --rules romanian --start official")
    ((seats, points, half, won),) = looks[-1].points
    assert seats == 2
    assert -60 < points < 60
    assert half > 0
    assert 0.2 < won < 0.9
    if level == "net":
        moved = np.abs(np.array(found.matrices[0]) - np.array(net.matrices[0]))
        assert 0 < moved.mean() < 0.05  # it has learned, and has not begun anew
