"""Lounges: a topic on a broker where hosts answer those who look for a table. Pure.

A lounge is a name and a password, stretched into a topic and a sealing key. Without a password it is
open: who gets into the broker and knows the name reads it. With one it is sealed to who knows it.

Who looks says a fresh nonce; a host answers with its offer, the table's secret and the nonces that it
has heard lately, all signed. What does not name a nonce of one's own is old, whoever sends it and when:
so what a broker has kept, or somebody plays again, counts for nothing, and no clock is compared. The
table is on the broker where the lounge is: an answer names no address, or it could send bots anywhere.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import ConfigDict, Field, TypeAdapter

from unop2p.errors import LocalError, MalformedError
from unop2p.ids import SEATS_MAX
from unop2p.log.messages import Signed
from unop2p.table.genesis import check_name
from unop2p.wire import codec
from unop2p.wire.sealing import NONCE_BYTES as SEAL_NONCE_BYTES
from unop2p.wire.sealing import Sealer
from unop2p.wire.ticket import SCRYPT_N, SCRYPT_P, SCRYPT_R, SECRET_BYTES
from unop2p.words import said

NAME_CHARACTERS_MAX: Final = 64
ENVELOPE_BYTES_MAX: Final = 16 * 1024
"""An answer with every option and sixteen nonces has 5 KB."""
NONCE_BYTES: Final = 16
LOOKS_NAMED_MAX: Final = 16


class LoungeError(LocalError):
    """There is no such lounge: its name is 1 to 64 printable characters."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Lounge:
    """What a lounge's name and password are stretched into."""

    sealing_key: bytes
    topic: str
    mark: bytes
    """Inside every message: none can be carried into another lounge."""

    def __repr__(self) -> str:
        """Show no key."""
        return "Lounge(…)"


def stretch_lounge(name: str, password: str = "") -> Lounge:
    """Stretch a name and a password; takes about a tenth of a second.

    Args:
        name: 1 to 64 printable characters.
        password: empty for an open lounge.

    Raises:
        LoungeError: the name.
    """
    if not 1 <= len(name) <= NAME_CHARACTERS_MAX or not name.isprintable():
        message = said("It is {name!r}.", name=name[:40])
        raise LoungeError(message)
    words = name.encode(errors="surrogatepass"), password.encode(errors="surrogatepass")
    material = hashlib.scrypt(
        len(words[0]).to_bytes(2, "big") + words[0] + words[1],
        salt=b"unop2p/v1/lounge",
        n=SCRYPT_N,
        r=SCRYPT_R,
        p=SCRYPT_P,
        maxmem=64 * 1024 * 1024,
        dklen=64,
    )
    return Lounge(material[:32], "unop2p/v1/" + material[32:48].hex(), material[48:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Which tables are there?"""

    lounge: bytes
    nonce: bytes
    kind: Literal["look"] = "look"

    def __post_init__(self) -> None:
        """Refuse a nonce of another length."""
        _check_nonces((self.nonce,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """A host's answer: here is a table with free seats."""

    lounge: bytes
    looks: tuple[bytes, ...]
    """The nonces that are answered."""
    secret: bytes
    """Of the ticket, 9 bytes; the table is on this broker."""
    offer: Signed
    host: str
    """The name of the host at the table."""
    taken: int
    """Seats that are taken."""
    kind: Literal["announce"] = "announce"

    def __repr__(self) -> str:
        """Show no secret."""
        return f"Announce({self.host!r}, {self.taken} taken)"

    def __post_init__(self) -> None:
        """Refuse what no table can be."""
        _check_nonces(self.looks)
        check_name(self.host)
        if not 1 <= len(self.looks) <= LOOKS_NAMED_MAX or len(self.secret) != SECRET_BYTES:
            message = "an answer to nobody, or without a secret"
            raise MalformedError(message)
        if not 0 <= self.taken <= SEATS_MAX:
            message = "an answer with seats that no table has"
            raise MalformedError(message)


def _check_nonces(nonces: tuple[bytes, ...]) -> None:
    if any(len(nonce) != NONCE_BYTES for nonce in nonces):
        message = "a nonce that is not 16 bytes"
        raise MalformedError(message)


Word = Look | Announce
_ADAPTER: TypeAdapter[Word] = TypeAdapter(
    Annotated[Word, Field(discriminator="kind")],
    config=ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64"
    ),
)


def _decode(payload: bytes) -> Word:
    return codec.read_canonical(
        payload, _ADAPTER.validate_json, _ADAPTER.dump_json, "a message of a lounge"
    )


class Door:
    """Opens and seals what is said in one lounge, under one key of our own."""

    def __init__(
        self, lounge: Lounge, key: Ed25519PrivateKey, entropy: Callable[[int], bytes]
    ) -> None:
        """Take the lounge, our key (a fresh one for who only looks), and chance."""
        self.lounge = lounge
        self._sealer = Sealer(lounge.sealing_key)
        self._key, self.public = key, key.public_key().public_bytes_raw()
        self.entropy = entropy

    def __repr__(self) -> str:
        """Show no key."""
        return "Door(…)"

    def seal(self, word: Word) -> bytes:
        """Sign and seal a message."""
        payload = _ADAPTER.dump_json(word)
        signed = codec.sign_payload(self._key, self.public, payload)
        return self._sealer.seal(codec.pack(signed), self.entropy(SEAL_NONCE_BYTES))

    def open(self, data: bytes) -> tuple[Signed, Word]:
        """Open a message; its signature is not checked yet.

        Raises:
            RemoteError: it is none of this lounge.
        """
        if len(data) > ENVELOPE_BYTES_MAX:
            message = f"{len(data)} bytes in a lounge"
            raise MalformedError(message)
        signed = codec.unpack(self._sealer.open(data))
        word = _decode(signed.payload)
        if word.lounge != self.lounge.mark:
            message = "a message of another lounge"
            raise MalformedError(message)
        return signed, word
