"""Hindsight: when a round is over its hands are open, and moves that nobody could check are checked.

Masked cards can be told apart, so who held which number when is public all along; what a number shows
comes out when it is played, or when the hands are opened. A move counts as unlawful only if it is so
whatever the cards show that never came out: nobody is blamed on a guess.

Hands that are shuffled go on under new numbers. Then the old numbers together show what the new ones
show together, and no more is known: a hand that was passed on whole is still known as a set, and what
was held before all hands were shuffled together mostly is not.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.hidden import Case, Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDue:
    """What a move claims of the masked cards of its player's hand."""

    claim: Claim
    drawn: int | None
    """Number of the card just drawn, where the claim asks for it."""
    rest: tuple[int, ...]
    """Numbers of the other cards, without those that the move plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenMove:
    """A settled move that was made unseen."""

    step: int
    seat: Seat
    statement: bytes
    """Hash of what its player signed."""
    due: ClaimDue


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenFault:
    """A move that was unlawful by its player's own cards."""

    step: int
    seat: Seat
    statement: bytes
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renumbered:
    """Cards that were shuffled together: each old number is one of the new ones."""

    old: tuple[int, ...]
    new: tuple[int, ...]


@dataclass(slots=True, kw_only=True)
class Hindsight:
    """What one round leaves to its end. Numbers are those of masked cards, fresh in a round."""

    moves: list[HiddenMove] = field(default_factory=list)
    faces: dict[int, Face] = field(default_factory=dict)
    """Every card that was ever opened, also those that are gone."""
    shuffles: list[Renumbered] = field(default_factory=list)

    def opened(self, positions: Iterable[int], faces: Iterable[Face]) -> None:
        """Keep what cards have shown."""
        self.faces.update(zip(positions, faces, strict=True))

    def at_least(self, positions: Collection[int], wanted: Collection[Face]) -> int:
        """Return how many of some cards are surely among these faces."""
        found = sum(self.faces.get(position) in wanted for position in positions)
        hidden = {position for position in positions if position not in self.faces}
        for shuffle in self.shuffles:
            unknown = [position for position in shuffle.old if position not in self.faces]
            asked = hidden.intersection(unknown)
            if asked:
                known = [self.faces[p] for p in shuffle.old if p in self.faces]
                among = self.at_least(shuffle.new, wanted) - sum(face in wanted for face in known)
                # At worst as many as can be lie among the unknown cards that were not asked for.
                found += max(0, among - (len(unknown) - len(asked)))
        return found

    def _refuted(self, case: Case, due: ClaimDue) -> bool:
        """Return whether a case surely does not hold."""
        if case.drawn is not None:
            assert due.drawn is not None
            others = [face for face in Face if face not in case.drawn]
            if self.at_least((due.drawn,), others):
                return True
        if self.at_least(due.rest, case.barred):
            return True
        others = [face for face in Face if face not in case.needed]
        return bool(case.needed) and self.at_least(due.rest, others) == len(due.rest)

    def faults(self) -> tuple[HiddenFault, ...]:
        """Return the moves that were surely unlawful, in order of steps."""
        return tuple(
            HiddenFault(
                step=move.step,
                seat=move.seat,
                statement=move.statement,
                reason=move.due.claim.broken,
            )
            for move in self.moves
            if all(self._refuted(case, move.due) for case in move.due.claim.cases)
        )
