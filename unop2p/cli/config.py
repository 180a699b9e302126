"""`unop2p config` and its commands: one line to a command."""

from typing import Any

import typer

from unop2p.cli.exits import leave
from unop2p.cli.options import JSONOption

config_app = typer.Typer(
    help=(
        "Your settings: a file in which every option that you always give can stand.\n\n"
        "What counts, first to last: the command line, the environment (UNOP2P_...), the settings "
        "file, the default.\n\n"
        "Examples:\n\n"
        "  unop2p config edit   open the file in your editor ($VISUAL or $EDITOR)\n\n"
        "  unop2p config show   every setting, and where its value comes from"
    ),
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
)


def use_settings(context: typer.Context) -> None:
    """Let the settings file give what the command line and the environment leave open.

    A command that takes no setting does not read it: a wrong file is in nobody's way.
    """
    from unop2p.edge.settings import SETTINGS  # noqa: PLC0415

    wanted = context.invoked_subcommand
    mine = {
        command: [known for known in SETTINGS if command in known.commands]
        for command in dict.fromkeys(c for known in SETTINGS for c in known.commands)
        if command.split()[0] == wanted
    }
    if wanted is None or not mine:
        return
    from unop2p.cli import config_commands as command  # noqa: PLC0415

    found: dict[str, Any] = {}

    def read() -> int:
        for name, known in mine.items():
            _, _, below = name.partition(" ")
            values = command.defaults(known)
            found.update({below: values} if below else values)
        return 0

    leave(read, go_on=True)
    context.default_map = {wanted: found}


@config_app.command("show")
def show_config(
    json_: JSONOption = False,
) -> None:
    """Print every setting: its value, and where that comes from.

    Example: unop2p config show
    """
    from unop2p.cli import config_commands as command  # noqa: PLC0415

    leave(lambda: command.show(as_json=json_))


@config_app.command("edit")
def edit_config() -> None:
    """Open the settings file in your editor, made if need be, and check it afterwards.

    Example: EDITOR=nano unop2p config edit
    """
    from unop2p.cli import config_commands as command  # noqa: PLC0415

    leave(command.edit)


@config_app.command("path")
def config_path() -> None:
    """Print where the settings file is.

    Example: unop2p config path
    """
    from unop2p.cli import config_commands as command  # noqa: PLC0415

    leave(command.show_path)
