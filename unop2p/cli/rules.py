"""`unop2p rules` and its commands: one line to a command."""

from pathlib import Path
from typing import Annotated

import typer

from unop2p.cli import offers
from unop2p.cli.exits import leave
from unop2p.cli.options import JSONOption, RulesSetOption

rules_app = typer.Typer(
    help=(
        "The rules: what can be chosen, in plain sentences, and as examples that run.\n\n"
        "Examples:\n\n"
        "  unop2p rules                       presets, and options with their meaning\n\n"
        "  unop2p rules show romanian         the rules of a preset or rule file\n\n"
        "  unop2p rules diff greek polish     what they disagree on\n\n"
        "  unop2p rules check scenarios.toml  whether examples hold"
    ),
    rich_markup_mode=None,
    add_completion=False,
)

RulesArgument = Annotated[
    str, typer.Argument(help="A preset, or a rule file (TOML).", autocompletion=offers.rules)
]


@rules_app.callback(invoke_without_command=True)
def list_rules(context: typer.Context) -> None:
    """List presets and options, unless a command follows."""
    if context.invoked_subcommand is None:
        from unop2p.cli import rules_commands as command  # noqa: PLC0415

        leave(command.show_list)


@rules_app.command("show")
def show_rules(
    rules: RulesArgument = "official",
    set_: RulesSetOption = [],  # noqa: B006  # typer copies it
    json_: Annotated[bool, typer.Option("--json", help="Print the option values.")] = False,
) -> None:
    """Print the rules of a preset or rule file in plain sentences.

    Example: unop2p rules show romanian --set jump_in=off
    """
    from unop2p.cli import rules_commands as command  # noqa: PLC0415

    leave(lambda: command.show(rules, set_, as_json=json_))


@rules_app.command("diff")
def diff_rules(first: RulesArgument, second: RulesArgument) -> None:
    """Print what two presets or rule files disagree on.

    Example: unop2p rules diff greek polish
    """
    from unop2p.cli import rules_commands as command  # noqa: PLC0415

    leave(lambda: command.diff(first, second))


@rules_app.command("check")
def check_rules(
    files: Annotated[list[Path], typer.Argument(help="Scenario files (TOML).")],
    json_: JSONOption = False,
) -> None:
    """Run examples of the rules, and say which do not hold.

    Example: unop2p rules check scenarios.toml
    """
    from unop2p.cli import rules_commands as command  # noqa: PLC0415

    leave(lambda: command.check(files, as_json=json_))
