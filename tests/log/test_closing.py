"""A step closes without a silent seat, and by no road in two ways."""

import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.agreement import FULL, Model, Said, State, liars, settles
from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Adopt, Signed, Statement, Try, close_digest
from unop2p.log.steps import Certificate, Held, OpenStep

TABLE, HEAD, STEP = bytes(16), bytes(range(32)), 7


def seats(n: int) -> tuple[Seat, ...]:
    return tuple(Seat(index) for index in range(n))


def open_step(n: int, active: tuple[Seat, ...] | None = None) -> OpenStep:
    return OpenStep(
        step=STEP, head=HEAD, active=seats(n) if active is None else active, voters=seats(n),
        opened_ms=0,
    )  # fmt: skip


def signed(seat: int, words: str) -> Signed:
    return Signed(author=bytes([seat]) * 32, signature=b"", payload=words.encode())


def say(
    step: OpenStep, seat: int, words: str = "a", *, checked: bool = True, wrong: str = ""
) -> Evidence | bool:
    statement = Statement(table=TABLE, step=STEP, head=HEAD, body=words)
    placed = step.place_statement(Seat(seat), signed(seat, words), statement)
    for held in step.variants(Seat(seat)):
        if held.signed.payload == words.encode():
            held.checked, held.wrong = checked and not wrong, wrong
    return placed


def vote(step: OpenStep, seat: int, word: Try | Adopt) -> Evidence | bool:
    return step.place_vote(Seat(seat), signed(seat, repr(word)), word)


def try_(attempt: int, close: bytes, seal: int | None = None) -> Try:
    return Try(table=TABLE, step=STEP, head=HEAD, attempt=attempt, close=close, seal=seal)


def adopt(attempt: int, close: bytes) -> Adopt:
    return Adopt(table=TABLE, step=STEP, head=HEAD, attempt=attempt, close=close)


def close_of(n: int, *said: int) -> bytes:
    return close_digest(STEP, HEAD, seats(n), {Seat(s): signed(s, "a").hash for s in said})


def three_of_four() -> OpenStep:
    """Return a step of four in which the last seat is silent."""
    step = open_step(4)
    for seat in range(3):
        say(step, seat)
    return step


# -- one seat is silent ------------------------------------------------------------------------


def test_a_silent_seat_is_left_out_by_tries_and_adopts_of_a_majority() -> None:
    step = three_of_four()
    close = close_of(4, 0, 1, 2)
    assert closing.seals(step) == ()
    for seat in range(3):
        assert closing.next_attempt(step, Seat(seat)) == 1
        word = closing.make_try(step, TABLE, 1)
        assert word == try_(1, close)
        assert vote(step, seat, word) is True
    assert closing.next_attempt(step, Seat(0)) == 2, "a seal of attempt 1 opens attempt 2"
    (seal,) = closing.seals(step)
    assert (seal.attempt, seal.close, len(seal.tries)) == (1, close, 3)
    for seat in range(3):
        second = closing.next_adopt(step, Seat(seat), TABLE)
        assert second == adopt(1, close)
        assert vote(step, seat, second) is True
        assert closing.next_adopt(step, Seat(seat), TABLE) is None, "once is enough"
    certificate = closing.settled(step)
    assert certificate is not None
    assert [item.author[0] for item in certificate.statements] == [0, 1, 2]
    assert [item.author[0] for item in certificate.tries] == [0, 1, 2]
    assert (certificate.attempt, certificate.close) == (1, close)


def test_two_of_four_leave_nobody_out() -> None:
    step = three_of_four()
    for seat in range(2):
        vote(step, seat, try_(1, close_of(4, 0, 1, 2)))
    assert closing.seals(step) == ()
    assert closing.next_adopt(step, Seat(0), TABLE) is None
    assert closing.next_attempt(step, Seat(0)) is None, "it has tried 1, and 2 is not open"
    assert closing.next_attempt(step, Seat(2)) == 1


def test_who_owes_a_statement_tries_nothing_before_it_has_made_it() -> None:
    step = three_of_four()
    assert closing.next_attempt(step, Seat(3)) is None


def test_an_away_seat_votes_and_owes_no_statement() -> None:
    step = open_step(4, seats(3))
    for seat in range(2):
        say(step, seat)
    assert closing.next_attempt(step, Seat(3)) == 1
    for seat in (0, 1, 3):
        word = closing.make_try(step, TABLE, 1)
        assert word is not None
        vote(step, seat, word)
    for seat in (0, 1, 3):
        word_ = closing.next_adopt(step, Seat(seat), TABLE)
        assert word_ is not None
        vote(step, seat, word_)
    certificate = closing.settled(step)
    assert certificate is not None
    assert len(certificate.adopts) == 3


def test_who_has_no_vote_says_nothing() -> None:
    step = OpenStep(step=STEP, head=HEAD, active=seats(2), voters=seats(2), opened_ms=0)
    say(step, 0)
    say(step, 1)
    assert closing.next_attempt(step, Seat(2)) is None
    assert closing.next_adopt(step, Seat(2), TABLE) is None


def test_nobody_tries_a_close_that_leaves_out_everybody() -> None:
    step = open_step(3, seats(1))
    assert closing.make_try(step, TABLE, 1) is None


def test_a_late_statement_seals_attempt_0_and_a_try_then_names_it() -> None:
    step = three_of_four()
    vote(step, 0, try_(1, close_of(4, 0, 1, 2)))
    say(step, 3)
    full = close_of(4, 0, 1, 2, 3)
    assert closing.make_try(step, TABLE, 1) == try_(1, full, 0)
    assert closing.next_adopt(step, Seat(1), TABLE) == adopt(0, full)
    assert closing.next_adopt(step, Seat(0), TABLE) is None, "it has tried 1: 0 is too low for it"


def test_crossed_tries_cost_an_attempt_and_nothing_else() -> None:
    step = three_of_four()
    vote(step, 0, try_(1, close_of(4, 0, 1, 2)))
    vote(step, 1, try_(1, close_of(4, 0, 1)))
    vote(step, 2, try_(1, close_of(4, 0, 1, 2)))
    assert closing.seals(step) == ()
    for seat in range(3):
        assert closing.next_attempt(step, Seat(seat)) == 2
        word = closing.make_try(step, TABLE, 2)
        assert word == try_(2, close_of(4, 0, 1, 2))
        vote(step, seat, word)
    assert [seal.attempt for seal in closing.seals(step)] == [2]


# -- seals -------------------------------------------------------------------------------------


def test_a_try_counts_only_together_with_the_seal_that_it_names() -> None:
    step = three_of_four()
    close = close_of(4, 0, 1, 2)
    for seat in range(2):
        vote(step, seat, try_(1, close))
    vote(step, 2, try_(2, close, 1))
    for seat in (0, 1):
        vote(step, seat, try_(2, close, 1))
    assert closing.seals(step) == (), "no seal of attempt 1 is held"
    vote(step, 3, try_(1, close))
    assert [seal.attempt for seal in closing.seals(step)] == [1, 2]
    assert len(closing.seal_tries(step, 2, close)) == 6, "with the tries of the seal that is named"


@pytest.mark.parametrize("named", [1, 2, 9])
def test_a_try_that_names_no_lower_seal_does_not_count(named: int) -> None:
    step = three_of_four()
    close = close_of(4, 0, 1, 2)
    for seat in range(4):
        vote(step, seat, try_(1, close, named))
    assert closing.seals(step) == ()


def test_a_wrong_statement_counts_as_not_made() -> None:
    step = three_of_four()
    say(step, 3, wrong="a share that does not hold")
    assert closing.seals(step) == ()
    assert closing.next_adopt(step, Seat(0), TABLE) is None
    assert closing.only_guilty_missing(step, frozenset({Seat(3)}))
    assert closing.make_try(step, TABLE, 1, guilty=frozenset({Seat(3)})) == try_(
        1, close_of(4, 0, 1, 2)
    )


def test_who_is_guilty_is_left_out_though_its_word_is_sound() -> None:
    step = three_of_four()
    guilty = frozenset({Seat(2)})
    assert closing.make_try(step, TABLE, 1, guilty=guilty) == try_(1, close_of(4, 0, 1))
    assert not closing.only_guilty_missing(step, guilty), "an honest seat is silent too"
    assert not closing.only_guilty_missing(said_by_all(4), frozenset())


def said_by_all(n: int) -> OpenStep:
    step = open_step(n)
    for seat in range(n):
        say(step, seat)
    return step


def test_a_close_that_was_not_checked_here_is_neither_adopted_nor_settled() -> None:
    step = said_by_all(3)
    step.statements[Seat(2)].checked = False
    full = close_of(3, 0, 1, 2)
    assert closing.next_adopt(step, Seat(0), TABLE) is None
    step.irregular = True
    for seat in range(3):
        vote(step, seat, adopt(0, full))
    assert closing.settled(step) is None
    step.statements[Seat(2)].checked = True
    assert closing.settled(step) is not None


def test_an_unchecked_statement_is_left_out_unless_it_needs_no_check() -> None:
    step = said_by_all(3)
    step.statements[Seat(2)].checked = False
    assert set(closing.choose(step, frozenset(), closing.all_checked)) == {0, 1}
    assert set(closing.choose(step, frozenset(), lambda _: True)) == {0, 1, 2}


# -- who contradicts itself --------------------------------------------------------------------


def test_both_words_of_a_seat_that_contradicts_itself_can_stand_in_a_close() -> None:
    step = said_by_all(3)
    assert isinstance(say(step, 2, "b"), Evidence)
    closes = [seal.close for seal in closing.seals(step)]
    assert len(closes) == 2
    for close in closes:
        for seat in range(2):
            vote(step, seat, adopt(0, close))
        vote(step, 2, adopt(0, close))
    found = closing.certificates(step)
    assert {certificate.close for certificate in found} == set(closes), "a fork is seen as one"


def test_a_second_try_of_one_attempt_is_evidence_and_is_kept() -> None:
    step = three_of_four()
    assert vote(step, 3, try_(1, close_of(4, 0, 1, 2))) is True
    assert isinstance(vote(step, 3, try_(1, close_of(4, 0, 1))), Evidence)
    assert len(step.votes[Seat(3)]) == 2


# -- the model ---------------------------------------------------------------------------------

CLOSE_SAID = {FULL: lambda n: range(n), 1: lambda n: range(n - 1), 2: lambda n: range(1, n)}


def digests(n: int) -> list[bytes]:
    return [close_of(n, *CLOSE_SAID[close](n)) for close in sorted(CLOSE_SAID)]


def known_step(n: int, said: list[Said], silent: int | None) -> OpenStep:
    """Return what a voter holds that knows these words, and not the statement of `silent`."""
    step = open_step(n)
    closes = digests(n)
    for seat in range(n):
        if seat != silent:
            say(step, seat)
    for seat, words in enumerate(said):
        for attempt, close, seal in words.tries:
            vote(step, seat, try_(attempt, closes[close], None if seal < 0 else seal))
        for attempt, close in words.adopts:
            vote(step, seat, adopt(attempt, closes[close]))
    return step


def with_word(n: int, said: Said, word: Try | Adopt) -> Said:
    """Return what a voter has said in the model once it has said this, too."""
    close = digests(n).index(word.close)
    if isinstance(word, Adopt):
        return Said(said.tries, tuple(sorted([*said.adopts, (word.attempt, close)])))
    seal = -1 if word.seal is None else word.seal
    return Said(tuple(sorted([*said.tries, (word.attempt, close, seal)])), said.adopts)


def some_of(rng: random.Random, words: Said) -> Said:
    return Said(
        tuple(entry for entry in words.tries if rng.random() < 0.7),
        tuple(entry for entry in words.adopts if rng.random() < 0.7),
    )


def knowledge(model: Model, rng: random.Random, voters: list[Said], seat: int) -> OpenStep:
    """Return a set of messages that a voter may hold: its own, what these rest on, and some more."""
    n, own = model.n, voters[seat]
    silent = rng.choice([None, 0, n - 1])
    if silent == seat or any(named == 0 for _, _, named in own.tries) or (0, FULL) in own.adopts:
        silent = None
    known = [words if index == seat else some_of(rng, words) for index, words in enumerate(voters)]
    rests_on = {(s, c) for _, c, s in own.tries if s > 0} | {(a, c) for a, c in own.adopts if a > 0}
    if rests_on:
        # The journal keeps all that was held when it voted: the seals that these name, too.
        known = list(voters)
        if any(named == 0 for words in voters for _, _, named in words.tries):
            silent = None
    return known_step(n, known, silent)


@pytest.mark.parametrize(("n", "attempts"), [(3, 2), (4, 2), (5, 1)])
@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_whatever_the_code_says_the_model_allows(n: int, attempts: int, rng: random.Random) -> None:
    """So what was explored to the end in the model holds of the program.

    A walk: some voter holds some of what was said, and says what the code gives. Each word has to be
    one that leads from the model's state to a next one of the model.
    """
    liar = rng.choice([None, *liars(attempts)]) if n < 5 else None
    model = Model(n, attempts, liar)
    state: State = model.start()
    for _ in range(14):
        voters = list(model.voters(state))
        seat = rng.randrange(len(state))
        step = knowledge(model, rng, voters, seat)
        word: Try | Adopt | None = closing.next_adopt(step, Seat(seat), TABLE)
        if word is None or rng.random() < 0.4:
            attempt = closing.next_attempt(step, Seat(seat))
            if attempt is not None and attempt <= attempts:
                word = closing.make_try(step, TABLE, attempt) or word
        if word is None:
            continue
        after = list(state)
        after[seat] = with_word(n, state[seat], word)
        allowed = {tuple(sorted(found)) for found in model.next_states(tuple(sorted(state)))}
        assert tuple(sorted(after)) in allowed, (state, seat, word)
        state = tuple(after)
        assert len(model.settled(tuple(sorted(state)))) <= 1


@pytest.mark.parametrize(("n", "attempts"), [(3, 2), (4, 1)])
@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_seals_and_settled_closes_are_those_of_the_model(
    n: int, attempts: int, rng: random.Random
) -> None:
    model = Model(n, attempts)
    state = model.start()
    for _ in range(12):
        nexts = list(model.next_states(state))
        if not nexts:
            break
        state = rng.choice(nexts)
        step = known_step(n, list(state), None)
        closes = digests(n)
        assert {(s.attempt, closes.index(s.close)) for s in closing.seals(step)} == model.seals(
            state
        )
        found = {closes.index(certificate.close) for certificate in closing.certificates(step)}
        assert found == model.settled(state)


@pytest.mark.parametrize("n", [3, 4])
@given(st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_a_majority_that_hears_everything_settles_the_step_from_wherever_it_stands(
    n: int, rng: random.Random
) -> None:
    model = Model(n, 1)
    state = model.start()
    for _ in range(rng.randrange(8)):
        nexts = list(model.next_states(state))
        if not nexts:
            break
        state = rng.choice(nexts)
    alive = rng.sample(range(n), model.majority)
    assert settles(model, state, tuple(alive))
    step = known_step(n, list(state), None)
    for _ in range(40):
        if closing.certificates(step):
            return
        for seat in alive:
            word: Try | Adopt | None = closing.next_adopt(step, Seat(seat), TABLE)
            attempt = closing.next_attempt(step, Seat(seat))
            if word is None and attempt is not None:
                word = closing.make_try(step, TABLE, attempt)
            if word is not None:
                assert vote(step, seat, word) is True
    raise AssertionError(state)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_certificate_is_the_same_in_whatever_order_words_came(order: tuple[int, ...]) -> None:
    step = three_of_four()
    close = close_of(4, 0, 1, 2)
    for seat in order:
        vote(step, seat, try_(1, close))
    for seat in order:
        vote(step, seat, adopt(1, close))
    found = closing.settled(step)
    assert isinstance(found, Certificate)
    assert [item.author[0] for item in found.tries] == [0, 1, 2]
    assert [item.author[0] for item in found.adopts] == [0, 1, 2]


def test_held_statements_are_told_apart_by_their_bytes() -> None:
    step = open_step(3)
    say(step, 0, "a")
    say(step, 0, "b")
    say(step, 0, "b")
    assert [held.signed.payload for held in step.variants(Seat(0))] == [b"a", b"b"]
    assert isinstance(step.variants(Seat(0))[0], Held)
