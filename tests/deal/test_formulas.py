"""Formulas about a hand: true ones are taken, false ones cannot be made."""

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
from unop2p.deal.statements import (
    LEAF_BYTES,
    AllOf,
    AnyOf,
    Formula,
    Shows,
    leaf_count,
    prove_claim,
    verify_claim,
)
from unop2p.deal.transcript import ProofContext, challenge
from unop2p.errors import MalformedError, ProofError

PARTY = party(("R1", "B3", "W", "G5"))
X, PUBLIC = PARTY.keys[0].secret, PARTY.keys[0].public
LABELS = ("R1", "B3", "W", "G5")
FACES = tuple(PARTY.faces.point(label) for label in LABELS)
HAND = tuple(PARTY.residual(index, 0) for index in (2, 0, 1))
"""W, R1, B3."""
R1, B3, W, G5 = range(4)


def shows(card: int, *faces: int) -> AnyOf:
    return AnyOf(tuple(Shows(card, face) for face in faces))


TRUE: dict[str, Formula] = {
    "leaf": Shows(0, W),
    "any": shows(0, R1, W, G5),
    "all": AllOf((shows(0, W, G5), shows(1, R1, B3), shows(2, B3))),
    "case": AnyOf((shows(0, G5), AllOf((shows(0, W), AnyOf((Shows(1, G5), Shows(2, B3))))))),
    "first-case": AnyOf((shows(0, W), AllOf((shows(0, G5), shows(1, G5))))),
    "both-cases": AnyOf((Shows(0, W), Shows(1, R1))),
    "deep": AllOf((AnyOf((AllOf((Shows(0, G5), Shows(0, W))), AllOf((Shows(1, R1),)))),)),
}
FALSE: dict[str, Formula] = {
    "leaf": Shows(0, R1),
    "any": shows(0, R1, G5),
    "all": AllOf((shows(0, W), shows(1, R1), shows(2, G5))),
    "case": AnyOf((shows(0, G5), AllOf((shows(0, W), AnyOf((Shows(1, G5), Shows(2, R1))))))),
    "nothing": AnyOf(()),
}
CASE = TRUE["case"]


def proof(formula: Formula, name: str = "formula") -> bytes:
    return prove_claim(CONTEXT, X, PUBLIC, HAND, FACES, formula, chance(name))


DATA = proof(CASE)


@pytest.mark.parametrize("name", TRUE)
def test_a_true_formula_is_taken(name: str) -> None:
    data = proof(TRUE[name])
    assert len(data) == LEAF_BYTES * leaf_count(TRUE[name])
    verify_claim(CONTEXT, PUBLIC, HAND, FACES, TRUE[name], data)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_formula_is_our_own_bug(name: str) -> None:
    with pytest.raises(AssertionError, match="false"):
        proof(FALSE[name])


@pytest.mark.parametrize("name", FALSE)
def test_a_false_formula_has_no_proof_by_simulating_it(name: str) -> None:
    formula = FALSE[name]
    zeros = bytes(LEAF_BYTES * leaf_count(formula))
    with pytest.raises(ProofError):
        verify_claim(CONTEXT, PUBLIC, HAND, FACES, formula, zeros)


@pytest.mark.parametrize("name", ["leaf", "any", "all", "case"])
def test_a_false_formula_has_no_proof_by_pretending_other_cards(name: str) -> None:
    formula = FALSE[name]
    pretended = tuple(
        MaskedCard(card.c1, add(FACES[face], mul(X.expose(), card.c1)))
        for card, face in zip(HAND, ((R1, B3, G5) if name == "leaf" else (G5, R1, G5)), strict=True)
    )
    if name in {"all", "case"}:
        pretended = (HAND[0], pretended[1], MaskedCard(HAND[2].c1, pretended[2].c2))
        pretended = (*pretended[:1], _as(1, G5 if name == "case" else R1), _as(2, G5))
    data = prove_claim(CONTEXT, X, PUBLIC, pretended, FACES, formula, chance("pretend"))
    verify_claim(CONTEXT, PUBLIC, pretended, FACES, formula, data)
    with pytest.raises(ProofError):
        verify_claim(CONTEXT, PUBLIC, HAND, FACES, formula, data)


def _as(card: int, face: int) -> MaskedCard:
    c1 = HAND[card].c1
    return MaskedCard(c1, add(FACES[face], mul(X.expose(), c1)))


@pytest.mark.parametrize("context", list(other_contexts()), ids=range(6))
def test_a_proof_holds_in_its_own_context_only(context: ProofContext) -> None:
    with pytest.raises(ProofError):
        verify_claim(context, PUBLIC, HAND, FACES, CASE, DATA)


@pytest.mark.parametrize("index", range(2 * leaf_count(CASE)))
def test_each_scalar_counts_and_must_be_reduced(index: int) -> None:
    with pytest.raises(ProofError):
        verify_claim(CONTEXT, PUBLIC, HAND, FACES, CASE, spoil_scalar(DATA, index))
    with pytest.raises(MalformedError):
        verify_claim(CONTEXT, PUBLIC, HAND, FACES, CASE, unreduce_scalar(DATA, index))


@pytest.mark.parametrize("data", [b"", DATA[:-1], DATA[:-64], DATA + bytes(64)])
def test_another_length_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        verify_claim(CONTEXT, PUBLIC, HAND, FACES, CASE, data)


def test_other_cards_faces_keys_or_formulas_are_refused() -> None:
    for cards in ((HAND[1], HAND[0], HAND[2]), (HAND[0], HAND[2], HAND[1])):
        with pytest.raises(ProofError):
            verify_claim(CONTEXT, PUBLIC, cards, FACES, CASE, DATA)
    with pytest.raises(ProofError):
        verify_claim(CONTEXT, PUBLIC, HAND, (FACES[1], FACES[0], *FACES[2:]), CASE, DATA)
    with pytest.raises(ProofError):
        verify_claim(CONTEXT, PARTY.keys[1].public, HAND, FACES, CASE, DATA)


def test_the_shape_of_a_formula_is_part_of_what_is_proved() -> None:
    # The same leaves under an `AnyOf` with a true part; under an `AllOf` they are not all true.
    either = AnyOf((Shows(0, W), Shows(1, G5)))
    both = AllOf((Shows(0, W), Shows(1, G5)))
    data = proof(either)
    verify_claim(CONTEXT, PUBLIC, HAND, FACES, either, data)
    with pytest.raises(ProofError):
        verify_claim(CONTEXT, PUBLIC, HAND, FACES, both, data)


@pytest.mark.parametrize("true_first", [True, False])
def test_parts_of_an_all_cannot_answer_different_challenges(*, true_first: bool) -> None:
    # The true part answers the hash, the false one is simulated under a challenge of its own: all
    # equations hold, and nothing but that the two challenges differ gives it away.
    leaves = [Shows(0, W), Shows(1, G5)]
    nonce, c2, s2 = 5, 7, 9
    real = [base_mul(nonce), mul(nonce, HAND[0].c1)]
    target = sub(HAND[1].c2, FACES[G5])
    made = [
        sub(base_mul(s2), mul(c2, PUBLIC)),
        sub(mul(s2, HAND[1].c1), mul(c2, target)),
    ]
    announced = [real, made]
    if not true_first:
        leaves, announced = leaves[::-1], announced[::-1]
    both = AllOf(tuple(leaves))
    c = challenge(
        "claim",
        CONTEXT,
        PUBLIC.encoded,
        len(HAND).to_bytes(4, "big"),
        encode_cards(HAND),
        b"".join(face.encoded for face in FACES),
        both.encoded(),
        b"".join(point.encoded for pair in announced for point in pair),
    )
    answers = [(c, (nonce + c * X.expose()) % Q), (c2, s2)]
    if not true_first:
        answers.reverse()
    data = b"".join(encode_scalar(value) for answer in answers for value in answer)
    with pytest.raises(ProofError):
        verify_claim(CONTEXT, PUBLIC, HAND, FACES, both, data)


def test_a_proof_does_not_show_which_part_is_true() -> None:
    # In `both-cases` two parts are true and one is proved: nothing in the bytes singles it out.
    for name, formula in TRUE.items():
        data = proof(formula, name)
        scalars = [data[32 * i : 32 * i + 32] for i in range(len(data) // 32)]
        special = {encode_scalar(0), encode_scalar(1), encode_scalar(X.expose())}
        assert not special & set(scalars)
        if name == "any":
            assert len(set(scalars)) == len(scalars)


def test_two_formulas_about_one_hand_never_share_a_nonce() -> None:
    def broken(count: int) -> bytes:
        return bytes(count)

    def announced(data: bytes) -> bytes:
        c, s = (int.from_bytes(data[a : a + 32], "little") for a in (0, 32))
        return add(base_mul(s), mul(-c % Q, PUBLIC)).encoded

    one = prove_claim(CONTEXT, X, PUBLIC, HAND, FACES, shows(0, W, R1), broken)
    two = prove_claim(CONTEXT, X, PUBLIC, HAND, FACES, shows(0, W, B3), broken)
    assert announced(one) != announced(two)
