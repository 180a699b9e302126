"""The real program in a pseudo-terminal: a person who sees the screen, and types.

`pexpect` gives the terminal its keys, `pyte` is the glass: what the program writes is drawn on it as a
terminal would, and only what stands there is read.
"""

import re
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it has no types
import pyte

from tests.e2e.support import PROGRAM, environment

COLUMNS, ROWS = 80, 24
WIDE = 250
"""Plain mode leaves the breaking of lines to the terminal: here none is broken."""
SEEN_WITHIN_S = 100
"""A deal takes seconds, and the machine may be busy."""
POLL_S = 0.05
YOUR_MOVE, WAIT = "your move>", "wait>"
_RULE = re.compile(
    r"^[-─]+ (?P<first>\d+)-(?P<last>\d+) of (?P<total>\d+)(?P<more>, PgDn: more)? [-─]+$"
)
"""The line between the table and its story."""
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"
PAGE_S = 1.0
"""So long a page may take to be turned."""
_PROMPT = re.compile(r"^(?P<said>.*?)(?P<mark>your move>|wait>)(?: (?P<typed>.*))?$")


class Glass(pyte.HistoryScreen):
    """A screen that keeps what scrolls off it, and answers where its cursor stands."""

    def __init__(self, columns: int, rows: int, answer: Callable[[str], object]) -> None:
        super().__init__(columns, rows, history=5_000, ratio=0.5)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)

    def draw(self, data: str) -> None:
        # Marks of direction take no cell; at one of them pyte leaves the rest of what it got undrawn.
        super().draw("".join(char for char in data if unicodedata.category(char) != "Cf"))


class Terminal:
    """A terminal with the program in it."""

    def __init__(
        self, home: Path, *words: str, columns: int = COLUMNS, rows: int = ROWS, **more: str
    ) -> None:
        """Start the program."""
        self.plain = "--plain" in words
        """The program appends lines; its prompt is the last of them, and not where one types."""
        self.raw = b""
        """All that was written."""
        self.program = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], *words],
            env={**environment(home), "TERM": "xterm-256color", **more},
            dimensions=(rows, columns),
            timeout=SEEN_WITHIN_S,
            echo=False,
        )
        self.screen = Glass(columns, rows, self.program.send)
        self._glass = pyte.ByteStream(self.screen)
        self._scrolled: list[str] = []
        self._story: dict[int, str] = {}
        """What was read of the story, by the number of the line."""
        self._since = 1
        """The first line that is to be read."""
        self._turned: tuple[tuple[int, int, int], float] | None = None
        """Which page was to be turned, and when."""

    # -- seeing --------------------------------------------------------------------------------

    def look(self, seconds: float = POLL_S) -> None:
        """Draw what comes within a while."""
        try:
            data = self.program.read_nonblocking(65_536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return
        self.raw += data
        self._glass.feed(data)
        if not self.plain:
            self._read_story()

    def rule_row(self) -> int | None:
        """Return in which row the table ends and its story begins."""
        wide = self.screen.columns
        rows = [
            row
            for row, line in enumerate(self.shown())
            if _RULE.match(line) and len(line) == wide  # else it is of another size
        ]
        return rows[-1] if rows else None

    def _read_story(self) -> None:
        """Note what can be seen of the story, and turn the page where something was missed.

        As a person would: not while it is being drawn, nor where a menu lies over it.
        """
        row = self.rule_row()
        if row is None or self.screen.cursor.hidden or self.prompt() is None:
            return
        found = _RULE.match(self.shown()[row])
        assert found
        first, last, total = (int(found[name]) for name in ("first", "last", "total"))
        lines = self.shown()[row + 1 : row + 2 + last - first]
        below = range(row + 1, self.input_row)
        if len(lines) <= last - first or any(
            cell.bg != "default" for line in below for cell in self.screen.buffer[line].values()
        ):
            return
        self._since = self._since or first
        self._story.update(zip(range(first, last + 1), lines, strict=True))
        wanted = ""
        if any(number not in self._story for number in range(self._since, first)):
            wanted = PAGE_UP
        elif last < total:
            wanted = PAGE_DOWN
        page, now = (first, last, total), time.monotonic()
        if wanted and (self._turned is None or self._turned[0] != page or now > self._turned[1]):
            self._turned = page, now + PAGE_S
            self.keys(wanted)

    @property
    def has_read_all(self) -> bool:
        """Whether every line of the story is read, and its end can be seen."""
        row = self.rule_row()
        if row is None:
            return False
        found = _RULE.match(self.shown()[row])
        assert found
        read = range(self._since, int(found["total"]) + 1)
        return found["last"] == found["total"] and all(number in self._story for number in read)

    def panel(self) -> list[str]:
        """Return the lines of the table, without its story."""
        row = self.rule_row()
        return self.shown()[:row] if row is not None else []

    def wait(self, condition: Callable[[], object], what: str = "") -> None:
        """Look on until something is seen.

        Raises:
            AssertionError: it is not seen in time, or the program has ended before.
        """
        until = time.monotonic() + SEEN_WITHIN_S
        while not condition():
            ended = not self.program.isalive()
            self.look()
            if condition():
                return
            seen = "\n".join(self.shown())
            assert time.monotonic() < until, f"not seen in time: {what}\n{seen}"
            assert not ended, f"the program has ended before {what}\n{seen}"

    def shown(self) -> list[str]:
        """Return the lines that can be seen now."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def input_row(self) -> int:
        """In which line the cursor stands."""
        return int(self.screen.cursor.y)

    def prompt(self) -> tuple[str, str] | None:
        """Return what stands before the mark of the prompt with it, and what is typed after it.

        None while the cursor is not in a line with a prompt.
        """
        line = self.shown()[self.input_row]
        if self.plain:
            line = next((said for said in reversed(self.above()) if said), "")
        found = _PROMPT.match(line)
        if found is None:
            return None
        return found["said"] + found["mark"], found["typed"] or ""

    def above(self) -> list[str]:
        """Return every line that was ever shown above the input line, in order.

        Where the table is drawn that is the story, as far as it is read without a gap.
        """
        if not self.plain:
            lines, number = [], self._since
            while number in self._story:
                lines.append(self._story[number])
                number += 1
            return lines
        if self.screen.columns < WIDE:
            return self._appended()
        gone = self.screen.history.top
        for index in range(len(self._scrolled), len(gone)):
            self._scrolled.append(_text(gone[index], self.screen.columns))
        return [*self._scrolled, *self.shown()[: self.input_row]]

    def _appended(self) -> list[str]:
        """Return the lines of plain mode where the terminal breaks them: whole, as they were written."""
        text = self.raw.decode(errors="replace").replace("\a", "")
        *lines, rest = text.replace("\r\n", "\n").split("\n")
        return [*lines, rest] if rest else lines

    def broken_lines(self) -> list[str]:
        """Return what a terminal shows that breaks the lines of plain mode: the last of them."""
        columns, rows = self.screen.columns, self.screen.lines
        parts = [
            line[at : at + columns].rstrip()
            for line in self._appended()
            for at in range(0, max(1, len(line)), columns)
        ]
        return [*parts, ""][-rows:]

    def colors_of(self, text: str) -> set[str]:
        """Return the colors of the last place at which a text is seen now."""
        row = max(row for row, line in enumerate(self.shown()) if text in line)
        begin = self.shown()[row].rindex(text)
        return {self.screen.buffer[row][begin + place].fg for place in range(len(text))}

    def sees(self, text: str) -> bool:
        """Say whether a text stands, or has stood, above the input line."""
        return any(text in line for line in [*self.above(), *self.shown()])

    # -- doing ---------------------------------------------------------------------------------

    def keys(self, text: str) -> None:
        """Press keys."""
        self.program.send(text)

    def typed(self) -> str | None:
        """Return what stands after the prompt, None where there is no prompt now."""
        prompt = self.prompt()
        return prompt[1] if prompt is not None else None

    def enter(self, line: str) -> None:
        """Type a line at an empty prompt."""
        self.wait(lambda: self.typed() == "", "an empty prompt")
        self.keys(line + "\r")

    def ask(self, line: str, answer: str) -> list[str]:
        """Type a line, and return what is shown after it, when the answer is among it."""
        before = len(self.above())
        self.enter(line)
        self.wait(lambda: any(answer in seen for seen in self.above()[before:]), answer)
        return self.above()[before:]

    def resize(self, rows: int, columns: int) -> None:
        """Make the window larger or smaller."""
        # What a smaller window loses it loses at the top, and the cursor stays in its line.
        lost = max(0, self.screen.lines - rows)
        self.screen.resize(rows, columns)
        self.screen.cursor.y = max(0, self.input_row - lost)
        self._story.clear()  # its lines have other numbers now
        self._since = 0
        self._turned = None
        self.program.setwinsize(rows, columns)

    def end(self) -> int:
        """Wait for the program to end, and return its exit code."""
        until = time.monotonic() + SEEN_WITHIN_S
        while self.program.isalive() and time.monotonic() < until:
            self.look()
        self.look()
        self.program.close(force=True)
        assert self.program.exitstatus is not None, f"killed by {self.program.signalstatus}"
        return int(self.program.exitstatus)

    def close(self) -> None:
        """End the program if it runs still."""
        self.program.close(force=True)


def _text(line: "dict[int, pyte.screens.Char]", columns: int) -> str:
    return "".join(line[column].data for column in range(columns)).rstrip()
