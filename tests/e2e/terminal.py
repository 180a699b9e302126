"""The real program in a pseudo-terminal: a person who sees the screen, and types.

`pexpect` gives the terminal its keys, `pyte` is the glass: what the program writes is drawn on it as a
terminal would, and only what stands there is read.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it has no types
import pyte

from tests.e2e.support import PROGRAM, environment

COLUMNS, ROWS = 80, 24
SEEN_WITHIN_S = 100
"""A deal takes seconds, and the machine may be busy."""
POLL_S = 0.05
YOUR_MOVE, WAIT = "your move>", "wait>"
_PROMPT = re.compile(r"^(?P<said>.*?)(?P<mark>your move>|wait>)(?: (?P<typed>.*))?$")


class Glass(pyte.HistoryScreen):
    """A screen that keeps what scrolls off it, and answers where its cursor stands."""

    def __init__(self, columns: int, rows: int, answer: Callable[[str], object]) -> None:
        super().__init__(columns, rows, history=5_000, ratio=0.5)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)


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

    # -- seeing --------------------------------------------------------------------------------

    def look(self, seconds: float = POLL_S) -> None:
        """Draw what comes within a while."""
        try:
            data = self.program.read_nonblocking(65_536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return
        self.raw += data
        self._glass.feed(data)

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
        """Return every line that was ever shown above the input line, in order."""
        gone = self.screen.history.top
        for index in range(len(self._scrolled), len(gone)):
            self._scrolled.append(_text(gone[index], self.screen.columns))
        return [*self._scrolled, *self.shown()[: self.input_row]]

    def colors_of(self, text: str) -> set[str]:
        """Return the colors of the last place at which a text is seen now."""
        row = max(row for row, line in enumerate(self.shown()) if text in line)
        begin = self.shown()[row].rindex(text)
        return {self.screen.buffer[row][begin + place].fg for place in range(len(text))}

    def sees(self, text: str) -> bool:
        """Say whether a text stands, or has stood, above the input line."""
        return any(text in line for line in self.above())

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
