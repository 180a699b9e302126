"""The rules by which a step closes, explored to the end for small tables.

What is looked at, and within which bounds, is said in `agreement.py`. Counts of states are compared, so
that a change of the rules, or of the model, cannot pass unseen.
"""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from tests.model.agreement import Model, Rules, Said, State, explore, liars, settles, swap
from tests.model.agreement import contradicts as model_contradicts
from unop2p.log.evidence import contradiction
from unop2p.log.messages import Adopt, Try

MUTANTS = {
    "one vote short of a majority is enough": Rules(majority_less=1),
    "a try names no seal": Rules(names_seal=False),
    "adopts an attempt lower than one that it has tried": Rules(adopts_rise=False),
    "tries an attempt twice": Rules(one_try=False),
    "adopts what is not sealed": Rules(seal_first=False),
    "counts a try without the seal that it names": Rules(seal_counts=False),
}


@pytest.mark.parametrize(
    ("n", "attempts", "states"),
    [(3, 1, 135), (3, 2, 6744), (4, 1, 263), (5, 1, 1118)],
)
def test_no_two_closes_settle_among_the_honest_whatever_is_lost(
    n: int, attempts: int, states: int
) -> None:
    found = explore(Model(n, attempts))
    assert (found.fork, found.blamed) == (None, None)
    assert found.states == states


@pytest.mark.slow
@pytest.mark.parametrize(("n", "attempts", "states"), [(3, 2, 22074), (4, 1, 460), (5, 1, 2133)])
def test_a_voter_that_signs_anything_forks_nothing_without_contradicting_itself(
    n: int, attempts: int, states: int
) -> None:
    total = 0
    for liar in liars(attempts):
        found = explore(Model(n, attempts, liar))
        assert (found.fork, found.blamed) == (None, None), liar
        total += found.states
    assert total == states


@pytest.mark.soak
def test_no_two_closes_settle_among_four_within_two_attempts() -> None:
    total = 0
    for liar in [None, *liars(2)]:
        found = explore(Model(4, 2, liar))
        assert (found.fork, found.blamed) == (None, None), liar
        total += found.states
    assert total == 27255 + 115132


@pytest.mark.slow
@pytest.mark.parametrize("broken", MUTANTS)
def test_each_rule_is_needed(broken: str) -> None:
    rules = MUTANTS[broken]
    assert any(
        found.fork is not None or found.blamed is not None
        for found in (explore(Model(3, 2, liar, rules)) for liar in [None, *liars(2)])
    )


@pytest.mark.parametrize(("n", "attempts"), [(3, 1), (4, 1), (5, 1)])
def test_from_every_state_a_majority_that_hears_everything_settles_the_step(
    n: int, attempts: int
) -> None:
    model = Model(n, attempts)

    def look(state: State) -> None:
        for alive in combinations(range(n), model.majority):
            assert settles(model, state, alive), (state, alive)

    explore(model, look=look)


def test_without_a_majority_nothing_settles() -> None:
    model = Model(4, 1)
    assert not settles(model, model.start(), (0, 1))


def test_the_model_finds_the_contradictions_that_the_program_finds() -> None:
    """Every two messages of one author, as the program would judge them, and as the model does."""
    rng = random.Random(1)
    for _ in range(2000):
        said = Said()
        while sum(map(len, (said.tries, said.adopts))) < 2:
            attempt, close = rng.randrange(4), rng.randrange(3)
            if rng.random() < 0.5 and attempt:
                entry = (attempt, close, rng.randrange(-1, attempt))
                said = replace(said, tries=tuple(sorted({*said.tries, entry})))
            else:
                said = replace(said, adopts=tuple(sorted({*said.adopts, (attempt, close)})))
        first, second = messages(said)
        assert (contradiction(first, second) is not None) == model_contradicts(said), said


def messages(said: Said) -> list[Try | Adopt]:
    """Return what a voter has said in the model as the program's messages."""
    place = {"table": b"t" * 16, "step": 7, "head": b"h" * 32}
    tries = [
        Try(**place, attempt=a, close=bytes([c]) * 32, seal=None if s < 0 else s)  # type: ignore[arg-type]
        for a, c, s in said.tries
    ]
    adopts = [Adopt(**place, attempt=a, close=bytes([c]) * 32) for a, c in said.adopts]  # type: ignore[arg-type]
    return [*tries, *adopts]


def test_a_mirror_image_is_its_own_mirror_image_again() -> None:
    for liar in liars(2):
        assert swap(swap(liar)) == liar
