"""`unop2p arena` and `unop2p train`: their options; what they do is in `arena_commands` and `train`."""

from pathlib import Path
from typing import Annotated

import typer

from unop2p.cli import offers
from unop2p.cli.exits import leave
from unop2p.cli.options import HTMLOption, JSONOption, RulesSetOption, SeedOption, overrides

JobsOption = Annotated[
    int, typer.Option("--jobs", help="Processes; 0: as many as there are cores.", min=0, max=256)
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        help="A preset, such as greek, or a rule file (TOML).",
        autocompletion=offers.rules,
    ),
]


def arena(  # each is an option
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            help="Levels with commas between; the first has one seat, the others share the rest. "
            "With --ladder all that take part.",
            autocompletion=offers.level_lists,
        ),
    ] = "",
    seats: Annotated[int, typer.Option("--seats", help="Seats of each match, 2 to 10.")] = 2,
    games: Annotated[
        int, typer.Option("--games", help="Matches; with --ladder of each pair.", min=1)
    ] = 200,
    to: Annotated[int | None, typer.Option("--to", help="Points that end the match.")] = None,
    rules: RulesOption = "official",
    set_: RulesSetOption = [],  # noqa: B006  # typer copies it
    duplicate: Annotated[
        bool,
        typer.Option(
            "--duplicate/--no-duplicate",
            help="Play the same cards once for each seat of the first bot.",
        ),
    ] = True,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Everybody against everybody, with Elo.")
    ] = False,
    seed: SeedOption = 1,
    jobs: JobsOption = 0,
    json_: JSONOption = False,
    html: HTMLOption = None,
) -> None:
    """Let bots play many matches without a table of peers, and say how sure the figures are.

    Example: unop2p arena --bots net,greedy --seats 2 --games 2000 --to 500 --duplicate --seed 1
    """
    from unop2p.cli import arena_commands as command  # noqa: PLC0415

    leave(
        lambda: command.run_arena(
            command.ArenaRequest(
                bots=bots,
                seats=seats,
                games=games,
                rules=rules,
                overrides=tuple(overrides(set_, to)),
                duplicate=duplicate,
                ladder=ladder,
                seed=seed,
                jobs=jobs,
                html=html,
            ),
            as_json=json_,
        )
    )


def train(  # each is an option
    level: Annotated[
        str, typer.Option("--level", help="net or linear.", autocompletion=offers.taught_levels)
    ] = "net",
    seats: Annotated[
        str, typer.Option("--seats", help="Numbers of seats to learn for, with commas.")
    ] = "2",
    samples: Annotated[
        int, typer.Option("--samples", help="Decisions to learn from.", min=1)
    ] = 20_000_000,
    tables: Annotated[
        int,
        typer.Option("--tables", help="Rounds played at once, for each number of seats.", min=2),
    ] = 1024,
    spare: Annotated[
        int,
        typer.Option("--spare", help="Who holds more cards does not draw when it can play.", min=0),
    ] = 7,
    teacher: Annotated[
        Path | None,
        typer.Option("--teacher", help="For linear: weights of a net; else those that ship."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            help="For net: learn on from the weights of a file, or official, those that ship.",
        ),
    ] = None,
    rules: RulesOption = "official",
    set_: RulesSetOption = [],  # noqa: B006  # typer copies it
    seed: SeedOption = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the weights here, now and then too.")
    ] = None,
) -> None:
    """Train weights of a bot by self-play; wants numpy.

    Example: unop2p train --level net --seats 2 --samples 20000000 --seed 1 --out mine.json
    """
    from unop2p.cli import train as command  # noqa: PLC0415

    leave(
        lambda: command.run_train(
            command.TrainRequest(
                level=level,
                seats=seats,
                samples=samples,
                tables=tables,
                spare=spare,
                teacher=teacher,
                start=start,
                rules=rules,
                overrides=tuple(set_),
                seed=seed,
                out=out,
            )
        )
    )
