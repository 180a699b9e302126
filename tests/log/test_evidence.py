"""Contradictions: exactly the pairs of protocol section 4, in either order, and no other."""

from dataclasses import replace
from itertools import product

import pytest

from unop2p.log.evidence import contradiction
from unop2p.log.messages import Adopt, Statement, Try

TABLE, HEAD = bytes(16), bytes(32)
A, B = b"a" * 32, b"b" * 32
Word = Statement | Try | Adopt


def statement(body: object = "a") -> Statement:
    return Statement(table=TABLE, step=3, head=HEAD, body=body)


def try_(attempt: int, close: bytes = A, seal: int | None = None) -> Try:
    return Try(table=TABLE, step=3, head=HEAD, attempt=attempt, close=close, seal=seal)


def adopt(attempt: int, close: bytes = A) -> Adopt:
    return Adopt(table=TABLE, step=3, head=HEAD, attempt=attempt, close=close)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (statement("a"), statement("b"), "two different statements"),
        (try_(1, A), try_(1, B), "two different tries of attempt 1"),
        (try_(2, A, 1), try_(2, A, None), "two different tries of attempt 2"),
        (adopt(0, A), adopt(0, B), "two different adopts of attempt 0"),
        (adopt(3, A), adopt(3, B), "two different adopts of attempt 3"),
        (adopt(0), try_(1), "hides its seal"),
        (adopt(0, A), try_(1, B), "hides its seal"),
        (adopt(2), try_(4, seal=1), "an adopt of attempt 2, and a try of attempt 4"),
    ],
)
def test_what_contradicts_does_so_in_either_order(first: Word, second: Word, words: str) -> None:
    for pair in ((first, second), (second, first)):
        reason = contradiction(*pair)
        assert reason is not None
        assert words in reason


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (try_(1, A), try_(2, B)),
        (adopt(0, A), adopt(1, B)),
        (statement(), try_(1)),
        (statement(), adopt(0)),
        (adopt(0), try_(1, seal=0)),
        (adopt(1), try_(2, seal=1)),
        (adopt(1), try_(3, seal=2)),
        (adopt(2), try_(1)),
        (adopt(1), try_(1)),
        (adopt(0), adopt(0)),
        (statement(), statement()),
    ],
)
def test_what_an_honest_voter_may_say_does_not_contradict(first: Word, second: Word) -> None:
    assert contradiction(first, second) is None
    assert contradiction(second, first) is None


WORDS: tuple[Word, ...] = (
    statement("a"),
    statement("b"),
    try_(1, A),
    try_(1, B),
    adopt(0, A),
    adopt(0, B),
)


def elsewhere(word: Word) -> list[Word]:
    return [replace(word, table=b"t" * 16), replace(word, step=4), replace(word, head=A)]


def test_words_of_different_places_never_contradict() -> None:
    for first, second in product(WORDS, WORDS):
        for other in elsewhere(second):
            assert contradiction(first, other) is None
            assert contradiction(other, first) is None
