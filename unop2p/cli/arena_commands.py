"""What `unop2p arena` does: it plays a contest or a ladder, and shows what they say."""

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from unop2p.bots.contest import Contest, Standing, standings
from unop2p.bots.figures import Estimate, elo
from unop2p.bots.levels import LEVELS
from unop2p.cli.common import UsageError, check_writable, read_rules, write_text
from unop2p.cli.progress import progress
from unop2p.edge.roster import check_bot, open_bot
from unop2p.ids import SEATS_MAX, SEATS_MIN
from unop2p.rules.options import Options, check_seats
from unop2p.sim.contest import play_contests
from unop2p.sim.contest_page import Interval, contest_page
from unop2p.words import said

Rows = list[tuple[str, ...]]
FORMAT = "unop2p-arena-1"
BOTS_MAX = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaRequest:
    """What was asked for."""

    bots: str
    seats: int
    games: int
    rules: str
    overrides: tuple[str, ...]
    duplicate: bool
    ladder: bool
    seed: int
    jobs: int
    html: Path | None


def run_arena(request: ArenaRequest, *, as_json: bool) -> int:
    """Play, show, and return the exit code.

    Raises:
        UsageError: seats, games or bots that cannot be.
        UnknownBotError: no bot of that level.
        InvalidOptionsError: no such rules, or not for so many seats.
    """
    options = read_rules(request.rules, list(request.overrides))
    names = read_bots(request)
    check_games(request, options)
    if request.html is not None:
        check_writable("--html", request.html)
    pairs = list(combinations(names, 2)) if request.ladder else [names]
    contests = [
        Contest(
            bots=pair,
            seats=request.seats,
            games=request.games,
            options=options,
            duplicate=request.duplicate,
        )
        for pair in pairs
    ]
    workers = request.jobs or os.cpu_count() or 1
    began = time.perf_counter()
    with progress("matches", sum(contest.games for contest in contests)) as told:
        played = play_contests(contests, request.seed, workers=workers, told=told, make=open_bot)
    seconds = time.perf_counter() - began
    # Not with the figures, which are the same each time.
    processes = "1 process" if workers == 1 else f"{workers} processes"
    print(f"{seconds:.1f} s on {processes}.", file=sys.stderr)  # noqa: T201
    tables = [
        standings(contest, results) for contest, results in zip(contests, played, strict=True)
    ]
    ratings = rated(names, tables) if request.ladder else {}
    rounds = sum(result.rounds for results in played for result in results)
    decisions = sum(result.decisions for results in played for result in results)
    told_line = sentence(request, options, len(contests), rounds, decisions)
    if as_json:
        print(  # noqa: T201  # the command's result
            json.dumps(as_dict(request, tables, ratings, rounds, decisions), indent=1)
        )
    else:
        show(told_line, tables, ratings)
    if request.html is not None:
        write_text("--html", request.html, page(told_line, tables, ratings))
    return 0


def read_bots(request: ArenaRequest) -> tuple[str, ...]:
    """Return who plays.

    Raises:
        UsageError: too few or too many, or one twice.
        UnknownBotError: no bot of that level.
    """
    given = split_names(request.bots)
    names = given or (LEVELS if request.ladder else ())
    most = BOTS_MAX if request.ladder else request.seats
    if not 2 <= len(names) <= most:
        message = said(
            "`--bots`: two levels at least and {most} at most, as in `--bots net,greedy`.",
            most=most,
        )
        raise UsageError(message)
    if len(set(names)) < len(names):
        message = said("`--bots`: each level once.")
        raise UsageError(message)
    for name in names:
        check_bot(name)
    return names


def split_names(text: str) -> tuple[str, ...]:
    r"""Cut a list of bots at its commas, but not at those within quotes or behind a backslash.

    Quotes and backslashes stay as they are: a program's words are read by them afterwards.

    >>> split_names("net, cmd:python3 mybot.py '--list=1,2',greedy")
    ('net', "cmd:python3 mybot.py '--list=1,2'", 'greedy')
    """
    found, quote, escaped = [""], "", False
    for sign in text:
        if escaped:
            escaped = False
        elif sign == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == ",":
            found.append("")
            continue
        found[-1] += sign
    return tuple(name.strip() for name in found if name.strip())


def check_games(request: ArenaRequest, options: Options) -> None:
    """Refuse what cannot be played.

    Raises:
        UsageError: so many seats or games cannot be.
        InvalidOptionsError: so many seats cannot play by these rules.
    """
    if not SEATS_MIN <= request.seats <= SEATS_MAX:
        message = said("`--seats {seats}`: 2 to 10.", seats=request.seats)
        raise UsageError(message)
    check_seats(options, request.seats)
    if request.duplicate and request.games % request.seats:
        message = said(
            "`--games {games}`: with --duplicate a multiple of the {seats} seats.",
            games=request.games,
            seats=request.seats,
        )
        raise UsageError(message)


def rated(names: tuple[str, ...], tables: list[tuple[Standing, ...]]) -> dict[str, Estimate]:
    """Return Elo ratings of a round robin, the first one's 0."""
    scores: dict[tuple[str, str], tuple[float, int]] = {}
    for table in tables:
        first, second = table
        scores[first.bot, second.bot] = (first.wins.value * first.wins.n, first.wins.n)
    return elo(names, scores)


def sentence(
    request: ArenaRequest, options: Options, contests: int, rounds: int, decisions: int
) -> str:
    """Say what was played."""
    pairs = f" for each of {contests} pairs" if request.ladder else ""
    rules = " ".join([request.rules, *request.overrides])
    cards = ", the same cards for every seat" if request.duplicate else ""
    end = f" to {options.target}" if options.match_end != "rounds" else ""
    return (
        f"{request.games} matches{end}{pairs}, {request.seats} seats, {rules}, seed {request.seed}"
        f"{cards}: {rounds} rounds, {decisions} decisions."
    )


def percent(estimate: Estimate) -> tuple[str, str]:
    """Write a share and its interval."""
    return (
        f"{100 * estimate.value:.1f} %",
        f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}",
    )


def number(estimate: Estimate, digits: int = 2) -> tuple[str, str]:
    """Write a number and its interval."""
    return (
        f"{estimate.value:+.{digits}f}",
        f"{estimate.low:+.{digits}f} to {estimate.high:+.{digits}f}",
    )


def shown_of(tables: list[tuple[Standing, ...]]) -> list[tuple[Standing, str]]:
    """Return whose figures are shown, and against whom; of several pairs the first bot's only."""
    return [
        (standing, ", ".join(other.bot for other in table if other is not standing))
        for table in tables
        for standing in (table if len(tables) == 1 else table[:1])
    ]


def rows_of(tables: list[tuple[Standing, ...]]) -> Rows:
    """Return lines of a table of standings."""
    return [
        (
            standing.bot,
            against,
            *percent(standing.wins),
            *number(standing.points),
            str(standing.wins.n),
        )
        for standing, against in shown_of(tables)
    ]


HEAD: tuple[str, ...] = ("bot", "against", "wins", "95 %", "points", "95 %", "n")
"""Points are a round's, beyond the mean of the others."""
ELO_HEAD: tuple[str, ...] = ("bot", "Elo", "95 %", "n")


def elo_rows(ratings: dict[str, Estimate]) -> Rows:
    """Return lines of a table of ratings, the best first."""
    order = sorted(ratings, key=lambda name: -ratings[name].value)
    return [(name, *number(ratings[name], 0), str(ratings[name].n)) for name in order]


def show(told: str, tables: list[tuple[Standing, ...]], ratings: dict[str, Estimate]) -> None:
    """Print what came of it."""
    console = Console()
    console.print(told, highlight=False)
    _print_table(console, HEAD, rows_of(tables))
    if ratings:
        _print_table(console, ELO_HEAD, elo_rows(ratings))


def _print_table(console: Console, head: tuple[str, ...], rows: Rows) -> None:
    table = Table(box=None, padding=(0, 1))
    for place, name in enumerate(head):
        words = place < head.index("95 %") - 1
        table.add_column(name, justify="left" if words else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def as_dict(
    request: ArenaRequest,
    tables: list[tuple[Standing, ...]],
    ratings: dict[str, Estimate],
    rounds: int,
    decisions: int,
) -> dict[str, Any]:
    """Return all figures as JSON values."""
    return {
        "format": FORMAT,
        "rules": request.rules,
        "set": list(request.overrides),
        "seats": request.seats,
        "games": request.games,
        "duplicate": request.duplicate,
        "seed": request.seed,
        "rounds": rounds,
        "decisions": decisions,
        "contests": [
            [
                {
                    "bot": standing.bot,
                    "wins": asdict(standing.wins),
                    "points": asdict(standing.points),
                }
                for standing in table
            ]
            for table in tables
        ],
        "elo": {name: asdict(rating) for name, rating in ratings.items()},
    }


def page(told: str, tables: list[tuple[Standing, ...]], ratings: dict[str, Estimate]) -> str:
    """Return a page with the tables and their intervals drawn."""
    shares: list[Interval] = []
    points: list[Interval] = []
    for standing, against in shown_of(tables):
        name, wins, gain = f"{standing.bot} against {against}", standing.wins, standing.points
        shares.append(Interval(name, 100 * wins.value, 100 * wins.low, 100 * wins.high))
        points.append(Interval(name, gain.value, gain.low, gain.high))
    plots = [("Matches won, %", shares), ("Points a round", points)]
    if ratings:
        order = sorted(ratings, key=lambda name: ratings[name].value)
        plots.insert(
            0,
            (
                "Elo",
                [Interval(n, ratings[n].value, ratings[n].low, ratings[n].high) for n in order],
            ),
        )
    shown = [(HEAD, rows_of(tables))]
    if ratings:
        shown.insert(0, (ELO_HEAD, elo_rows(ratings)))
    return contest_page("Bots in the arena", told, shown, plots)
