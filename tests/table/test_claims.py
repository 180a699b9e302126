"""A claim as a formula about masked cards, and the proof of it."""

from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.deal.statements import (
    LEAF_BYTES,
    AllOf,
    AnyOf,
    Formula,
    Shows,
    leaf_count,
)
from unop2p.log.messages import Statement
from unop2p.rules.cards import Face
from unop2p.rules.hidden import Case, Claim
from unop2p.table import bodies
from unop2p.table.claims import LEAVES_MAX, formula_of
from unop2p.table.hindsight import ClaimDue
from unop2p.table.talk import Accuse, Tell
from unop2p.wire import codec
from unop2p.wire.sealing import Sealer

FACES = (Face.R1, Face.R2, Face.B1, Face.B2, Face.W, Face.W4)


def claim(*cases: Case) -> Claim:
    return Claim(cases=cases, broken="")


def formula(of: Claim, rest: int, drawn: int | None = None) -> Formula | None:
    return formula_of(ClaimDue(claim=of, drawn=drawn, rest=tuple(range(10, 10 + rest))), FACES)


def true(what: Formula | None, cards: tuple[Face, ...]) -> bool:
    match what:
        case None:
            return True
        case Shows(card=card, face=face):
            return cards[card] == FACES[face]
        case AllOf(parts=parts):
            return all(true(part, cards) for part in parts)
        case AnyOf(parts=parts):
            return any(true(part, cards) for part in parts)


NONE_RED = claim(Case(barred=(Face.R1, Face.R2, Face.G9)))
UNFIT = claim(
    Case(drawn=(Face.B1, Face.B2)),
    Case(drawn=(Face.W,), needed=(Face.R1, Face.R2)),
    Case(drawn=(Face.W4,), needed=(Face.R1,)),
)
FIT = claim(Case(drawn=(Face.R1, Face.R2)), Case(drawn=(Face.W,), barred=(Face.R1, Face.R2)))


@pytest.mark.parametrize("of", [NONE_RED, UNFIT, FIT], ids=["hand", "unfit", "fit"])
def test_a_formula_is_true_of_just_those_hands_of_which_the_claim_holds(of: Claim) -> None:
    rng, seen = Random(5), set[bool]()
    for _ in range(300):
        rest = tuple(rng.choice(FACES) for _ in range(rng.randrange(4)))
        drawn = rng.choice(FACES)
        cards = (drawn, *rest) if of.about_drawn else rest
        made = formula(of, len(rest), 0 if of.about_drawn else None)
        seen.add(of.holds(drawn, rest))
        assert true(made, cards) == of.holds(drawn, rest), (drawn, rest)
    assert seen == {True, False}


def test_what_holds_of_any_hand_needs_no_proof() -> None:
    assert formula(NONE_RED, 0) is None
    assert formula(claim(Case(barred=(Face.G9,))), 3) is None


def test_what_can_hold_of_no_hand_has_no_proof() -> None:
    impossible = formula(claim(Case(drawn=(Face.G9,))), 2, 0)
    assert impossible == AnyOf(())


def test_a_proof_has_a_leaf_for_each_card_and_face_that_may_be() -> None:
    made = formula(NONE_RED, 7)
    assert made is not None
    assert leaf_count(made) == 7 * 4


def test_the_longest_proof_fits_into_every_message_that_may_carry_it() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    author = key.public_key().public_bytes_raw()
    move = Statement(
        table=bytes(16),
        step=2**31,
        head=bytes(32),
        body=bodies.Drew(claim=b"\xff" * (LEAF_BYTES * LEAVES_MAX)),
    )
    signed = codec.sign(key, author, move)
    told = Tell(to=author, items=(signed,), step=2**31, nonce=bytes(16))
    accused = Accuse(table=bytes(16), step=2**31, reason="x" * 200, items=(signed,))
    for message in (move, told, accused):
        sealed = Sealer(bytes(32)).seal(codec.pack(codec.sign(key, author, message)), bytes(24))
        assert len(sealed) <= codec.ENVELOPE_BYTES_MAX
