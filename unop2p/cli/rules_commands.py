"""`unop2p rules`: the presets and options, rules in plain sentences, and scenario files that run."""

import json
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from unop2p.cli.common import read_rules, read_text
from unop2p.cli.tongue import words
from unop2p.repl.paint import clean
from unop2p.rules.describe import TOPICS, describe, differences, meanings
from unop2p.rules.options import FIELD_NAMES, PRESETS, Options, options_to_dict
from unop2p.rules.scenario import ScenarioError, ScenarioResult, load_scenarios, run_scenario
from unop2p.words import said

SCENARIOS_EXIT_CODE = 1
"""A scenario does not hold."""

BASE = "official"


def show_list() -> int:
    """Print every preset, and every option with its values and what they mean."""
    say = words().say
    print(say("Presets, for --rules (a rule file's name goes as well):") + "\n")  # noqa: T201  # the result
    for name, options in PRESETS.items():
        names = ", ".join(changed(options, PRESETS[BASE]))
        told = (
            say("the box's own rules")
            if name == BASE
            else say("{preset}, but for {names}", preset=BASE, names=names)
        )
        print(f"  {name:<10} {told}")  # noqa: T201
    print("\n" + say("Options, for --set OPTION=VALUE (* is {preset}'s):", preset=BASE))  # noqa: T201
    held = options_to_dict(PRESETS[BASE])
    for name in FIELD_NAMES:
        value = held[name]
        print(f"\n  {name}: {say(TOPICS[name])}")  # noqa: T201
        for text, sentence in meanings(name):
            mark = "*" if text in _texts(value) else " "
            shown = f"{words().tell(text)}  {words().tell(sentence)}".rstrip()
            print(f"    {mark} {shown}")  # noqa: T201
    return 0


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(value)
    return (str(value).lower() if isinstance(value, bool) else str(value),)


def show(name: str, overrides: list[str], *, as_json: bool) -> int:
    """Print the rules of a preset or rule file, in sentences or as option values.

    Raises:
        InvalidOptionsError: there is no such preset, or the file or an override is wrong.
    """
    options = read_rules(name, overrides)
    text = (
        json.dumps(options_to_dict(options))
        if as_json
        else "\n".join(words().tell(line) for line in describe(options))
    )
    print(text)  # noqa: T201  # the command's result
    return 0


def diff(first: str, second: str) -> int:
    """Print the options in which two presets or rule files differ, and what each says.

    Raises:
        InvalidOptionsError: there is no such preset, or a file is wrong.
    """
    left, right = read_rules(first, []), read_rules(second, [])
    names = changed(left, right)
    if not names:
        print(words().say("{one} and {other} are the same rules.", one=first, other=second))  # noqa: T201  # the command's result
        return 0
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(words().say("option"), no_wrap=True)
    table.add_column(Path(first).name, overflow="fold")
    table.add_column(Path(second).name, overflow="fold")
    one, other = options_to_dict(left), options_to_dict(right)
    for name in names:
        table.add_row(name, _plain(one[name]), _plain(other[name]))
    console = Console(highlight=False, markup=False)
    console.print(table)
    for title, lines in (
        (first, differences(left, right)),
        (second, differences(right, left)),
    ):
        if lines:
            console.print(
                "\n".join((f"{Path(title).name}:", *(f"  {words().tell(line)}" for line in lines))),
                soft_wrap=True,
            )
    return 0


def changed(left: Options, right: Options) -> list[str]:
    """Return the names of the options that differ, in their usual order."""
    return [name for name in FIELD_NAMES if getattr(left, name) != getattr(right, name)]


def _plain(value: object) -> str:
    return ", ".join(_texts(value)) or words().say("(none)")


def check(files: list[Path], *, as_json: bool) -> int:
    """Run scenario files: print `ok` or what differed for each example under each preset.

    Returns:
        0, or SCENARIOS_EXIT_CODE where one does not hold.

    Raises:
        UsageError: a file cannot be read.
        ScenarioError: a file is not a scenario file.
    """
    runs: list[tuple[Path, ScenarioResult]] = []
    for file in files:
        try:
            loaded = load_scenarios(read_text(file))
            runs += [(file, result) for scenario in loaded for result in run_scenario(scenario)]
        except ScenarioError as error:
            message = said("In {file}: {error}", file=file, error=error)
            raise ScenarioError(message) from error
    if as_json:
        _print_json(runs)
    else:
        _print_words(runs)
    return 0 if all(result.ok for _, result in runs) else SCENARIOS_EXIT_CODE


def _print_json(runs: list[tuple[Path, ScenarioResult]]) -> None:
    told = [
        {
            "file": str(file),
            "scenario": result.scenario,
            "title": result.title,
            "preset": result.preset,
            "ok": result.ok,
            "differences": list(result.differences),
        }
        for file, result in runs
    ]
    print(json.dumps({"results": told}))  # noqa: T201  # the command's result


def _print_words(runs: list[tuple[Path, ScenarioResult]]) -> None:
    for file, result in runs:
        head = f"{clean(result.scenario):<8} {result.preset:<10}"
        if result.ok:
            print(f"{head} ok")  # noqa: T201  # the command's result
            continue
        print(f"{head} differs: {clean(result.title)} ({file})")  # noqa: T201
        for difference in result.differences:
            print(f"  {clean(difference)}")  # noqa: T201
    wrong = sum(not result.ok for _, result in runs)
    told = f"{wrong} of them do not hold" if wrong else "all hold"
    print(f"Examples under presets: {len(runs)}; {told}.")  # noqa: T201
