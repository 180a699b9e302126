"""Files of weights, and forecasts with and without numpy."""

import json
from random import Random

import pytest

from unop2p.bots import layout
from unop2p.bots.likeness import TRAINED
from unop2p.bots.weights import Forecaster, WeightsError, dump, parse, shipped

SIZES = (layout.SIZE, 3, 1)
COUNT = layout.SIZE * 3 + 3 + 3 + 1


def flat(seed: int = 1) -> list[float]:
    rng = Random(seed)
    return [rng.uniform(-1, 1) for _ in range(COUNT)]


def text(**changes: object) -> str:
    held = json.loads(dump(SIZES, flat(), {"seed": 1}))
    return json.dumps(held | changes)


def test_a_file_is_read_as_it_was_written_to_sixteen_bits() -> None:
    found = parse(dump(SIZES, flat(), {"seed": 1}))
    assert found.sizes == SIZES
    assert found.trained == {"seed": 1}
    numbers = [n for row in found.matrices[0] for n in row] + list(found.added[0])
    numbers += [n for row in found.matrices[1] for n in row] + list(found.added[1])
    assert numbers == pytest.approx(flat(), abs=1e-3)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "[]",
        "{}",
        text(format="other"),
        text(layers=[5, 1]),
        text(layers=[layout.SIZE, 3, 2]),
        text(layers=[layout.SIZE, 10**9, 1]),
        text(layers=[layout.SIZE, True, 1]),
        text(layers=5),
        text(weights=["?"]),
        text(weights=["AAAA"]),
        text(weights=7),
        text(trained=[]),
        dump(SIZES, [float("nan")] * COUNT, {}),
        dump(SIZES, [float("inf")] * COUNT, {}),
        "[" * 100_000,
    ],
)
def test_what_is_no_file_of_weights_is_refused(wrong: str) -> None:
    with pytest.raises(WeightsError):
        parse(wrong)


NAMES = [*TRAINED, *(f"{name}-{rules}" for name, more in TRAINED.items() for rules in more)]


@pytest.mark.parametrize("name", NAMES)
def test_weights_that_ship_can_be_read_and_say_how_they_were_trained(name: str) -> None:
    found = shipped(name)
    assert {"command", "samples"} <= set(found.trained)


def test_numpy_and_plain_python_foretell_the_same() -> None:
    rng = Random(3)
    rows = [[rng.choice((0.0, 1.0, rng.random())) for _ in range(layout.SIZE)] for _ in range(9)]
    for name in ("net-two", "linear-more"):
        fast, plain = Forecaster(shipped(name)), Forecaster(shipped(name), fast=False)
        assert fast.numpy is not None
        assert plain.numpy is None
        assert fast.values(rows) == pytest.approx(plain.values(rows), abs=3e-4)


def test_without_numpy_plain_python_foretells(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("unop2p.bots.weights.importlib.import_module", missing)
    forecaster = Forecaster(shipped("linear-two"))
    assert forecaster.numpy is None
    assert len(forecaster.values([[0.0] * layout.SIZE])) == 1
