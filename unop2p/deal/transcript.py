"""What every proof is bound to: strong Fiat-Shamir over context, statement and commitments."""

import hashlib
from dataclasses import dataclass

from unop2p.deal.entropy import Entropy
from unop2p.deal.group import Q, encode_scalar, hash_to_bytes, hash_to_scalar

NONCE_BYTES = 32
_WEIGHT_BYTES = 16
_WEIGHTS_IN_A_HASH = 4
_WIDE_BYTES = 64
"""Reduced modulo the order, 64 bytes have a bias below 2^-250."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofContext:
    """Where a proof stands. The same proof anywhere else does not verify."""

    table_id: bytes
    round_index: int
    step: int
    head: bytes
    author: bytes
    """The prover's public identity key, 32 bytes."""
    joint_key: bytes
    """Encoded joint key of the round; empty before there is one."""

    def encoded(self) -> bytes:
        """Return the context as bytes, each part length-prefixed."""
        parts = (
            self.table_id,
            self.round_index.to_bytes(8, "big"),
            self.step.to_bytes(8, "big"),
            self.head,
            self.author,
            self.joint_key,
        )
        return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def challenge(kind: str, context: ProofContext, *parts: bytes) -> int:
    """Return the challenge of a proof.

    Args:
        kind: of proof; no two kinds share a challenge.
        context: where the proof stands.
        parts: every input of the statement, then every commitment of the prover.
    """
    return hash_to_scalar(f"challenge/{kind}", context.encoded(), *parts)


def weights(kind: str, context: ProofContext, count: int, *parts: bytes) -> list[int]:
    """Return 128-bit weights for a batch, all hashed from the list of all its pairs.

    Were each hashed from its own pair alone (RFC 9497), false shares in a large batch could be made
    to cancel out by solving for the weights one after another.
    """
    seed = hash_to_bytes(f"weights/{kind}", context.encoded(), count.to_bytes(4, "big"), *parts)
    blocks = -(-count // _WEIGHTS_IN_A_HASH)
    stream = b"".join(
        hash_to_bytes("weight", seed, index.to_bytes(8, "big")) for index in range(blocks)
    )
    return [
        int.from_bytes(stream[start : start + _WEIGHT_BYTES], "little")
        for start in range(0, count * _WEIGHT_BYTES, _WEIGHT_BYTES)
    ]


class HedgedNonces:
    """Nonces of a proof: hashed of the secret, the statement and fresh bytes.

    A broken source of chance alone then repeats no nonce for two statements, and a known statement
    alone gives none away.
    """

    __slots__ = ("_count", "_key")

    def __init__(
        self, secrets: bytes, context: ProofContext, statement: bytes, entropy: Entropy
    ) -> None:
        """Begin the nonces of one proof.

        Args:
            secrets: what the prover alone knows.
            context: where the proof stands.
            statement: everything that the challenge will depend on beside the nonces.
            entropy: asked once, for 32 bytes.
        """
        self._key = hash_to_bytes(
            "nonce-key", secrets, context.encoded(), statement, entropy(NONCE_BYTES)
        )
        self._count = 0

    def scalar(self) -> int:
        """Return the next nonce."""
        return self.scalars(1)[0]

    def scalars(self, count: int) -> list[int]:
        """Return the next nonces, all of one SHAKE-256 stream: cheaper than a hash for each."""
        self._count += 1
        place = self._count.to_bytes(8, "big")
        stream = hashlib.shake_256(b"unop2p/v1/nonces" + self._key + place)
        data = stream.digest(_WIDE_BYTES * count)
        return [
            int.from_bytes(data[start : start + _WIDE_BYTES], "little") % Q
            for start in range(0, len(data), _WIDE_BYTES)
        ]

    def entropy(self, count: int) -> bytes:
        """Return the next bytes, for what is drawn byte by byte; at most 64."""
        self._count += 1
        assert count <= NONCE_BYTES * 2
        return hash_to_bytes("nonce", self._key, self._count.to_bytes(8, "big"))[:count]


def encode_scalars(values: list[int]) -> bytes:
    """Return scalars as 32 bytes each."""
    return b"".join(encode_scalar(value) for value in values)
