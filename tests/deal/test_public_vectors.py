"""Vectors that others have published: hashing to the group, and a whole shuffle proof in a tiny group."""

import hashlib
from collections.abc import Iterator, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.deal.helpers import CONTEXT
from tests.deal.vectors import load
from unop2p.deal import group, proved, reference_group, sodium_group
from unop2p.deal.group import Point
from unop2p.deal.masking import MaskedCard, encode_cards
from unop2p.deal.proved import ShuffleProof, prove_shuffle, verify_shuffle
from unop2p.errors import ProofError

HASHING = load("hash_to_group.json")
TOY = load("chvote_toy.json")
MODULUS: int = TOY["p"]


def expand_message_xmd(message: bytes, dst: bytes, count: int) -> bytes:
    """RFC 9380 section 5.3.1 with SHA-512."""
    suffix = dst + bytes([len(dst)])
    first = hashlib.sha512(bytes(128) + message + count.to_bytes(2, "big") + b"\0" + suffix)
    blocks = [hashlib.sha512(first.digest() + b"\1" + suffix).digest()]
    while 64 * len(blocks) < count:
        mixed = bytes(a ^ b for a, b in zip(first.digest(), blocks[-1], strict=True))
        blocks.append(hashlib.sha512(mixed + bytes([len(blocks) + 1]) + suffix).digest())
    return b"".join(blocks)[:count]


@pytest.mark.parametrize(
    ("message", "expanded"), HASHING["expand_message_xmd_sha512"]["cases"], ids=range(3)
)
def test_expander_of_these_tests_is_that_of_rfc_9380(message: str, expanded: str) -> None:
    dst = HASHING["expand_message_xmd_sha512"]["dst"].encode()
    assert expand_message_xmd(message.encode(), dst, 32).hex() == expanded


@pytest.mark.parametrize("backend", [reference_group, sodium_group])
@pytest.mark.parametrize("case", HASHING["oprf_ristretto255_sha512"]["cases"], ids=range(2))
def test_hash_to_ristretto255_gives_the_elements_of_rfc_9497(
    backend: ModuleType, case: dict[str, str]
) -> None:
    """RFC 9380 appendix B, seen through the blinded elements: it publishes no points of its own."""
    vectors = HASHING["oprf_ristretto255_sha512"]
    wide = expand_message_xmd(bytes.fromhex(case["input"]), vectors["dst"].encode(), 64)
    blinded = backend.raw_mul(bytes.fromhex(vectors["blind"]), backend.raw_from_hash(wide))
    assert blinded.hex() == case["blinded"]
    assert backend.raw_mul(bytes.fromhex(vectors["secret"]), blinded).hex() == case["evaluated"]


# -- the CHVote case: squares modulo 11, written by addition as all groups here ------------------


def enc(value: int) -> bytes:
    """Encode a residue so that the neutral element, 1, is 32 zero bytes."""
    return (value % MODULUS - 1).to_bytes(32, "little")


def dec(data: bytes) -> int:
    return int.from_bytes(data, "little") + 1


def power(base: int, scalar: bytes) -> bytes:
    return enc(pow(base, int.from_bytes(scalar, "little"), MODULUS))


SQUARES = SimpleNamespace(
    GROUP="squares modulo 11",
    raw_valid=lambda data: dec(data) in {1, 3, 4, 5, 9},
    raw_add=lambda left, right: enc(dec(left) * dec(right)),
    raw_sub=lambda left, right: enc(dec(left) * pow(dec(right), -1, MODULUS)),
    raw_mul=lambda scalar, point: power(dec(point), scalar),
    raw_base=lambda scalar: power(TOY["g"], scalar),
    raw_from_hash=lambda _data: enc(3),
)


class Given:
    """Nonces in the order in which the prover asks for them."""

    def __init__(self, values: Sequence[int]) -> None:
        self._left: Iterator[int] = iter(values)

    def scalars(self, count: int) -> list[int]:
        return [next(self._left) for _ in range(count)]


def cards(pairs: list[list[int]]) -> tuple[MaskedCard, ...]:
    """CHVote's (a, b) is our (c2, c1)."""
    return tuple(MaskedCard(Point(enc(b)), Point(enc(a))) for a, b in pairs)


def values(points: Sequence[Point]) -> list[int]:
    return [dec(point.encoded) for point in points]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Work in the tiny group with the case's generators, weights and challenge; see what is hashed."""
    hashed: dict[str, Any] = {}

    def final(
        _context: object,
        _statement: object,
        _chain: object,
        announced: Sequence[Point],
        announced_chain: Sequence[Point],
    ) -> int:
        hashed.update(t=values(announced), t_hat=values(announced_chain))
        challenge: int = TOY["challenge"]
        return challenge

    generators = tuple(Point(enc(value)) for value in TOY["generators"])
    total = Point(enc(4 * 3 * 5))
    monkeypatch.setattr(group, "backend", SQUARES)
    monkeypatch.setattr(group, "Q", TOY["q"])
    monkeypatch.setattr(proved, "Q", TOY["q"])
    monkeypatch.setattr(proved, "generators", lambda _count: (Point(enc(TOY["h"])), generators))
    monkeypatch.setattr(proved, "_sum_of_generators", lambda *_: total)
    monkeypatch.setattr(proved, "weights", lambda *_: TOY["u"])
    monkeypatch.setattr(proved, "_final_challenge", final)
    return hashed


def chain_factors() -> list[int]:
    """Return the R_i of our closed form of the chain: R_i = r-hat_i + u'_i R_(i-1)."""
    factors = [0]
    for r_hat, u_prime in zip(TOY["r_hat"], TOY["u_prime"], strict=True):
        factors.append((r_hat + u_prime * factors[-1]) % TOY["q"])
    return factors[1:]


def toy_proof() -> ShuffleProof:
    inputs, outputs = cards(TOY["e"]), cards(TOY["e_prime"])
    drawn = [*TOY["r"], *chain_factors(), *TOY["omega"], *TOY["omega_hat"], *TOY["omega_prime"]]
    return prove_shuffle(
        CONTEXT,
        Point(enc(TOY["pk"])),
        (encode_cards(inputs), encode_cards(outputs)),
        (outputs, TOY["psi"], TOY["r_prime"]),
        Given(drawn),  # type: ignore[arg-type]  # the one method that the prover calls
    )


def test_prover_gives_every_value_of_the_chvote_case(seen: dict[str, Any]) -> None:
    proof = toy_proof()
    assert values(proof.commitments) == TOY["c"]
    assert values(proof.chain) == TOY["c_hat"]
    # Theirs is (t_4,1, t_4,2) for (a, b); so is ours for (c2, c1).
    assert seen == {"t": TOY["t"], "t_hat": TOY["t_hat"]}
    assert list(proof.s) == TOY["s"]
    assert list(proof.s_hat) == TOY["s_hat"]
    assert list(proof.s_prime) == TOY["s_prime"]


def test_verifier_comes_to_the_announcements_of_the_chvote_case(seen: dict[str, Any]) -> None:
    proof = toy_proof()
    seen.clear()
    verify_shuffle(CONTEXT, Point(enc(TOY["pk"])), cards(TOY["e"]), cards(TOY["e_prime"]), proof)
    assert seen == {"t": TOY["t"], "t_hat": TOY["t_hat"]}
    monkey = proof.s[0] + 1
    other = ShuffleProof(
        commitments=proof.commitments,
        chain=proof.chain,
        challenge=(proof.challenge + 1) % TOY["q"],
        s=(monkey, *proof.s[1:]),
        s_hat=proof.s_hat,
        s_prime=proof.s_prime,
    )
    with pytest.raises(ProofError):
        verify_shuffle(
            CONTEXT, Point(enc(TOY["pk"])), cards(TOY["e"]), cards(TOY["e_prime"]), other
        )
