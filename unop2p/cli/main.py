"""The command line: one line to a command. Only this room wires things together.

Commands import what they need when they run, so that `--help` stays quick.
"""

import gc
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from unop2p import __version__
from unop2p.cli import past
from unop2p.cli.arena import arena, train
from unop2p.cli.config import config_app, use_settings
from unop2p.cli.exits import complain, leave, run_program
from unop2p.cli.lab import lab_app
from unop2p.cli.look import PLAIN, Colors, Look, Signs
from unop2p.cli.options import (
    BellOption,
    BotNameOption,
    BotProfileOption,
    BotsOption,
    BrokerOption,
    BrokersOption,
    CAOption,
    CertOption,
    ColorsOption,
    DealOption,
    EngineOption,
    FastOption,
    HistoryOption,
    HostBrokersOption,
    KeyOption,
    LevelOption,
    MQTT5Option,
    NameOption,
    NewOption,
    OwnDealOption,
    PasswordOption,
    PlainOption,
    ProfileOption,
    ReadyOption,
    RecordOption,
    RulesOption,
    SeatsOption,
    SetOption,
    SharedOption,
    SignsOption,
    TicketArgument,
    TitleOption,
    ToOption,
    TurnOption,
)
from unop2p.cli.rules import rules_app
from unop2p.cli.tongue import setting_of_language, speak, take_language
from unop2p.edge.languages import LanguageError

app = typer.Typer(
    name="unop2p",
    help=(
        "UNO for the terminal, peer to peer: no game server, hidden hands, a deal that everybody "
        "can check.\n\n"
        "Examples:\n\n"
        "  unop2p play                      you and three bots, right here\n\n"
        "  unop2p host --seats 3            open a table for friends, and read out the ticket\n\n"
        "  unop2p join 'unop2p:…@mqtt://…'  sit down at it"
    ),
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(lab_app, name="lab")
app.add_typer(rules_app, name="rules")
app.add_typer(config_app, name="config")
app.command()(arena)
app.command()(train)


def _show_version(value: bool) -> None:  # noqa: FBT001  # typer's callback
    if value:
        typer.echo(f"unop2p {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    _version: Annotated[  # typer's callback acts on it
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and go."
        ),
    ] = False,
    _lang: Annotated[  # `run` takes it wherever it stands, and nothing is left of it here
        str | None,
        typer.Option(
            "--lang",
            help="en, el, he, uk, ro or pl, after any command too; left out: as the locale says.",
        ),
    ] = None,
) -> None:
    """UNO for the terminal, peer to peer."""
    use_settings(context)


@app.command()
def play(  # each is an option
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
    shared_checks: SharedOption = True,
    new: NewOption = False,
    plain: PlainOption = False,
    bell: BellOption = True,
    title: TitleOption = True,
    history: HistoryOption = True,
    colors: ColorsOption = Colors.AUTO,
    signs: SignsOption = Signs.AUTO,
    fast: FastOption = False,
) -> None:
    """Play against bots, each a peer of its own.

    Example: unop2p play --bots 2 --to 200 --record my-match.jsonl
    """
    from unop2p.cli.drawn import DrawnSecret  # noqa: PLC0415

    drawn = DrawnSecret()  # it takes as long as a part of what is loaded now
    from unop2p.cli import play as command  # noqa: PLC0415

    _go(
        command.play,
        command.PlayRequest(
            bots=bots,
            name=name,
            profile=profile,
            rules=rules,
            overrides=_overrides(set_, to),
            deal=deal,
            level=level,
            record=record,
            broker=broker,
            engine=embedded,
            turn_s=turn_time,
            shared_checks=shared_checks,
            new=new,
            look=Look(
                plain=plain, bell=bell, title=title, history=history, colors=colors, signs=signs
            ),
            fast=fast,
            drawn=drawn,
        ),
    )


@app.command()
def host(  # each is an option
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
    port: Annotated[int, typer.Option("--port", help="Of our own broker; 0: any free.")] = 0,
    address: Annotated[
        str | None,
        typer.Option("--address", help="What our own broker listens on; left out: the LAN's."),
    ] = None,
    turn_time: TurnOption = 60.0,
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
    bot: Annotated[
        str | None, typer.Option("--bot", help="Let a bot of this level play your seat.")
    ] = None,
) -> None:
    """Open a table for others, and show the ticket to it.

    Example: unop2p host --seats 4 --broker mqtts://broker.example.org
    """
    from unop2p.cli import table as command  # noqa: PLC0415

    _go(
        command.host,
        command.HostRequest(
            seats=seats,
            rules=rules,
            overrides=_overrides(set_, to),
            deal=deal,
            engine=embedded,
            port=port,
            address=address,
            turn_s=turn_time,
            new=new,
            seat=command.SeatRequest(
                name=name,
                profile=profile,
                record=record,
                look=Look(
                    plain=plain, bell=bell, title=title, history=history, colors=colors, signs=signs
                ),
                level=bot,
                ready=ready,
            ),
            broker=command.BrokerRequest(
                urls=tuple(broker),
                ca_file=ca_file,
                cert=cert,
                key=key,
                password_file=password_file,
                mqtt5=mqtt5,
            ),
        ),
    )


@app.command()
def join(  # each is an option
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
            broker=command.BrokerRequest(
                urls=tuple(broker),
                ca_file=ca_file,
                cert=cert,
                key=key,
                password_file=password_file,
                mqtt5=mqtt5,
            ),
        ),
    )


@app.command()
def bot(  # each is an option
    ticket: TicketArgument,
    name: BotNameOption = None,
    profile: BotProfileOption = "bot",
    level: LevelOption = "greedy",
    record: RecordOption = None,
    deal: OwnDealOption = None,
    broker: BrokersOption = [],  # noqa: B006  # typer copies it
    ca_file: CAOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    password_file: PasswordOption = None,
    mqtt5: MQTT5Option = False,
) -> None:
    """Let a bot sit down at a table.

    Example: unop2p bot 'unop2p:…@mqtt://…' --level greedy --name marvin
    """
    from unop2p.cli import table as command  # noqa: PLC0415

    _go(
        command.join,
        command.JoinRequest(
            ticket=ticket,
            deal=deal,
            seat=command.SeatRequest(
                name=name or "bot", profile=profile, record=record, look=PLAIN, level=level
            ),
            broker=command.BrokerRequest(
                urls=tuple(broker),
                ca_file=ca_file,
                cert=cert,
                key=key,
                password_file=password_file,
                mqtt5=mqtt5,
            ),
        ),
    )


@app.command()
def watch(  # each is an option
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
            broker=command.BrokerRequest(
                urls=tuple(broker),
                ca_file=ca_file,
                cert=cert,
                key=key,
                password_file=password_file,
                mqtt5=mqtt5,
            ),
        ),
    )


@app.command()
def tables(
    json_: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """List the tables that wait for you on this machine.

    Example: unop2p tables
    """
    from unop2p.cli import tables as command  # noqa: PLC0415

    leave(lambda: command.show(as_json=json_))


@app.command()
def resume(
    table: Annotated[
        str | None, typer.Argument(help="As `tables` shows it; left out: where you were last.")
    ] = None,
) -> None:
    """Go on with a table that waits, by the command with which you sat down.

    Example: unop2p resume
    """
    from unop2p.cli import tables as command  # noqa: PLC0415

    def go() -> int:
        sys.argv[1:] = command.resumed_words(table)
        app()
        return 0

    leave(go)


@app.command()
def match(  # each is an option
    bots: Annotated[int, typer.Option("--bots", help="How many.")] = 4,
    rules: RulesOption = "official",
    set_: SetOption = [],  # noqa: B006  # typer copies it
    to: ToOption = None,
    deal: DealOption = "proved",
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Stop after so many rounds.")
    ] = None,
    level: LevelOption = "greedy",
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
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let bots play a match, each its own peer with its own connection.

    Example: unop2p match --bots 4 --to 500 --record records/ --json
    """
    from unop2p.cli import match as command  # noqa: PLC0415
    from unop2p.cli.common import read_broker, read_rules, run_async  # noqa: PLC0415
    from unop2p.edge.arguments import load_argument  # noqa: PLC0415

    def go() -> int:
        plan = command.MatchPlan(
            bots=bots,
            options=read_rules(rules, _overrides(set_, to)),
            argument=load_argument(deal),
            level=level,
            record=record,
            broker=read_broker(
                broker,
                ca_file=ca_file,
                cert=cert,
                key=key,
                password_file=password_file,
                mqtt5=mqtt5,
            )
            if broker is not None
            else None,
            engine=embedded,
            shared_checks=shared_checks,
            rounds=rounds,
        )
        result = run_async(command.run_match(plan))
        command.show(result, as_json=json_)
        return int(str(result["exit_code"]))

    leave(go)


past.add_to(app)


@app.command()
def broker(
    address: Annotated[str, typer.Option("--address", help="What to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="0: any free one.")] = 1883,
    embedded: EngineOption = "auto",
) -> None:
    """Run a broker, until Ctrl-C.

    Example: unop2p broker --address 0.0.0.0
    """
    from unop2p.cli import identity as command  # noqa: PLC0415

    leave(lambda: command.run_broker(address, port, embedded))


@app.command("id")
def identity(profile: ProfileOption = "default") -> None:
    """Show who you are: name of the key, fingerprint, folder.

    Example: unop2p id --profile work
    """
    from unop2p.cli import identity as command  # noqa: PLC0415

    leave(lambda: command.show(profile))


def _overrides(changes: list[str], to: int | None) -> list[str]:
    return [*changes, f"target={to}"] if to is not None else list(changes)


Request = TypeVar("Request")


def _go(command: Callable[[Request], Coroutine[Any, Any, int]], request: Request) -> None:
    """Run a command's coroutine with its request."""
    from unop2p.cli.common import run_async  # noqa: PLC0415

    leave(lambda: run_async(command(request)))


def run() -> None:
    """Run the program, in the language of whoever started it."""
    gc.disable()  # until all is imported: nothing of that is garbage (`leave` enables it)
    asked, rest = take_language(sys.argv[1:])
    sys.argv[1:] = rest

    def program() -> None:
        try:
            speak(asked, None if asked else setting_of_language(os.environ))
        except LanguageError as error:
            complain(f"unop2p: {error.sentence()}\n")
            sys.exit(error.exit_code)
        app()

    run_program(program)
