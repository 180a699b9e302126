"""`unop2p tables`: its options. What it prints is in `tables` and `lounge`."""

from typing import Annotated

import typer

from unop2p.cli.exits import leave
from unop2p.cli.options import (
    BrokersOption,
    CAOption,
    CertOption,
    KeyOption,
    LookAddressOption,
    LookLanOption,
    LoungeOption,
    LoungePasswordOption,
    MQTT5Option,
    PasswordOption,
    given,
)


def tables(  # each is an option
    context: typer.Context,
    json_: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
    broker: BrokersOption = [],  # noqa: B006  # typer copies it
    lan: LookLanOption = False,
    address: LookAddressOption = None,
    lounge: LoungeOption = "lounge",
    lounge_password_file: LoungePasswordOption = None,
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
) -> None:
    """List the tables that wait for you here, and those announced on a broker or the network.

    Example: unop2p tables --broker mqtts://broker.example.org

    Example: unop2p tables --lan
    """
    from unop2p.cli.tables import show, tell_useless  # noqa: PLC0415

    if not broker:
        tell_useless(given(context), lan=lan)
        if not lan:
            leave(lambda: show(as_json=json_))
    from unop2p.cli.lounge import LookRequest, show_all  # noqa: PLC0415
    from unop2p.cli.table import BrokerRequest  # noqa: PLC0415

    request = LookRequest(
        broker=BrokerRequest(
            urls=tuple(broker),
            ca_file=ca_file,
            cert=cert,
            key=key,
            password_file=password_file,
            mqtt5=mqtt5,
            given=given(context),
        ),
        lan=lan,
        address=address,
        lounge=lounge,
        password_file=lounge_password_file,
    )
    leave(lambda: show_all(request, as_json=json_))
