"""What the fuzzer starts from and has found stays refused; and changes by chance, a few more each time."""

import random

import pytest

from tests.fuzz.target import kept, mutated, run_one, seeds

pytestmark = pytest.mark.slow
CHANGES = 600


def test_every_real_message_is_taken_by_every_way_in_without_harm() -> None:
    for data in seeds():
        run_one(data)


def test_what_was_found_once_does_no_harm() -> None:
    assert len(kept()) > 20
    for data in kept():
        run_one(data)


@pytest.mark.parametrize("seed", range(2))
def test_real_messages_with_something_changed_do_no_harm(seed: int) -> None:
    rng = random.Random(seed)
    begun = seeds()
    for _ in range(CHANGES):
        data = rng.choice(begun)
        for _ in range(rng.randint(1, 3)):
            data = mutated(data, rng)
        run_one(data)
