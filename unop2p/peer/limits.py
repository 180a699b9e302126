"""Bounds on everything that strangers can make a peer hold or do, each with its reason."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The defaults are for a table of ten; a test may tighten them."""

    seen_max: int = 8192
    """Message hashes remembered to drop repeats: a round of ten seats has about 1,500."""
    ahead_max: int = 2048
    """Signed messages held for steps after the open one: one answer's worth of catching up."""
    tell_bytes_max: int = 64 * 1024
    """Protocol section 10: an answer comes in chunks, so that no queue overflows."""
    stranger_burst: int = 40
    """Messages of unknown keys that are looked at at once: ten joins and ten asks, twice."""
    stranger_per_second: int = 10
    author_burst: int = 1_000
    """Signatures checked for one author at once: an answer's worth."""
    author_per_second: int = 600
    talk_burst: int = 400
    """What one author says beside the chain, at once: answers to a peer that has slept for a match."""
    talk_per_second: int = 100
    doubt_burst: int = 1_000
    """Signatures that do not hold, in seats' names, that are looked at at once."""
    doubt_per_second: int = 500
    """Some 6 % of a core. More are dropped unread, but for words that a step waits for; honest talk
    among them comes again."""
    joins_max: int = 32
    """Joins held in the lobby; a table has ten seats."""


class Budget:
    """A bucket of work that refills with time; integers only."""

    def __init__(self, *, burst: int, per_second: int) -> None:
        self._burst_milli = burst * 1000
        self._per_second = per_second
        self._left_milli = self._burst_milli
        self._at_ms: int | None = None

    def holds(self, now_ms: int) -> bool:
        """Say whether a unit is there; it is not taken."""
        if self._at_ms is not None and now_ms > self._at_ms:
            gained = (now_ms - self._at_ms) * self._per_second
            self._left_milli = min(self._burst_milli, self._left_milli + gained)
        self._at_ms = now_ms
        return self._left_milli >= 1000  # one unit

    def spend(self, now_ms: int) -> bool:
        """Take one unit; return False where nothing is left."""
        if not self.holds(now_ms):
            return False
        self._left_milli -= 1000
        return True

    def give_back(self) -> None:
        """Put one unit back that was taken for nothing."""
        self._left_milli = min(self._burst_milli, self._left_milli + 1000)
