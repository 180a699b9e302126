"""Where one voter signs anything, twice too: whenever two closes settle, its own words prove it, and it alone.

The states are the model's: all that honest voters can come to sign, with a liar beside them that has
tried everything. Each state in which two closes can settle is then given to the program, word for word.
"""

from itertools import product

import pytest

from tests.model.agreement import CLOSES, FULL, Model, Said, State, explore
from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.messages import Adopt, Signed, Statement, Try, close_digest
from unop2p.log.steps import OpenStep
from unop2p.wire.forks import contradictions

TABLE, HEAD, STEP = b"t" * 16, b"h" * 32, 7
LEFT_OUT = {FULL: (), 1: (0,), 2: (1,)}
"""Which seats each close of the model leaves out, for the program."""


def all_tries(attempts: int) -> Said:
    """Return a liar that has tried every close at every attempt, with every seal."""
    tries = [
        (attempt, close, seal)
        for attempt in range(1, attempts + 1)
        for close, seal in product(CLOSES, range(-1, attempt))
    ]
    return Said(tries=tuple(sorted(tries)))


def forkable(model: Model, state: State) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return pairs of adopts, of different closes, that lack the liar's vote at most."""
    counts: dict[tuple[int, int], int] = {}
    for said in state:
        for vote in set(said.adopts):
            counts[vote] = counts.get(vote, 0) + 1
    near = sorted(vote for vote, count in counts.items() if count >= model.majority - 1)
    return [(one, other) for one in near for other in near if one < other and one[1] != other[1]]


def told(state: State, liar: Said) -> tuple[OpenStep, tuple[bytes, ...]]:
    """Return all that was said as the program holds it, the liar on the last seat; and the keys."""
    voters = tuple(Seat(index) for index in range(len(state) + 1))
    keys = tuple(bytes([index]) * 32 for index in range(len(voters)))
    step = OpenStep(step=STEP, head=HEAD, active=voters, voters=voters, opened_ms=0)
    words = [
        Signed(author=keys[seat], signature=bytes(64), payload=b"word %d" % seat) for seat in voters
    ]
    statement = Statement(table=TABLE, step=STEP, head=HEAD, body=None)
    for seat in voters:
        step.place_statement(seat, words[seat], statement)
        step.statements[seat].checked = True
    closes = {
        close: close_digest(
            STEP, HEAD, voters, {seat: words[seat].hash for seat in voters if seat not in gone}
        )
        for close, gone in LEFT_OUT.items()
    }
    for seat, said in zip(voters, (*state, liar), strict=True):
        votes: list[Try | Adopt] = [
            Try(
                table=TABLE, step=STEP, head=HEAD, attempt=a, close=closes[c],
                seal=None if s < 0 else s,
            )
            for a, c, s in said.tries
        ]  # fmt: skip
        votes += [
            Adopt(table=TABLE, step=STEP, head=HEAD, attempt=a, close=closes[c])
            for a, c in said.adopts
        ]
        for vote in votes:
            signed = Signed(author=keys[seat], signature=bytes(64), payload=repr(vote).encode())
            step.place_vote(seat, signed, vote)
    return step, keys


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "attempts", "forks"), [(3, 1, 14), (3, 2, 210), (4, 1, 0), (5, 1, 42)]
)
def test_every_fork_comes_with_evidence_against_the_liar_alone(
    n: int, attempts: int, forks: int
) -> None:
    liar = all_tries(attempts)
    model = Model(n, attempts, liar)
    found = 0

    def look(state: State) -> None:
        nonlocal found
        for one, other in forkable(model, state):
            found += 1
            step, keys = told(state, Said(tries=liar.tries, adopts=tuple(sorted({one, other}))))
            assert len(closing.certificates(step)) == 2, (state, one, other)
            assert [proof.author for proof in contradictions(step, keys)] == [keys[-1]], state

    assert explore(model, look=look).blamed is None
    assert found == forks
