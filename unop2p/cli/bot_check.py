"""`unop2p bot check`: its options; what it does is in `bot_check_commands`."""

from typing import Annotated

import typer

from unop2p.cli.exits import leave
from unop2p.cli.options import JSONOption, SeedOption


def bot_check(
    bot: Annotated[
        str,
        typer.Argument(help="A path, cmd:PROGRAM ARGUMENTS, the name of a plug-in, or a level."),
    ],
    each: Annotated[
        int,
        typer.Option(
            "--each", help="Positions of each kind of decision by each set of rules.", min=1
        ),
    ] = 10,
    answer_ms: Annotated[
        int, typer.Option("--answer-ms", help="How long an answer may take.", min=1, max=60_000)
    ] = 1_000,
    seed: SeedOption = 1,
    json_: JSONOption = False,
) -> None:
    """Check whether a bot of your own does as a bot should.

    Example: unop2p bot check ./mybot
    """
    from unop2p.cli import bot_check_commands as command  # noqa: PLC0415

    leave(
        lambda: command.run_check(
            command.CheckRequest(bot=bot, each=each, answer_ms=answer_ms, seed=seed), as_json=json_
        )
    )
