"""What `unop2p sim` does: it reads what was asked for, plays seeds, and shows what they say."""

import json
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unop2p import __version__
from unop2p.cli.common import UsageError, check_writable, read_text, say, write_text
from unop2p.cli.progress import progress
from unop2p.ids import SEATS_MAX, SEATS_MIN
from unop2p.sim.swarm.campaign import Campaign, Totals, play
from unop2p.sim.swarm.faults import MODES, ScriptError
from unop2p.sim.swarm.plan import TABLES_MAX, Plan, dump, load
from unop2p.sim.swarm.report import (
    Report,
    failure_json,
    outcome_lines,
    ranges,
    read_report,
    report_json,
    totals_lines,
)
from unop2p.sim.swarm.run import Outcome, run
from unop2p.sim.swarm.shrink import Shrinker
from unop2p.table.standing import resilience_max

FAILED_EXIT_CODE = 52
"""A checker has found something."""
SEED_MAX = 10**9
SEEDS_MAX = 10**6
ROUNDS_MAX = 20
KEEP_S = 10.0
"""How often a report is written."""
GROUPS = ("toy", "ristretto255")


@dataclass(frozen=True, slots=True, kw_only=True)
class SimRequest:
    """What `unop2p sim` was asked for."""

    seeds: str
    faults: str
    tables: int
    seats: int
    rounds: int
    resilience: int | None
    group: str
    only: str
    replay: Path | None
    script: Path | None
    shrink: bool
    failures: int
    """Stop after so many."""
    report: Path | None
    jobs: int


def run_sim(request: SimRequest, *, as_json: bool) -> int:
    """Play what was asked for, show it, and return the exit code.

    Raises:
        UsageError: values that cannot be, or files that cannot be read or written.
        ScriptError: a script or a report that is none.
    """
    campaign = read_campaign(request)
    if request.script is not None:
        check_writable("--script", request.script)
    if request.replay is not None:
        return _show_one(request, _read_script(request.replay), as_json=as_json)
    seeds = read_seeds(request.seeds)
    if len(seeds) == 1 and request.report is None:
        plan = _only(campaign.plan(seeds[0]), request.only)
        return _show_one(request, plan, as_json=as_json)
    if request.only:
        message = "`--only` takes faults out of one seed: give `--seeds` one number."
        raise UsageError(message)
    return _play_many(request, campaign, seeds, as_json=as_json)


# -- one run -----------------------------------------------------------------------------------


def _show_one(request: SimRequest, plan: Plan, *, as_json: bool) -> int:
    outcome = run(plan)
    if as_json:
        data = _outcome_json(outcome)
        print(json.dumps(data, indent=1))  # noqa: T201  # the command's result
    else:
        print("\n".join(outcome_lines(outcome)))  # noqa: T201  # as above
    if not outcome.violations:
        return 0
    if request.shrink and request.replay is None:
        _shrunk(request, outcome, quiet=as_json)
    return FAILED_EXIT_CODE


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    totals = Totals()
    totals.add(outcome)
    return {
        **failure_json(outcome),
        "digest": outcome.digest,
        "steps": outcome.steps,
        "events": outcome.events,
        "acted": dict(totals.acted),
    }


def _shrunk(request: SimRequest, outcome: Outcome, *, quiet: bool = False) -> Plan:
    """Make a failing seed short, and say how it is played again."""
    say(f"seed {outcome.plan.seed} is being made short ...")
    shrunk = Shrinker(outcome, run).shrink()
    text = dump(shrunk.plan)
    say(
        f"{len(shrunk.plan.faults)} of {len(outcome.plan.faults)} faults are left after "
        f"{shrunk.runs} runs."
    )
    if request.script is not None:
        write_text("--script", request.script, text)
        say(f"Play it again: unop2p sim --replay {request.script}")
    elif not quiet:
        print("\n".join(outcome_lines(shrunk.outcome)))  # noqa: T201  # the command's result
        print("the script, for --replay FILE:\n" + text, end="")  # noqa: T201  # as above
    return shrunk.plan


# -- many --------------------------------------------------------------------------------------


def _play_many(request: SimRequest, campaign: Campaign, seeds: range, *, as_json: bool) -> int:
    report = _begin_report(request, campaign)
    left = [seed for seed in seeds if seed not in report.done]
    workers = request.jobs or os.cpu_count() or 1
    began = kept = time.perf_counter()
    first: Outcome | None = None
    failed = 0
    try:
        with progress("seeds", len(left)) as told:
            for outcomes in play(campaign, left, workers):
                for outcome in outcomes:
                    report.add(outcome)
                    if outcome.violations:
                        first = first or outcome
                        failed += 1
                        say(f"seed {outcome.plan.seed}: {outcome.violations[0]}")
                told(len(outcomes))
                if request.report is not None and time.perf_counter() - kept > KEEP_S:
                    kept = time.perf_counter()
                    keep_report(request.report, report)
                if request.failures and failed >= request.failures:
                    say(f"{failed} seeds have failed: it stops here (--failures).")
                    break
    finally:
        if request.report is not None:
            keep_report(request.report, report)
    seconds = time.perf_counter() - began
    say(f"{seconds:.1f} s on {workers} processes, {report.totals.cpu_s:.1f} s of their time.")
    script = None
    if first is not None:
        again = f"unop2p sim --seeds {first.plan.seed} --faults {campaign.mode}" + _as_options(
            campaign
        )
        say(f"Play the first one again: {again}")
        if request.shrink:
            script = _shrunk(request, first, quiet=as_json)
        elif request.script is not None:
            write_text("--script", request.script, dump(first.plan))
    if as_json:
        data = report_json(report)
        data["script"] = dump(script) if script is not None else None
        print(json.dumps(data, indent=1))  # noqa: T201  # the command's result
    else:
        print("\n".join(totals_lines(report.totals)))  # noqa: T201  # as above
    return FAILED_EXIT_CODE if report.totals.failed else 0


def _as_options(campaign: Campaign) -> str:
    """Return what a seed hangs on beside its number, as it is typed."""
    given = (("tables", campaign.tables), ("seats", campaign.seats), ("rounds", campaign.rounds))
    text = "".join(f" --{name} {value}" for name, value in given if value)
    if campaign.resilience is not None:
        text += f" --resilience {campaign.resilience}"
    return text + (f" --group {campaign.group}" if campaign.group != "toy" else "")


def _begin_report(request: SimRequest, campaign: Campaign) -> Report:
    """Take up a report where it was left, or begin one.

    Raises:
        UsageError: the file cannot be used, or is of another campaign.
        ScriptError: it is no report.
    """
    if request.report is None:
        return Report(campaign=campaign, commit=__version__)
    check_writable("--report", request.report)
    text = read_text(request.report)
    if not text.strip():
        return Report(campaign=campaign, commit=__version__)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"{request.report}: it is not JSON."
        raise ScriptError(message) from error
    report = read_report(data)
    if report.campaign != campaign:
        message = (
            f"`--report {request.report}`: it is of other options; give those, or another file."
        )
        raise UsageError(message)
    told = ", ".join(f"{first}..{last}" for first, last in ranges(report.done)[:5])
    say(f"It goes on: {len(report.done)} seeds are done already ({told}).")
    return report


def keep_report(path: Path, report: Report) -> None:
    """Write a report so that it is there whole, whenever this is ended.

    Raises:
        UsageError: it cannot be written.
    """
    beside = path.with_name(path.name + ".new")
    write_text("--report", beside, json.dumps(report_json(report), indent=1) + "\n")
    beside.replace(path)


# -- what was asked for ------------------------------------------------------------------------


def read_campaign(request: SimRequest) -> Campaign:
    """Return what is played for every seed.

    Raises:
        UsageError: values that cannot be.
    """
    if request.faults not in MODES:
        message = f"`--faults {request.faults[:40]}`: one of {', '.join(MODES)}."
        raise UsageError(message)
    if request.group not in GROUPS:
        message = f"`--group {request.group[:40]}`: there are {' and '.join(GROUPS)}."
        raise UsageError(message)
    if request.seats and not SEATS_MIN <= request.seats <= SEATS_MAX:
        message = f"`--seats {request.seats}`: {SEATS_MIN} to {SEATS_MAX}, or 0."
        raise UsageError(message)
    if not 0 <= request.tables <= TABLES_MAX:
        message = f"`--tables {request.tables}`: 0 to {TABLES_MAX}."
        raise UsageError(message)
    if not 0 <= request.rounds <= ROUNDS_MAX:
        message = f"`--rounds {request.rounds}`: 0 to {ROUNDS_MAX}."
        raise UsageError(message)
    most = resilience_max(SEATS_MAX)
    if request.resilience is not None and not 0 <= request.resilience <= most:
        message = f"`--resilience {request.resilience}`: 0 to {most}; left out, it is drawn."
        raise UsageError(message)
    return Campaign(
        mode=request.faults,
        tables=request.tables,
        seats=request.seats,
        rounds=request.rounds,
        group=request.group,
        resilience=request.resilience,
    )


def read_seeds(text: str) -> range:
    """Return seeds written as `17` or `0..999`, both ends in them.

    Raises:
        UsageError: something else, or too many.
    """
    first, dots, last = text.partition("..")
    numbers = [first, last] if dots else [first, first]
    if not all(n.isascii() and n.isdecimal() and len(n) <= len(str(SEED_MAX)) for n in numbers):
        message = f"`--seeds {text[:40]}`: write one as 17, or a range as 0..999."
        raise UsageError(message)
    found = range(int(numbers[0]), int(numbers[1]) + 1)
    if not 0 < len(found) <= SEEDS_MAX or found[-1] > SEED_MAX:
        message = f"`--seeds {text[:40]}`: a range rises, and has at most {SEEDS_MAX} seeds."
        raise UsageError(message)
    return found


def _only(plan: Plan, text: str) -> Plan:
    """Return a plan with the faults that were asked for.

    Raises:
        UsageError: it has no such fault.
    """
    if not text:
        return plan
    if text == "none":
        return replace(plan, faults=())
    numbers = text.split(",")
    known = range(len(plan.faults))
    if not all(
        n.isascii() and n.isdecimal() and len(n) < 6 and int(n) in known for n in numbers
    ):  # digits
        message = f"`--only {text[:40]}`: this seed has the faults 0 to {len(known) - 1}."
        raise UsageError(message)
    return plan.only(tuple(int(number) for number in numbers))


def _read_script(path: Path) -> Plan:
    """Read a script.

    Raises:
        UsageError: the file cannot be read.
        ScriptError: it is none.
    """
    try:
        return load(read_text(path))
    except ScriptError as error:
        message = f"{path}: {error}"
        raise ScriptError(message) from error
