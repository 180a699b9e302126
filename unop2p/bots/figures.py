"""What a number of games says: shares with Wilson's interval, means with the normal one, and Elo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

Z: Final = 1.959964
"""A normal value lies within so many standard deviations in 95 of 100 cases."""
ELO: Final = 400 / log(10)
NEWTON_STEPS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int
    """Games or rounds behind it."""


def wilson(wins: float, n: float) -> Estimate:
    """Return a share of n games (Wilson 1927); shared wins may count in part.

    >>> found = wilson(74, 100)
    >>> round(found.low, 3), round(found.high, 3)
    (0.646, 0.816)
    """
    if not n:
        return Estimate(value=0.0, low=0.0, high=1.0, n=0)
    share = wins / n
    scale = 1 + Z * Z / n
    middle = (share + Z * Z / (2 * n)) / scale
    half = Z / scale * sqrt(max(share * (1 - share), 0) / n + Z * Z / (4 * n * n))
    low, high = max(middle - half, 0.0), min(middle + half, 1.0)
    return Estimate(value=share, low=low, high=high, n=round(n))


def clustered(shares: Sequence[float], size: int) -> Estimate:
    """Return a share from sets of games that hang together.

    Wilson's interval for as many games as would be as sure if each stood alone (Kish, Survey Sampling,
    1965: the design effect); where nothing differs, for as many as there are sets.

    Args:
        shares: of each set.
        size: games of a set.
    """
    n = len(shares)
    if n < 2:
        return wilson(sum(shares), n)
    share = sum(shares) / n
    spread = sum((one - share) ** 2 for one in shares) / (n - 1)
    worth = share * (1 - share) * n / spread if spread else float(n)
    alone = wilson(share * worth, worth)
    return Estimate(value=share, low=alone.low, high=alone.high, n=n * size)


def ratio(pairs: Sequence[tuple[float, float]]) -> Estimate:
    """Return the sum of the first numbers over that of the second, each pair independent.

    The interval is that of the ratio estimator (Cochran, Sampling Techniques, 1977, chapter 6).
    """
    n = len(pairs)
    below = sum(size for _, size in pairs)
    if n < 2 or not below:
        value = sum(top for top, _ in pairs) / below if below else 0.0
        return Estimate(value=value, low=float("-inf"), high=float("inf"), n=n)
    value = sum(top for top, _ in pairs) / below
    spread = sum((top - value * size) ** 2 for top, size in pairs) / (n - 1)
    half = Z * sqrt(spread / n) / (below / n)
    return Estimate(value=value, low=value - half, high=value + half, n=n)


def elo(
    names: Sequence[str], scores: Mapping[tuple[str, str], tuple[float, int]]
) -> dict[str, Estimate]:
    """Return ratings of a round robin, the first name's 0 (Bradley and Terry 1952).

    Half a win for each side is added to every pair, so that a clean sheet has a rating too. Intervals
    are those of the difference to the first, from the information that the games hold.

    Args:
        names: who played.
        scores: by pair, how many games the first of it won, of how many.
    """
    free = list(names[1:])
    games = [(a, b, won + 0.5, count + 1) for (a, b), (won, count) in scores.items() if count]
    strength = dict.fromkeys(names, 0.0)
    if not free:
        return {name: Estimate(value=0.0, low=0.0, high=0.0, n=0) for name in names}
    information: list[list[float]] = []
    for _ in range(NEWTON_STEPS):
        slope = dict.fromkeys(names, 0.0)
        information = [[1e-9 * (row == column) for column in free] for row in free]
        for a, b, won, count in games:
            chance = 1 / (1 + exp(strength[b] - strength[a]))
            weight = count * chance * (1 - chance)
            slope[a] += won - count * chance
            slope[b] -= won - count * chance
            for one in (a, b):
                for other in (a, b):
                    if one in free and other in free:
                        row, column = free.index(one), free.index(other)
                        information[row][column] += weight if one == other else -weight
        change = solved(information, [slope[name] for name in free])
        for name, step in zip(free, change, strict=True):
            strength[name] += max(min(step, 2.0), -2.0)
    played = {
        name: sum(count for (a, b), (_, count) in scores.items() if name in {a, b})
        for name in names
    }
    found = {names[0]: Estimate(value=0.0, low=0.0, high=0.0, n=played[names[0]])}
    for place, name in enumerate(free):
        unit = [float(place == other) for other in range(len(free))]
        variance = solved(information, unit)[place]
        half = Z * sqrt(max(variance, 0.0)) * ELO
        value = strength[name] * ELO
        found[name] = Estimate(value=value, low=value - half, high=value + half, n=played[name])
    return found


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return x of matrix x = right, by elimination with the largest pivot.

    >>> solved([[2.0, 1.0], [1.0, 2.5]], [4.0, 6.0])
    [1.0, 2.0]
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [
                    value - factor * other
                    for value, other in zip(rows[row], rows[column], strict=True)
                ]
    return [row[size] / row[place] for place, row in enumerate(rows)]
