"""Statements about a hand: true ones are taken, false ones cannot be made."""

import pytest

from tests.deal.helpers import (
    CONTEXT,
    chance,
    other_contexts,
    party,
    spoil_scalar,
    unreduce_scalar,
)
from unop2p.deal.group import Q, add, base_mul, encode_scalar, mul, sub
from unop2p.deal.masking import MaskedCard, encode_cards
from unop2p.deal.secret import Secret
from unop2p.deal.statements import prove_none_of, residual, verify_none_of
from unop2p.deal.transcript import challenge
from unop2p.errors import MalformedError, ProofError

PARTY = party(("R1", "R2", "B3", "B3", "W", "G5"))
X, PUBLIC = PARTY.keys[0].secret, PARTY.keys[0].public
HAND = tuple(PARTY.residual(index, 0) for index in (0, 2, 3))
"""R1, B3, B3."""
ALLOWED = tuple(PARTY.faces.point(label) for label in ("R1", "R2", "B3", "W"))
DATA = prove_none_of(CONTEXT, X, PUBLIC, HAND, ALLOWED, chance("hand"))
WIDTH = 2 * len(ALLOWED)
"""Scalars a card."""


def test_true_statement_is_taken() -> None:
    assert len(DATA) == 64 * len(HAND) * len(ALLOWED)
    verify_none_of(CONTEXT, PUBLIC, HAND, ALLOWED, DATA)


@pytest.mark.parametrize("index", range(4))
def test_every_allowed_face_can_be_the_true_one(index: int) -> None:
    labels = ("R1", "R2", "B3", "W")
    place = PARTY.labels.index(labels[index])
    hand = (PARTY.residual(place, 0),)
    data = prove_none_of(CONTEXT, X, PUBLIC, hand, ALLOWED, chance(labels[index]))
    verify_none_of(CONTEXT, PUBLIC, hand, ALLOWED, data)


def test_statement_with_a_single_allowed_face_is_taken() -> None:
    data = prove_none_of(CONTEXT, X, PUBLIC, HAND[:1], ALLOWED[:1], chance("one"))
    verify_none_of(CONTEXT, PUBLIC, HAND[:1], ALLOWED[:1], data)


def test_empty_hand_and_false_statement_are_our_own_bug() -> None:
    with pytest.raises(AssertionError, match="empty"):
        prove_none_of(CONTEXT, X, PUBLIC, (), ALLOWED, chance("hand"))
    with pytest.raises(AssertionError, match="false"):
        prove_none_of(CONTEXT, X, PUBLIC, HAND, ALLOWED[:2], chance("hand"))


@pytest.mark.parametrize("context", list(other_contexts()), ids=range(6))
def test_statement_holds_in_its_own_context_only(context: object) -> None:
    with pytest.raises(ProofError):
        verify_none_of(context, PUBLIC, HAND, ALLOWED, DATA)  # type: ignore[arg-type]  # a parameter of pytest


@pytest.mark.parametrize("index", range(WIDTH * len(HAND)))
def test_each_scalar_counts(index: int) -> None:
    with pytest.raises(ProofError):
        verify_none_of(CONTEXT, PUBLIC, HAND, ALLOWED, spoil_scalar(DATA, index))


@pytest.mark.parametrize("index", [0, 1, WIDTH * len(HAND) - 1])
def test_scalar_that_is_not_reduced_is_refused(index: int) -> None:
    with pytest.raises(MalformedError):
        verify_none_of(CONTEXT, PUBLIC, HAND, ALLOWED, unreduce_scalar(DATA, index))


@pytest.mark.parametrize("data", [b"", DATA[:-1], DATA[:-64], DATA + bytes(64)])
def test_another_length_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        verify_none_of(CONTEXT, PUBLIC, HAND, ALLOWED, data)


def test_statement_about_nothing_is_refused() -> None:
    with pytest.raises(MalformedError):
        verify_none_of(CONTEXT, PUBLIC, (), ALLOWED, b"")
    with pytest.raises(MalformedError):
        verify_none_of(CONTEXT, PUBLIC, HAND, (), b"")


def test_other_cards_other_faces_or_another_key_are_refused() -> None:
    other = PARTY.residual(1, 0)
    for hand in ((HAND[1], HAND[0], HAND[2]), (HAND[0], HAND[2], HAND[1]), (other, *HAND[1:])):
        with pytest.raises(ProofError):
            verify_none_of(CONTEXT, PUBLIC, hand, ALLOWED, DATA)
    swapped = (ALLOWED[1], ALLOWED[0], *ALLOWED[2:])
    replaced = (*ALLOWED[:3], PARTY.faces.point("G5"))
    for allowed in (swapped, replaced):
        with pytest.raises(ProofError):
            verify_none_of(CONTEXT, PUBLIC, HAND, allowed, DATA)
    with pytest.raises(ProofError):
        verify_none_of(CONTEXT, PARTY.keys[1].public, HAND, ALLOWED, DATA)


def test_proofs_of_two_cards_swapped_are_refused() -> None:
    size = 32 * WIDTH
    with pytest.raises(ProofError):
        verify_none_of(
            CONTEXT, PUBLIC, HAND, ALLOWED, DATA[size : 2 * size] + DATA[:size] + DATA[2 * size :]
        )


def test_card_that_is_forbidden_has_no_proof_by_simulating_every_branch() -> None:
    # Every branch simulated: the announcements fit, but the challenges do not add up.
    hand = (PARTY.residual(5, 0),)
    scalars = [(3 + index, 50 + index) for index in range(len(ALLOWED))]
    data = b"".join(encode_scalar(c) + encode_scalar(s) for c, s in scalars)
    with pytest.raises(ProofError):
        verify_none_of(CONTEXT, PUBLIC, hand, ALLOWED, data)


def test_forbidden_card_has_no_proof_by_pretending_a_branch() -> None:
    hand = (PARTY.residual(5, 0),)
    # The prover is run as if the card were R1: only the check of its own statement is passed by.
    x = X.expose()
    claimed = MaskedCard(hand[0].c1, add(ALLOWED[0], mul(x, hand[0].c1)))
    data = prove_none_of(CONTEXT, X, PUBLIC, (claimed,), ALLOWED, chance("pretend"))
    verify_none_of(CONTEXT, PUBLIC, (claimed,), ALLOWED, data)
    with pytest.raises(ProofError):
        verify_none_of(CONTEXT, PUBLIC, hand, ALLOWED, data)


@pytest.mark.parametrize("guilty_first", [False, True])
def test_innocent_card_does_not_carry_a_guilty_one(*, guilty_first: bool) -> None:
    # One hash covers the hand. The innocent card answers it truly, every branch of the guilty one
    # is simulated: but each card's challenges must add up to the hash by themselves.
    innocent, guilty = HAND[0], PARTY.residual(5, 0)
    face, x, nonce = ALLOWED[0], X.expose(), 5
    c_sim, s_sim = 3, 50
    announced = [
        [base_mul(nonce), mul(nonce, innocent.c1)],
        [
            sub(base_mul(s_sim), mul(c_sim, PUBLIC)),
            sub(mul(s_sim, guilty.c1), mul(c_sim, sub(guilty.c2, face))),
        ],
    ]
    hand = [innocent, guilty]
    if guilty_first:
        hand, announced = hand[::-1], announced[::-1]
    c = challenge(
        "none-of",
        CONTEXT,
        PUBLIC.encoded,
        (2).to_bytes(4, "big"),
        encode_cards(hand),
        face.encoded,
        b"".join(point.encoded for pair in announced for point in pair),
    )
    answers = [(c, nonce + c * x), (c_sim, s_sim)]
    if guilty_first:
        answers.reverse()
    data = b"".join(encode_scalar(value) for answer in answers for value in answer)
    with pytest.raises(ProofError):
        verify_none_of(CONTEXT, PUBLIC, hand, (face,), data)


def test_another_secret_gives_no_proof() -> None:
    # A holder that pretends another key: the branch for the key itself fails.
    x = 77
    hand = (MaskedCard(HAND[0].c1, add(ALLOWED[0], mul(x, HAND[0].c1))),)
    nonce = 5
    announced = [base_mul(nonce), mul(nonce, hand[0].c1)]
    c = challenge(
        "none-of",
        CONTEXT,
        PUBLIC.encoded,
        (1).to_bytes(4, "big"),
        hand[0].c1.encoded + hand[0].c2.encoded,
        ALLOWED[0].encoded,
        b"".join(point.encoded for point in announced),
    )
    data = encode_scalar(c) + encode_scalar((nonce + c * x) % Q)
    verify_none_of(CONTEXT, base_mul(x), hand, ALLOWED[:1], _redo(x, hand))
    with pytest.raises(ProofError):
        verify_none_of(CONTEXT, PUBLIC, hand, ALLOWED[:1], data)


def _redo(x: int, hand: tuple[MaskedCard, ...]) -> bytes:
    return prove_none_of(CONTEXT, Secret(x), base_mul(x), hand, ALLOWED[:1], chance("redo"))


def test_proof_does_not_show_which_face_it_is() -> None:
    # Nothing in the bytes singles out a branch: no scalar is zero, one, x or twice the same.
    scalars = [DATA[32 * i : 32 * i + 32] for i in range(len(DATA) // 32)]
    assert len(set(scalars)) == len(scalars)
    assert not {encode_scalar(0), encode_scalar(1), encode_scalar(X.expose())} & set(scalars)


def test_two_statements_about_one_hand_never_share_a_nonce() -> None:
    def broken(count: int) -> bytes:
        return bytes(count)

    def announced(data: bytes) -> bytes:
        # By the true branch of the first card, R1: sG - cX.
        c, s = (int.from_bytes(data[a : a + 32], "little") for a in (0, 32))
        return sub(base_mul(s), mul(c, PUBLIC)).encoded

    one = prove_none_of(CONTEXT, X, PUBLIC, HAND, ALLOWED, broken)
    two = prove_none_of(CONTEXT, X, PUBLIC, HAND, ALLOWED[:3], broken)
    assert announced(one) != announced(two)


def test_residual_takes_the_others_shares_off() -> None:
    card = PARTY.cards[0]
    others = base_mul(9)
    assert residual(card, others) == MaskedCard(card.c1, sub(card.c2, others))
