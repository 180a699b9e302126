"""A match: rounds until the target, totals, eliminations, and the draw for the first dealer."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import HAND_SIZE, Face, deck_for
from unop2p.rules.due import RoundOutcome
from unop2p.rules.options import Options, check_seats
from unop2p.rules.position import Round, with_own_dict
from unop2p.rules.shortcuts import NOBODY

Lap = tuple[tuple[Seat, Face], ...]
LAPS_MAX: Final = 200
"""After so many ties in a row, which no shuffled deck brings, the first of the tied deals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The score of a match. Change it with `score_round` only."""

    options: Options
    seat_count: int
    order: tuple[Seat, ...]
    """Turn order, clockwise."""
    dealer: Seat
    totals: tuple[int, ...]
    """Points by seat."""
    rounds_won: tuple[int, ...]
    """How often each seat went out, by seat."""
    rounds_played: int = 0
    out: frozenset[Seat] = frozenset()
    """Who was eliminated."""
    gone: frozenset[Seat] = frozenset()
    """Who has gone for good."""
    winners: tuple[Seat, ...] = ()
    """Empty until the match is over."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats that are still in, in turn order."""
        return tuple(seat for seat in self.order if seat not in self.out | self.gone)

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return bool(self.winners)

    def present(self, members: Collection[Seat]) -> tuple[Seat, ...]:
        """Return those of some seats that are still in, in turn order."""
        return tuple(seat for seat in self.players if seat in members)

    def dealer_among(self, members: Collection[Seat]) -> Seat:
        """Return who deals where only some seats are there: the dealer, or the next to the left."""
        start = self.order.index(self.dealer)
        around = self.order[start:] + self.order[:start]
        return next(seat for seat in around if seat in members and seat in self.players)

    def start_round(
        self, away: frozenset[Seat] = frozenset(), members: Collection[Seat] | None = None
    ) -> Round:
        """Return the next round, after the deal.

        Args:
            away: who plays it, and is passed over.
            members: who plays it, if still in; None for all seats.
        """
        members = self.players if members is None else members
        return start_round(
            self.options,
            seat_count=self.seat_count,
            players=self.present(members),
            dealer=self.dealer_among(members),
            away=away,
            partners=self.partners,
        )

    def without(self, gone: frozenset[Seat]) -> "Match":
        """Return the match after some seats have gone for good: they play and win nothing more."""
        return replace(self, gone=self.gone | gone)

    @property
    def partners(self) -> tuple[Seat, ...]:
        """By seat, who sits opposite; empty where everybody plays alone."""
        if not self.options.teams:
            return ()
        across = len(self.order) // 2
        opposite = dict(zip(self.order, (*self.order[across:], *self.order[:across]), strict=True))
        return tuple(opposite[seat] for seat in sorted(self.order))


def start_round(
    options: Options,
    *,
    seat_count: int,
    players: tuple[Seat, ...],
    dealer: Seat,
    away: frozenset[Seat] = NOBODY,
    partners: tuple[Seat, ...] = (),
) -> Round:
    """Return a round after the deal of seven cards each, before the first discard is turned up.

    Args:
        options: what is played.
        seat_count: seats of the table.
        players: seats that play this round, clockwise.
        dealer: one of them.
        away: those of them that are passed over.
        partners: by seat, who sits opposite; empty where everybody plays alone.
    """
    assert len(set(players)) == len(players) > 1
    assert dealer in players
    begun = Round(
        options=options,
        seat_count=seat_count,
        players=players,
        away=away,
        partners=partners,
        dealer=dealer,
        turn=dealer,
        hand_counts=tuple(HAND_SIZE * (seat in players) for seat in range(seat_count)),
        pile_count=len(deck_for(options)) - HAND_SIZE * len(players),
        due=dues.TurnUpFirstCard(),
    )
    return with_own_dict(begun)


def start_match(options: Options, order: tuple[Seat, ...], dealer: Seat) -> Match:
    """Return a match before its first round.

    Args:
        options: what is played.
        order: every seat once, clockwise.
        dealer: who deals first.

    Raises:
        InvalidOptionsError: so many seats cannot play by these rules.
    """
    check_seats(options, len(order))
    assert sorted(order) == list(range(len(order)))
    assert dealer in order
    nothing = (0,) * len(order)
    return Match(
        options=options,
        seat_count=len(order),
        order=order,
        dealer=dealer,
        totals=nothing,
        rounds_won=nothing,
    )


def score_round(match: Match, outcome: RoundOutcome) -> Match:
    """Return the match after a round: totals, who is out, who won, and the next dealer."""
    totals = tuple(total + more for total, more in zip(match.totals, outcome.points, strict=True))
    side = {outcome.winner}
    if match.partners and outcome.winner is not None:
        side.add(match.partners[outcome.winner])
    won = tuple(count + (seat in side) for seat, count in enumerate(match.rounds_won))
    out = match.out
    if match.options.match_end == "eliminate":
        out |= {seat for seat in match.players if totals[seat] >= match.options.target}
    return replace(
        match,
        totals=totals,
        rounds_won=won,
        rounds_played=match.rounds_played + 1,
        out=out,
        winners=_winners(match, totals, won, out),
        dealer=_next_dealer(match, out),
    )


def _winners(
    before: Match, totals: tuple[int, ...], won: tuple[int, ...], out: frozenset[Seat]
) -> tuple[Seat, ...]:
    options = before.options
    stay = tuple(seat for seat in before.order if seat not in before.gone)
    match options.match_end:
        case "rounds":
            return tuple(seat for seat in stay if won[seat] >= options.target)
        case "eliminate":
            players = tuple(seat for seat in stay if seat not in out)
            sides = len(players) // (2 if options.teams else 1)
            if sides > 1:
                return ()
            return players or _lowest(before.players, totals)
        case "target":
            best = max(totals[seat] for seat in stay)
            if best < options.target:
                return ()
            if options.scoring == "keep_own":
                return _lowest(stay, totals)
            return tuple(seat for seat in stay if totals[seat] == best)


def _lowest(seats: tuple[Seat, ...], totals: tuple[int, ...]) -> tuple[Seat, ...]:
    """Return who has least; a tie is a shared win (F12)."""
    least = min(totals[seat] for seat in seats)
    return tuple(seat for seat in seats if totals[seat] == least)


def _next_dealer(match: Match, out: frozenset[Seat]) -> Seat:
    order = match.order
    start = order.index(match.dealer)
    for distance in range(1, len(order) + 1):
        seat = order[(start + distance) % len(order)]
        if seat not in out | match.gone:
            return seat
    return match.dealer


# -- the draw for the dealer -------------------------------------------------------------------


def draw_standing(
    options: Options, order: tuple[Seat, ...], laps: Sequence[Mapping[Seat, Face]]
) -> tuple[Seat | None, tuple[Seat, ...]]:
    """Return the dealer once the draws have settled who it is, and who has to draw again.

    Args:
        options: `high_card_zero` or `high_card_redraw` say how draws count.
        order: turn order.
        laps: what each seat drew, for each time somebody drew.
    """
    rivals = order
    numbers: dict[Seat, int] = {}
    redraw = order
    for lap in laps:
        assert set(lap) == set(redraw)
        for seat in redraw:
            number = lap[seat].number
            if number is not None:
                numbers[seat] = number
            elif options.dealer_selection == "high_card_zero":
                numbers[seat] = 0
        redraw = tuple(seat for seat in rivals if seat not in numbers)
        if redraw:
            continue
        best = max(numbers[seat] for seat in rivals)
        rivals = tuple(seat for seat in rivals if numbers[seat] == best)
        if len(rivals) == 1:
            return rivals[0], ()
        numbers = {}
        redraw = rivals
    return None, redraw


def choose_dealer(
    options: Options, order: tuple[Seat, ...], deck: Sequence[Face], names: Sequence[str] = ()
) -> tuple[Seat, tuple[Lap, ...]]:
    """Return who deals first, and what was drawn for it.

    Args:
        options: `dealer_selection`, and `first_dealer` where the dealer is chosen.
        order: turn order.
        deck: a whole deck that was shuffled in public, the top first.
        names: by seat; who is chosen is sought among them, and seat 0 where nobody is called so.

    Returns:
        The dealer, and for each time somebody drew who drew what; nothing where nobody draws.
    """
    match options.dealer_selection:
        case "chosen":
            wanted = options.first_dealer.casefold()
            found = [seat for seat, name in enumerate(names) if name.casefold() == wanted]
            return Seat(found[0] if found else 0), ()
        case "random":
            return (_by_lot if options.decks == 1 else _by_cards)(order, deck), ()
        case "high_card_zero" | "high_card_redraw":
            pass
    pile = deque(deck)
    laps: list[Lap] = []
    while True:
        dealer, redraw = draw_standing(options, order, [dict(lap) for lap in laps])
        if dealer is not None:
            return dealer, tuple(laps)
        if len(laps) >= LAPS_MAX:
            return redraw[0], tuple(laps)
        lap = tuple((seat, pile.popleft()) for seat in redraw)
        pile.extend(face for _, face in lap)
        laps.append(lap)


def _by_lot(order: tuple[Seat, ...], deck: Sequence[Face]) -> Seat:
    """Deal the deck round the table in full laps: who gets the red zero deals.

    Each zero is there once, so its place is even; beyond the full laps the next zero counts.
    """
    even = len(deck) - len(deck) % len(order)
    for zero in (Face.R0, Face.Y0, Face.G0, Face.B0):
        place = deck.index(zero)
        if place < even:
            return order[place % len(order)]
    return order[0]


def _by_cards(order: tuple[Seat, ...], deck: Sequence[Face]) -> Seat:
    """Deal the decks round the table in full laps: whose cards stand first in the fixed order deals.

    Cards are compared lap by lap. With several decks no card is there once, so none can decide alone;
    to swap two seats' cards swaps their chances, so these are even.
    """
    even = len(deck) - len(deck) % len(order)
    ranks = {face: rank for rank, face in enumerate(Face)}
    taken = [
        [ranks[face] for face in deck[place : even : len(order)]] for place in range(len(order))
    ]
    return order[taken.index(min(taken))]
