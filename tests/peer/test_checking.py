"""Which statements may stand in a close together, and who is waited for."""

from dataclasses import replace

from tests.peer.standing import chain_of, standing_in
from unop2p.ids import Seat
from unop2p.log.messages import Statement
from unop2p.log.steps import Held
from unop2p.peer.checking import blocked, lacking, missing, said_with, stands
from unop2p.sim.ring import Ring
from unop2p.table import bodies
from unop2p.table.phases import Phase


def shuffling_ring() -> tuple[Ring, tuple[Seat, ...]]:
    """Return a ring in which the first has shuffled, and the second on top of it."""
    with standing_in(Phase.SHUFFLE) as ring:
        order = chain_of(ring, 0).state.plan.speakers
        last = order[-1]
        ring.run(lambda r: all(s in chain_of(r, last).open.statements for s in order[:2]))
        return ring, order


def test_a_shuffle_without_the_one_that_it_builds_on_needs_no_check_in_a_close() -> None:
    ring, (first, second, last) = shuffling_ring()
    step = chain_of(ring, last).open
    held = {seat: step.statements[seat] for seat in (first, second)}
    for one in held.values():
        one.checked = False
    assert not stands(step, held), "the first builds on nothing else, and is not checked"
    assert stands(step, {second: held[second]}), "it counts as not made"
    held[first].checked = held[second].checked = True
    assert stands(step, held)
    held[second].wrong = "it is"
    assert not stands(step, held)


def test_a_shuffle_is_judged_with_the_word_that_it_builds_on() -> None:
    ring, (first, second, last) = shuffling_ring()
    step = chain_of(ring, last).open
    true = step.statements[first]
    other = Held(
        signed=replace(true.signed, payload=b"another"),
        statement=Statement(table=b"", step=2, head=step.head, body=bodies.Assent()),
    )
    step.statements[first] = other
    step.others[first] = [true]
    assert said_with(step, second, step.statements[second])[first].hash == true.signed.hash


def test_a_wrong_statement_is_none_and_its_seat_is_waited_for() -> None:
    ring, (first, second, last) = shuffling_ring()
    chain = chain_of(ring, last)
    assert lacking(chain.open) == {last}
    chain.open.statements[second].wrong = "it is"
    assert lacking(chain.open) == {second, last}
    assert missing(chain.state, chain.open) == (second,), "the last cannot shuffle before it"
    assert first not in missing(chain.state, chain.open)


def test_who_cannot_shuffle_waits_for_the_one_before_it_and_not_for_a_guilty_one() -> None:
    ring, (first, second, last) = shuffling_ring()
    chain = chain_of(ring, last)
    nobody: frozenset[Seat] = frozenset()
    step = chain.open
    assert not blocked(chain.state, step, first, nobody, chain.voter)
    assert not blocked(chain.state, step, last, nobody, chain.voter)
    assert blocked(chain.state, step, last, frozenset({second}), chain.voter)
    del step.statements[second]
    assert not blocked(chain.state, step, last, nobody, chain.voter)
    chain.desk.now_ms = chain.voter.moved_ms + chain.voter.patience.of(second)
    assert blocked(chain.state, step, last, nobody, chain.voter)
