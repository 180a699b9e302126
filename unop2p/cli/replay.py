"""`unop2p replay`: stepping through a record."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from unop2p.bots.hint import Adviser
from unop2p.cli.audit import RecordUnreadableError, record_lines
from unop2p.cli.common import UsageError, run_async, say
from unop2p.cli.direction import arrange
from unop2p.cli.tongue import words
from unop2p.edge.arguments import load_argument
from unop2p.edge.keystore import known_identity
from unop2p.edge.paths import data_home
from unop2p.edge.tables import TableStore
from unop2p.ids import Seat
from unop2p.repl.analysis import analysis_lines, judge
from unop2p.repl.app import color_wanted
from unop2p.repl.paint import Paint
from unop2p.repl.player import Player, plain_lines, run_player
from unop2p.repl.render import Renderer
from unop2p.repl.replay import Replay, read_replay
from unop2p.words import said, said_n

SECRETS_MAX = 200
"""Round secrets that are tried; a table has one at a time."""


ANALYSIS_SEED = 1
"""Of the chance of the bot that judges: the same record is judged alike each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest:
    """What `replay` was asked for."""

    file: Path
    profile: str
    seen_by: str | None
    """A name; None: one's own seat, else a spectator."""
    spectator: bool
    round_number: int | None
    step: int | None
    open_hands: bool
    analyze: str | None
    """The level that judges the moves; None: none does."""
    plain: bool
    deal: str | None


def run(request: ReplayRequest) -> int:
    """Show a record, step by step; return the exit code.

    Raises:
        RecordUnreadableError: the file cannot be read.
        UsageError: nothing in it can be shown, or no such seat, round or step.
        DealError: the shuffle argument cannot be loaded.
        EdgeError: the data folder cannot be used.
    """
    if request.deal is not None:
        load_argument(request.deal)
    replay, own = _read(request)
    if request.analyze is not None:
        return _analyze(request, replay, own, request.analyze)
    plain = request.plain or not (sys.stdin.isatty() and sys.stdout.isatty())
    renderer = Renderer(color=color_wanted() and not plain, words=words())
    player = Player(replay, renderer, _seat(request, replay, own))
    player.open_hands = request.open_hands
    last = _go(request, replay, player)
    if replay.wrong:
        say(said("The record does not hold from here on: {reason}.", reason=replay.wrong))
    if replay.fault is not None:
        name, step, reason = replay.fault
        say(
            said(
                "{name} broke the protocol at step {step}: {reason}.",
                name=name,
                step=step,
                reason=reason,
            )
        )
    if not plain and request.step is None:
        run_async(run_player(player, arrange=arrange()))
        return 0
    if request.step is not None:
        lines: Iterator[str] = iter([*player.events_here(), *player.table()])
    else:
        lines = plain_lines(player, last=last)
    for line in lines:
        print(line)  # noqa: T201  # the command's result
    return 0


def _analyze(request: ReplayRequest, replay: Replay, own: bytes, level: str) -> int:
    """Print what a level would have played for a seat; return the exit code.

    Raises:
        UsageError: it is nobody's seat, or there is nobody of that name.
        UnknownBotError: there is no such level.
    """
    adviser = Adviser(level)
    seat = _seat(request, replay, own)
    if seat is None:
        message = said("`--analyze`: you have no seat in this record; name one with `--as`.")
        raise UsageError(message)
    judged = list(judge(replay, seat, adviser, Random(ANALYSIS_SEED)))  # noqa: S311  # repeats
    paint = Paint(color=False, words=words())
    for line in analysis_lines(judged, replay.names, level, paint):
        print(line)  # noqa: T201  # the command's result
    return 0


def _read(request: ReplayRequest) -> tuple[Replay, bytes]:
    """Return the record, and our own public key; nothing where a key was never made."""
    home = data_home()
    known = known_identity(home, request.profile)  # looking at a record makes no key
    own = known.public if known is not None else b""
    try:
        with request.file.open("rb") as record:
            secrets = TableStore(home).kept_secrets(request.profile)[-SECRETS_MAX:]
            replay = read_replay(record_lines(record), own_key=own, secrets=secrets)
    except OSError as error:
        message = f"{request.file}: {error.strerror or error}."
        raise RecordUnreadableError(message) from error
    if not replay.frames:
        reason = f" ({replay.wrong})" if replay.wrong else ""
        message = said("Nothing can be shown of {file}{reason}.", file=request.file, reason=reason)
        raise UsageError(message)
    return replay, own


def _seat(request: ReplayRequest, replay: Replay, own: bytes) -> Seat | None:
    """Return through whose eyes the record is seen.

    Raises:
        UsageError: nobody in it is called so.
    """
    if request.spectator:
        return None
    if request.seen_by is None:
        return Seat(replay.keys.index(own)) if own in replay.keys else None
    folded = [name.casefold() for name in replay.names]
    if request.seen_by.casefold() not in folded:
        message = said(
            "Nobody in this record is called '{name}': it has {names}.",
            name=request.seen_by[:40],
            names=", ".join(replay.names),
        )
        raise UsageError(message)
    return Seat(folded.index(request.seen_by.casefold()))


def _go(request: ReplayRequest, replay: Replay, player: Player) -> int | None:
    """Go to where it is to begin; return the frame before which it ends in plain mode.

    Raises:
        UsageError: there is no such round or step.
    """
    if request.step is not None:
        steps = [frame.step for frame in replay.frames]
        if request.step not in steps:
            message = said("The record has steps {first} to {last}.", first=0, last=steps[-1])
            raise UsageError(message)
        player.stops = sorted({*player.stops, steps.index(request.step)})
        player.go(steps.index(request.step))
        return None
    if request.round_number is None:
        return None
    if not player.to_round(request.round_number):
        message = said_n(
            "The record has {n} round.", "The record has {n} rounds.", len(replay.rounds())
        )
        raise UsageError(message)
    later = replay.rounds()[request.round_number :]
    return later[0] if later else None
