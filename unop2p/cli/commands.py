"""Commands that play or serve, and their options: one line to a command; `main` lists them.

They import what they need when they run, so that `--help` stays quick.
"""

import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from unop2p.cli import offers
from unop2p.cli.exits import leave
from unop2p.cli.look import PLAIN, Colors, Look, Signs
from unop2p.cli.options import (
    AllowBotsOption,
    BellOption,
    BotNameOption,
    BotProfileOption,
    BotsOption,
    BrokerOption,
    BrokersOption,
    CAOption,
    CertOption,
    ColorsOption,
    DaemonOption,
    DealOption,
    EngineOption,
    FastOption,
    HintsOption,
    HistoryOption,
    HostBrokersOption,
    JSONOption,
    KeyOption,
    LanOption,
    LevelOption,
    LogJSONOption,
    LoungeOption,
    LoungePasswordOption,
    MetricsOption,
    MQTT5Option,
    NameOption,
    NewOption,
    OwnAddressOption,
    OwnBotOption,
    OwnDealOption,
    OwnPortOption,
    PaceOption,
    PasswordOption,
    PatienceOption,
    PlainOption,
    ProfileOption,
    PublicOption,
    QROption,
    ReadyOption,
    RecordOption,
    ResilienceOption,
    RulesOption,
    SeatsOption,
    SetOption,
    SharedOption,
    SignsOption,
    TicketArgument,
    TitleOption,
    ToOption,
    TurnOption,
    overrides,
)
from unop2p.cli.options import given as _given

if TYPE_CHECKING:
    from unop2p.cli.table import BrokerRequest


def play(  # each is an option
    context: typer.Context,
    bots: BotsOption = 3,
    name: NameOption = None,
    profile: ProfileOption = "default",
    rules: RulesOption = "official",
    set_: SetOption = [],  # noqa: B006  # typer copies it
    to: ToOption = None,
    deal: DealOption = "proved",
    level: LevelOption = "greedy",
    record: RecordOption = None,
    broker: BrokerOption = None,
    embedded: EngineOption = "auto",
    turn_time: TurnOption = 60.0,
    resilience: ResilienceOption = None,
    shared_checks: SharedOption = True,
    new: NewOption = False,
    plain: PlainOption = False,
    bell: BellOption = True,
    title: TitleOption = True,
    history: HistoryOption = True,
    colors: ColorsOption = Colors.AUTO,
    signs: SignsOption = Signs.AUTO,
    fast: FastOption = False,
    hints: HintsOption = True,
    pace: PaceOption = None,
) -> None:
    """Play against bots, each a peer of its own.

    Example: unop2p play --bots 2 --to 200 --record my-match.jsonl
    """
    from unop2p.cli.drawn import DrawnSecret  # noqa: PLC0415
    from unop2p.cli.early import show_prompt  # noqa: PLC0415

    show_prompt(plain=plain)
    drawn = DrawnSecret()  # it takes as long as a part of what is loaded now
    from unop2p.cli import play as command  # noqa: PLC0415

    _go(
        command.play,
        command.PlayRequest(
            bots=bots,
            name=name,
            profile=profile,
            rules=rules,
            overrides=overrides(set_, to),
            deal=deal,
            level=level,
            record=record,
            broker=broker,
            engine=embedded,
            turn_s=turn_time,
            resilience=resilience,
            shared_checks=shared_checks,
            new=new,
            look=Look(
                plain=plain, bell=bell, title=title, history=history, colors=colors, signs=signs
            ),
            pace=pace or ("fast" if fast else "human"),
            hints=hints,
            drawn=drawn,
            given=_given(context),
        ),
    )


def host(  # each is an option
    context: typer.Context,
    seats: SeatsOption = 2,
    name: NameOption = None,
    profile: ProfileOption = "default",
    rules: RulesOption = "official",
    set_: SetOption = [],  # noqa: B006  # typer copies it
    to: ToOption = None,
    deal: DealOption = "proved",
    record: RecordOption = None,
    broker: HostBrokersOption = [],  # noqa: B006  # typer copies it
    embedded: EngineOption = "auto",
    port: OwnPortOption = 0,
    address: OwnAddressOption = None,
    turn_time: TurnOption = 60.0,
    patience: PatienceOption = 20.0,
    resilience: ResilienceOption = None,
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
    new: NewOption = False,
    ready: ReadyOption = True,
    plain: PlainOption = False,
    bell: BellOption = True,
    title: TitleOption = True,
    history: HistoryOption = True,
    colors: ColorsOption = Colors.AUTO,
    signs: SignsOption = Signs.AUTO,
    bot: OwnBotOption = None,
    allow_bots: AllowBotsOption = "any",
    qr: QROption = False,
    public: PublicOption = False,
    lan: LanOption = False,
    lounge: LoungeOption = "lounge",
    lounge_password_file: LoungePasswordOption = None,
    hints: HintsOption = True,
    pace: PaceOption = None,
    daemon: DaemonOption = False,
    json_: LogJSONOption = False,
    metrics: MetricsOption = 0,
) -> None:
    """Open a table for others, and show the ticket to it.

    Example: unop2p host --seats 4 --broker mqtts://broker.example.org
    """
    if daemon or json_ or metrics:
        _host_without_hand(context)
    from unop2p.cli import table as command  # noqa: PLC0415

    look = Look(plain=plain, bell=bell, title=title, history=history, colors=colors, signs=signs)
    pace = pace or "human"
    seat = command.SeatRequest(
        name=name, profile=profile, record=record, look=look, level=bot, pace=pace, ready=ready
    )
    request = command.HostRequest(
        seats=seats,
        rules=rules,
        overrides=overrides(set_, to),
        deal=deal,
        engine=embedded,
        port=port,
        address=address,
        timers_s=(turn_time, patience),
        resilience=resilience,
        bots=allow_bots,
        wanted=(public, lan, lounge, lounge_password_file),
        qr=qr,
        hints=hints,
        new=new,
        seat=seat,
        broker=_broker(context, broker, ca_file, cert, key, password_file, mqtt5=mqtt5),
    )
    _go(command.host, request)


def join(  # each is an option
    context: typer.Context,
    ticket: TicketArgument,
    name: NameOption = None,
    profile: ProfileOption = "default",
    record: RecordOption = None,
    deal: OwnDealOption = None,
    broker: BrokersOption = [],  # noqa: B006  # typer copies it
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
    ready: ReadyOption = True,
    plain: PlainOption = False,
    bell: BellOption = True,
    title: TitleOption = True,
    history: HistoryOption = True,
    colors: ColorsOption = Colors.AUTO,
    signs: SignsOption = Signs.AUTO,
) -> None:
    """Sit down at somebody's table, or come back to it.

    Example: unop2p join 'unop2p:lusab-babad-gutih-tugad-mudof@mqtt://192.168.1.5:1883'
    """
    from unop2p.cli import table as command  # noqa: PLC0415

    _go(
        command.join,
        command.JoinRequest(
            ticket=ticket,
            deal=deal,
            seat=command.SeatRequest(
                name=name,
                profile=profile,
                record=record,
                look=Look(
                    plain=plain, bell=bell, title=title, history=history, colors=colors, signs=signs
                ),
                level=None,
                ready=ready,
            ),
            broker=_broker(context, broker, ca_file, cert, key, password_file, mqtt5=mqtt5),
        ),
    )


def bot(  # each is an option
    context: typer.Context,
    ticket: Annotated[
        str | None, typer.Argument(help="The whole line that the host shows.")
    ] = None,
    name: BotNameOption = None,
    profile: BotProfileOption = "bot",
    level: LevelOption = "greedy",
    pace: PaceOption = None,
    record: RecordOption = None,
    deal: OwnDealOption = None,
    broker: BrokersOption = [],  # noqa: B006  # typer copies it
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Run by itself, table after table, as this file says."),
    ] = None,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print such a file, with every key explained.")
    ] = False,
    json_: Annotated[
        bool, typer.Option("--json", help="With --config: tell everything as JSON lines.")
    ] = False,
) -> None:
    """Let a bot sit down at a table, or run by itself.

    Example: unop2p bot 'unop2p:…@mqtt://…' --level greedy --name marvin
    """
    if config is not None or print_config or ticket is None:
        from unop2p.cli.bot_service import unattended  # noqa: PLC0415

        leave(lambda: unattended(ticket, config, show=print_config, as_json=json_))
    from unop2p.cli import table as command  # noqa: PLC0415

    assert ticket is not None
    _go(
        command.join,
        command.JoinRequest(
            ticket=ticket,
            deal=deal,
            seat=command.SeatRequest(
                name=name or "bot",
                profile=profile,
                record=record,
                look=PLAIN,
                level=level,
                pace=pace or "human",
            ),
            broker=_broker(context, broker, ca_file, cert, key, password_file, mqtt5=mqtt5),
        ),
    )


def watch(  # each is an option
    context: typer.Context,
    ticket: TicketArgument,
    record: RecordOption = None,
    deal: OwnDealOption = None,
    broker: BrokersOption = [],  # noqa: B006  # typer copies it
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
) -> None:
    """Watch a table: all that is public, and no hand.

    Example: unop2p watch 'unop2p:…@mqtt://…' --record seen.jsonl
    """
    from unop2p.cli import table as command  # noqa: PLC0415

    _go(
        command.watch,
        command.JoinRequest(
            ticket=ticket,
            deal=deal,
            seat=command.SeatRequest(
                name="watcher", profile="", record=record, look=PLAIN, level=None
            ),
            broker=_broker(context, broker, ca_file, cert, key, password_file, mqtt5=mqtt5),
        ),
    )


def resume(
    table: Annotated[
        str | None,
        typer.Argument(
            help="As `tables` shows it; left out: where you were last.",
            autocompletion=offers.tables,
        ),
    ] = None,
) -> None:
    """Go on with a table that waits, by the command with which you sat down at it.

    Example: unop2p resume
    """
    from unop2p.cli import tables as command  # noqa: PLC0415
    from unop2p.cli.main import app  # noqa: PLC0415  # which lists this command

    def go() -> int:
        sys.argv[1:] = command.resumed_words(table)
        app()
        return 0

    leave(go)


def match(  # each is an option
    context: typer.Context,
    bots: Annotated[int, typer.Option("--bots", help="How many.")] = 4,
    rules: RulesOption = "official",
    set_: SetOption = [],  # noqa: B006  # typer copies it
    to: ToOption = None,
    deal: DealOption = "proved",
    resilience: ResilienceOption = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Stop after so many rounds.")
    ] = None,
    level: LevelOption = "greedy",
    pace: PaceOption = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record", help="A folder for every seat's record, or a file for the first seat's."
        ),
    ] = None,
    broker: BrokerOption = None,
    embedded: EngineOption = "auto",
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
    shared_checks: SharedOption = True,
    json_: JSONOption = False,
) -> None:
    """Let bots play a match, each its own peer with its own connection.

    Example: unop2p match --bots 4 --to 500 --record records/ --json
    """
    from unop2p.cli import match as command  # noqa: PLC0415
    from unop2p.cli.common import check_tls_files, read_broker, read_rules, run_async  # noqa: PLC0415
    from unop2p.edge.arguments import load_argument  # noqa: PLC0415

    def go() -> int:
        url = (
            read_broker(
                broker,
                ca_file=ca_file,
                cert=cert,
                key=key,
                password_file=password_file,
                mqtt5=mqtt5,
            )
            if broker is not None
            else None
        )
        check_tls_files([url] if url is not None else [], _given(context))
        plan = command.MatchPlan(
            bots=bots,
            options=read_rules(rules, overrides(set_, to)),
            argument=load_argument(deal),
            resilience=resilience,
            level=level,
            pace=pace or "fast",
            record=record,
            broker=url,
            engine=embedded,
            shared_checks=shared_checks,
            rounds=rounds,
        )
        result = run_async(command.run_match(plan))
        command.show(result, as_json=json_)
        return int(str(result["exit_code"]))

    leave(go)


def identity(profile: ProfileOption = "default") -> None:
    """Show who you are: name of the key, fingerprint, folder.

    Example: unop2p id --profile work
    """
    from unop2p.cli import identity as command  # noqa: PLC0415

    leave(lambda: command.show(profile))


def _broker(  # as the options have it
    context: typer.Context,
    urls: list[str],
    ca_file: Path | None,
    cert: Path | None,
    key: Path | None,
    password_file: Path | None,
    *,
    mqtt5: bool,
) -> "BrokerRequest":
    """Return which broker was asked for, and what it takes to get in."""
    from unop2p.cli.table import BrokerRequest  # noqa: PLC0415

    return BrokerRequest(
        urls=tuple(urls),
        ca_file=ca_file,
        cert=cert,
        key=key,
        password_file=password_file,
        mqtt5=mqtt5,
        given=_given(context),
    )


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(
            help="bash, zsh or fish; left out: the login's.", autocompletion=offers.shells
        ),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Put it where the shell finds it, and say where.")
    ] = False,
) -> None:
    """Let your shell complete commands, options and values: print its script, or install it.

    Example: unop2p completion --install
    """
    from unop2p.cli import completion as command  # noqa: PLC0415

    leave(lambda: command.run(shell, install=install))


def _host_without_hand(context: typer.Context) -> None:
    """Host table after table, and end the program."""
    from unop2p.cli.host_daemon import hosting  # noqa: PLC0415

    leave(lambda: hosting(context.params, _given(context)))


Request = TypeVar("Request")


def _go(command: Callable[[Request], Coroutine[Any, Any, int]], request: Request) -> None:
    """Run a command's coroutine with its request."""
    from unop2p.cli.common import run_async  # noqa: PLC0415

    leave(lambda: run_async(command(request)))
