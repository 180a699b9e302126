"""Many matches of bots: who sits where, which deals, and what they come to. Chance is given."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unop2p.bots.arena import play_match
from unop2p.bots.base import Bot, Randomness
from unop2p.bots.figures import Estimate, clustered, ratio, wilson
from unop2p.rules.options import Options

Chance = Callable[[int, int, int], Randomness]
"""Takes a deal's number, a round or seat, and which of both it is for (0: cards, 1: a bot)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What is played. The first bot sits on one seat, the others share the rest in turn."""

    bots: tuple[str, ...]
    seats: int
    games: int
    options: Options
    duplicate: bool = False
    """Each deal is played once for every seat of the first bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """What one match came to, by bot: its place in `Contest.bots`."""

    number: int
    shares: tuple[float, ...]
    """Of the win, for a mean seat of the bot."""
    gains: tuple[float, ...]
    """Points of a mean seat of the bot minus the mean of all others'; points held count against it."""
    rounds: int
    decisions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a bot did."""

    bot: str
    wins: Estimate
    """Share of matches; par is one over the seats."""
    points: Estimate
    """A round, beyond the mean of the others."""


def deal_of(contest: Contest, game: int) -> int:
    """Return the number of a game's deal."""
    return game // contest.seats if contest.duplicate else game


def seating(contest: Contest, game: int) -> tuple[int, ...]:
    """Return which bot sits where: the first moves on by a seat from game to game."""
    rest = max(len(contest.bots) - 1, 1)
    order = [0, *((1 + seat % rest) % len(contest.bots) for seat in range(contest.seats - 1))]
    first = game % contest.seats
    return tuple(order[(seat - first) % contest.seats] for seat in range(contest.seats))


def play_game(
    contest: Contest, game: int, make: Callable[[str], Bot], chance: Chance
) -> GameResult:
    """Play one match.

    Args:
        contest: what is played.
        game: its number.
        make: gives the bot of a name; may give the same again.
        chance: where cards and bots have their chance from, by deal, so that it repeats.
    """
    seated, deal = seating(contest, game), deal_of(contest, game)
    result = play_match(
        [make(contest.bots[bot]) for bot in seated],
        contest.options,
        deal=chance(deal, 0, 0),
        deals=lambda round_: chance(deal, round_, 0),
        chances=[chance(deal, seat, 1) for seat in range(contest.seats)],
        dealer=deal % contest.seats,
    )
    sign = -1 if contest.options.scoring == "keep_own" else 1
    shares: list[float] = []
    gains: list[float] = []
    for bot in range(len(contest.bots)):
        own = [seat for seat in range(contest.seats) if seated[seat] == bot]
        if not own:
            shares.append(0.0)
            gains.append(0.0)
            continue
        won = sum(1 / len(result.winners) for seat in result.winners if seat in own)
        shares.append(won / len(own))
        others = [total for seat, total in enumerate(result.totals) if seat not in own]
        held = sum(result.totals[seat] for seat in own) / len(own)
        gains.append(sign * (held - sum(others) / len(others)) if others else 0.0)
    return GameResult(
        number=game,
        shares=tuple(shares),
        gains=tuple(gains),
        rounds=result.rounds,
        decisions=result.decisions,
    )


def standings(contest: Contest, results: Sequence[GameResult]) -> tuple[Standing, ...]:
    """Return how each bot did.

    Without duplicates the share of wins has Wilson's interval. With them games of one deal hang
    together, and the interval says how much they do.
    """
    sets: dict[int, list[GameResult]] = {}
    for result in results:
        sets.setdefault(deal_of(contest, result.number), []).append(result)
    found: list[Standing] = []
    for place, bot in enumerate(contest.bots):
        if contest.duplicate:
            wins = clustered(
                [sum(r.shares[place] for r in games) / len(games) for games in sets.values()],
                contest.seats,
            )
        else:
            wins = wilson(sum(r.shares[place] for r in results), len(results))
        points = ratio(
            [
                (sum(r.gains[place] for r in games), float(sum(r.rounds for r in games)))
                for games in sets.values()
            ]
        )
        found.append(Standing(bot=bot, wins=wins, points=points))
    return tuple(found)
