"""A match: rounds, totals, dealers, and who has won."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from unop2p.errors import InvalidOptionsError
from unop2p.ids import SEATS_MAX, SEATS_MIN, Seat
from unop2p.rules.cards import Face
from unop2p.rules.due import RoundOutcome
from unop2p.rules.options import Options
from unop2p.rules.round import Round, start_round

Laps = tuple[tuple[tuple[Seat, Face], ...], ...]
"""Cards drawn for the dealer, lap by lap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Where a match stands between rounds."""

    options: Options
    seat_count: int
    order: tuple[Seat, ...]
    """Turn order, clockwise, of all seats."""
    dealer: Seat
    """Of the round that comes, or goes on."""
    totals: tuple[int, ...]
    """Match points by seat."""
    won: tuple[int, ...]
    """Rounds won by seat."""
    rounds_played: int = 0
    out: frozenset[Seat] = frozenset()
    """Seats that were eliminated."""
    winners: tuple[Seat, ...] = ()
    """Not empty once the match is over; several share a tie (F12)."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.winners)

    @property
    def players(self) -> tuple[Seat, ...]:
        """Who plays on, clockwise."""
        return tuple(seat for seat in self.order if seat not in self.out)

    def start_round(self, away: frozenset[Seat] = frozenset()) -> Round:
        """Return the next round."""
        return start_round(
            self.options,
            seat_count=self.seat_count,
            players=self.players,
            dealer=self.dealer,
            away=away,
        )


def start_match(options: Options, order: tuple[Seat, ...], dealer: Seat) -> Match:
    """Return a match before its first round.

    Raises:
        InvalidOptionsError: fewer than 2 or more than 10 seats.
    """
    if not SEATS_MIN <= len(order) <= SEATS_MAX:
        message = f"{len(order)} seats: UNO is for {SEATS_MIN} to {SEATS_MAX}."
        raise InvalidOptionsError(message)
    zeros = (0,) * len(order)
    return Match(
        options=options,
        seat_count=len(order),
        order=order,
        dealer=dealer,
        totals=zeros,
        won=zeros,
    )


def score_round(match: Match, outcome: RoundOutcome) -> Match:
    """Return the match after a round."""
    totals = tuple(
        total + gained for total, gained in zip(match.totals, outcome.points, strict=True)
    )
    won = tuple(
        count + (seat == outcome.winner) for seat, count in enumerate(match.won)
    )
    match = replace(match, totals=totals, won=won, rounds_played=match.rounds_played + 1)
    match = _end(match)
    order = match.order
    start = order.index(match.dealer)
    following = [order[(start + step) % len(order)] for step in range(1, len(order) + 1)]
    dealer = next((seat for seat in following if seat not in match.out), match.dealer)
    return replace(match, dealer=dealer)


def _end(match: Match) -> Match:
    options, target = match.options, match.options.target
    if options.match_end == "rounds":
        if max(match.won) < target:
            return match
        return replace(match, winners=_best(match, match.won, highest=True))
    reached = [seat for seat in match.players if match.totals[seat] >= target]
    if options.match_end == "eliminate":
        left = [seat for seat in match.players if seat not in reached]
        winners: tuple[Seat, ...] = ()
        if len(left) == 1:
            winners = (left[0],)
        elif not left:
            winners = _best(match, match.totals, highest=False)
        return replace(match, out=match.out | frozenset(reached), winners=winners)
    if not reached:
        return match
    highest = options.scoring == "winner_takes"
    return replace(match, winners=_best(match, match.totals, highest=highest))


def _best(match: Match, values: tuple[int, ...], *, highest: bool) -> tuple[Seat, ...]:
    wanted = (max if highest else min)(values[seat] for seat in match.players)
    return tuple(sorted(seat for seat in match.players if values[seat] == wanted))


# -- the first dealer --------------------------------------------------------------------------


def redraw(
    options: Options, seats: Sequence[Seat], draws: Sequence[Mapping[Seat, Face]]
) -> tuple[Seat, ...]:
    """Return who has to draw (again) for the dealer; a single seat is the dealer.

    Args:
        options: of the table.
        seats: in turn order.
        draws: what was drawn, lap by lap; the first by all.

    Returns:
        Seats that draw again, in turn order; where only one is left, nobody: see `highest`.
    """
    pending, _ = _contest(options, seats, draws)
    return pending


def _contest(
    options: Options, seats: Sequence[Seat], draws: Sequence[Mapping[Seat, Face]]
) -> tuple[tuple[Seat, ...], Seat | None]:
    """Follow the laps: who is to draw next, or who deals."""
    if options.dealer_selection in {"random", "chosen"}:
        return (), None
    redraws_actions = options.dealer_selection == "high_card_redraw"
    contenders, due = tuple(seats), tuple(seats)
    values: dict[Seat, int] = {}
    for lap in draws:
        values |= {
            seat: lap[seat].number or 0
            for seat in due
            if lap[seat].number is not None or not redraws_actions
        }
        due = tuple(seat for seat in due if seat not in values)
        if due:
            continue
        best = max(values[seat] for seat in contenders)
        contenders = tuple(seat for seat in contenders if values[seat] == best)
        if len(contenders) == 1:
            return (), contenders[0]
        due, values = contenders, {}
    return due, None


def choose_dealer(
    options: Options, order: tuple[Seat, ...], deck: Sequence[Face]
) -> tuple[Seat, Laps]:
    """Find the first dealer from a deck that was shuffled in public.

    Args:
        options: of the table.
        order: turn order.
        deck: the whole deck, the top first; cards are drawn in turn order.

    Returns:
        The dealer, and the cards drawn, lap by lap.
    """
    if options.dealer_selection == "chosen":
        return Seat(0), ()
    if options.dealer_selection == "random":
        # By lot: the first card's place in the fixed order of faces is as good a lot as any coin.
        return order[0], ()
    pile = list(deck)
    laps: list[dict[Seat, Face]] = []
    while True:
        due, dealer = _contest(options, order, laps)
        if dealer is not None:
            return dealer, tuple(tuple(lap.items()) for lap in laps)
        if len(pile) < len(due):
            pile += deck
        lap = {seat: pile.pop(0) for seat in due}
        laps.append(lap)
