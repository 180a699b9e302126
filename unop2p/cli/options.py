"""Options that several commands share, each with its help."""

from pathlib import Path
from typing import Annotated

import typer

NameOption = Annotated[str | None, typer.Option("--name", help="How the table calls you.")]
ProfileOption = Annotated[
    str, typer.Option("--profile", help="Which of your keys to play with; one seat for each.")
]
RulesOption = Annotated[
    str, typer.Option("--rules", help="A preset, such as greek, or a rule file (TOML).")
]
SetOption = Annotated[
    list[str], typer.Option("--set", help="Change one rule, as option=value; may be repeated.")
]
ToOption = Annotated[int | None, typer.Option("--to", help="Points that end the match.")]
RecordOption = Annotated[
    Path | None, typer.Option("--record", help="Write the public record of the table here.")
]
BrokersOption = Annotated[
    list[str],
    typer.Option(
        "--broker",
        help=(
            "mqtt://, mqtts://, ws:// or wss:// address; may be repeated: the table lives while "
            "one of them does."
        ),
    ),
]
BrokerOption = Annotated[
    str | None,
    typer.Option(
        "--broker",
        help="mqtt://, mqtts://, ws:// or wss:// address; left out: a broker of our own.",
    ),
]
EngineOption = Annotated[
    str, typer.Option("--embedded", help="Our own broker: auto, mosquitto, iotcore or amqtt.")
]
CAOption = Annotated[Path | None, typer.Option("--ca-file", help="Whom to trust, PEM.")]
CertOption = Annotated[Path | None, typer.Option("--cert", help="Our certificate, PEM.")]
KeyOption = Annotated[Path | None, typer.Option("--key", help="The certificate's key, PEM.")]
PasswordOption = Annotated[
    Path | None,
    typer.Option("--password-file", help="The broker's password; or set UNOP2P_BROKER_PASSWORD."),
]
MQTT5Option = Annotated[bool, typer.Option("--mqtt5", help="Speak MQTT 5 instead of 3.1.1.")]
NewOption = Annotated[bool, typer.Option("--new", help="Do not go on with an unfinished table.")]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="Only append lines: for pipes and screen readers.")
]
DealOption = Annotated[
    str, typer.Option("--deal", help="Shuffles: proved, commit-reveal or package.module:Class.")
]
OwnDealOption = Annotated[
    str | None, typer.Option("--deal", help="A shuffle argument of your own, module:Class.")
]
TurnOption = Annotated[float, typer.Option("--turn-time", help="Seconds for a turn.")]
LevelOption = Annotated[str, typer.Option("--level", help="Of the bots: random or greedy.")]
SharedOption = Annotated[
    bool,
    typer.Option(
        "--shared-checks/--no-shared-checks",
        help="Whether peers of this one process share the results of proof checks.",
    ),
]
TicketArgument = Annotated[str, typer.Argument(help="The whole line that the host shows.")]
