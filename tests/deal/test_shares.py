"""Shares of cards, and every way in which a batch of them can be wrong."""

from collections.abc import Callable

import pytest

from tests.deal.helpers import (
    CONTEXT,
    chance,
    other_contexts,
    party,
    spoil_point,
    spoil_scalar,
    unreduce_scalar,
)
from unop2p.deal import shares as module
from unop2p.deal.group import (
    BASE,
    Point,
    Q,
    add,
    base_mul,
    encode_scalar,
    hash_to_scalar,
    linear_combination,
    mul,
    sub,
)
from unop2p.deal.masking import MaskedCard, remask
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.transcript import challenge
from unop2p.errors import MalformedError, ProofError

PARTY = party()
CARDS = PARTY.cards
X, PUBLIC = PARTY.keys[0].secret, PARTY.keys[0].public
DATA = make_shares(CONTEXT, X, CARDS, chance("shares"))
COUNT = len(CARDS)


def true_shares() -> list[Point]:
    """Return what the shares should be."""
    return [mul(X.expose(), card.c1) for card in CARDS]


def proved_for(points: list[Point]) -> bytes:
    """Return shares of these points with the best proof that the cheat can make for them."""
    inputs = b"".join(card.c1.encoded for card in CARDS)
    shares = b"".join(point.encoded for point in points)
    weigh: Callable[..., list[int]] = vars(module)["weights"]  # a test may have put its own there
    factors = weigh("shares", CONTEXT, COUNT, PUBLIC.encoded, inputs, shares)
    base = linear_combination(factors, [card.c1 for card in CARDS])
    nonce = 12345
    announced = base_mul(nonce).encoded, mul(nonce, base).encoded
    c = challenge("shares", CONTEXT, PUBLIC.encoded, inputs, shares, *announced)
    return shares + encode_scalar(c) + encode_scalar(nonce + c * X.expose())


def test_honest_batch_gives_the_shares() -> None:
    assert len(DATA) == 32 * COUNT + 64
    assert verify_shares(CONTEXT, PUBLIC, CARDS, DATA) == tuple(true_shares())
    # The cheat's tool is sound: with true shares it makes a proof that holds.
    assert verify_shares(CONTEXT, PUBLIC, CARDS, proved_for(true_shares())) == tuple(true_shares())


def test_batch_of_one_is_taken_and_of_none_refused() -> None:
    data = make_shares(CONTEXT, X, CARDS[:1], chance("one"))
    assert verify_shares(CONTEXT, PUBLIC, CARDS[:1], data) == (true_shares()[0],)
    with pytest.raises(AssertionError):
        make_shares(CONTEXT, X, (), chance("none"))
    with pytest.raises(MalformedError):
        verify_shares(CONTEXT, PUBLIC, (), data[32:])


@pytest.mark.parametrize("context", list(other_contexts()), ids=range(6))
def test_batch_holds_in_its_own_context_only(context: object) -> None:
    with pytest.raises(ProofError):
        verify_shares(context, PUBLIC, CARDS, DATA)  # type: ignore[arg-type]  # a parameter of pytest


@pytest.mark.parametrize("index", range(COUNT))
def test_each_share_counts(index: int) -> None:
    with pytest.raises(ProofError):
        verify_shares(CONTEXT, PUBLIC, CARDS, spoil_point(DATA, index))


@pytest.mark.parametrize("index", [COUNT, COUNT + 1])
def test_each_scalar_of_the_proof_counts(index: int) -> None:
    with pytest.raises(ProofError):
        verify_shares(CONTEXT, PUBLIC, CARDS, spoil_scalar(DATA, index))
    with pytest.raises(MalformedError):
        verify_shares(CONTEXT, PUBLIC, CARDS, unreduce_scalar(DATA, index))


@pytest.mark.parametrize("data", [DATA[:-1], DATA + b"\0", DATA[32:], b"", BASE.encoded + DATA])
def test_another_length_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        verify_shares(CONTEXT, PUBLIC, CARDS, data)


def test_identity_as_a_share_is_refused() -> None:
    with pytest.raises(MalformedError):
        verify_shares(CONTEXT, PUBLIC, CARDS, bytes(32) + DATA[32:])


def test_another_key_or_other_cards_are_refused() -> None:
    swapped = (CARDS[1], CARDS[0], *CARDS[2:])
    replaced = (remask(CARDS[0], 3, PARTY.joint), *CARDS[1:])
    with pytest.raises(ProofError):
        verify_shares(CONTEXT, PARTY.keys[1].public, CARDS, DATA)
    for cards in (swapped, replaced):
        with pytest.raises(ProofError):
            verify_shares(CONTEXT, PUBLIC, cards, DATA)


def test_swapped_shares_are_refused() -> None:
    with pytest.raises(ProofError):
        verify_shares(CONTEXT, PUBLIC, CARDS, DATA[32:64] + DATA[:32] + DATA[64:])


def test_one_false_share_proved_again_is_refused() -> None:
    points = true_shares()
    points[2] = add(points[2], BASE)
    with pytest.raises(ProofError):
        verify_shares(CONTEXT, PUBLIC, CARDS, proved_for(points))


def test_two_false_shares_that_cancel_out_are_refused() -> None:
    points = true_shares()
    points[1], points[3] = add(points[1], BASE), sub(points[3], BASE)
    with pytest.raises(ProofError):
        verify_shares(CONTEXT, PUBLIC, CARDS, proved_for(points))


def test_batch_that_solves_for_weights_not_bound_to_the_shares_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Were weights hashed before the shares are fixed, errors with w1 e1 + w2 e2 = 0 would pass.
    def early(kind: str, context: object, count: int, *parts: bytes) -> list[int]:
        del context
        return [hash_to_scalar(kind, *parts[:2], bytes([index])) for index in range(count)]

    inputs = b"".join(card.c1.encoded for card in CARDS)
    w = early("shares", CONTEXT, COUNT, PUBLIC.encoded, inputs)
    points = true_shares()
    points[0] = add(points[0], base_mul(w[1]))
    points[1] = sub(points[1], base_mul(w[0]))
    with monkeypatch.context() as weak:
        weak.setattr(module, "weights", early)
        forged = proved_for(points)
        assert verify_shares(CONTEXT, PUBLIC, CARDS, forged) == tuple(points)
    for data in (forged, proved_for(points)):
        with pytest.raises(ProofError):
            verify_shares(CONTEXT, PUBLIC, CARDS, data)


def test_batch_that_solves_for_weights_of_single_pairs_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A weight for each pair alone can be looked up one by one. 8 bits make the search short here;
    # with 128 bits it takes tens of cards and a generalised birthday search, as a deal offers them.
    def alone(kind: str, context: object, count: int, *parts: bytes) -> list[int]:
        del context
        return [
            hash_to_scalar(kind, parts[1][32 * i : 32 * i + 32], parts[2][32 * i : 32 * i + 32])
            % 256
            for i in range(count)
        ]

    def weight(card: MaskedCard, point: Point) -> int:
        return hash_to_scalar("shares", card.c1.encoded, point.encoded) % 256

    true = true_shares()
    rising = {weight(CARDS[0], add(true[0], base_mul(e))): e for e in range(1, 200)}
    points = list(true)
    for error in range(1, 20000):
        second = sub(true[1], base_mul(error))
        first = next(
            (
                e
                for w, e in rising.items()
                if w * e % Q == weight(CARDS[1], second) * error % Q and w
            ),
            None,
        )
        if first is not None:
            points[0], points[1] = add(true[0], base_mul(first)), second
            break
    assert points != true
    with monkeypatch.context() as weak:
        weak.setattr(module, "weights", alone)
        forged = proved_for(points)
        assert verify_shares(CONTEXT, PUBLIC, CARDS, forged) == tuple(points)
    for data in (forged, proved_for(points)):
        with pytest.raises(ProofError):
            verify_shares(CONTEXT, PUBLIC, CARDS, data)


def test_same_statement_with_broken_chance_repeats_the_nonce_only_for_the_same_challenge() -> None:
    def broken(count: int) -> bytes:
        return bytes(count)

    one = make_shares(CONTEXT, X, CARDS, broken)
    assert make_shares(CONTEXT, X, CARDS, broken) == one
    other = make_shares(CONTEXT, X, CARDS[:3], broken)
    c1, s1 = (int.from_bytes(one[a:b], "little") for a, b in ((-64, -32), (-32, None)))
    c2, s2 = (int.from_bytes(other[a:b], "little") for a, b in ((-64, -32), (-32, None)))
    # One nonce under two challenges would give x away by this division.
    assert (s1 - s2) * pow(c1 - c2, -1, Q) % Q != X.expose()
