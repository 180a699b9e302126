"""`unop2p tables`: its options. What it prints is in `tables` and `lounge`."""

from pathlib import Path
from typing import Annotated

import typer

from unop2p.cli.exits import leave
from unop2p.cli.options import (
    BrokersOption,
    LookAddressOption,
    LookLanOption,
    LoungeOption,
    LoungePasswordOption,
)


def tables(  # each is an option
    json_: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
    broker: BrokersOption = [],  # noqa: B006  # typer copies it
    lan: LookLanOption = False,
    address: LookAddressOption = None,
    lounge: LoungeOption = "lounge",
    lounge_password_file: LoungePasswordOption = None,
    ca_file: Annotated[Path | None, typer.Option("--ca-file", help="Whom to trust, PEM.")] = None,
    password_file: Annotated[
        Path | None,
        typer.Option(
            "--password-file", help="The broker's password; or set UNOP2P_BROKER_PASSWORD."
        ),
    ] = None,
) -> None:
    """List the tables that wait for you here, and those announced on a broker or the network.

    Example: unop2p tables --broker mqtts://broker.example.org

    Example: unop2p tables --lan
    """
    if not broker and not lan:
        from unop2p.cli.tables import show  # noqa: PLC0415

        leave(lambda: show(as_json=json_))
    from unop2p.cli.lounge import LookRequest, show_all  # noqa: PLC0415
    from unop2p.cli.table import BrokerRequest  # noqa: PLC0415

    request = LookRequest(
        broker=BrokerRequest(
            urls=tuple(broker),
            ca_file=ca_file,
            cert=None,
            key=None,
            password_file=password_file,
            mqtt5=False,
        ),
        lan=lan,
        address=address,
        lounge=lounge,
        password_file=lounge_password_file,
    )
    leave(lambda: show_all(request, as_json=json_))
