"""Times counted in buckets: small whatever is measured, and several can be added up."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

BUCKETS_PER_DECADE: Final = 24
"""Each bucket ends 10 % above the one before: a percentile is that exact."""
DECADES: Final = 7
LEAST_S: Final = 0.000_1
BOUNDS_S: Final = tuple(
    LEAST_S * 10 ** (index / BUCKETS_PER_DECADE)
    for index in range(DECADES * BUCKETS_PER_DECADE + 1)
)
"""Upper bounds, 0.1 ms to 1,000 s; what is above has a bucket of its own."""
COARSE: Final = BUCKETS_PER_DECADE // 3
"""Every so many buckets there is one bound for who reads a few only."""


@dataclass(slots=True)
class Histogram:
    """How many times fell into each bucket."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    sum_s: float = 0.0

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(self.counts)

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.sum_s += seconds

    def merge(self, counts: Sequence[int], sum_s: float) -> None:
        """Count those of another, of this or of another process."""
        self.counts = [ours + theirs for ours, theirs in zip(self.counts, counts, strict=True)]
        self.sum_s += sum_s

    def quantile_s(self, part: float) -> float | None:
        """Return the time that this part of all does not exceed, at most 10 % too much; None of none.

        Args:
            part: 0 to 1.

        >>> times = Histogram()
        >>> for ms in range(1, 101):
        ...     times.add(ms / 1000)
        >>> 0.050 <= times.quantile_s(0.5) <= 0.056
        True
        """
        wanted = max(1, round(part * self.count))
        seen = 0
        for index, number in enumerate(self.counts):
            seen += number
            if seen >= wanted:
                return BOUNDS_S[min(index, len(BOUNDS_S) - 1)]
        return None

    def coarse(self) -> Iterator[tuple[float, int]]:
        """Yield a few bounds in seconds, rising, each with how many times are not above it."""
        seen = 0
        for index, bound in enumerate(BOUNDS_S):
            seen += self.counts[index]
            if index % COARSE == 0:
                yield bound, seen
