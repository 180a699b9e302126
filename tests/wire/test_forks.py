"""Two settled closes of one step, as peers and the audit judge them."""

from collections.abc import Iterator

import pytest

from tests.sim.worlds import chain_of, two_worlds
from unop2p.ids import Seat
from unop2p.log.messages import Signed
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.wire.audit import AuditReport, Finding, audit
from unop2p.wire.forks import contradictions, judge_fork, place, read_word, step_of
from unop2p.wire.record import ForkLine, StepLine, decode_line, fork_line, read_message

pytestmark = pytest.mark.slow
PART = 6
CHEAT = Seat(2)


@pytest.fixture(scope="module")
def forked() -> Iterator[Ring]:
    """Yield a table of three that has found a fork, and plays on."""
    with in_toy_group():
        ring = two_worlds(3, 3)
        ring.run(lambda r: all(chain_of(r, index).state.voids for index in (0, 1)))
        ring.run(lambda r: all(chain_of(r, i).open.step >= PART + 3 for i in (0, 1)))
        yield ring


def fork_in(ring: Ring) -> tuple[int, tuple[Signed, ...]]:
    """Return where the record's fork stands, and what shows it."""
    for index, data in enumerate(ring.places[0].record):
        line = decode_line(data[:-1])
        if isinstance(line, ForkLine):
            return index, tuple(read_message(item) for item in line.items)
    raise AssertionError


def with_items(ring: Ring, items: tuple[Signed, ...], step: int = PART) -> AuditReport:
    record = list(ring.places[0].record)
    at, _ = fork_in(ring)
    record[at] = fork_line(step, items) + b"\n"
    return audit(record)


def test_the_record_of_a_fork_is_audited_and_names_who_signed_both(forked: Ring) -> None:
    report = audit(forked.places[0].record)
    assert (report.finding, report.author, report.step) == (Finding.FAULT, "p2", PART)
    state = chain_of(forked, 0).state
    assert report.head == state.head
    at, items = fork_in(forked)
    before = [decode_line(line[:-1]) for line in forked.places[0].record[:at]]
    steps = [line.step for line in before if isinstance(line, StepLine)]
    assert steps[-1] > PART, "lines that are void stay in the record"
    assert with_items(forked, items).finding is Finding.FAULT


def test_a_fork_that_is_none_is_refused(forked: Ring) -> None:
    _, items = fork_in(forked)
    assert with_items(forked, ()).finding is Finding.BROKEN
    assert with_items(forked, items, step=PART + 1).finding is Finding.BROKEN
    assert with_items(forked, items, step=900).finding is Finding.BROKEN
    for index in range(len(items)):
        left = items[:index] + items[index + 1 :]
        report = with_items(forked, left)
        # Whatever is left out, nobody else is ever named.
        assert report.finding in {Finding.BROKEN, Finding.FAULT}
        assert report.author in {"", "p2"} or report.finding is Finding.BROKEN
    assert any(
        with_items(forked, items[:index] + items[index + 1 :]).finding is Finding.BROKEN
        for index in range(len(items))
    )


def test_one_close_is_no_fork_and_who_signs_one_thing_is_not_guilty(forked: Ring) -> None:
    chain = chain_of(forked, 0)
    fork = chain.forks.found[0]
    keys = chain.table.keys
    state = chain.forks._before(chain, fork.step)
    assert state is not None
    words = [(item, read_word(item)) for item in fork.step.signed_items()]
    whole = step_of(state)
    whole.head = fork.void.base
    assert place(whole, keys, [(item, word) for item, word in words if word is not None])
    judged = judge_fork(state, whole, chain.past, trusted=False)
    assert judged is not None
    assert [guilt.seat for guilt in judged[0].guilty] == [CHEAT]
    assert [one.author for one in contradictions(whole, keys)] == [keys[CHEAT]]
    honest = step_of(state)
    honest.head = fork.void.base
    place(honest, keys, [(i, w) for i, w in words if w is not None and i.author != keys[CHEAT]])
    assert judge_fork(state, honest, chain.past, trusted=False) is None
    assert contradictions(honest, keys) == ()


def test_words_of_another_step_or_of_strangers_have_no_place(forked: Ring) -> None:
    chain = chain_of(forked, 0)
    state = chain.past(0)
    assert state is not None
    item = chain.history[1].statements[0]
    word = read_word(item)
    assert word is not None
    assert not place(step_of(state), chain.table.keys, [(item, word)])
    mine = chain.history[0].statements[0]
    first = read_word(mine)
    assert first is not None
    assert not place(step_of(state), (), [(mine, first)])
    assert place(step_of(state), chain.table.keys, [(mine, first)])
    assert read_word(chain.table.genesis) is None
