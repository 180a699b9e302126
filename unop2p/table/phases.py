"""Every kind of step a table can be in, who speaks in it, and which body may be said.

Rule 1: all that decides which body is due lives here. Rule 2: this file does not know our own seat.
The table of bodies is data; a body that is not listed for its phase is a fault of its author.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from unop2p.deal.masking import MaskedCard
from unop2p.ids import Seat
from unop2p.table import bodies


class StepKind(StrEnum):
    """The kinds of step of protocol section 4."""

    TURN = "turn"
    REACTION = "reaction"
    CONTRIBUTION = "contribution"
    ORDERED = "ordered"
    """A contribution in a fixed order, each building on the one before: a shuffle."""


class Phase(StrEnum):
    """What the open step is for."""

    COMMIT = "commit"
    REVEAL = "reveal"
    SHARE = "share"
    """Round keys are shared among the seats, so that others can stand in."""
    SHUFFLE = "shuffle"
    """The whole deck, at the start of a round; or a pile, or hands."""
    DEAL = "deal"
    """Shares of cards that go to a seat, or that are opened to all."""
    TURN = "turn"
    REACTION = "reaction"
    ANSWER = "answer"
    """The accused answers a challenge."""
    HANDS = "hands"
    """The hands that are left are opened, to score them."""
    WAIT = "wait"
    """Too few are there to go on: each says to wait, or to give the round up."""
    SEEDS = "seeds"
    """Shuffle seeds are shown, and every shuffle of the round is replayed with them."""


KINDS: Final[dict[Phase, StepKind]] = {
    Phase.COMMIT: StepKind.CONTRIBUTION,
    Phase.REVEAL: StepKind.CONTRIBUTION,
    Phase.SHARE: StepKind.CONTRIBUTION,
    Phase.SHUFFLE: StepKind.ORDERED,
    Phase.DEAL: StepKind.CONTRIBUTION,
    Phase.TURN: StepKind.TURN,
    Phase.REACTION: StepKind.REACTION,
    Phase.ANSWER: StepKind.CONTRIBUTION,
    Phase.HANDS: StepKind.CONTRIBUTION,
    Phase.WAIT: StepKind.CONTRIBUTION,
    Phase.SEEDS: StepKind.CONTRIBUTION,
}

SPEAKER_BODIES: Final[dict[Phase, tuple[type, ...]]] = {
    Phase.COMMIT: (bodies.Commit,),
    Phase.REVEAL: (bodies.Reveal,),
    Phase.SHARE: (bodies.Sealed,),
    # Who cannot shuffle, since a seat before it is silent, assents: it goes on in a next step.
    Phase.SHUFFLE: (bodies.Shuffled, bodies.Assent),
    Phase.DEAL: (bodies.Shares, bodies.StoodIn),
    Phase.TURN: (
        bodies.Played,
        bodies.Drew,
        bodies.Kept,
        bodies.Challenged,
        bodies.Accepted,
        bodies.NamedColor,
        bodies.Doubted,
        # Its player thinks, and somebody is back: only with that on it, see `wire.proofs`.
        bodies.Waits,
    ),
    Phase.REACTION: (bodies.Assent, bodies.CalledUNO, bodies.Caught, bodies.Played),
    Phase.ANSWER: (bodies.Innocent, bodies.Guilty, bodies.Doubted),
    Phase.HANDS: (bodies.OpenedHand, bodies.StoodIn),
    Phase.WAIT: (bodies.Waits, bodies.GivesUp),
    Phase.SEEDS: (bodies.ShownSeed,),
}
"""What a seat from which something is due may say; every other seat may only assent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """Who gives partial shares of which cards for a seat that is not there."""

    seat: Seat
    by: tuple[Seat, ...]
    """As many as the threshold, rising."""
    positions: tuple[int, ...]
    """Rising for cards that are dealt; a hand in its own order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPlan:
    """What the open step asks of whom."""

    phase: Phase
    speakers: tuple[Seat, ...]
    """Who owes a piece of its own, in order where the step is ordered; the others assent."""
    dealt: tuple[tuple[int, Seat], ...] = ()
    """DEAL: position and receiver of each card that goes to a hand, by rising position."""
    opened: tuple[int, ...] = ()
    """DEAL: positions that are opened to everybody."""
    inputs: tuple[tuple[MaskedCard, ...], ...] = ()
    """SHUFFLE: the lists of cards that are shuffled, each by itself."""
    positions: tuple[int, ...] = ()
    """ANSWER: the hand that the statement is about."""
    masks: tuple[Seat, ...] = ()
    """SHUFFLE, DEAL: whose keys the cards are masked under. All of them are there, unless others can
    stand in."""
    given: frozenset[tuple[int, Seat]] = frozenset()
    """DEAL: shares that are there already, by position and seat."""
    standins: tuple[StandIn, ...] = ()
    """DEAL, HANDS: by rising seat."""

    @property
    def kind(self) -> StepKind:
        """The kind of the step."""
        return KINDS[self.phase]

    def shares_due(self, seat: Seat) -> tuple[int, ...]:
        """Return the positions whose shares a seat owes in a DEAL step, rising."""
        if seat not in self.masks:
            return ()
        owed = [position for position, receiver in self.dealt if receiver != seat]
        whole = sorted([*owed, *self.opened])
        return tuple(position for position in whole if (position, seat) not in self.given)

    def parts_due(self, seat: Seat) -> tuple[StandIn, ...]:
        """Return for whom a seat stands in, by rising seat."""
        return tuple(part for part in self.standins if seat in part.by)
