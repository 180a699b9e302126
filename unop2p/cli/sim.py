"""`unop2p sim`: its options; what it does is in `sim_commands`."""

from pathlib import Path
from typing import Annotated

import typer

from unop2p.cli import offers
from unop2p.cli.exits import leave
from unop2p.cli.options import JSONOption

JobsOption = Annotated[
    int, typer.Option("--jobs", help="Processes; 0: as many as there are cores.", min=0, max=256)
]

FaultsOption = Annotated[
    str,
    typer.Option(
        "--faults",
        help="What goes wrong: none, loss, partition, crash, slow, cheat, or swarm, which draws "
        "for each seed.",
        autocompletion=offers.fault_modes,
    ),
]
RoundsOption = Annotated[
    int,
    typer.Option(
        "--rounds", help="Rounds, each played to its end; 0: drawn, mostly a part of one."
    ),
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", help="Keep what was found in this file, and go on from it next time."),
]


def sim(  # each is an option
    seeds: Annotated[
        str, typer.Option("--seeds", help="One seed, or a range as 0..999.")
    ] = "0..99",
    faults: FaultsOption = "swarm",
    tables: Annotated[
        int, typer.Option("--tables", help="Tables of each seed, up to 100; 0: drawn, mostly one.")
    ] = 0,
    seats: Annotated[
        int, typer.Option("--seats", help="Seats of each table, 2 to 10; 0: drawn.")
    ] = 0,
    rounds: RoundsOption = 0,
    resilience: Annotated[
        int | None,
        typer.Option("--resilience", help="For how many absent seats the others can stand in."),
    ] = None,
    group: Annotated[
        str,
        typer.Option(
            "--group",
            help="ristretto255, or toy: no secrecy, and many times as fast.",
            autocompletion=offers.groups,
        ),
    ] = "toy",
    only: Annotated[
        str,
        typer.Option("--only", help="Of one seed, only these faults, by number, as 0,3; or none."),
    ] = "",
    replay: Annotated[
        Path | None, typer.Option("--replay", help="Play this script instead of seeds.")
    ] = None,
    script: Annotated[
        Path | None,
        typer.Option("--script", help="Write the script of the first seed that fails here."),
    ] = None,
    shrink: Annotated[
        bool,
        typer.Option(
            "--shrink/--no-shrink", help="Whether the first seed that fails is made short."
        ),
    ] = True,
    failures: Annotated[
        int, typer.Option("--failures", help="Stop after so many seeds that fail; 0: never.", min=0)
    ] = 5,
    report: ReportOption = None,
    jobs: JobsOption = 0,
    json_: JSONOption = False,
) -> None:
    """Simulate tables that fail in all kinds of ways, and check what the protocol promises.

    Example: unop2p sim --seeds 0..999 --faults swarm
    """
    from unop2p.cli import sim_commands as command  # noqa: PLC0415

    leave(
        lambda: command.run_sim(
            command.SimRequest(
                seeds=seeds,
                faults=faults,
                tables=tables,
                seats=seats,
                rounds=rounds,
                resilience=resilience,
                group=group,
                only=only,
                replay=replay,
                script=script,
                shrink=shrink,
                failures=failures,
                report=report,
                jobs=jobs,
            ),
            as_json=json_,
        )
    )
