"""Round keys by commit and reveal: nobody chooses a key or a seed after seeing the others'."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import (
    Point,
    base_mul,
    decode_scalar,
    encode_scalar,
    hash_to_bytes,
    hash_to_scalar,
    mul,
    sub,
    sum_points,
)
from unop2p.deal.secret import Secret
from unop2p.deal.standin import Sharing, derive_sharing
from unop2p.deal.transcript import HedgedNonces, ProofContext, challenge
from unop2p.errors import MalformedError, ProofError

PROOF_BYTES = 64
DIGEST_BYTES = 32
SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundKeys:
    """One seat's keys for one round; all of it grows out of one round secret."""

    secret: Secret = field(repr=False)
    """x_i."""
    public: Point
    """X_i = x_i G."""
    coin_seed: bytes = field(repr=False)
    """32 bytes, secret until the reveal."""
    box_secret: Secret = field(repr=False)
    box_public: bytes
    """For sealed shares, and nothing else."""
    commitment: bytes
    """What the commit step says, 32 bytes."""
    shuffle_seed: Secret = field(repr=False)
    """What the shuffles of a `commit-reveal` table grow out of; shown after the round."""
    sharing: Sharing | None = field(default=None, repr=False)
    """x_i shared among the seats of the round, where others can stand in."""

    @property
    def shuffle_commitment(self) -> Point:
        """The commitment to the shuffle seed s: sG."""
        return base_mul(self.shuffle_seed.expose())


def commitment(
    seed: bytes,
    public: Point,
    box_public: bytes,
    sharing: bytes,
    table_id: bytes,
    round_index: int,
    seat: int,
) -> bytes:
    """Return H(seed, X, box key, sharing commitments, table, round, seat), 32 bytes.

    It hides: the seed is 32 bytes of chance.
    """
    return hash_to_bytes(
        "commitment",
        seed,
        public.encoded,
        box_public,
        sharing,
        table_id,
        round_index.to_bytes(8, "big"),
        seat.to_bytes(2, "big"),
    )[:DIGEST_BYTES]


def derive_round_keys(
    round_secret: bytes,
    *,
    table_id: bytes,
    round_index: int,
    seat: int,
    threshold: int = 0,
    seats: int = 0,
) -> RoundKeys:
    """Grow a seat's keys out of 32 secret bytes that were drawn for this round alone.

    Args:
        round_secret: the bytes.
        table_id: of the table.
        round_index: counted from 0.
        seat: whose keys.
        threshold: how many others can act for the seat; 0 where nobody can, and nothing is shared.
        seats: of the table.
    """
    assert len(round_secret) == SECRET_BYTES, "a round secret is 32 bytes"
    place = (table_id, round_index.to_bytes(8, "big"), seat.to_bytes(2, "big"))
    secret = hash_to_scalar("round-key", round_secret, *place)
    box_secret = hash_to_scalar("box-key", round_secret, *place)
    coin_seed = hash_to_bytes("coin-seed", round_secret, *place)[:DIGEST_BYTES]
    public = base_mul(secret)
    box_public = base_mul(box_secret).encoded
    sharing = None
    if threshold:
        sharing = derive_sharing(
            Secret(secret), round_secret, place=place, threshold=threshold, seats=seats
        )
    committed = b"".join(point.encoded for point in sharing.commitments) if sharing else b""
    return RoundKeys(
        secret=Secret(secret),
        public=public,
        coin_seed=coin_seed,
        box_secret=Secret(box_secret),
        box_public=box_public,
        commitment=commitment(
            coin_seed, public, box_public, committed, table_id, round_index, seat
        ),
        shuffle_seed=Secret(hash_to_scalar("shuffle-seed", round_secret, *place)),
        sharing=sharing,
    )


def prove_key(context: ProofContext, secret: Secret, public: Point, entropy: Entropy) -> bytes:
    """Prove knowledge of x with X = xG (Schnorr); 64 bytes: challenge, response."""
    x = secret.expose()
    nonce = HedgedNonces(encode_scalar(x), context, public.encoded, entropy).scalar()
    c = challenge("key", context, public.encoded, base_mul(nonce).encoded)
    return encode_scalar(c) + encode_scalar(nonce + c * x)


def verify_key(context: ProofContext, public: Point, proof: bytes) -> None:
    """Check a proof of a key.

    Raises:
        MalformedError: not two scalars.
        ProofError: it does not hold.
    """
    if len(proof) != PROOF_BYTES:
        message = f"a key proof of {len(proof)} bytes"
        raise MalformedError(message)
    c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
    announced = sub(base_mul(s), mul(c, public))
    if c != challenge("key", context, public.encoded, announced.encoded):
        message = "the proof of a round key does not hold"
        raise ProofError(message)


def joint_key(publics: Sequence[Point]) -> Point:
    """Return the sum of all keys.

    Two equal keys, or some that cancel out, are no fault: each is proved, so their holders have told
    each other their secrets. Whoever else is in the sum keeps it uniform.

    Args:
        publics: in order of seat; each with a proof of its own that holds, or the last to choose
            could cancel out the others (rogue key).

    Raises:
        ProofError: a key is the identity, or the sum is: then cards would lie open. With one seat
            that drew its key by chance, committed before it saw the others', the sum never is.
    """
    assert publics, "a joint key of nobody"
    for place, public in enumerate(publics):
        if public.is_identity:
            message = f"the round key of seat {place} is the identity"
            raise ProofError(message)
    total = sum_points(publics)
    if total.is_identity:
        message = "the round keys cancel out"
        raise ProofError(message)
    return total
