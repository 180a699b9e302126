"""The loop around the training."""

import pytest

from unop2p.bots.weights import parse, shipped
from unop2p.sim import training
from unop2p.sim.training import Course, Look, learn, network_of


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
