"""One open step: what is placed where, when it is sealed, when it is settled, and who contradicts."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.ids import Seat
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Adopt, Signed, Statement, Try, close_digest
from unop2p.log.steps import VOTES_PER_SEAT_MAX, OpenStep

TABLE, HEAD = bytes(16), bytes(range(32))
SEATS = tuple(Seat(index) for index in range(4))


def open_step(active: tuple[Seat, ...] = SEATS, voters: tuple[Seat, ...] = SEATS) -> OpenStep:
    return OpenStep(step=7, head=HEAD, active=active, voters=voters, opened_ms=0)


def signed(seat: Seat, words: str) -> Signed:
    return Signed(author=bytes([seat]) * 32, signature=b"", payload=words.encode())


def say(step: OpenStep, seat: Seat, words: str = "a", *, checked: bool = True) -> Evidence | bool:
    statement = Statement(table=TABLE, step=7, head=HEAD, body=words)
    placed = step.place_statement(seat, signed(seat, words), statement)
    if placed is True:
        step.statements[seat].checked = checked
    return placed


def adopt(step: OpenStep, seat: Seat, close: bytes, attempt: int = 0) -> Evidence | bool:
    vote = Adopt(table=TABLE, step=7, head=HEAD, attempt=attempt, close=close)
    return step.place_vote(seat, signed(seat, f"adopt {attempt} {close.hex()}"), vote)


def said_by_all() -> OpenStep:
    step = open_step()
    for seat in SEATS:
        assert say(step, seat) is True
    return step


def test_a_statement_is_placed_once_and_said_again_is_no_news() -> None:
    step = open_step()
    assert say(step, SEATS[1]) is True
    assert say(step, SEATS[1]) is False
    assert step.missing_statements() == (0, 2, 3)


def test_another_statement_of_the_same_seat_is_evidence_with_both() -> None:
    step = open_step()
    say(step, SEATS[2], "a")
    found = say(step, SEATS[2], "b")
    assert isinstance(found, Evidence)
    assert (found.author, found.step) == (bytes([2]) * 32, 7)
    assert [item.payload for item in found.items] == [b"a", b"b"]
    assert step.statements[SEATS[2]].signed.payload == b"a", "the first one stays"


def test_who_is_not_active_says_nothing_and_who_has_no_vote_has_none() -> None:
    step = open_step(active=SEATS[:2], voters=SEATS[:3])
    assert say(step, SEATS[2]) is False
    assert adopt(step, SEATS[3], b"close") is False
    assert adopt(step, SEATS[2], b"close") is True, "an away seat still votes"
    assert step.missing_statements() == (0, 1)
    assert step.missing_adopts() == (0, 1)


def test_a_close_is_complete_only_when_every_statement_was_checked() -> None:
    step = open_step()
    assert not step.complete()
    for seat in SEATS[:3]:
        say(step, seat)
    say(step, SEATS[3], checked=False)
    assert not step.complete()
    assert step.settled() is None
    step.statements[SEATS[3]].checked = True
    assert step.complete()
    hashes = {seat: signed(seat, "a").hash for seat in SEATS}
    assert step.close() == close_digest(7, HEAD, SEATS, hashes)


def test_asking_for_the_close_before_all_have_spoken_is_our_own_bug() -> None:
    with pytest.raises(AssertionError):
        open_step().close()


@pytest.mark.parametrize("adopters", [0, 1, 2])
def test_half_of_the_voters_settle_nothing(adopters: int) -> None:
    step = said_by_all()
    for seat in SEATS[:adopters]:
        assert adopt(step, seat, step.close()) is True
    assert step.settled() is None


@pytest.mark.parametrize("order", list(permutations(SEATS, 3)))
def test_a_majority_settles_the_step_and_the_certificate_is_in_order(
    order: tuple[Seat, ...],
) -> None:
    step = said_by_all()
    for seat in order:
        adopt(step, seat, step.close())
    certificate = step.settled()
    assert certificate is not None
    assert [item.author[0] for item in certificate.statements] == list(SEATS)
    assert [item.author[0] for item in certificate.adopts] == sorted(order)
    assert (certificate.step, certificate.head, certificate.attempt) == (7, HEAD, 0)
    assert certificate.close == step.close()


def test_adopts_of_another_close_or_attempt_do_not_count() -> None:
    step = said_by_all()
    adopt(step, SEATS[0], step.close())
    adopt(step, SEATS[1], step.close())
    adopt(step, SEATS[2], b"another close")
    adopt(step, SEATS[3], step.close(), attempt=1)
    assert step.settled() is None
    assert step.missing_adopts() == ()


def test_a_second_adopt_of_one_attempt_is_evidence() -> None:
    step = open_step()
    assert adopt(step, SEATS[0], b"one") is True
    assert adopt(step, SEATS[0], b"one") is False
    found = adopt(step, SEATS[0], b"two")
    assert isinstance(found, Evidence)
    assert "two different adopts" in found.reason
    assert len(found.items) == 2


def test_a_try_that_hides_the_adopt_before_it_is_evidence() -> None:
    step = open_step()
    adopt(step, SEATS[0], b"one")
    vote = Try(table=TABLE, step=7, head=HEAD, attempt=1, close=b"two", seal=None)
    found = step.place_vote(SEATS[0], signed(SEATS[0], "try"), vote)
    assert isinstance(found, Evidence)
    assert "hides its seal" in found.reason


def test_a_voter_that_never_ends_is_not_held_without_end() -> None:
    step = open_step()
    for attempt in range(VOTES_PER_SEAT_MAX):
        assert adopt(step, SEATS[0], b"one", attempt) is True
    assert adopt(step, SEATS[0], b"one", VOTES_PER_SEAT_MAX) is False
    assert len(step.votes[SEATS[0]]) == VOTES_PER_SEAT_MAX


def test_who_lacks_something_gets_statements_first_and_all_that_is_held() -> None:
    step = open_step()
    adopt(step, SEATS[1], b"close")
    say(step, SEATS[3])
    say(step, SEATS[0])
    assert [item.payload[:5] for item in step.signed_items()] == [b"a", b"a", b"adopt"]
    assert [item.author[0] for item in step.signed_items()] == [0, 3, 1]


@given(
    st.lists(st.tuples(st.sampled_from(SEATS), st.sampled_from("say adopt".split()), st.booleans()))
)
def test_whatever_comes_in_whatever_order_at_most_one_close_is_certified(
    words: list[tuple[Seat, str, bool]],
) -> None:
    step = open_step()
    closes: set[bytes] = set()
    for seat, what, honest in words:
        if what == "say":
            say(step, seat, "a" if honest else "b")
        else:
            close = step.close() if honest and not step.missing_statements() else b"other"
            adopt(step, seat, close)
        certificate = step.settled()
        if certificate is not None:
            closes.add(certificate.close)
            assert len(certificate.adopts) > len(SEATS) / 2
    assert len(closes) <= 1
