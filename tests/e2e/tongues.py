"""A person who plays in any of the languages, by what stands on the screen and by nothing else.

What is looked for is what the catalog has for it, in the order in which the terminal shows it; cards and
what stands in backticks are the same in all languages.
"""

import itertools
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.e2e.terminal import Terminal
from unop2p.edge.languages import load
from unop2p.repl.direction import (
    END_OF_ISOLATE,
    LEFT_TO_RIGHT_ISOLATE,
    RIGHT_TO_LEFT_ISOLATE,
    visual,
)
from unop2p.repl.vocabulary import COLORS

ME: Final = "mia"
STUCK_S: Final = 75.0
"""A move that is not taken within this time was refused."""
DOWN, F2, F3 = "\x1b[B", "\x1bOQ", "\x1bOR"
CARD: Final = re.compile(r"\d+:([RYGBW][0-9A-Z+]*)(\*?)(?= |$)")
TYPED: Final = re.compile(r"`([^`]+)`")
COLOR_WORDS: Final = {letter.upper(): word for word, letter in COLORS.items()}
SIGNS: Final = {"S": "skip", "V": "reverse", "+2": "+2"}


@dataclass(frozen=True)
class Look:
    """What stood on the screen at one moment."""

    step: int
    lines: tuple[str, ...]
    columns: int
    rows: int


class Window(Terminal):
    """A terminal with the program in it, which speaks some language."""

    def __init__(
        self,
        home: Path,
        language: str,
        *words: str,
        size: tuple[int, int],
        own_order: bool = False,
    ) -> None:
        """Start the program; `own_order`: the terminal puts letters in order itself."""
        self.language, self.words = language, load(language)
        self._as_shown = (lambda line: line) if own_order else visual
        bidi = "terminal" if own_order else "program"
        options = ("--lang", language, *words)
        super().__init__(
            home,
            *options,
            columns=size[0],
            rows=size[1],
            LC_ALL="C.UTF-8",
            UNOP2P_BIDI=bidi,
        )

    def _read_story(self) -> None:
        """Read nothing: the story is in other words here."""

    def shows(self, template: str, **values: object) -> str:
        """Return a sentence as it is seen on this terminal."""
        return self._as_shown(self.words.say(template, **values))

    def as_shown(self, line: str) -> str:
        """Return a line as it is seen on this terminal."""
        return self._as_shown(line)

    def first(self, word: str) -> str:
        """Return what one types in the language for an English word."""
        return (self.words.typed(word) or (word,))[0]

    # -- what is drawn -------------------------------------------------------------------------

    def rule_row(self) -> int | None:
        """Return in which row the table ends and its story begins."""
        wide = self.screen.columns
        for row, line in enumerate(self.shown()):
            if len(line) == wide and line[:2] == line[-2:] == "──":
                return row
        return None

    @property
    def step(self) -> int | None:
        """The step that the toolbar tells."""
        word = self.as_shown(self.words.say("step {step}", step="").strip())
        parts = [part for part in self.shown()[-1].split(" | ") if word in part]
        found = re.search(r"\d+", parts[0]) if parts else None
        return int(found[0]) if found else None

    def prompt(self) -> tuple[str, str] | None:
        """Return the prompt and what is typed after it; None where the cursor is not at one."""
        line = self.shown()[self.input_row]
        before, sign, after = line.partition(">")
        if not sign or self.screen.cursor.hidden:
            return None
        return before, after.strip()

    def says_my_move(self) -> bool:
        """Say whether the prompt is that of who is to move."""
        prompt = self.prompt()
        mine = self.as_shown(self.words.say("your move>").removesuffix(">"))
        return prompt is not None and mine in prompt[0]

    def settled(self) -> bool:
        """Look a little longer, and say whether nothing was being drawn."""
        before = len(self.raw)
        self.look(0.03)
        return len(self.raw) == before and self.prompt() is not None


class Person:
    """Plays a round, each turn in another way of typing."""

    def __init__(self, window: Window, *, resize: tuple[int, int] | None = None) -> None:
        """Take the terminal; its window changes its size after the third turn."""
        self.window = window
        self.looks: list[Look] = []
        self.ways: dict[str, int] = {}
        """How often was typed in which way."""
        self.resize = resize
        self._styles = itertools.cycle(["own", "card", "menu", "place", "own"])
        self._acted: tuple[int, float] = (-1, 0.0)
        self.turns = 0

    def play(self) -> int:
        """Play until the program ends; return its exit code."""
        window = self.window
        until = time.monotonic() + 240
        while window.program.isalive():
            assert time.monotonic() < until, "\n".join(window.shown())
            window.look()
            step = window.step
            if step is None or window.rule_row() is None or not window.settled():
                continue
            if window.step != step or window.typed():
                continue
            self._note(step)
            self._act(step)
        return window.end()

    def _note(self, step: int) -> None:
        lines = tuple(self.window.shown())
        if not self.looks or self.looks[-1].step != step or self.looks[-1].lines != lines:
            screen = self.window.screen
            self.looks.append(Look(step, lines, screen.columns, screen.lines))

    def _act(self, step: int) -> None:
        window = self.window
        asked = self.asked()
        if step == self._acted[0]:
            waited = time.monotonic() - self._acted[1]
            assert waited < STUCK_S, "refused:\n" + "\n".join(window.shown())
            return
        if not window.says_my_move():
            caught = next((move for move in asked if move.startswith("catch ")), None)
            if caught is None:
                return
            self._acted = step, time.monotonic()
            self._do("key", F3)
            return
        self._acted = step, time.monotonic()
        self.turns += 1
        if self.turns == 3 and self.resize is not None:
            self._change_size(step)
        hand = self.hand()
        fitting = [(place, card) for place, (card, star) in enumerate(hand, 1) if star]
        fitting.sort(key=lambda found: found[1].startswith("W"))
        if "color r" in asked:
            self._enter("own", f"{window.first('color')} {window.first('green')}")
        elif "accept" in asked:
            self._enter("own", window.first("accept"))
        elif fitting:
            self._play(*fitting[0], last_but_one=len(hand) == 2)
        else:
            self._enter("own", window.first("keep" if "keep" in asked else "draw"))

    def asked(self) -> list[str]:
        """Return what the table says that one may type."""
        return TYPED.findall(" ".join(self.window.panel()))

    def hand(self) -> list[tuple[str, bool]]:
        """Return the own cards, and which can be played."""
        panel = self.window.panel()
        return [(card, bool(star)) for line in panel for card, star in CARD.findall(line)]

    def _play(self, place: int, card: str, *, last_but_one: bool) -> None:
        style = next(self._styles)
        uno = " uno" if last_but_one and card != "WH" else ""
        if style == "menu" and not card.startswith("W") and not uno:
            self._from_the_menu()
            return
        if style == "menu" and uno:
            self._do("key", F2)
            uno, style = "", "card"
        color = "g" if card.startswith("W") else ""
        if style == "own":
            said = self._own_words(card)
            color = self.window.first("green") if color else ""
        else:
            said = card.lower() if style == "card" else f"#{place}"
        self._enter(style, " ".join(part for part in (said, color, uno.strip()) if part))

    def _own_words(self, card: str) -> str:
        if card in ("W", "W4"):
            return self.window.first("wild" if card == "W" else "wild four")
        color = COLOR_WORDS.get(card[0])
        if color is None or card.startswith("W"):
            return card.lower()
        sign = SIGNS.get(card[1:])
        said = self.window.first(sign) if sign else card[1:]
        return f"{self.window.first(color)} {said}"

    def _from_the_menu(self) -> None:
        self._do("menu", DOWN)
        self.window.wait(lambda: self.window.typed(), "the first of the moves")
        self.window.keys("\r")
        self.window.wait(
            lambda: self.window.typed() == "" or not self.window.program.isalive(), "it is sent"
        )

    def _enter(self, way: str, line: str) -> None:
        self._do(way, line + "\r")

    def _do(self, way: str, keys: str) -> None:
        self.ways[way] = self.ways.get(way, 0) + 1
        self.window.keys(keys)

    def _change_size(self, step: int) -> None:
        assert self.resize is not None
        window, (columns, rows) = self.window, self.resize
        before = [card for card, _ in self.hand()]
        window.resize(rows, columns)

        def drawn() -> bool:
            return (
                window.rule_row() is not None
                and window.step == step
                and [card for card, _ in self.hand()] == before
                and window.settled()
                and window.input_row == rows - 2
            )

        window.wait(drawn, f"the same hand at {columns}x{rows}")
        self.resize = None
        self._note(step)


class PlainPerson:
    """Plays a round by what is appended."""

    def __init__(self, window: Window) -> None:
        """Take the terminal, in plain mode."""
        self.window = window
        self._read = 0
        self._table: list[str] = []
        """What was said since the last prompt."""

    @property
    def lines(self) -> list[str]:
        """All whole lines that were appended, as they are seen."""
        text = self.window.raw.decode(errors="replace").replace("\r\n", "\n").replace("\a", "")
        for mark in (LEFT_TO_RIGHT_ISOLATE, RIGHT_TO_LEFT_ISOLATE, END_OF_ISOLATE):
            text = text.replace(mark, "")
        return text.split("\n")[:-1]

    def play(self) -> int:
        """Play until the program ends; return its exit code."""
        window, until = self.window, time.monotonic() + 240
        mine = window.as_shown(window.words.say("your move>").removesuffix(">"))
        while window.program.isalive():
            assert time.monotonic() < until, "\n".join(self.lines[-30:])
            window.look()
            lines = self.lines
            for line in lines[self._read :]:
                if not line.endswith(">"):
                    self._table.append(line)
                    continue
                move = self._move(mine in line)
                self._table = []
                if move:
                    window.keys(move + "\r")
            self._read = len(lines)
        return window.end()

    def _move(self, is_mine: bool) -> str:
        """Return what to type at a prompt; nothing where nothing is asked."""
        first = self.window.first
        asked: list[str] = TYPED.findall(" ".join(self._table))
        if not is_mine:
            catches: list[str] = [move for move in asked if move.startswith("catch ")]
            return "".join(catches[:1])
        hand: list[tuple[str, str]] = [
            found for line in self._table for found in CARD.findall(line)
        ]
        fitting = sorted((card for card, star in hand if star), key=lambda card: card[0] == "W")
        if "color r" in asked:
            return f"{first('color')} {first('green')}"
        if "accept" in asked:
            return first("accept")
        if not fitting:
            return first("keep" if "keep" in asked else "draw")
        uno = " uno" if len(hand) == 2 and fitting[0] != "WH" else ""
        color = f" {first('green')}" if fitting[0][0] == "W" else ""
        return fitting[0].lower() + color + uno
