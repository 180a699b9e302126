"""What is signed in the chain: statements, tries, adopts; and the signed unit that carries them.

Source: protocol section 4. A log does not know what a body means: it is an object to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from unop2p.ids import Seat
from unop2p.log.digest import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """The exact bytes that one key has signed. Nothing is ever re-encoded to verify."""

    author: bytes
    """The Ed25519 public key, 32 bytes."""
    signature: bytes
    """64 bytes over `signing_bytes(author, payload)`."""
    payload: bytes
    """The encoded message."""
    hash: bytes = field(init=False, repr=False)
    """Of author and payload; the signature is left out."""

    def __post_init__(self) -> None:
        """Compute the hash once."""
        object.__setattr__(self, "hash", digest("message", self.author, self.payload))


def signing_bytes(author: bytes, payload: bytes) -> bytes:
    """Return the bytes that a signature is made over: a domain, the author's key, the payload."""
    return b"unop2p/v1/signed\x00" + author + payload


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one seat says in one step."""

    table: bytes
    """Table id, 16 bytes."""
    step: int
    head: bytes
    """Digest of the chain before the step, 32 bytes."""
    body: object
    riders: tuple[object, ...] = ()
    """What it carries beside the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One peer's signature for attempt `attempt` at a close."""

    table: bytes
    step: int
    head: bytes
    attempt: int
    """1, 2, ...; attempt 0 needs no try, it is sealed by the statements of all active seats."""
    close: bytes
    """Digest of the close (`close_digest`)."""
    seal: int | None
    """The attempt of the highest seal held, or None."""
    kind: Literal["try"] = "try"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopt:
    """One peer's word that it holds a seal, every statement in the close, and has checked each."""

    table: bytes
    step: int
    head: bytes
    attempt: int
    close: bytes
    kind: Literal["adopt"] = "adopt"


def close_digest(
    step: int, head: bytes, active: tuple[Seat, ...], hashes: Mapping[Seat, bytes]
) -> bytes:
    """Return the digest of a close: for each active seat its statement's hash, or left out.

    Args:
        step: the step that closes.
        head: of the chain before it, 32 bytes.
        active: the seats that owe a statement, in rising order.
        hashes: statement hashes by seat; a seat not in it is left out of the close.
    """
    parts = [step.to_bytes(8, "big"), head]
    for seat in active:
        parts.append(bytes([seat]))
        parts.append(hashes.get(seat, b""))
    return digest("close", *parts)


def void_head(head: bytes, guilty: tuple[Seat, ...]) -> bytes:
    """Return H(head(h), "void", the guilty): where a chain goes on that was forked at step h.

    Args:
        head: of the chain before the step that was closed in two ways, 32 bytes.
        guilty: who has contradicted itself there, rising.
    """
    return digest("void", head, *(bytes([seat]) for seat in guilty))


def next_head(step: int, head: bytes, close: bytes) -> bytes:
    """Return head(h+1) = H(head(h), h, close); the attempt is not part of it."""
    return digest("head", head, step.to_bytes(8, "big"), close)
