"""`unop2p lab`: the commands of the laboratory and their options; what they do is in `lab_commands`."""

from typing import Annotated

import typer

from unop2p.cli import lab_offers, offers
from unop2p.cli.exits import leave
from unop2p.cli.options import DealOption, HTMLOption, JSONOption, SeedOption

lab_app = typer.Typer(
    help=(
        "A laboratory for fair-deal protocols: real peers in one process, with chosen cheats.\n\n"
        "Examples:\n\n"
        "  unop2p lab list\n\n"
        "  unop2p lab run --peers 4 --deal proved --cheat duplicate-card@2 --seed 7\n\n"
        "  unop2p lab run --cheat duplicate-card@2 --without shuffle-proofs\n\n"
        "  unop2p lab matrix --html matrix.html\n\n"
        "  unop2p lab cost --peers 2,4,10"
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)

PeersOption = Annotated[int, typer.Option("--peers", help="Seats at the table, 2 to 10.")]
WithoutOption = Annotated[
    list[str],
    typer.Option(
        "--without",
        help="Leave a defense out, in the simulator; may be repeated.",
        autocompletion=lab_offers.defenses,
    ),
]
GroupOption = Annotated[
    str,
    typer.Option(
        "--group",
        help="ristretto255, or toy: no secrecy, and many times as fast.",
        autocompletion=offers.groups,
    ),
]
DealsOption = Annotated[
    list[str],
    typer.Option(
        "--deal", help="A shuffle argument; may be repeated.", autocompletion=offers.deals
    ),
]
BOTH = ["proved", "commit-reveal"]


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
        typer.Option(
            "--cheat",
            help="NAME@SEAT, seats from 0; may be repeated.",
            autocompletion=lab_offers.cheats,
        ),
    ] = [],  # noqa: B006  # typer copies it
    seed: SeedOption = 7,
    without: WithoutOption = [],  # noqa: B006  # typer copies it
    group: GroupOption = "ristretto255",
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
                group=group,
            ),
            as_json=json_,
        )
    )


@lab_app.command("matrix")
def matrix_(
    peers: PeersOption = 4,
    deal: DealsOption = BOTH,
    cheat: Annotated[
        list[str],
        typer.Option(
            "--cheat",
            help="A family or a cheat; may be repeated; else all.",
            autocompletion=lab_offers.cheats_or_families,
        ),
    ] = [],  # noqa: B006  # typer copies it
    seed: SeedOption = 7,
    seeds: Annotated[int, typer.Option("--seeds", help="Runs for each, from this seed on.")] = 1,
    group: GroupOption = "ristretto255",
    teeth: Annotated[
        bool,
        typer.Option("--teeth/--no-teeth", help="Whether each is tried without its defense too."),
    ] = True,
    html: HTMLOption = None,
    json_: JSONOption = False,
) -> None:
    """Run every cheat against every protocol, and without the defense that should stop it.

    Example: unop2p lab matrix --deal proved --cheat shuffle --html matrix.html
    """
    from unop2p.cli import lab_commands as command  # noqa: PLC0415

    leave(
        lambda: command.run_matrix(
            command.MatrixRequest(
                peers=peers,
                deals=tuple(deal),
                cheats=tuple(cheat),
                seed=seed,
                seeds=seeds,
                group=group,
                teeth=teeth,
                html=html,
            ),
            as_json=json_,
        )
    )


@lab_app.command("cost")
def cost_(
    deal: DealsOption = BOTH,
    peers: Annotated[
        str, typer.Option("--peers", help="Numbers of seats, with commas between.")
    ] = "2,3,4",
    cards: Annotated[
        str, typer.Option("--cards", help="Numbers of cards, with commas between.")
    ] = "20,54,112",
    html: HTMLOption = None,
    json_: JSONOption = False,
) -> None:
    """Measure time, bytes, messages and steps, and count group multiplications.

    Example: unop2p lab cost --peers 2,4,10 --cards 54,112 --html cost.html
    """
    from unop2p.cli import lab_commands as command  # noqa: PLC0415

    leave(
        lambda: command.run_cost(
            command.CostRequest(deals=tuple(deal), peers=peers, cards=cards, html=html),
            as_json=json_,
        )
    )
