"""What the fuzzer starts from and has found stays refused; and changes by chance, a few more each time."""

import random
from pathlib import Path

import pytest

from tests.fuzz.target import mutated, run_one, seeds

pytestmark = pytest.mark.slow
KEPT = sorted((Path(__file__).parent / "corpus").iterdir())
CHANGES = 600


def test_every_real_message_is_taken_by_every_way_in_without_harm() -> None:
    for data in seeds():
        run_one(data)


def test_what_was_found_once_does_no_harm() -> None:
    assert KEPT
    for path in KEPT:
        run_one(path.read_bytes())


@pytest.mark.parametrize("seed", range(2))
def test_real_messages_with_something_changed_do_no_harm(seed: int) -> None:
    rng = random.Random(seed)
    begun = seeds()
    for _ in range(CHANGES):
        data = rng.choice(begun)
        for _ in range(rng.randint(1, 3)):
            data = mutated(data, rng)
        run_one(data)
