"""What of a flood is looked at, and at whose expense."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Signed, Statement
from unop2p.log.steps import OpenStep
from unop2p.peer.gate import Gate, OverBudgetError, Word, is_missing
from unop2p.peer.limits import Limits
from unop2p.table import bodies
from unop2p.table.genesis import Join
from unop2p.table.talk import Ask, Chat, Heartbeat
from unop2p.wire import codec
from unop2p.wire.reading import Letter

LIMITS = Limits(
    stranger_burst=2, author_burst=3, talk_burst=4, doubt_burst=5,
    stranger_per_second=1, author_per_second=1, talk_per_second=1, doubt_per_second=1,
)  # fmt: skip
ANN, BEN, MALLORY = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2, 3))
HEAD = bytes(32)


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


KEYS = (public(ANN), public(BEN))


def beat(count: int) -> Heartbeat:
    return Heartbeat(table=bytes(16), step=1, head=HEAD, over=False, count=count)


def word(step: int = 1, head: bytes = HEAD) -> Statement:
    return Statement(table=bytes(16), step=step, head=head, body=bodies.Assent())


def adopt(attempt: int = 0) -> Adopt:
    return Adopt(table=bytes(16), step=1, head=HEAD, attempt=attempt, close=bytes(32))


def said(key: Ed25519PrivateKey, message: codec.Message, *, by: bytes | None = None) -> Signed:
    """Return what a key signs, in its own name or another's."""
    return codec.sign(key, by or public(key), message)


def looked_at(gate: Gate, signed: Signed, now_ms: int = 0, *, awaited: bool = False) -> bool:
    """Say whether a signature is checked, and not whether it holds."""
    if not gate.may_come(signed, KEYS, now_ms):
        return False
    try:
        gate.check(Letter(signed), KEYS, now_ms, awaited=awaited)
    except codec.SignatureError:
        return True
    except OverBudgetError:
        return False
    return True


def test_a_seat_that_talks_too_much_is_not_listened_to_and_its_words_are_still_taken() -> None:
    gate = Gate(LIMITS)
    assert [looked_at(gate, said(BEN, beat(n))) for n in range(6)] == [True] * 4 + [False] * 2
    assert looked_at(gate, said(BEN, word()))
    assert looked_at(gate, said(ANN, beat(0)))
    assert looked_at(gate, said(BEN, beat(9)), 1000)


def test_a_seat_has_a_budget_of_words_too() -> None:
    gate = Gate(LIMITS)
    found = [looked_at(gate, said(BEN, word(n)), awaited=True) for n in range(5)]
    assert found == [True] * 3 + [False] * 2


def test_what_is_beyond_a_budget_is_dropped_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Gate(LIMITS)
    for n in range(4):
        assert looked_at(gate, said(BEN, beat(n)))
    monkeypatch.setattr(codec, "decode", pytest.fail)
    assert not gate.may_come(said(BEN, beat(9)), KEYS, 0)


def test_whoever_forges_a_seats_name_spends_nothing_of_its_budget() -> None:
    gate = Gate(LIMITS)
    for n in range(20):
        looked_at(gate, said(MALLORY, beat(n), by=public(BEN)))
        looked_at(gate, said(MALLORY, word(n), by=public(BEN)), awaited=True)
    assert [looked_at(gate, said(BEN, word(n)), awaited=True) for n in range(4)] == [
        True, True, True, False,
    ]  # fmt: skip
    # Talk shares the budget of what is forged until time brings more.
    assert [looked_at(gate, said(BEN, beat(n)), 5000) for n in range(5)] == [True] * 4 + [False]


def test_forged_talk_is_looked_at_as_far_as_one_budget_for_all_names_goes() -> None:
    gate = Gate(LIMITS)
    names = [public(BEN), public(ANN)]
    found = [looked_at(gate, said(MALLORY, beat(n), by=names[n % 2])) for n in range(8)]
    assert found == [True] * 5 + [False] * 3


def test_a_word_that_is_awaited_is_looked_at_however_much_is_forged() -> None:
    gate = Gate(LIMITS)
    for n in range(20):
        looked_at(gate, said(MALLORY, beat(n), by=public(BEN)))
    forged = [said(MALLORY, word(n), by=public(BEN)) for n in range(20)]
    assert all(looked_at(gate, signed, awaited=True) for signed in forged)
    assert looked_at(gate, said(BEN, word()), awaited=True)


def test_a_second_word_is_not_looked_at_while_too_much_is_forged_and_then_it_is() -> None:
    gate = Gate(LIMITS)
    for n in range(20):
        looked_at(gate, said(MALLORY, beat(n), by=public(BEN)))
    second = said(BEN, word())
    assert not looked_at(gate, second, awaited=False)
    assert looked_at(gate, second, 1000, awaited=False)


def test_a_stranger_may_ask_and_join_a_little_and_nothing_else() -> None:
    gate = Gate(LIMITS)
    ask = Ask(table=b"", step=-1, head=b"", held=(), restart=False, nonce=bytes(16))
    join = Join(offer=bytes(32), name="mallory", bot=True, nonce=bytes(16))
    chat = Chat(table=bytes(16), text='"kind":"ask"}', nonce=bytes(16))
    assert not any(looked_at(gate, said(MALLORY, item)) for item in (chat, beat(1), word()))
    assert [looked_at(gate, said(MALLORY, item)) for item in (ask, join, ask)] == [
        True, True, False,
    ]  # fmt: skip


def test_while_there_is_no_table_all_are_strangers() -> None:
    gate = Gate(LIMITS)
    first = said(ANN, Chat(table=bytes(16), text="hello", nonce=bytes(16)))
    for _ in range(2):
        assert gate.may_come(first, None, 0)
        gate.check(Letter(first), None, 0, awaited=False)
    assert not gate.may_come(first, None, 0)
    with pytest.raises(OverBudgetError):
        gate.check(Letter(first), None, 0, awaited=False)


def open_step() -> OpenStep:
    return OpenStep(step=1, head=HEAD, active=(Seat(0),), voters=(Seat(0), Seat(1)), opened_ms=0)


@pytest.mark.parametrize(
    ("seat", "message", "missing"),
    [
        pytest.param(0, word(), True, id="a statement"),
        pytest.param(1, word(), False, id="of a seat that is away"),
        pytest.param(0, word(head=bytes([1]) * 32), False, id="on another head"),
        pytest.param(1, adopt(), True, id="an adopt"),
    ],
)
def test_a_word_is_missing_that_the_open_step_has_not_from_that_seat(
    seat: Seat, message: Word, missing: bool
) -> None:
    assert is_missing(open_step(), seat, message) is missing


def test_once_it_is_there_it_is_missing_no_more() -> None:
    step = open_step()
    step.place_statement(Seat(0), said(ANN, word()), word())
    step.place_vote(Seat(0), said(ANN, adopt()), adopt())
    assert not is_missing(step, Seat(0), word())
    assert not is_missing(step, Seat(0), adopt(1))
    assert is_missing(step, Seat(1), adopt())


def test_of_a_later_step_a_word_is_missing_until_one_of_that_kind_is_held() -> None:
    step, later = open_step(), word(step=2)
    assert is_missing(step, Seat(0), later)
    assert is_missing(step, Seat(0), later, [replace(adopt(), step=2)])
    assert not is_missing(step, Seat(0), later, [word(step=2, head=bytes([7]) * 32)])
