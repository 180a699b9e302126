"""What a round knows of its shared keys: who can act for a seat that is not there, and who does.

Source: protocol section 6. With resilience k, and n seats in a round, any t = n - k of them together can
act for another. Every card of such a round is masked under the keys of all its members, whoever is
there: nothing has to be masked anew when somebody goes or comes.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from unop2p.deal.group import Point
from unop2p.deal.sealed import Route, SealedShares
from unop2p.ids import Seat

SEATS_FOR_STANDIN = 3
"""With two, one alone would act for the other."""
SEATS_TO_SHARE = 4
"""With three, any two could read the third's hand."""


def resilience_max(seats: int) -> int:
    """Return the highest k that leaves t = n - k a majority."""
    return (seats - 1) // 2 if seats >= SEATS_FOR_STANDIN else 0


def threshold_for(resilience: int, table_seats: int, members: int) -> int:
    """Return t for a round, 0 where nobody can stand in.

    Args:
        resilience: k of the table.
        table_seats: that the table was opened for.
        members: in the round. Fewer than four share nothing, unless the table was opened for no more:
            who sat down at a table of four did not agree to be read by two.
    """
    k = min(resilience, resilience_max(members))
    if not k or members < min(SEATS_TO_SHARE, table_seats):
        return 0
    return members - k


@dataclass(slots=True, kw_only=True)
class Standing:
    """What everybody knows of the shared keys of one round."""

    threshold: int
    """t."""
    box_keys: dict[Seat, Point] = field(default_factory=dict)
    commitments: dict[Seat, tuple[Point, ...]] = field(default_factory=dict)
    """By whose key it is, t each."""
    step: int | None = None
    """In which the shares were given; None before."""
    sealed: dict[Seat, SealedShares] = field(default_factory=dict, repr=False)
    confirmed: set[Seat] = field(default_factory=set)
    """Who has spoken since, and by that taken its shares for good, but for those it complained of."""
    unable: set[tuple[Seat, Seat]] = field(default_factory=set)
    """For whom a seat cannot stand in: its share was false."""
    shuffled: tuple[Seat, ...] = ()
    """Who has shuffled in the shuffle that goes on."""
    passed: frozenset[Seat] = frozenset()
    """Who could have shuffled in it, and has not."""
    begun: tuple[tuple[tuple[int, Seat], ...], tuple[int, ...]] | None = None
    """Cards of which some shares were given and others not: dealt, opened. They go there or nowhere."""

    def standers(self, seat: Seat, present: Collection[Seat]) -> tuple[Seat, ...]:
        """Return who of those that are there act for a seat; fewer than t where it cannot be done."""
        able = [
            other
            for other in sorted(present)
            if other in self.confirmed and (seat, other) not in self.unable
        ]
        return tuple(able[: self.threshold])

    def is_hopeless(self, members: Collection[Seat], gone: Mapping[Seat, object]) -> bool:
        """Say whether too few are left for ever: those who are away may yet come back."""
        left = [seat for seat in members if seat not in gone]
        if len({*left, *self.shuffled}) < self.threshold:
            return True
        return any(
            sum((seat, other) not in self.unable for other in left) < self.threshold
            for seat in members
            if seat in gone
        )

    def end_shuffle(self) -> None:
        """Forget who has shuffled: the shuffle is over, or begins anew."""
        self.shuffled, self.passed = (), frozenset()


def route(table_id: bytes, round_index: int, dealer: Seat, seat: Seat) -> Route:
    """Return which share of a round a seat got from another."""
    return Route(table_id=table_id, round_index=round_index, dealer=dealer, seat=seat)
