"""What a statement can say: one dataclass for each body. Proof and card fields are bytes of `deal`.

`kind` is the tag on the wire. Which body is due when: `table/phases.py`.
"""

from dataclasses import dataclass
from typing import Literal

from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """First step of a round: the commitment to seed and key."""

    digest: bytes
    """32 bytes: H(seed, key, box key, sharing commitments, table, round, seat)."""
    shuffle_seed: bytes = b""
    """Where shuffles are replayed: the commitment to the seat's shuffle seed, a point, 32 bytes."""
    kind: Literal["commit"] = "commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Second step of a round: what was committed, with a proof that the key's secret is known."""

    seed: bytes
    """32 bytes for the coin."""
    key: bytes
    """X_i, an encoded point, 32 bytes."""
    box_key: bytes
    """For sealed shares, a point, 32 bytes (unused where nobody can stand in)."""
    sharing: bytes
    """Polynomial commitments, 32 bytes each; empty where nobody can stand in."""
    proof: bytes
    """Schnorr proof of x_i, 64 bytes."""
    kind: Literal["reveal"] = "reveal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """Third step of a round in which others can stand in: shares of one's key, each sealed to a seat."""

    ephemeral: bytes
    """The key of the moment that they are sealed with, a point, 32 bytes."""
    proof: bytes
    """That its secret is known, 64 bytes."""
    boxes: bytes
    """32 bytes for each other member, by rising seat."""
    kind: Literal["sealed"] = "sealed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffledPart:
    """One list of cards, re-masked and permuted, with its proof."""

    cards: bytes
    """64 bytes a card."""
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffled:
    """One seat's turn in a shuffle step."""

    base: bytes
    """Hash of the statement whose output was shuffled; the step's head for the first seat."""
    parts: tuple[ShuffledPart, ...]
    """One for each list of cards that the step shuffles (the pile; or each hand that moves)."""
    kind: Literal["shuffled"] = "shuffled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A seat's shares of the cards that are due, in order of position, with one batched proof."""

    data: bytes
    """32 bytes a card, then 64 bytes of proof."""
    kind: Literal["shares"] = "shares"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Partial shares for one seat that is not there."""

    seat: Seat
    """For whom."""
    data: bytes
    """32 bytes a card, then 64 bytes of proof against that seat's commitments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoodIn:
    """What a seat gives in a step of shares, or of hands, in which it stands in for others too."""

    own: bytes
    """Its own shares, or what opens its hand, as if nobody were away; empty where it owes none."""
    parts: tuple[Part, ...]
    """By rising seat."""
    kind: Literal["stood-in"] = "stood-in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A play: the holder's own share of the card is the move."""

    cards: tuple[Face, ...]
    positions: tuple[int, ...]
    """Which masked cards of the hand, as many as `cards`."""
    opening: bytes
    """Own shares of these positions, 32 bytes each, then 64 bytes of proof."""
    color: Color | None = None
    target: Seat | None = None
    uno: bool = False
    claim: bytes = b""
    """Proof of what the play claims of the cards that stay; empty where none is due."""
    kind: Literal["played"] = "played"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew:
    """Draw from the pile."""

    claim: bytes = b""
    """Proof of what the draw claims of the hand; empty where none is due."""
    kind: Literal["drew"] = "drew"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Keep the drawn card, and end the turn."""

    claim: bytes = b""
    """Proof of what this claims of the hand; empty where none is due."""
    kind: Literal["kept"] = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledUNO:
    """Say UNO late, in a reaction step."""

    kind: Literal["uno"] = "uno"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caught:
    """Call out a seat that did not say UNO."""

    seat: Seat
    kind: Literal["catch"] = "catch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """Doubt a Wild Draw Four."""

    kind: Literal["challenge"] = "challenge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """Take what the attack brings."""

    kind: Literal["accept"] = "accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedColor:
    """Name the color of a Wild that was turned up."""

    color: Color
    kind: Literal["color"] = "color"


@dataclass(frozen=True, slots=True, kw_only=True)
class Innocent:
    """Answer to a challenge: no hand card is among the forbidden faces, and this proves it."""

    proof: bytes
    kind: Literal["innocent"] = "innocent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guilty:
    """Answer to a challenge: this hand card is one of the forbidden faces."""

    position: int
    opening: bytes
    """Own share of the card and its proof, 96 bytes."""
    kind: Literal["guilty"] = "guilty"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedHand:
    """End of a round: own shares of every card that is left, in the order of the hand."""

    opening: bytes
    kind: Literal["hand"] = "hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSeed:
    """End of a round whose shuffles are replayed: the seat's shuffle seed."""

    seed: bytes
    """A scalar, 32 bytes."""
    kind: Literal["seed"] = "seed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubted:
    """These cards of mine cannot be: no faces of the deck, or more of one than it has.

    Said in place of a move or an answer; it ends the round, and every shuffle is replayed.
    """

    positions: tuple[int, ...]
    opening: bytes
    """Own shares of these positions, 32 bytes each, then 64 bytes of proof."""
    kind: Literal["doubt"] = "doubt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """The round cannot go on with those who are there: wait for the others."""

    kind: Literal["wait"] = "wait"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivesUp:
    """The round cannot go on with those who are there: let it be void."""

    kind: Literal["void"] = "void"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assent:
    """Nothing is due from this seat in this step, or it does not react: it has seen the step."""

    kind: Literal["assent"] = "assent"


Body = (
    Commit
    | Reveal
    | Sealed
    | Shuffled
    | Shares
    | StoodIn
    | Played
    | Drew
    | Kept
    | CalledUNO
    | Caught
    | Challenged
    | Accepted
    | NamedColor
    | Innocent
    | Guilty
    | OpenedHand
    | ShownSeed
    | Doubted
    | Waits
    | GivesUp
    | Assent
)
