"""Real forgeries against weakened verifiers: the weak one takes them, ours does not.

The forged shuffle is one that a known port of Terelius-Wikstrom allowed: its weights did not hash
the permutation commitments, so a prover could choose them afterwards.
"""

from collections.abc import Callable

import pytest

from tests.deal.helpers import CONTEXT, chance, party
from unop2p.deal import proved
from unop2p.deal.group import Q, add, base_mul, linear_combination, mul
from unop2p.deal.masking import MaskedCard, encode_cards, open_card, trivial_cards
from unop2p.deal.proved import ProvedShuffle, ShuffleProof, generators, prove_openings
from unop2p.deal.transcript import HedgedNonces, ProofContext, weights
from unop2p.errors import ProofError

PARTY = party(("R1", "W"))
POOR, RICH = PARTY.faces.point("R1"), PARTY.faces.point("W")
CARDS = trivial_cards([POOR, POOR, RICH], PARTY.joint)

Weights = Callable[..., list[int]]


def weak_weights(kind: str, context: ProofContext, count: int, *parts: bytes) -> list[int]:
    """Hash key, inputs and outputs, and leave out the commitments."""
    return weights(kind, context, count, *parts[:-1])


def square_root(value: int) -> int | None:
    """Return a root modulo the order (Tonelli-Shanks; q - 1 = 4 mod 8), or None."""
    value %= Q
    if pow(value, (Q - 1) // 2, Q) != 1:
        return None
    root = pow(value, (Q + 3) // 8, Q)
    if root * root % Q != value:
        root = root * pow(2, (Q - 1) // 4, Q) % Q
    assert root * root % Q == value
    return root


def forge(weigh: Weights) -> tuple[bytes, bytes]:
    """Turn {poor, poor, rich} into {poor, rich, rich}, and prove it to who weighs like this.

    The first shuffler knows every randomness, so all that the proof shows of the cards is one
    equation: for each face, weights in equal weights out; beside it the products are equal.
    """
    for attempt in range(64):
        factors = [100 + 3 * attempt, 101 + 3 * attempt, 102 + 3 * attempt]
        outputs = [
            MaskedCard(base_mul(factor), add(face, mul(factor, PARTY.joint)))
            for face, factor in zip((POOR, RICH, RICH), factors, strict=True)
        ]
        fixed = (PARTY.joint.encoded, encode_cards(CARDS), encode_cards(outputs))
        u = weigh("shuffle", CONTEXT, 3, *fixed, b"")
        # u'1 = u1 + u2, u'2 + u'3 = u3 and u'1 u'2 u'3 = u1 u2 u3: a quadratic equation.
        first = (u[0] + u[1]) % Q
        product = u[0] * u[1] * u[2] * pow(first, -1, Q) % Q
        root = square_root(u[2] * u[2] - 4 * product)
        if root is None:
            continue
        half = pow(2, -1, Q)
        u_prime = [first, (u[2] + root) * half % Q, (u[2] - root) * half % Q]
        return encode_cards(outputs), _prove(fixed, outputs, factors, u, u_prime).encoded()
    message = "no square in 64 attempts"
    raise AssertionError(message)


def _prove(
    fixed: tuple[bytes, bytes, bytes],
    outputs: list[MaskedCard],
    factors: list[int],
    u: list[int],
    u_prime: list[int],
) -> ShuffleProof:
    # Commitments that fit the wanted weights: a column j has entries a, 1 - a with
    # u1 a + u2 (1 - a) = u'j. It is no permutation, and nothing that is proved says that it is.
    _, hs = generators(3)
    r = [7, 8, 9]
    upper = [(value - u[1]) * pow(u[0] - u[1], -1, Q) % Q for value in u_prime]
    rows = [upper, [(1 - entry) % Q for entry in upper], [0, 0, 0]]
    commitments = [
        add(base_mul(r[index]), linear_combination(row, hs)) for index, row in enumerate(rows)
    ]
    statement = (*fixed, b"".join(point.encoded for point in commitments))
    r_tilde = sum(x * y for x, y in zip(r, u, strict=True))
    r_prime = sum(x * y for x, y in zip(factors, u_prime, strict=True)) - sum(u)
    return prove_openings(
        CONTEXT,
        (PARTY.joint, statement),
        (outputs, commitments),
        (u_prime, (sum(r), r_tilde, r_prime)),
        HedgedNonces(b"forger", CONTEXT, statement[-1], chance("forger")),
    )


def test_forged_deck_passes_a_verifier_with_weak_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs, proof = forge(weak_weights)
    monkeypatch.setattr(proved, "weights", weak_weights)
    cards = ProvedShuffle().verify(CONTEXT, PARTY.joint, CARDS, outputs, proof)
    opened = [
        PARTY.faces.find(
            open_card(card, [mul(keys.secret.expose(), card.c1) for keys in PARTY.keys])
        )
        for card in cards
    ]
    assert opened == ["R1", "W", "W"]


@pytest.mark.parametrize("weigh", [weak_weights, weights])
def test_forged_deck_is_refused_here(weigh: Weights) -> None:
    outputs, proof = forge(weigh)
    with pytest.raises(ProofError, match="does not hold"):
        ProvedShuffle().verify(CONTEXT, PARTY.joint, CARDS, outputs, proof)
