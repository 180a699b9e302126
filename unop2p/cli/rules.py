"""`unop2p rules`: the presets and options, rules in plain sentences, and scenario files that run."""

import json
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from unop2p.cli.common import read_rules, read_text
from unop2p.rules.describe import TOPICS, describe, differences, meanings
from unop2p.rules.options import FIELD_NAMES, PRESETS, Options, options_to_dict
from unop2p.rules.scenario import ScenarioError, load_scenarios, run_scenario

SCENARIOS_EXIT_CODE = 44
"""A scenario does not hold."""

BASE = "official"


def show_list() -> int:
    """Print every preset, and every option with its values and what they mean."""
    print("Presets, for --rules (a rule file's name goes as well):\n")  # noqa: T201  # the result
    for name, options in PRESETS.items():
        names = ", ".join(changed(options, PRESETS[BASE]))
        told = "the box's own rules" if name == BASE else f"{BASE}, but for {names}"
        print(f"  {name:<10} {told}")  # noqa: T201
    print(f"\nOptions, for --set OPTION=VALUE (* is {BASE}'s):")  # noqa: T201
    held = options_to_dict(PRESETS[BASE])
    for name in FIELD_NAMES:
        value = held[name]
        print(f"\n  {name}: {TOPICS[name]}")  # noqa: T201
        for text, sentence in meanings(name):
            mark = "*" if text in _texts(value) else " "
            shown = f"{text}  {sentence}".rstrip()
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
    text = json.dumps(options_to_dict(options)) if as_json else "\n".join(describe(options))
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
        print(f"{first} and {second} are the same rules.")  # noqa: T201  # the command's result
        return 0
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("option", no_wrap=True)
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
            console.print("\n".join((f"{Path(title).name}:", *(f"  {line}" for line in lines))))
    return 0


def changed(left: Options, right: Options) -> list[str]:
    """Return the names of the options that differ, in their usual order."""
    return [name for name in FIELD_NAMES if getattr(left, name) != getattr(right, name)]


def _plain(value: object) -> str:
    return ", ".join(_texts(value)) or "(none)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    file: str
    scenario: str
    title: str
    preset: str
    differences: tuple[str, ...]


def check(files: list[Path], *, as_json: bool) -> int:
    """Run scenario files, and say which examples do not hold.

    Returns:
        0, or SCENARIOS_EXIT_CODE where one does not hold.

    Raises:
        UsageError: a file cannot be read.
        ScenarioError: a file is not a scenario file.
    """
    failures: list[_Failure] = []
    scenarios = runs = 0
    for file in files:
        try:
            loaded = load_scenarios(read_text(file))
            results = [result for scenario in loaded for result in run_scenario(scenario)]
        except ScenarioError as error:
            message = f"In {file}: {error}"
            raise ScenarioError(message) from error
        scenarios += len(loaded)
        runs += len(results)
        failures += [
            _Failure(
                file=str(file),
                scenario=result.scenario,
                title=result.title,
                preset=result.preset,
                differences=result.differences,
            )
            for result in results
            if not result.ok
        ]
    if as_json:
        _print_json(scenarios, runs, failures)
    else:
        _print_words(scenarios, runs, failures)
    return SCENARIOS_EXIT_CODE if failures else 0


def _print_json(scenarios: int, runs: int, failures: list[_Failure]) -> None:
    told = [
        {
            "file": failure.file,
            "scenario": failure.scenario,
            "title": failure.title,
            "preset": failure.preset,
            "differences": list(failure.differences),
        }
        for failure in failures
    ]
    print(json.dumps({"scenarios": scenarios, "runs": runs, "failures": told}))  # noqa: T201


def _print_words(scenarios: int, runs: int, failures: list[_Failure]) -> None:
    for failure in failures:
        print(  # noqa: T201  # the command's result
            f"{failure.file}: {failure.scenario} under {failure.preset} ({failure.title}):"
        )
        for difference in failure.differences:
            print(f"  {difference}")  # noqa: T201
    count = f"{scenarios} scenario{'' if scenarios == 1 else 's'}, {runs} under a preset each"
    if failures:
        print(f"{count}: {len(failures)} do not hold.")  # noqa: T201
    else:
        print(f"{count}: all hold.")  # noqa: T201
