"""`unop2p broker` and its commands: one line to a command."""

from typing import Annotated

import typer

from unop2p.cli.exits import leave
from unop2p.cli.options import (
    CAOption,
    CertOption,
    EngineOption,
    JSONOption,
    KeyOption,
    MQTT5Option,
    PasswordOption,
)

broker_app = typer.Typer(
    help=(
        "Run a broker, until Ctrl-C; or try one out.\n\n"
        "Examples:\n\n"
        "  unop2p broker --address 0.0.0.0\n\n"
        "  unop2p broker check mqtts://ann@example.org"
    ),
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
)


@broker_app.callback()
def broker(
    context: typer.Context,
    address: Annotated[str, typer.Option("--address", help="What to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="0: any free one.")] = 1883,
    embedded: EngineOption = "auto",
) -> None:
    """Run a broker, until Ctrl-C; or try one out.

    Examples:
      unop2p broker --address 0.0.0.0

      unop2p broker check mqtts://ann@example.org
    """
    if context.invoked_subcommand is not None:
        return
    from unop2p.cli import identity as command  # noqa: PLC0415

    leave(lambda: command.run_broker(address, port, embedded))


@broker_app.command("check")
def check(
    url: Annotated[str, typer.Argument(help="mqtt://, mqtts://, ws:// or wss:// address.")],
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
    json_: JSONOption = False,
) -> None:
    """Try a broker out: what it lets us do, what it does not, and what it should not.

    Example: unop2p broker check mqtts://ann@example.org --password-file FILE
    """
    from unop2p.cli import broker_check as command  # noqa: PLC0415
    from unop2p.cli.common import read_broker, run_async  # noqa: PLC0415

    leave(
        lambda: run_async(
            command.check(
                read_broker(
                    url,
                    ca_file=ca_file,
                    cert=cert,
                    key=key,
                    password_file=password_file,
                    mqtt5=mqtt5,
                ),
                as_json=json_,
            )
        )
    )
