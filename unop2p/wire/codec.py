"""Bytes to messages and back. The only room with pydantic models; limits first, then the shape.

A payload is canonical JSON: it must equal the encoding of what it decodes to, so there is one form of
each message, and no second key, odd space or lax number gets through. Bytes are URL-safe base64.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from unop2p import PROTOCOL_VERSION
from unop2p.errors import MalformedError, RemoteError
from unop2p.log.messages import Adopt, Signed, Statement, Try, signing_bytes
from unop2p.table.bodies import Body
from unop2p.table.genesis import Genesis, Join, Offer, vouch_payload
from unop2p.table.riders import RIDERS_MAX, Back, Rider
from unop2p.table.talk import (
    Accuse,
    Ask,
    Chat,
    Forked,
    Heads,
    Heartbeat,
    Ready,
    Refuse,
    Tell,
)

T = TypeVar("T")
ENVELOPE_BYTES_MAX = 256 * 1024
"""Protocol section 7; the largest honest message is a proof for 448 cards, about 86 KB."""
KEYS_MAX = 64
"""Keys held taken apart: those of a table of ten, and of as many who only talk."""
KIND_TAIL_BYTES = 24
"""The longest kind, and what stands around it."""
_KIND_MARK, _KIND_END = b'"kind":"', b'"}'
_HEADER_BYTES = 1 + 32 + 64


class OtherVersionError(RemoteError):
    """The table speaks another version of the protocol: everybody needs the same unop2p."""

    exit_code = 22


class SignatureError(RemoteError):
    """A signature does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireStatement:
    """A statement as it is written."""

    table: bytes
    step: int
    head: bytes
    body: Annotated[Body, Field(discriminator="kind")]
    riders: Annotated[
        tuple[Annotated[Rider, Field(discriminator="kind")], ...], Field(max_length=RIDERS_MAX)
    ]
    kind: Literal["statement"] = "statement"


Plain = (
    Try
    | Adopt
    | Back
    | Ask
    | Tell
    | Heartbeat
    | Chat
    | Ready
    | Heads
    | Forked
    | Accuse
    | Refuse
    | Offer
    | Join
    | Genesis
)
WireMessage = WireStatement | Plain
Message = Statement | Plain

_ADAPTER: TypeAdapter[WireMessage] = TypeAdapter(
    Annotated[WireMessage, Field(discriminator="kind")],
    config=ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64"
    ),
)

# What the adapter itself calls, without what it does for arguments that are never given here.
_READ = _ADAPTER.validator.validate_json
_DUMP = _ADAPTER.serializer.to_json


def encode(message: Message) -> bytes:
    """Return the one canonical encoding of a message."""
    if isinstance(message, Statement):
        body: Body = message.body  # type: ignore[assignment]  # the log holds bodies as objects
        riders: tuple[Rider, ...] = message.riders  # type: ignore[assignment]  # as above
        wire: WireMessage = WireStatement(
            table=message.table, step=message.step, head=message.head, body=body, riders=riders
        )
    else:
        wire = message
    return _DUMP(wire)


def kind_of(payload: bytes) -> bytes:
    """Return the kind that a payload names, at next to no cost; nothing else about it is known.

    In the canonical form the kind of a message stands last.

    >>> kind_of(b'{"text":"hello","kind":"chat"}')
    b'chat'
    """
    at = payload.rfind(_KIND_MARK, -KIND_TAIL_BYTES)
    return payload[at + len(_KIND_MARK) : -len(_KIND_END)] if at >= 0 else b""


def read_canonical(
    data: bytes, read: Callable[[bytes], T], dump: Callable[[T], bytes], what: str
) -> T:
    """Read bytes that have to be the one encoding of what is in them.

    Args:
        data: the bytes of a stranger.
        read: reads JSON into a checked shape.
        dump: the canonical encoding of that.
        what: it should be, with its article, for the error.

    Raises:
        MalformedError: not JSON, not that shape, or not in the canonical form.
    """
    try:
        value = read(data)
        canonical = dump(value) == data
    except (ValidationError, ValueError, RecursionError) as error:
        # The details of a ValidationError quote its input: the text of strangers, so it is left out.
        message = f"not {what}"
        raise MalformedError(message) from error
    if not canonical:
        message = f"{what}, but not in canonical form"
        raise MalformedError(message)
    return value


def decode(payload: bytes) -> Message:
    """Read a payload.

    Raises:
        MalformedError: not JSON, not a known shape, or not in the canonical form.
    """
    if len(payload) > ENVELOPE_BYTES_MAX:
        message = f"{len(payload)} bytes"
        raise MalformedError(message)
    wire: WireMessage = read_canonical(payload, _READ, _DUMP, "a message of this protocol")
    if isinstance(wire, WireStatement):
        return Statement(
            table=wire.table, step=wire.step, head=wire.head, body=wire.body, riders=wire.riders
        )
    return wire


def sign(key: Ed25519PrivateKey, author: bytes, message: Message) -> Signed:
    """Encode and sign a message.

    Args:
        key: the private key.
        author: its public half, 32 bytes.
        message: what to say.
    """
    return sign_payload(key, author, encode(message))


def sign_payload(key: Ed25519PrivateKey, author: bytes, payload: bytes) -> Signed:
    """Sign bytes that are a message already."""
    return Signed(
        author=author, signature=key.sign(signing_bytes(author, payload)), payload=payload
    )


def vouch(key: Ed25519PrivateKey, bot: bytes) -> Signed:
    """Return an owner's signature for a bot.

    Args:
        key: the owner's.
        bot: the public key of the bot, 32 bytes.
    """
    return sign_payload(key, key.public_key().public_bytes_raw(), vouch_payload(bot))


def verify_join(signed: Signed, join: Join) -> None:
    """Check the signature of a join, and of the owner whom it names.

    Raises:
        SignatureError: one does not hold.
    """
    verify(signed)
    if join.program is not None and join.program.owner is not None:
        verify(join.program.owner)


def verify(signed: Signed) -> None:
    """Check a signature (RFC 8032).

    Raises:
        SignatureError: it does not hold, or the author is not a key.
    """
    try:
        _key(signed.author).verify(signed.signature, signing_bytes(signed.author, signed.payload))
    except (InvalidSignature, ValueError) as error:
        raise SignatureError from error


@lru_cache(maxsize=KEYS_MAX)
def _key(author: bytes) -> Ed25519PublicKey:
    """Return a public key, taken apart.

    Raises:
        ValueError: it is none.
    """
    return Ed25519PublicKey.from_public_bytes(author)


def pack(signed: Signed) -> bytes:
    """Return the plaintext of an envelope: version, author, signature, payload."""
    return bytes([PROTOCOL_VERSION]) + signed.author + signed.signature + signed.payload


def unpack(data: bytes) -> Signed:
    """Take the plaintext of an envelope apart; nothing is verified yet.

    Raises:
        MalformedError: too short or too long.
        OtherVersionError: the sender speaks another version.
    """
    if not _HEADER_BYTES < len(data) <= ENVELOPE_BYTES_MAX:
        message = f"{len(data)} bytes"
        raise MalformedError(message)
    if data[0] != PROTOCOL_VERSION:
        message = f"Theirs is {data[0]}, ours is {PROTOCOL_VERSION}."
        raise OtherVersionError(message)
    return Signed(author=data[1:33], signature=data[33:97], payload=data[97:])
