"""One open step: who has said what in it, and whether all have.

The ordinary case is decided here (protocol section 4): attempt 0 is sealed by the statements of all
active seats, and equal adopts of a majority of the voters settle the step, for a peer once it has
checked the same itself. Where a seat is silent or contradicts itself `closing.py` goes on. What this
file does not know: what a body means, and which seat is ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from unop2p.ids import Seat
from unop2p.log.evidence import TWO_STATEMENTS, Evidence, contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try, close_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What shows anybody that a step is settled: the close, its seal, the adopts of a majority."""

    step: int
    head: bytes
    """Of the chain before the step."""
    close: bytes
    attempt: int
    statements: tuple[Signed, ...]
    """By rising seat; an active seat that has none here was left out."""
    adopts: tuple[Signed, ...]
    """By rising seat; at least a majority of the voters."""
    tries: tuple[Signed, ...] = ()
    """What seals the close, by rising attempt and seat: its tries, and those of each seal that they
    name. None at attempt 0, which the statements seal."""


@dataclass(slots=True, kw_only=True)
class Held:
    """A signed message with what it says, and whether its proofs were checked here."""

    signed: Signed
    statement: Statement
    checked: bool = False
    wrong: str = ""
    """Why it is wrong by itself: it counts as not made. Empty while nothing is known against it."""


@dataclass(slots=True, kw_only=True)
class OpenStep:
    """The state of the step that is open."""

    step: int
    head: bytes
    active: tuple[Seat, ...]
    """Who owes a statement, rising."""
    voters: tuple[Seat, ...]
    """Who counts for majorities, rising."""
    opened_ms: int
    statements: dict[Seat, Held] = field(default_factory=dict)
    """What each seat said first."""
    others: dict[Seat, list[Held]] = field(default_factory=dict)
    """What seats that contradict themselves have said besides: it may stand in a close."""
    votes: dict[Seat, list[tuple[Signed, Try | Adopt]]] = field(default_factory=dict)
    _closed: tuple[dict[Seat, bytes], bytes] | None = field(default=None, init=False, repr=False)
    """The last close that was asked for: its statements' hashes, and its digest."""
    irregular: bool = field(default=False, init=False)
    """Whether anything but one statement and one adopt of attempt 0 of a seat was ever placed."""

    def place_statement(self, seat: Seat, signed: Signed, statement: Statement) -> Evidence | bool:
        """Put a statement in its place.

        Returns:
            True if it is new and wanted, False if it says nothing new, evidence if the author
            has contradicted itself.
        """
        if seat not in self.active:
            return False
        held = self.statements.get(seat)
        if held is None:
            self.statements[seat] = Held(signed=signed, statement=statement)
            return True
        if any(other.signed.hash == signed.hash for other in self.variants(seat)):
            return False
        more = self.others.setdefault(seat, [])
        if len(more) < VARIANTS_MAX - 1:
            self.irregular = True
            more.append(Held(signed=signed, statement=statement))
        return Evidence(
            author=signed.author,
            step=self.step,
            reason=TWO_STATEMENTS,
            items=(held.signed, signed),
        )

    def place_vote(self, seat: Seat, signed: Signed, vote: Try | Adopt) -> Evidence | bool:
        """Put a try or an adopt in its place; returns as `place_statement`.

        One that contradicts another is kept too: others may hold it, and build on it.
        """
        held = self.votes.get(seat, [])
        if seat not in self.voters or any(other.hash == signed.hash for other, _ in held):
            return False
        found: Evidence | bool = True
        for other, other_vote in held:
            reason = contradiction(other_vote, vote)
            if reason is not None:
                found = Evidence(
                    author=signed.author, step=self.step, reason=reason, items=(other, signed)
                )
                break
        # Attempts are few: patience grows with each. The bound keeps a hostile voter small.
        if len(held) >= VOTES_PER_SEAT_MAX:
            return found if isinstance(found, Evidence) else False
        if isinstance(vote, Try) or vote.attempt:
            self.irregular = True
        self.irregular |= isinstance(found, Evidence)
        self.votes.setdefault(seat, []).append((signed, vote))
        return found

    def variants(self, seat: Seat) -> tuple[Held, ...]:
        """Return every statement of a seat that is held, the first first."""
        held = self.statements.get(seat)
        return () if held is None else (held, *self.others.get(seat, ()))

    def missing_statements(self) -> tuple[Seat, ...]:
        """Return the active seats that have said nothing yet."""
        return tuple(seat for seat in self.active if seat not in self.statements)

    def missing_adopts(self) -> tuple[Seat, ...]:
        """Return the voters whose adopt is not here."""
        return tuple(seat for seat in self.voters if not any(self._adopts(seat)))

    def _adopts(self, seat: Seat) -> Iterator[tuple[Signed, Adopt]]:
        for signed, vote in self.votes.get(seat, ()):
            if isinstance(vote, Adopt):
                yield signed, vote

    def complete(self) -> bool:
        """Say whether attempt 0 is sealed and every statement in it was checked here."""
        if len(self.statements) < len(self.active):
            return False
        return all(
            seat in self.statements and self.statements[seat].checked for seat in self.active
        )

    def close(self) -> bytes:
        """Return the digest of the close that leaves nobody out."""
        assert not self.missing_statements()
        hashes = {seat: held.signed.hash for seat, held in self.statements.items()}
        # It is asked for at every message of the step, and changes with the statements alone.
        if self._closed is None or self._closed[0] != hashes:
            self._closed = hashes, close_digest(self.step, self.head, self.active, hashes)
        return self._closed[1]

    def settled(self) -> Certificate | None:
        """Return the certificate if a majority has adopted what was checked here, else None."""
        if 2 * len(self.votes) <= len(self.voters) or not self.complete():
            return None
        close = self.close()
        adopts = tuple(
            signed
            for seat in self.voters
            for signed, vote in self._adopts(seat)
            if vote.close == close and vote.attempt == 0
        )
        if 2 * len(adopts) <= len(self.voters):
            return None
        return Certificate(
            step=self.step,
            head=self.head,
            close=close,
            attempt=0,
            statements=tuple(self.statements[seat].signed for seat in self.active),
            adopts=adopts,
        )

    def signed_items(self) -> tuple[Signed, ...]:
        """Return all that is held of this step, statements first, for whoever lacks it."""
        said = tuple(held.signed for seat in self.active for held in self.variants(seat))
        return said + tuple(
            signed for seat in self.voters for signed, _ in self.votes.get(seat, ())
        )


VOTES_PER_SEAT_MAX = 64
VARIANTS_MAX = 3
"""Statements of one seat that are kept in one step: two show that it contradicts itself."""
