"""The same seed gives the same run, in any process; what a peer raises is a finding, and not an end."""

import os
import subprocess
import sys

import pytest

from tests.sim.swarm.mutants import MUTANTS
from unop2p.sim.swarm.plan import draw
from unop2p.sim.swarm.run import run

PROGRAM = """
from unop2p.sim.swarm.plan import draw
from unop2p.sim.swarm.run import run
print(*(run(draw(seed)).digest for seed in (7, 26)))
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_trace_in_any_process_and_another_one_another() -> None:
    here = [run(draw(seed)).digest for seed in (7, 26)]
    assert here[0] != here[1]
    for chance in ("1", "2"):
        told = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": chance},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert told.stdout.split() == here


def test_what_a_peer_raises_is_a_finding_that_says_where() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "falls over junk")
    for seed in range(mutant.within):
        with mutant.on():
            outcome = run(draw(seed, "loss", seats=3))
        if outcome.violations:
            break
    (violation,) = outcome.violations
    assert violation.check == "raised"
    assert "ValueError in " in violation.text


@pytest.mark.slow
def test_a_few_seeds_in_the_real_group() -> None:
    for seed in (1, 2):
        outcome = run(draw(seed, "swarm", seats=3, group="ristretto255"))
        assert outcome.violations == ()
        assert outcome.steps > 8
