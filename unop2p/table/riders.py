"""What rides on a statement beside its body: somebody is back, I leave, a proof against somebody.

Source: protocol section 4. A rider changes who is there from the step after the close that holds it.
"""

from dataclasses import dataclass
from typing import Literal

from unop2p.ids import SEATS_MAX, Seat
from unop2p.log.messages import Signed
from unop2p.rules.cards import Face

RIDERS_MAX = 2 * SEATS_MAX
"""On one statement: each seat is back, or proved guilty, at most once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """I am back. Signed by a seat that was left out; any active seat carries it."""

    table: bytes
    step: int
    """The step that left it out: each `back` is good once."""
    head: bytes
    """Of the chain before that step."""
    kind: Literal["back"] = "back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """The signed `Back` of a seat."""

    signed: Signed
    kind: Literal["carried"] = "carried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """I leave for good, from the next step on."""

    opening: bytes = b""
    """Own shares that open the hand, and their proof; empty where the seat holds no cards."""
    kind: Literal["leave"] = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What proves a fault of somebody, for everybody to check."""

    step: int
    """At which the fault was made."""
    items: tuple[Signed, ...]
    """As `log.evidence.Evidence.items`."""
    close: tuple[bytes, ...] = ()
    """As `log.evidence.Evidence.close`."""
    kind: Literal["proof"] = "proof"


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """The share of a round key that I got is false: here is what opens it to everybody."""

    seat: Seat
    """Who has dealt it."""
    opening: bytes
    """The Diffie-Hellman value and its proof, 96 bytes."""
    kind: Literal["complaint"] = "complaint"


Rider = Carried | Leave | Proof | Complaint


@dataclass(frozen=True, slots=True, kw_only=True)
class Guilt:
    """Somebody who was proved to have broken the protocol."""

    seat: Seat
    step: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Riders:
    """What the riders of one statement come to, once they are checked."""

    back: tuple[tuple[Seat, int], ...] = ()
    """Who is back, and the step that had left it out."""
    leaves: bool = False
    hand: tuple[tuple[int, Face], ...] = ()
    """Numbers and faces of the cards that a leaver has opened."""
    guilty: tuple[Guilt, ...] = ()
    misdealt: tuple[Seat, ...] = ()
    """Whose share for the author was false; they are among the guilty."""


NO_RIDERS = Riders()
