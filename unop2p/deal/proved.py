"""The `proved` shuffle: the Terelius-Wikstrom argument for re-encrypting ElGamal shuffles.

Written after Haenni, Locher, Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable
Re-Encryption Mix-Nets" (2017), algorithms GenShuffle, GenProof and CheckProof; their (a, b) is our
(c2, c1), their multiplicative group is written additively. Proof: permutation commitments c (N
points), chain commitments c-hat (N points), challenge, s1..s4, s-hat (N), s-prime (N), which is
32(4N + 5) bytes.

Two things beyond the paper: chain commitments are made in closed form, c-hat_i = R_i G + U_i h
with R_i drawn and r-hat_i = R_i - u'_i R_(i-1), which saves the prover a variable-base
multiplication a card; and an output that shares c1 with an input is refused, since re-masking
with zero hides nothing, as are two outputs that share c1, since a share of the one would open the
other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from unop2p.deal.coin import shuffled
from unop2p.deal.entropy import Entropy
from unop2p.deal.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    Q,
    add,
    base_mul,
    decode_points,
    decode_scalar,
    hash_to_point,
    linear_combination,
    mul,
    sub,
    sum_points,
    which,
)
from unop2p.deal.masking import MaskedCard, VerifiedDeck, decode_cards, encode_cards
from unop2p.deal.shuffle import CARDS_MAX, check_fresh
from unop2p.deal.transcript import (
    HedgedNonces,
    ProofContext,
    challenge,
    encode_scalars,
    weights,
)
from unop2p.errors import MalformedError, ProofError


@lru_cache(maxsize=2)
def _all_generators(_group: str) -> tuple[Point, ...]:
    return tuple(
        hash_to_point("generator", index.to_bytes(4, "big")) for index in range(CARDS_MAX + 1)
    )


def generators(count: int) -> tuple[Point, tuple[Point, ...]]:
    """Return h and h_1..h_count, points that nobody knows the logarithms of."""
    every = _all_generators(which())
    return every[0], every[1 : count + 1]


@lru_cache(maxsize=32)
def _sum_of_generators(count: int, _group: str) -> Point:
    """Return h_1 + ... + h_count, which every verification of that size needs."""
    return sum_points(generators(count)[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleProof:
    """A proof, taken apart."""

    commitments: tuple[Point, ...]
    chain: tuple[Point, ...]
    challenge: int
    s: tuple[int, int, int, int]
    s_hat: tuple[int, ...]
    s_prime: tuple[int, ...]

    def encoded(self) -> bytes:
        """Return the proof as bytes."""
        points = b"".join(point.encoded for point in (*self.commitments, *self.chain))
        return points + encode_scalars([self.challenge, *self.s, *self.s_hat, *self.s_prime])


def proof_bytes(count: int) -> int:
    """Return the length of a proof for `count` cards."""
    return POINT_BYTES * 2 * count + SCALAR_BYTES * (2 * count + 5)


def decode_proof(data: bytes, count: int) -> ShuffleProof:
    """Take a proof apart.

    Raises:
        MalformedError: another length, an invalid point or scalar.
    """
    if len(data) != proof_bytes(count):
        message = f"a shuffle proof of {len(data)} bytes for {count} cards"
        raise MalformedError(message)
    split = POINT_BYTES * 2 * count
    points = decode_points(data[:split], 2 * count)
    scalars = [
        decode_scalar(data[start : start + SCALAR_BYTES])
        for start in range(split, len(data), SCALAR_BYTES)
    ]
    return ShuffleProof(
        commitments=points[:count],
        chain=points[count:],
        challenge=scalars[0],
        s=(scalars[1], scalars[2], scalars[3], scalars[4]),
        s_hat=tuple(scalars[5 : 5 + count]),
        s_prime=tuple(scalars[5 + count :]),
    )


def _statement(
    joint_key: Point, inputs: bytes, outputs: bytes, commitments: Sequence[Point]
) -> tuple[bytes, ...]:
    joined = b"".join(point.encoded for point in commitments)
    return joint_key.encoded, inputs, outputs, joined


def _final_challenge(
    context: ProofContext,
    statement: tuple[bytes, ...],
    chain: Sequence[Point],
    announced: Sequence[Point],
    announced_chain: Sequence[Point],
) -> int:
    return challenge(
        "shuffle",
        context,
        *statement,
        b"".join(point.encoded for point in chain),
        b"".join(point.encoded for point in announced),
        b"".join(point.encoded for point in announced_chain),
    )


class ProvedShuffle:
    """Shuffles with a zero-knowledge proof: a false one is refused before a card is dealt."""

    name = "proved"

    def shuffle(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        entropy: Entropy,
    ) -> tuple[bytes, bytes]:
        """Shuffle cards, and prove it; see `ShuffleArgument`."""
        assert 1 <= len(cards) <= CARDS_MAX
        nonces = HedgedNonces(entropy(32), context, encode_cards(cards), entropy)
        prepared = _prepare(joint_key, len(cards), nonces)
        return self.shuffle_prepared(context, joint_key, cards, prepared)

    def prepare(
        self, context: ProofContext, joint_key: Point, count: int, entropy: Entropy
    ) -> "PreparedShuffle":
        """Do all of a shuffle that does not need the cards; see `PreparedArgument`."""
        assert 1 <= count <= CARDS_MAX
        statement = joint_key.encoded + count.to_bytes(4, "big")
        return _prepare(joint_key, count, HedgedNonces(entropy(32), context, statement, entropy))

    def shuffle_prepared(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        prepared: "PreparedShuffle",
    ) -> tuple[bytes, bytes]:
        """Shuffle with what was prepared, and never with the same again; see `PreparedArgument`."""
        assert len(cards) == len(prepared.order)
        outputs = tuple(
            MaskedCard(
                add(cards[source].c1, prepared.masks[source][0]),
                add(cards[source].c2, prepared.masks[source][1]),
            )
            for source in prepared.order
        )
        encoded = encode_cards(outputs)
        proof = prove_shuffle(
            context,
            joint_key,
            (encode_cards(cards), encoded),
            (outputs, prepared.order, prepared.factors),
            prepared.proof,
        )
        return encoded, proof.encoded()

    def verify(
        self,
        context: ProofContext,
        joint_key: Point,
        cards: Sequence[MaskedCard],
        outputs: bytes,
        proof: bytes,
    ) -> VerifiedDeck:
        """Check a shuffle; see `ShuffleArgument`."""
        count = len(cards)
        if not 1 <= count <= CARDS_MAX:
            message = f"a shuffle of {count} cards"
            raise MalformedError(message)
        shuffled_cards = decode_cards(outputs, count)
        taken = decode_proof(proof, count)
        check_fresh(cards, shuffled_cards)
        verify_shuffle(context, joint_key, cards, shuffled_cards, taken)
        return VerifiedDeck(shuffled_cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedOpenings:
    """Nonces of the second half of a proof, already multiplied where that needs no card."""

    joint_key: Point
    chain_r: Sequence[int] = field(repr=False)
    omega: Sequence[int] = field(repr=False)
    omega_hat: Sequence[int] = field(repr=False)
    omega_prime: Sequence[int] = field(repr=False)
    chain: Sequence[Point]
    """R_i G."""
    announced: tuple[Point, Point, Point, Point, Point]
    """Of the five announcements what no output stands in."""
    announced_chain: Sequence[Point]
    """Of the chain's announcements the multiples of G."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedProof:
    """The permutation committed to, and the rest prepared."""

    r: Sequence[int] = field(repr=False)
    commitments: Sequence[Point]
    openings: PreparedOpenings


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedShuffle:
    """A whole shuffle that waits for its cards. Good for one list, once."""

    order: Sequence[int] = field(repr=False)
    factors: Sequence[int] = field(repr=False)
    """By input."""
    masks: Sequence[tuple[Point, Point]] = field(repr=False)
    """By input: (rG, rX)."""
    proof: PreparedProof = field(repr=False)


def _prepare(joint_key: Point, count: int, nonces: HedgedNonces) -> PreparedShuffle:
    order = shuffled(count, lambda: int.from_bytes(nonces.entropy(8), "big"))
    # A factor of zero has a chance of 2^-252; it would leave its card in the open.
    factors = [factor or 1 for factor in nonces.scalars(count)]
    masks = [(base_mul(factor), mul(factor, joint_key)) for factor in factors]
    proof = _prepare_proof(joint_key, order, nonces)
    return PreparedShuffle(order=order, factors=factors, masks=masks, proof=proof)


def _prepare_proof(joint_key: Point, order: Sequence[int], nonces: HedgedNonces) -> PreparedProof:
    count = len(order)
    h, hs = generators(count)
    # c_(order[i]) commits to h_i: the permutation matrix, column by column.
    r = nonces.scalars(count)
    commitments: list[Point] = [h] * count
    for index, source in enumerate(order):
        commitments[source] = add(base_mul(r[source]), hs[index])
    openings = _prepare_openings(joint_key, count, nonces)
    return PreparedProof(r=r, commitments=commitments, openings=openings)


def _prepare_openings(joint_key: Point, count: int, nonces: HedgedNonces) -> PreparedOpenings:
    _, hs = generators(count)
    chain_r = nonces.scalars(count)
    omega = nonces.scalars(4)
    omega_hat = nonces.scalars(count)
    omega_prime = nonces.scalars(count)
    before_r = [0, *chain_r[:-1]]
    return PreparedOpenings(
        joint_key=joint_key,
        chain_r=chain_r,
        omega=omega,
        omega_hat=omega_hat,
        omega_prime=omega_prime,
        chain=[base_mul(factor) for factor in chain_r],
        announced=(
            base_mul(omega[0]),
            base_mul(omega[1]),
            add(base_mul(omega[2]), linear_combination(omega_prime, hs)),
            mul(omega[3], joint_key),
            base_mul(omega[3]),
        ),
        announced_chain=[
            base_mul(omega_hat[i] + omega_prime[i] * before_r[i]) for i in range(count)
        ],
    )


def prove_shuffle(
    context: ProofContext,
    joint_key: Point,
    encoded: tuple[bytes, bytes],
    secret: tuple[Sequence[MaskedCard], Sequence[int], Sequence[int]],
    nonces: HedgedNonces | PreparedProof,
) -> ShuffleProof:
    """Prove that outputs are the inputs, re-masked and permuted.

    Args:
        context: where the proof stands.
        joint_key: X.
        encoded: inputs and outputs as bytes.
        secret: the outputs; for each output the index of its input; the factor of each input.
        nonces: fresh ones, or what was prepared with such.
    """
    outputs, order, factors = secret
    count = len(outputs)
    prepared = nonces
    if not isinstance(prepared, PreparedProof):
        prepared = _prepare_proof(joint_key, order, prepared)
    r, commitments = prepared.r, prepared.commitments
    statement = _statement(joint_key, *encoded, commitments)
    u = weights("shuffle", context, count, *statement)
    secrets = (
        sum(r),
        sum(r[i] * u[i] for i in range(count)),
        sum(factors[i] * u[i] for i in range(count)),
    )
    u_prime = [u[source] for source in order]
    return prove_openings(
        context,
        (joint_key, statement),
        (outputs, commitments),
        (u_prime, secrets),
        prepared.openings,
    )


def prove_openings(
    context: ProofContext,
    claim: tuple[Point, tuple[bytes, ...]],
    public: tuple[Sequence[MaskedCard], Sequence[Point]],
    witness: tuple[Sequence[int], tuple[int, int, int]],
    nonces: HedgedNonces | PreparedOpenings,
) -> ShuffleProof:
    """Prove the relations that the weights of a shuffle fulfil: the second half of a proof.

    Args:
        context: where the proof stands.
        claim: X, and the statement as it is hashed.
        public: the outputs, and the permutation commitments.
        witness: the weights in the order of the outputs; and r-bar, r-tilde, r' of the paper.
        nonces: fresh ones, or what was prepared with such.
    """
    (joint_key, statement), (outputs, commitments) = claim, public
    u_prime, (r_bar, r_tilde, r_prime) = witness
    count = len(outputs)
    h, _ = generators(count)
    made = nonces
    if not isinstance(made, PreparedOpenings):
        made = _prepare_openings(joint_key, count, made)
    assert made.joint_key == joint_key
    chain_r, omega = made.chain_r, made.omega
    omega_hat, omega_prime = made.omega_hat, made.omega_prime
    # Chain in closed form.
    chain_u: list[int] = []
    chain: list[Point] = []
    product = 1
    for value, multiple in zip(u_prime, made.chain, strict=True):
        product = product * value % Q
        chain_u.append(product)
        chain.append(add(multiple, mul(product, h)))
    before_r, before_u = [0, *chain_r[:-1]], [1, *chain_u[:-1]]
    first, second, third, masks_c2, masks_c1 = made.announced
    announced = (
        first,
        second,
        third,
        sub(linear_combination(omega_prime, [card.c2 for card in outputs]), masks_c2),
        sub(linear_combination(omega_prime, [card.c1 for card in outputs]), masks_c1),
    )
    announced_chain = [
        add(made.announced_chain[i], mul(omega_prime[i] * before_u[i], h)) for i in range(count)
    ]
    c = _final_challenge(context, statement, chain, announced, announced_chain)
    s = [
        (nonce + c * secret) % Q
        for nonce, secret in zip(omega, (r_bar, chain_r[-1], r_tilde, r_prime), strict=True)
    ]
    r_hat = [chain_r[i] - u_prime[i] * before_r[i] for i in range(count)]
    return ShuffleProof(
        commitments=tuple(commitments),
        chain=tuple(chain),
        challenge=c,
        s=(s[0], s[1], s[2], s[3]),
        s_hat=tuple((omega_hat[i] + c * r_hat[i]) % Q for i in range(count)),
        s_prime=tuple((omega_prime[i] + c * u_prime[i]) % Q for i in range(count)),
    )


def verify_shuffle(
    context: ProofContext,
    joint_key: Point,
    cards: Sequence[MaskedCard],
    outputs: Sequence[MaskedCard],
    proof: ShuffleProof,
) -> None:
    """Check a proof of shuffle.

    Raises:
        ProofError: it does not hold.
    """
    count = len(cards)
    h, hs = generators(count)
    statement = _statement(joint_key, encode_cards(cards), encode_cards(outputs), proof.commitments)
    u = weights("shuffle", context, count, *statement)
    product = 1
    for value in u:
        product = product * value % Q
    c = proof.challenge
    s1, s2, s3, s4 = proof.s
    c_bar = sub(sum_points(proof.commitments), _sum_of_generators(count, which()))
    c_hat = sub(proof.chain[-1], mul(product, h))
    c_tilde = linear_combination(u, proof.commitments)
    mixed_c2 = linear_combination(u, [card.c2 for card in cards])
    mixed_c1 = linear_combination(u, [card.c1 for card in cards])
    announced = (
        sub(base_mul(s1), mul(c, c_bar)),
        sub(base_mul(s2), mul(c, c_hat)),
        sub(add(base_mul(s3), linear_combination(proof.s_prime, hs)), mul(c, c_tilde)),
        sub(
            linear_combination(proof.s_prime, [card.c2 for card in outputs]),
            add(mul(s4, joint_key), mul(c, mixed_c2)),
        ),
        sub(
            linear_combination(proof.s_prime, [card.c1 for card in outputs]),
            add(base_mul(s4), mul(c, mixed_c1)),
        ),
    )
    before = (h, *proof.chain[:-1])
    announced_chain = [
        sub(
            add(base_mul(proof.s_hat[i]), mul(proof.s_prime[i], before[i])),
            mul(c, proof.chain[i]),
        )
        for i in range(count)
    ]
    if c != _final_challenge(context, statement, proof.chain, announced, announced_chain):
        message = "the proof of a shuffle does not hold"
        raise ProofError(message)
