"""What has happened, line by line: kept, folded to the width of the terminal, and read back in pages.

It follows its end, until somebody reads back, or an answer is longer than what can be seen: then it
stands still, and says how much there is below.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from unop2p.repl.fold import fold

LINES_MAX: Final = 5_000
"""So many lines are kept; a match has about a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What of a story can be seen."""

    lines: tuple[str, ...]
    first: int
    """The number of its first line, counted from 1 since the beginning."""
    last: int
    total: int
    """So many lines there are; more than `last` while somebody reads back."""


class Story:
    """Lines, and the place in them that is looked at."""

    def __init__(self) -> None:
        """Begin with nothing, at the end of it."""
        self._said: deque[str] = deque(maxlen=LINES_MAX)
        self._folded: deque[str] = deque(maxlen=LINES_MAX)
        self._gone = 0
        """So many folded lines are kept no more."""
        self._width = 0
        self._top: int | None = None
        """The number of the line at the top, from 0; None: the end is followed."""
        self._answer: int | None = None
        """Where the answer begins that is to be seen from its beginning."""

    def add(self, lines: Iterable[str]) -> None:
        """Put lines at the end."""
        for line in lines:
            self._said.append(line)
            if self._width:
                self._keep(line)

    def _keep(self, line: str) -> None:
        for part in fold(line, self._width):
            self._gone += len(self._folded) == LINES_MAX
            self._folded.append(part)

    def answer(self, lines: Iterable[str]) -> None:
        """Put an answer at the end, to be read from its beginning."""
        self._top, self._answer = None, self._total
        self.add(lines)

    @property
    def _total(self) -> int:
        return self._gone + len(self._folded)

    def page(self, width: int, height: int) -> Page:
        """Return what can be seen in a place of this size, and keep to the size.

        Args:
            width: columns; lines are folded to it.
            height: lines, at least one.
        """
        self._fit(width)
        end = self._total
        if self._answer is not None:
            if end - self._answer > height:
                self._top = self._answer
            self._answer = None
        top = max(self._gone, end - height)
        if self._top is not None:
            top = min(max(self._top, self._gone), top)
            self._top = top if top + height < end else None
        lines = list(self._folded)[top - self._gone : top - self._gone + height]
        return Page(
            lines=tuple(lines),
            first=top + 1 if lines else 0,
            last=top + len(lines),
            total=end,
        )

    def _fit(self, width: int) -> None:
        if width == self._width:
            return
        self._width, self._gone, self._top, self._answer = width, 0, None, None
        self._folded.clear()
        for line in self._said:
            self._keep(line)

    def scroll(self, lines: int, height: int) -> None:
        """Look at what is so many lines further down, or up where it is negative."""
        end = self._total
        top = self._top if self._top is not None else max(self._gone, end - height)
        top = max(self._gone, top + lines)
        self._top = top if top + height < end else None

    def follow(self) -> None:
        """Look at the end, and stay there."""
        self._top = self._answer = None

    def tail(self, count: int) -> list[str]:
        """Return the last lines as they were said."""
        return list(self._said)[-count:] if count > 0 else []
