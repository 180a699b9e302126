"""What `unop2p bot check` does: it asks a bot positions of every kind, and gives one verdict."""

import json
import time
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

from unop2p.bots.base import Bot
from unop2p.bots.conformance import Conformance, positions, try_bot
from unop2p.bots.guard import GuardedBot
from unop2p.bots.levels import LEVELS, make_bot
from unop2p.cli.tongue import words
from unop2p.edge.bad_input import Borne, try_bad_input
from unop2p.edge.program_bot import Limits, ProgramBot
from unop2p.edge.roster import WEIGHTS, apart_bot, check_bot, open_bot
from unop2p.words import mark, said

FORMAT: Final = "unop2p-bot-check-1"
FAILED_EXIT_CODE: Final = 1
STARTS_MAX: Final = 25
"""A program that breaks is started again so often: then its verdict is plain."""
BORNE: Final = {
    "unknown_type": mark("a message of a type that it does not know"),
    "empty_line": mark("an empty line"),
    "no_json": mark("a line that is no JSON"),
    "end_of_input": mark("the end of its input"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """What was asked for."""

    bot: str
    each: int
    answer_ms: int
    seed: int


def run_check(request: CheckRequest, *, as_json: bool) -> int:
    """Check a bot, print what was found, and return the exit code.

    Raises:
        UnknownBotError: there is none of that name.
        PluginError: it cannot be imported or made.
        BotProgramError: there is no such program.
    """
    check_bot(request.bot)
    bot = _opened(request)
    found = try_bot(
        bot,
        positions(request.each, request.seed, Random),
        now_us=lambda: time.perf_counter_ns() // 1_000,
        chance=Random,
    )
    borne: tuple[Borne, ...] = ()
    if isinstance(bot, ProgramBot):
        bot.end()
        if found.lawful:
            first = next(positions(request.each, request.seed, Random))
            borne = try_bad_input(lambda: _program(request), first)
    result = as_dict(request, found, borne)
    if as_json:
        print(json.dumps(result, indent=1))  # noqa: T201  # the command's result
    else:
        print("\n".join(lines(request, found, borne)))  # noqa: T201  # as above
    return 0 if result["conforms"] else FAILED_EXIT_CODE


def _opened(request: CheckRequest) -> Bot:
    if request.bot in LEVELS:
        return GuardedBot(make_bot(request.bot), request.bot)
    if request.bot.startswith(WEIGHTS):
        return GuardedBot(open_bot(request.bot), request.bot)
    return apart_bot(request.bot, Limits(answer_ms=request.answer_ms), starts_max=STARTS_MAX)


def _program(request: CheckRequest) -> ProgramBot:
    bot = apart_bot(request.bot, Limits(answer_ms=request.answer_ms), starts_max=1)
    assert isinstance(bot, ProgramBot)
    return bot


def conforms(found: Conformance, borne: tuple[Borne, ...]) -> bool:
    """Return the verdict."""
    return found.conforms and all(item.fine for item in borne if item.required)


def as_dict(request: CheckRequest, found: Conformance, borne: tuple[Borne, ...]) -> dict[str, Any]:
    """Return what was found, as `--json` prints it."""
    return {
        "format": FORMAT,
        "bot": request.bot,
        "seed": request.seed,
        "each": request.each,
        "answer_ms": request.answer_ms,
        "decisions": found.decisions,
        "lawful": found.lawful,
        "repeated": found.repeated,
        "same": found.same,
        "median_us": found.time_us(0.5),
        "p99_us": found.time_us(0.99),
        "kinds": found.kinds,
        "rules": found.rules,
        "faults": [asdict(fault) for fault in found.faults],
        "input": [asdict(item) for item in borne],
        "conforms": conforms(found, borne),
    }


def lines(request: CheckRequest, found: Conformance, borne: tuple[Borne, ...]) -> list[str]:
    """Return what was found as a person reads it, the verdict last."""
    say = words().say
    told = [
        say("lawful answers in time: {count} of {of}", count=found.lawful, of=found.decisions),
        say("the same when asked again: {count} of {of}", count=found.same, of=found.repeated),
        *_times(found),
        say("by rules: {many}", many=", ".join(f"{name} {n}" for name, n in found.rules.items())),
        say(
            "by kind of decision: {many}",
            many=", ".join(f"{name} {n}" for name, n in found.kinds.items()),
        ),
    ]
    told += [
        say("bears {what}: {how}", what=said(BORNE[item.what]), how=_how(item)) for item in borne
    ]
    told += [
        f"! {fault.number} ({fault.rules}, {fault.seats}; {', '.join(fault.kinds)}): "
        f"{words().tell(fault.sentence)}"
        for fault in found.faults
    ]
    verdict = (
        say("{bot} does as a bot should.", bot=request.bot)
        if conforms(found, borne)
        else say("{bot} does not do as a bot should.", bot=request.bot)
    )
    return [*told, verdict]


def _times(found: Conformance) -> list[str]:
    """Return how long a move took; nothing where none was lawful."""
    median, most = found.time_us(0.5), found.time_us(0.99)
    if median is None or most is None:
        return []
    return [
        words().say(
            "time for a move: median {median} ms, 99 of 100 below {p99} ms",
            median=f"{median / 1000:.2f}",
            p99=f"{most / 1000:.2f}",
        )
    ]


def _how(item: Borne) -> str:
    say = words().say
    if item.fine:
        return say("yes")
    if item.required:
        return say("no. {error}", error=item.sentence)
    return say("no, and need not. {error}", error=item.sentence)
