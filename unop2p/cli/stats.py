"""`unop2p stats`: what the matches of a profile came to; and noting a match that has ended."""

import json
import sys
import time
from dataclasses import asdict

from unop2p.cli.tongue import words
from unop2p.edge.paths import data_home
from unop2p.edge.results import Result, Results, SeatResult
from unop2p.repl.statistics import ASCII_BARS, BARS, Statistics, lines, statistics
from unop2p.table.genesis import Table
from unop2p.table.view import Stage, TableView


def show(profile: str, last: int | None, *, as_json: bool) -> int:
    """Print what the matches of a profile came to.

    Args:
        profile: whose.
        last: only so many, the latest; None: all.
        as_json: print one JSON object.

    Raises:
        ProfileError: the profile is no name.
        FolderError: the file cannot be read.
    """
    found, damaged = Results(data_home(), profile).read()
    told = statistics(found if last is None else found[-last:])
    if as_json:
        print(json.dumps(_json(told, damaged)))  # noqa: T201  # the command's result
        return 0
    say = words()
    if not told.matches:
        print(say.say("No match of this profile has ended yet."))  # noqa: T201
    else:
        for line in lines(told, bars=BARS if _has_bars() else ASCII_BARS, words=say):
            print(line)  # noqa: T201
    if damaged:
        left = say.say_n(
            "{n} line of the file is damaged, and left out.",
            "{n} lines of the file are damaged, and left out.",
            damaged,
        )
        print(left)  # noqa: T201
    return 0


def _json(told: Statistics, damaged: int) -> dict[str, object]:
    return {**asdict(told), "damaged": damaged}


def _has_bars() -> bool:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return encoding.startswith("utf8")


def result_of(view: TableView, table: Table, ended_s: int) -> Result | None:
    """Return what a match came to for our own seat; None where it has not ended, or we only watched."""
    match, own = view.match, view.seat
    if view.stage is not Stage.OVER or match is None or own is None:
        return None
    return Result(
        ended_s=ended_s,
        table=table.head.hex(),
        rounds=match.rounds_played,
        own=own,
        seats=tuple(
            SeatResult(
                name=shown.name,
                key=table.keys[shown.seat].hex(),
                bot=shown.bot,
                points=match.totals[shown.seat],
                rounds_won=match.rounds_won[shown.seat],
                won=shown.seat in match.winners,
            )
            for shown in view.seats
        ),
    )


def note(view: TableView, table: Table | None, profile: str) -> None:
    """Keep what a match came to, where it has ended.

    Raises:
        EdgeError: it cannot be written.
    """
    result = result_of(view, table, int(time.time())) if table is not None else None
    if result is not None:
        Results(data_home(), profile).add(result)
