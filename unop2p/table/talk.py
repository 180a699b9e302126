"""Messages beside the chain: anti-entropy, heartbeats, chat, accusations. None changes the game."""

from dataclasses import dataclass
from typing import Literal

from unop2p.log.messages import Signed

CHAT_CHARACTERS_MAX = 500
HELD_BYTES = 8
"""Of a hash, enough to tell a few hundred messages apart."""

RefuseReason = Literal["full", "name", "bots", "owner", "unwelcome"]
"""`bots`: none sit here; `owner`: one of each owner does; `unwelcome`: the host wants others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Where a peer stands, and what it lacks of the step that is open for it."""

    table: bytes
    """Empty: the asker has not yet seen an offer."""
    step: int
    """-1: no genesis yet."""
    head: bytes
    held: tuple[bytes, ...]
    """What it holds of that step: the first 8 bytes of each message's hash."""
    restart: bool
    """It has just come back, and asks every seat for what that seat holds of its own words."""
    nonce: bytes
    """So that two askings are never the same bytes."""
    kind: Literal["ask"] = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """An answer: signed messages of anybody, in order of steps."""

    to: bytes
    """The asker's key."""
    items: tuple[Signed, ...]
    step: int
    """Where the teller stands."""
    nonce: bytes
    kind: Literal["tell"] = "tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """I am here, and stand at this step."""

    table: bytes
    step: int
    head: bytes
    over: bool
    """The match has ended for the sender."""
    count: int
    """Rises with each, so that no two are the same bytes."""
    kind: Literal["heartbeat"] = "heartbeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """Something said."""

    table: bytes
    text: str
    nonce: bytes
    kind: Literal["chat"] = "chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """In the lobby: whether its author wants the table to begin. Who says nothing is ready."""

    offer: bytes
    """Hash of the signed offer, 32 bytes."""
    ready: bool
    nonce: bytes
    kind: Literal["ready"] = "ready"


POINTS_MAX = 16
"""Heads that are compared in one message: four of them find a step among 50,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """My heads before some steps, for one seat whose history differs from mine somewhere."""

    table: bytes
    to: bytes
    """The seat's key."""
    points: tuple[tuple[int, bytes], ...]
    """Steps, rising, and the head before each."""
    nonce: bytes
    kind: Literal["heads"] = "heads"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forked:
    """What settles a step: one close of it, or all that shows two."""

    table: bytes
    step: int
    items: tuple[Signed, ...]
    """Statements, tries and adopts of the step."""
    nonce: bytes
    kind: Literal["forked"] = "forked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuse:
    """Evidence, for everybody to check."""

    table: bytes
    step: int
    reason: str
    items: tuple[Signed, ...]
    close: tuple[bytes, ...] = ()
    """As `log.evidence.Evidence.close`."""
    kind: Literal["accuse"] = "accuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """The opener's answer to a join that it cannot take."""

    to: bytes
    """The joiner's key."""
    reason: RefuseReason
    nonce: bytes
    kind: Literal["refuse"] = "refuse"
