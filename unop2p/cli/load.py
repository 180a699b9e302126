"""`unop2p load`: its options; what it does is in `load_commands`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from unop2p.cli.exits import leave
from unop2p.cli.options import (
    CAOption,
    DealOption,
    JSONOption,
    LevelOption,
    MQTT5Option,
    PaceOption,
    PasswordOption,
    ResilienceOption,
    RulesOption,
    SetOption,
    SharedOption,
)

NodesOption = Annotated[
    list[str],
    typer.Option("--broker", help="Address of the broker; several for the nodes of a cluster."),
]
EachOption = Annotated[
    int,
    typer.Option("--each", help="How many of several brokers each seat uses; 0: all of them."),
]
TablesOption = Annotated[
    str, typer.Option("--tables", help="How many tables, one size after the other.")
]
SecondsOption = Annotated[float, typer.Option("--seconds", help="How long each size is measured.")]
PatienceOption = Annotated[
    float, typer.Option("--patience", help="Seconds that all tables of a size have to begin.")
]
ProcessesOption = Annotated[
    int, typer.Option("--processes", help="How many processes play; 0: one for each core.")
]
SeatsOption = Annotated[int, typer.Option("--seats", help="Seats of each table.")]
JournalsOption = Annotated[
    Path | None,
    typer.Option("--journals", help="A folder for the peers' journals; left out: none is kept."),
]
BrokerPidOption = Annotated[
    list[int],
    typer.Option(
        "--broker-pid", help="The broker's process; left out: who listens on its port here."
    ),
]


def load(  # each is an option
    broker: NodesOption,
    each: EachOption = 1,
    tables: TablesOption = "1,10,50",
    seconds: SecondsOption = 20.0,
    patience: PatienceOption = 120.0,
    processes: ProcessesOption = 0,
    seats: SeatsOption = 4,
    rules: RulesOption = "official",
    set_: SetOption = ["target=5000"],  # noqa: B006  # typer copies it
    deal: DealOption = "proved",
    resilience: ResilienceOption = None,
    level: LevelOption = "greedy",
    pace: PaceOption = None,
    shared_checks: SharedOption = False,
    journals: JournalsOption = None,
    broker_pid: BrokerPidOption = [],  # noqa: B006  # typer copies it
    ca_file: CAOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
    json_: JSONOption = False,
) -> None:
    """Play many tables of bots over a broker, and measure what it bears.

    Example: unop2p load --broker mqtt://127.0.0.1:1883 --tables 1,10,50 --seconds 20
    """
    from unop2p.cli import load_commands as command  # noqa: PLC0415
    from unop2p.cli.common import run_async  # noqa: PLC0415

    leave(
        lambda: run_async(
            command.load(
                command.LoadRequest(
                    brokers=tuple(broker),
                    spread=each,
                    tables=command.read_sizes(tables),
                    seconds=seconds,
                    patience_s=patience,
                    processes=processes or os.cpu_count() or 1,
                    seats=seats,
                    level=level,
                    pace=pace or "fast",
                    rules=rules,
                    overrides=tuple(set_),
                    deal=deal,
                    resilience=resilience,
                    shared=shared_checks,
                    journals=journals,
                    broker_pids=tuple(broker_pid),
                    ca_file=ca_file,
                    password_file=password_file,
                    mqtt5=mqtt5,
                ),
                as_json=json_,
            )
        )
    )
