"""Moves: what a player may say to the rules. Text forms come in parse/print pairs."""

from dataclasses import dataclass

from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Put one card (or an identical pair) on the discard pile."""

    cards: tuple[Face, ...]
    """One face, or two equal ones where pairs are allowed."""
    color: Color | None = None
    """The named color, for every wild kind (F11)."""
    target: Seat | None = None
    """Whom to swap hands with, where the card or the table's rule asks for it."""
    uno: bool = False
    """The UNO call rides on the play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Draw from the pile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """Keep the drawn card and end the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallUNO:
    """Say UNO after the play (late)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catch:
    """Call out a seat that did not say UNO."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Doubt a Wild Draw Four."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept:
    """Take what the attack brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameColor:
    """Name the color of a Wild that was turned up as the first card."""

    color: Color


Move = Play | Draw | Pass | CallUNO | Catch | Challenge | Accept | NameColor
