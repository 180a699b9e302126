"""`unop2p lab`: the commands of the laboratory and their options; what they do is in `lab_commands`."""

from typing import Annotated

import typer

from unop2p.cli.exits import leave

lab_app = typer.Typer(
    help=(
        "A laboratory for fair-deal protocols: real peers in one process, with chosen cheats.\n\n"
        "Examples:\n\n"
        "  unop2p lab list\n\n"
        "  unop2p lab run --peers 4 --deal proved --cheat duplicate-card@2 --seed 7\n\n"
        "  unop2p lab run --cheat duplicate-card@2 --without shuffle-proofs"
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
)

PeersOption = Annotated[int, typer.Option("--peers", help="Seats at the table, 2 to 10.")]
DealOption = Annotated[str, typer.Option("--deal", help="The shuffle argument.")]
SeedOption = Annotated[int, typer.Option("--seed", help="What everything grows out of.")]
WithoutOption = Annotated[
    list[str],
    typer.Option("--without", help="Leave a defense out, in the simulator; may be repeated."),
]
JSONOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@lab_app.command("list")
def list_(json_: JSONOption = False) -> None:
    """Show every cheat with a sentence, and every defense that can be left out.

    Example: unop2p lab list
    """
    from unop2p.cli import lab_commands as command  # noqa: PLC0415

    leave(lambda: command.show_list(as_json=json_))


@lab_app.command("run")
def run_(
    peers: PeersOption = 4,
    deal: DealOption = "proved",
    cheat: Annotated[
        list[str],
        typer.Option("--cheat", help="NAME@SEAT, seats from 0; may be repeated."),
    ] = [],  # noqa: B006  # typer copies it
    seed: SeedOption = 7,
    without: WithoutOption = [],  # noqa: B006  # typer copies it
    json_: JSONOption = False,
) -> None:
    """Run one round among simulated peers, and say what came of it.

    Example: unop2p lab run --peers 4 --deal proved --cheat duplicate-card@2 --seed 7
    """
    from unop2p.cli import lab_commands as command  # noqa: PLC0415

    leave(
        lambda: command.run_one(
            command.RunRequest(
                peers=peers,
                deal=deal,
                cheats=tuple(cheat),
                seed=seed,
                without=tuple(without),
            ),
            as_json=json_,
        )
    )
