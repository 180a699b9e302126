"""`unop2p host --daemon`: table after table for whoever comes, with a bot at the host's own seat."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from unop2p.bots.pace import read_pace
from unop2p.cli.bot_log import BotLog
from unop2p.cli.bot_orders import orders_of
from unop2p.cli.bot_service import Service, keep
from unop2p.cli.common import (
    OWN_BROKER_OPTIONS,
    Given,
    UsageError,
    check_embedded,
    check_seat_count,
    read_name,
    run_async,
    start_embedded,
    tell_unused,
)
from unop2p.cli.options import overrides
from unop2p.edge.bot_config import BotConfig, first_wrong
from unop2p.edge.broker import lan_address
from unop2p.edge.sd_notify import Notifier
from unop2p.words import said

USELESS: Final = (
    *("--lan", "--qr", "--record", "--patience", "--new", "--ready", "--plain", "--bell"),
    *("--title", "--history", "--colors", "--signs", "--hints"),
)
"""What a screen, or a single table, would need."""


def hosting(options: Mapping[str, Any], given: Given) -> int:
    """Host until a signal comes; return the exit code.

    Args:
        options: of `host`, by the names of its parameters.
        given: which of them stand on the command line.

    Raises:
        LocalError: a wrong option.
        EdgeError: broker, folder or keys.
    """
    if not options["daemon"]:
        message = said("`--json` and `--metrics` are for a host without a screen: add `--daemon`.")
        raise UsageError(message)
    if not options["public"]:
        message = said(
            "`--daemon` opens table after table: guests find them in a lounge, so add `--public`."
        )
        raise UsageError(message)
    check_embedded(options["embedded"], options["port"])
    useless = [*USELESS, *(OWN_BROKER_OPTIONS if options["broker"] else ())]
    tell_unused(useless, given)
    config_of(options, ("mqtt://127.0.0.1",))
    return run_async(_host(options))


async def _host(options: Mapping[str, Any]) -> int:
    broker = None
    urls = tuple(options["broker"])
    if not urls:
        address = options["address"] or lan_address() or "127.0.0.1"
        broker = await start_embedded(options["embedded"], address, options["port"], None)
        urls = (broker.url.public_text(),)
    try:
        orders = orders_of(config_of(options, urls), Path("--daemon"))
        log = BotLog(as_json=options["json_"])
        if broker is not None:
            log.tell("broker", f"a broker of our own: {urls[0]}")
        return await keep(Service(None, orders, log, Notifier.from_environment()))
    finally:
        if broker is not None:
            await broker.stop()


def config_of(options: Mapping[str, Any], urls: tuple[str, ...]) -> BotConfig:
    """Return what a file of an unattended bot would say.

    Raises:
        UsageError: a value that none could have.
        PaceError: the pace.
    """
    # In a file 0 seats are none; a daemon without a table would run for nothing.
    check_seat_count(options["seats"])
    read_pace(options["pace"] or "human")

    def text(name: str) -> str:
        return str(options[name]) if options[name] is not None else ""

    try:
        return BotConfig.model_validate(
            {
                "pace": options["pace"] or "human",
                "broker": {
                    "url": list(urls),
                    "mqtt5": options["mqtt5"],
                    **{name: text(name) for name in ("ca_file", "cert", "key", "password_file")},
                },
                "lounge": {
                    "name": options["lounge"],
                    "password_file": text("lounge_password_file"),
                },
                "host": {
                    "seats": options["seats"],
                    "rules": options["rules"],
                    "set": overrides(options["set_"], options["to"]),
                    "deal": options["deal"],
                    "turn_time": float(options["turn_time"]),
                    "resilience": -1 if options["resilience"] is None else options["resilience"],
                    "allow_bots": options["allow_bots"],
                },
                "metrics": {"port": options["metrics"]},
                "seat": [
                    {
                        "profile": options["profile"],
                        "name": read_name(options["name"]),
                        "level": options["bot"] or "greedy",
                    }
                ],
            }
        )
    except ValidationError as error:
        key, what = first_wrong(error)
        where = ".".join(str(part) for part in key)
        message = said("`host --daemon`, {where}: {what}.", where=where, what=what)
        raise UsageError(message) from None
