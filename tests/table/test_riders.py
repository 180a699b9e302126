"""What rides on a statement goes over the wire as it is, and not without bound."""

import pytest

from unop2p.errors import MalformedError
from unop2p.log.messages import Signed, Statement
from unop2p.table import bodies
from unop2p.table.riders import NO_RIDERS, RIDERS_MAX, Back, Carried, Leave, Proof, Rider
from unop2p.wire import codec

SIGNED = Signed(author=bytes(32), signature=bytes(64), payload=b"{}")
KINDS: list[Rider] = [
    Carried(signed=SIGNED),
    Leave(opening=b"shares"),
    Proof(step=3, items=(SIGNED, SIGNED)),
]


def statement(*riders: Rider) -> Statement:
    return Statement(table=bytes(16), step=4, head=bytes(32), body=bodies.Assent(), riders=riders)


@pytest.mark.parametrize("count", range(len(KINDS) + 1))
def test_a_statement_with_riders_is_read_as_it_was_written(count: int) -> None:
    said = statement(*KINDS[:count])
    assert codec.decode(codec.encode(said)) == said


def test_a_word_that_somebody_is_back_is_read_as_it_was_written() -> None:
    back = Back(table=bytes(16), step=9, head=bytes(32))
    assert codec.decode(codec.encode(back)) == back


def test_more_riders_than_seats_can_have_reason_for_are_refused() -> None:
    full = codec.encode(statement(*[Leave()] * RIDERS_MAX))
    assert codec.decode(full) == statement(*[Leave()] * RIDERS_MAX)
    with pytest.raises(MalformedError):
        codec.decode(codec.encode(statement(*[Leave()] * (RIDERS_MAX + 1))))


def test_a_statement_without_riders_changes_nothing_about_who_is_there() -> None:
    assert (NO_RIDERS.back, NO_RIDERS.leaves, NO_RIDERS.guilty) == ((), False, ())
