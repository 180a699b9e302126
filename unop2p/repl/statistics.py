"""What many matches came to: won, points, streaks, by opponent. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from unop2p.edge.results import Result, SeatResult
from unop2p.repl.paint import clean
from unop2p.repl.summary import table_lines
from unop2p.words import ENGLISH, Words, mark

BARS: Final = "▁▂▃▄▅▆▇█"
ASCII_BARS: Final = "_.-=+*#@"
SHOWN_MAX: Final = 40
"""So many matches have a bar: the line fits into 60 columns."""
FINGER_CHARACTERS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """Somebody, by key, and what came of playing with them."""

    name: str
    """As last seen."""
    key: str
    bot: bool
    matches: int
    won: int
    """By us, of these."""
    lost: int
    """Won by them; what a third seat has won is neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What many matches came to for one profile."""

    matches: int
    won: int
    rounds: int
    rounds_won: int
    points: int
    streak: int
    """Won in a row up to now; below 0: lost in a row."""
    longest: int
    """Won in a row at any time."""
    shares: tuple[float, ...]
    """Of each match, oldest first: own points as a part of the highest."""
    wins: tuple[bool, ...]
    opponents: tuple[Opponent, ...]
    """Who was met most often first."""


def statistics(results: Sequence[Result]) -> Statistics:
    """Return what matches came to.

    Args:
        results: oldest first.
    """
    wins = [result.mine.won for result in results]
    return Statistics(
        matches=len(results),
        won=sum(wins),
        rounds=sum(result.rounds for result in results),
        rounds_won=sum(result.mine.rounds_won for result in results),
        points=sum(result.mine.points for result in results),
        streak=_streak(wins),
        longest=_longest(wins),
        shares=tuple(_share(result) for result in results),
        wins=tuple(wins),
        opponents=_opponents(results),
    )


def _share(result: Result) -> float:
    highest = max(seat.points for seat in result.seats)
    return result.mine.points / highest if highest > 0 else 0.0


def _streak(wins: Sequence[bool]) -> int:
    count = 0
    for won in reversed(wins):
        if won is not wins[-1]:
            break
        count += 1
    return count if wins and wins[-1] else -count


def _longest(wins: Sequence[bool]) -> int:
    longest = running = 0
    for won in wins:
        running = running + 1 if won else 0
        longest = max(longest, running)
    return longest


def _opponents(results: Sequence[Result]) -> tuple[Opponent, ...]:
    met: dict[str, list[tuple[SeatResult, bool]]] = {}
    for result in results:
        for place, seat in enumerate(result.seats):
            if place != result.own:
                met.setdefault(seat.key, []).append((seat, result.mine.won))
    found = [
        Opponent(
            name=games[-1][0].name,
            key=key,
            bot=games[-1][0].bot,
            matches=len(games),
            won=sum(won for _, won in games),
            lost=sum(seat.won and not won for seat, won in games),
        )
        for key, games in met.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.matches, one.name.casefold(), one.key)))


def sparkline(shares: Sequence[float], bars: str = BARS) -> str:
    """Return a bar for each part of a whole, 0 to 1.

    >>> sparkline([0, 0.5, 1], ASCII_BARS)
    '_=@'
    """
    top = len(bars) - 1
    return "".join(bars[min(top, max(0, int(share * top)))] for share in shares)


def lines(told: Statistics, *, bars: str = BARS, words: Words = ENGLISH) -> list[str]:
    """Return statistics as lines for a person.

    Args:
        told: of at least one match.
        bars: what the sparkline is made of, lowest first.
        words: the language of the person.
    """
    shown = told.shares[-SHOWN_MAX:]
    said = [
        words.say_n(
            "{n} match, {won} won ({percent} %)",
            "{n} matches, {won} won ({percent} %)",
            told.matches,
            won=told.won,
            percent=round(100 * told.won / told.matches),
        ),
        words.say_n(
            "{n} round, {won} won", "{n} rounds, {won} won", told.rounds, won=told.rounds_won
        ),
        words.say_n(
            "{n} point, {mean} a match",
            "{n} points, {mean} a match",
            told.points,
            mean=round(told.points / told.matches),
        ),
        _streak_line(told, words),
        words.say("points, against the highest of each match, oldest first:"),
        f"  {sparkline(shown, bars)}",
        f"  {''.join('*' if won else '.' for won in told.wins[-SHOWN_MAX:])}  "
        + words.say("(* won)"),
    ]
    titles = [words.say(title) for title in OPPONENT_TITLES]
    rows = [
        (
            f"{clean(one.name)}{' (' + words.say('bot') + ')' if one.bot else ''}"
            f" {one.key[:FINGER_CHARACTERS]}",
            str(one.matches),
            str(one.won),
            str(one.lost),
        )
        for one in told.opponents
    ]
    return [*said, "", *table_lines(titles, rows, indent="")]


OPPONENT_TITLES: Final = (
    mark("played with"),
    mark("matches"),
    mark("you won"),
    mark("they won"),
)


def _streak_line(told: Statistics, words: Words) -> str:
    if told.streak > 0:
        now = words.say_n("{n} match won in a row", "{n} matches won in a row", told.streak)
    else:
        now = words.say_n(
            "{n} match not won in a row", "{n} matches not won in a row", -told.streak
        )
    return words.say("{now}; longest row of wins: {longest}", now=now, longest=told.longest)
