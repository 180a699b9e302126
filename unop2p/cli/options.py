"""Options that several commands share, each with its help."""

from pathlib import Path
from typing import Annotated

import typer

from unop2p.cli import offers
from unop2p.cli.look import Colors, Signs
from unop2p.words import mark

NameOption = Annotated[
    str | None, typer.Option("--name", envvar="UNOP2P_NAME", help="How the table calls you.")
]
BotNameOption = Annotated[str | None, typer.Option("--name", help="How the table calls the bot.")]
BotProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        help="Which key the bot plays with; one seat for each.",
        autocompletion=offers.profiles,
    ),
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        envvar="UNOP2P_PROFILE",
        help="Which of your keys to play with; one seat for each.",
        autocompletion=offers.profiles,
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        envvar="UNOP2P_RULES",
        help="A preset, such as greek, or a rule file (TOML).",
        autocompletion=offers.rules,
    ),
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        envvar="UNOP2P_SET",
        help="Change one rule, as option=value; may be repeated.",
        autocompletion=offers.rule_changes,
    ),
]
RulesSetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        help="Change one rule, as option=value; may be repeated.",
        autocompletion=offers.rule_changes,
    ),
]
ToOption = Annotated[
    int | None, typer.Option("--to", envvar="UNOP2P_TO", help="Points that end the match.")
]
RecordOption = Annotated[
    Path | None, typer.Option("--record", help="Write the public record of the table here.")
]
_BROKERS_HELP = mark(
    "mqtt://, mqtts://, ws:// or wss:// address; may be repeated: the table lives while one of "
    "them does."
)
HostBrokersOption = Annotated[
    list[str],
    typer.Option(
        "--broker", envvar="UNOP2P_BROKER", help=_BROKERS_HELP, autocompletion=offers.addresses
    ),
]
BrokersOption = Annotated[list[str], typer.Option("--broker", help=_BROKERS_HELP)]
BrokerOption = Annotated[
    str | None,
    typer.Option(
        "--broker",
        help="mqtt://, mqtts://, ws:// or wss:// address; left out: a broker of our own.",
        autocompletion=offers.addresses,
    ),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--embedded",
        envvar="UNOP2P_EMBEDDED",
        help="Our own broker: auto, mosquitto, iotcore or amqtt.",
        autocompletion=offers.engines,
    ),
]
CAOption = Annotated[
    Path | None, typer.Option("--ca-file", envvar="UNOP2P_CA_FILE", help="Whom to trust, PEM.")
]
CertOption = Annotated[
    Path | None, typer.Option("--cert", envvar="UNOP2P_CERT", help="Our certificate, PEM.")
]
KeyOption = Annotated[
    Path | None, typer.Option("--key", envvar="UNOP2P_KEY", help="The certificate's key, PEM.")
]
PasswordOption = Annotated[
    Path | None,
    typer.Option(
        "--password-file",
        envvar="UNOP2P_PASSWORD_FILE",
        help="The broker's password; or set UNOP2P_BROKER_PASSWORD.",
    ),
]
MQTT5Option = Annotated[
    bool,
    typer.Option(
        "--mqtt5/--no-mqtt5", envvar="UNOP2P_MQTT5", help="Speak MQTT 5 instead of 3.1.1."
    ),
]
NewOption = Annotated[bool, typer.Option("--new", help="Do not go on with an unfinished table.")]
PlainOption = Annotated[
    bool,
    typer.Option(
        "--plain/--no-plain",
        envvar="UNOP2P_PLAIN",
        help="Only append lines: for pipes and screen readers.",
    ),
]
DealOption = Annotated[
    str,
    typer.Option(
        "--deal",
        envvar="UNOP2P_DEAL",
        help="Shuffles: proved, commit-reveal or package.module:Class.",
        autocompletion=offers.deals,
    ),
]
OwnDealOption = Annotated[
    str | None, typer.Option("--deal", help="A shuffle argument of your own, module:Class.")
]
TurnOption = Annotated[
    float, typer.Option("--turn-time", envvar="UNOP2P_TURN_TIME", help="Seconds for a turn.")
]
BotsOption = Annotated[
    int, typer.Option("--bots", envvar="UNOP2P_BOTS", help="How many bots sit with you.")
]
AllowBotsOption = Annotated[
    str,
    typer.Option(
        "--allow-bots",
        envvar="UNOP2P_ALLOW_BOTS",
        help="Which bots may sit down: any, one-each (of every owner) or none.",
        autocompletion=offers.allowed_bots,
    ),
]
HintsOption = Annotated[
    bool,
    typer.Option(
        "--hints/--no-hints",
        envvar="UNOP2P_HINTS",
        help="Whether `hint` tells what a bot would play; it is agreed for all at the table.",
    ),
]
OwnBotOption = Annotated[
    str | None,
    typer.Option(
        "--bot", help="Let a bot of this level play your seat.", autocompletion=offers.levels
    ),
]
OwnPortOption = Annotated[int, typer.Option("--port", help="Of our own broker; 0: any free.")]
OwnAddressOption = Annotated[
    str | None,
    typer.Option("--address", help="What our own broker listens on; left out: the LAN's."),
]
PublicOption = Annotated[
    bool, typer.Option("--public", help="Announce the table in a lounge of its broker.")
]
LanOption = Annotated[bool, typer.Option("--lan", help="Announce the table on the local network.")]
LookLanOption = Annotated[bool, typer.Option("--lan", help="Look on the local network, too.")]
LookAddressOption = Annotated[
    str | None,
    typer.Option(
        "--address", help="Of this machine, on the network where to look; left out: on all."
    ),
]
QROption = Annotated[
    bool, typer.Option("--qr", help="Show the ticket as a QR code too, for a camera.")
]
LoungeOption = Annotated[
    str, typer.Option("--lounge", help="Which lounge; everybody on the broker may know its name.")
]
LoungePasswordOption = Annotated[
    Path | None,
    typer.Option(
        "--lounge-password-file",
        help="Its first line is the lounge's password; without: it is open.",
    ),
]
SeatsOption = Annotated[
    int, typer.Option("--seats", envvar="UNOP2P_SEATS", help="Seats in all, yours among them.")
]
FastOption = Annotated[
    bool,
    typer.Option(
        "--fast/--no-fast",
        envvar="UNOP2P_FAST",
        help="Bots do not pretend to think: --pace fast.",
    ),
]
PaceOption = Annotated[
    str | None,
    typer.Option(
        "--pace",
        envvar="UNOP2P_PACE",
        help="How long bots seem to think: human, fast or milliseconds.",
    ),
]
ReadyOption = Annotated[
    bool,
    typer.Option(
        "--ready/--no-ready",
        envvar="UNOP2P_READY",
        help="Begin as soon as all are here; else type `ready` when you are.",
    ),
]
BellOption = Annotated[
    bool,
    typer.Option(
        "--bell/--no-bell",
        envvar="UNOP2P_BELL",
        help="Ring the terminal's bell when it is your turn.",
    ),
]
TitleOption = Annotated[
    bool,
    typer.Option(
        "--title/--no-title",
        envvar="UNOP2P_TITLE",
        help="Say in the window's title that it is your turn.",
    ),
]
HistoryOption = Annotated[
    bool,
    typer.Option(
        "--history/--no-history",
        envvar="UNOP2P_HISTORY",
        help="Keep what you typed for the next time.",
    ),
]
ColorsOption = Annotated[
    Colors,
    typer.Option(
        "--colors", envvar="UNOP2P_COLORS", help="How many; auto: as the terminal has them."
    ),
]
SignsOption = Annotated[
    Signs,
    typer.Option(
        "--signs", envvar="UNOP2P_SIGNS", help="What is drawn with; auto: as the terminal has them."
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option("--address", help="What our own broker listens on; left out: the LAN's."),
]
PatienceOption = Annotated[
    float,
    typer.Option(
        "--patience",
        envvar="UNOP2P_PATIENCE",
        help="Seconds that a silent seat is waited for; then the others go on without it.",
    ),
]
ResilienceOption = Annotated[
    int | None,
    typer.Option(
        "--resilience",
        envvar="UNOP2P_RESILIENCE",
        help="For how many absent seats the others can stand in; left out: 1 from four seats up.",
    ),
]
LevelOption = Annotated[
    str,
    typer.Option(
        "--level",
        "--bot",
        envvar="UNOP2P_LEVEL",
        help="Of the bots: random, greedy, linear, search or net; or a bot of your own.",
        autocompletion=offers.levels,
    ),
]
SharedOption = Annotated[
    bool,
    typer.Option(
        "--shared-checks/--no-shared-checks",
        help="Whether peers of this one process share the results of proof checks.",
    ),
]
DaemonOption = Annotated[
    bool,
    typer.Option(
        "--daemon", help="Host table after table with no hand, a bot at your seat; wants --public."
    ),
]
LogJSONOption = Annotated[
    bool, typer.Option("--json", help="With --daemon: tell everything as JSON lines.")
]
MetricsOption = Annotated[
    int,
    typer.Option(
        "--metrics", help="With --daemon: figures for Prometheus at this port of the loopback."
    ),
]
JSONOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SeedOption = Annotated[int, typer.Option("--seed", help="What everything grows out of.")]
HTMLOption = Annotated[
    Path | None, typer.Option("--html", help="Write a page with tables and plots here.")
]
TicketArgument = Annotated[str, typer.Argument(help="The whole line that the host shows.")]


def overrides(changes: list[str], to: int | None) -> list[str]:
    """Return the rules that `--set` and `--to` change, as `--set` writes them.

    >>> overrides(["jump_in=on"], 200)
    ['jump_in=on', 'target=200']
    """
    return [*changes, f"target={to}"] if to is not None else list(changes)


def given(context: typer.Context) -> frozenset[str]:
    """Return the options that stand on the command line itself."""
    sources = {
        p.opts[0]: context.get_parameter_source(p.name or "") for p in context.command.params
    }
    return frozenset(
        option
        for option, source in sources.items()
        if source is not None and source.name == "COMMANDLINE"
    )
