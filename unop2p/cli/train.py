"""What `unop2p train` does: it trains weights, says how they do, and writes them down."""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from unop2p.bots.kinds import SPARE_MAX
from unop2p.bots.likeness import weights_for
from unop2p.bots.weights import Weights, parse, shipped
from unop2p.cli.common import UsageError, check_writable, read_rules, read_text, write_text
from unop2p.errors import LocalError
from unop2p.ids import SEATS_MAX, SEATS_MIN
from unop2p.rules.options import PRESETS, Options, check_seats
from unop2p.words import said

if TYPE_CHECKING:
    from unop2p.sim.training import Look

LEARNED = ("linear", "net")


class NumpyMissingError(LocalError):
    """Training wants numpy: install `unop2p[learn]`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainRequest:
    """What was asked for."""

    level: str
    seats: str
    samples: int
    tables: int
    spare: int
    teacher: Path | None
    start: str | None
    rules: str
    overrides: tuple[str, ...]
    seed: int
    out: Path | None


def run_train(request: TrainRequest) -> int:
    """Train, and return the exit code.

    Raises:
        UsageError: a level, seats or a file that cannot be, or an option that would do nothing.
        InvalidOptionsError: no such rules, or not for so many seats.
        WeightsError: a file of weights is none.
        NumpyMissingError: numpy is not installed.
    """
    if request.level not in LEARNED:
        message = said("`--level {level}`: linear or net.", level=request.level)
        raise UsageError(message)
    seats = read_seats(request.seats)
    options = read_rules(request.rules, list(request.overrides))
    for number in seats:
        check_seats(options, number)
    if find_spec("numpy") is None:
        raise NumpyMissingError
    from unop2p.sim.training import Course, deck_of, learn  # noqa: PLC0415  # wants numpy

    if request.spare != SPARE_MAX and deck_of(options) is None:
        message = said("`--spare` is for the official rules only.")
        raise UsageError(message)
    teacher, start = teacher_of(request, seats, options), start_of(request, seats)
    if request.out is not None:
        check_writable("--out", request.out)
    course = Course(
        level=request.level,
        seats=seats,
        samples=request.samples,
        seed=request.seed,
        tables=request.tables,
        spare=request.spare,
        rules=" --set ".join([request.rules, *map(quote, request.overrides)]),
        options=options,
        start=request.start,
        teacher=str(request.teacher) if request.teacher is not None else None,
    )
    columns = (TextColumn("{task.percentage:>3.0f} %"), BarColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task("samples", total=request.samples)

        def looked(look: "Look") -> None:
            print(line_of(look), flush=True)  # noqa: T201  # the command's result

        def keep(text: str) -> None:
            if request.out is not None:
                write_text("--out", request.out, text)

        learn(
            course,
            teacher=teacher,
            start=start,
            told=lambda samples: bar.update(task, completed=samples),
            looked=looked,
            keep=keep,
        )
    return 0


def teacher_of(request: TrainRequest, seats: tuple[int, ...], options: Options) -> Weights | None:
    """Return whom `linear` learns from; None for `net`, which learns from itself."""
    if request.level == "net":
        if request.teacher is not None:
            message = said("`--teacher` is for linear: net learns from itself.")
            raise UsageError(message)
        return None
    if request.teacher is not None:
        return parse(read_text(request.teacher))
    return shipped(weights_for("net", options, max(seats)))


def start_of(request: TrainRequest, seats: tuple[int, ...]) -> Weights | None:
    """Return the weights with which `net` begins; None for weights by chance."""
    if request.start is None:
        return None
    if request.level != "net":
        message = said("`--start` is for net: linear begins with nothing.")
        raise UsageError(message)
    if request.start == "official":
        return shipped(weights_for("net", PRESETS["official"], max(seats)))
    return parse(read_text(Path(request.start)))


def read_seats(text: str) -> tuple[int, ...]:
    """Return numbers of seats from text.

    Raises:
        UsageError: one of them cannot be.
    """
    words = [word.strip() for word in text.split(",")]
    seats = tuple(int(word) for word in words if word.isdecimal())
    fine = all(SEATS_MIN <= number <= SEATS_MAX for number in seats)
    if len(seats) < len(words) or len(set(seats)) < len(seats) or not fine:
        message = said("`--seats {text}`: numbers from 2 to 10, each once.", text=text)
        raise UsageError(message)
    return seats


def line_of(look: "Look") -> str:
    """Say how far it has come.

    What is given are points a round beyond the mean of the others', at tables where all others are
    `greedy`, and how many rounds are won.
    """
    parts = [
        f"{seats} seats {points:+.1f} ±{half:.1f} points a round, {100 * won:.1f} % of rounds"
        for seats, points, half, won in look.points
    ]
    return f"{look.samples} samples, against greedy: {'; '.join(parts)}"
