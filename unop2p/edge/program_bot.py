"""A bot that is a program of its own: asked in lines, started anew where it breaks, given up at last."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from unop2p.bots.base import Randomness
from unop2p.bots.messages import (
    SEEDS,
    Answer,
    Fault,
    ProgramError,
    act_line,
    bye_line,
    chosen,
    hello_line,
    read_answer,
    read_ready,
)
from unop2p.edge.program import Program
from unop2p.rules.moves import Move
from unop2p.rules.options import Options
from unop2p.rules.view import PlayerView
from unop2p.words import said

STARTS_MAX: Final = 4
"""How often a program is started at a table: once, and again where it breaks."""
MISSES_MAX: Final = 3
"""So many decisions in a row without a lawful move in time, and it is started anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a program may take, in milliseconds."""

    ready_ms: int = 5_000
    """From its start, or from other rules, to `ready`."""
    answer_ms: int = 1_000


class ProgramBot:
    """A bot whose moves come from a program."""

    waits = True
    """See `FallbackBot.waits`."""

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        *,
        more: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        starts_max: int = STARTS_MAX,
    ) -> None:
        """Take the program; nothing is started yet.

        Args:
            name: what it is called by whoever chose it.
            words: the program and its arguments.
            more: further variables of its environment.
            limits: how long it may take.
            starts_max: how often it may be started.
        """
        self.name = name
        self.starts: int = 0
        """How often it was started."""
        self._words, self._more = tuple(words), more
        self._limits = limits or Limits()
        self._starts_max = starts_max
        self._lock = Lock()
        self._program: Program | None = None
        self._rules: Options | None = None
        """What the running program was told."""
        self._asked = 0
        self._misses = 0

    def start(self) -> None:
        """Start the program, so that it is there when it is first asked.

        Raises:
            ProgramError: it cannot be started.
        """
        with self._lock:
            self._running()

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`. May take as long as the limits say.

        Raises:
            ProgramError: there is none; the next decision is asked anew, perhaps of a new process.
        """
        with self._lock:
            seed = rng.randrange(SEEDS)
            try:
                move = self._ask(view, legal, seed)
            except ProgramError as error:
                self._misses += 1
                mild = error.fault in {Fault.SILENT, Fault.UNLAWFUL, Fault.FAILED}
                if not mild or self._misses >= MISSES_MAX:
                    self._end()
                raise
            self._misses = 0
            return move

    @property
    def complaint(self) -> str:
        """The last that it wrote on standard error, in one line."""
        return self._program.complaint if self._program is not None else ""

    def close(self) -> None:
        """End the program, for good."""
        self.end()

    def end(self) -> bool:
        """End the program, for good; return whether it went by itself when it was told."""
        with self._lock:
            self._starts_max = 0
            return self._end(bye_line())

    def tell_as_it_is(self, line: bytes) -> None:
        """Tell the running program a line that need not be a message: for checks.

        Raises:
            ProgramError: it does not run, or does not read.
        """
        with self._lock:
            self._running().tell(line)

    def _end(self, last: bytes = b"") -> bool:
        program, self._program, self._rules, self._misses = self._program, None, None, 0
        return program is not None and program.close(last)

    def _running(self) -> Program:
        if self._program is None:
            if self.starts >= self._starts_max:
                message = said(
                    "It has broken {count} times, and is asked no more.", count=self.starts
                )
                raise ProgramError(message, Fault.ENDED)
            self.starts += 1
            self._program = Program(self._words, self._more)
        return self._program

    def _ask(self, view: PlayerView, legal: tuple[Move, ...], seed: int) -> Move | None:
        program = self._running()
        self._greet(program, view.match.options)
        self._asked += 1
        program.tell(act_line(self._asked, view, legal, seed))
        until = time.monotonic() + self._limits.answer_ms / 1000
        while True:
            answer = read_answer(self._hear(program, until, self._limits.answer_ms))
            if answer.id == self._asked:
                return chosen(answer, view, legal)
            self._check_old(answer)

    def _check_old(self, answer: Answer) -> None:
        """Let an answer that came too late for its question go.

        Raises:
            ProgramError: nothing was asked under that number.
        """
        if not 0 < answer.id < self._asked:
            message = said("It answers {id}, which was not asked.", id=str(answer.id)[:20])
            raise ProgramError(message, Fault.GARBAGE)

    def _greet(self, program: Program, rules: Options) -> None:
        """Tell it the rules, where it does not know them, and wait until it is ready."""
        if self._rules == rules:
            return
        program.tell(hello_line(rules, self._limits.answer_ms))
        until = time.monotonic() + self._limits.ready_ms / 1000
        try:
            read_ready(self._hear(program, until, self._limits.ready_ms))
        except ProgramError:
            self._end()  # whatever it says later would be taken for an answer
            raise
        self._rules = rules

    @staticmethod
    def _hear(program: Program, until: float, limit_ms: int) -> bytes:
        line = program.hear(until)
        if line is None:
            message = said("It has said nothing for {ms} ms.", ms=limit_ms)
            raise ProgramError(message, Fault.SILENT)
        return line
