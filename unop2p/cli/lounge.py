"""`unop2p tables --broker URL`, `--lan`: the tables that wait here, and those announced elsewhere."""

import asyncio
import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from unop2p.cli.common import check_tls_files, run_async
from unop2p.cli.table import BrokerRequest
from unop2p.cli.tables import columns, show
from unop2p.cli.tongue import words
from unop2p.edge.lan import find_here
from unop2p.edge.lounge import look_once, read_lounge
from unop2p.edge.paths import data_home
from unop2p.edge.tables import TableStore
from unop2p.errors import Unop2pError
from unop2p.peer.lounge import OpenTable
from unop2p.repl.paint import clean
from unop2p.rules.options import PRESETS, preset_of
from unop2p.wire.lan import LanTable
from unop2p.wire.ticket import Ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class LookRequest:
    """Where to look for tables."""

    broker: BrokerRequest
    """Of none: on no broker."""
    lan: bool
    """Whether to ask the local network."""
    address: str | None
    """Of this machine there; None: all that it has."""
    lounge: str
    password_file: Path | None


def show_all(request: LookRequest, *, as_json: bool) -> int:
    """Print what waits on this machine, and what is announced now; return the exit code.

    Raises:
        BrokerError: a broker does not let us.
        BrokerOptionsError: certificates are given, and no broker speaks TLS.
        LanError: the local network cannot be used.
        LoungeError: the lounge's name.
    """
    urls = request.broker.read(())
    if urls:
        check_tls_files(urls, request.broker.given)
    place = read_lounge(request.lounge, request.password_file)

    async def look() -> tuple[list[dict[str, object]], list[dict[str, object]]]:
        async with asyncio.TaskGroup() as group:
            near = group.create_task(find_here(place, request.address)) if request.lan else None
            asked = [group.create_task(look_once(url, place)) for url in urls]
        places: dict[bytes, tuple[OpenTable, list[str]]] = {}
        for url, task in zip(urls, asked, strict=True):
            for table in task.result():
                places.setdefault(table.secret, (table, []))[1].append(url.public_text())
        found = [described(table, *brokers) for table, brokers in places.values()]
        return found, [described_entry(table) for table in near.result()] if near else []

    try:
        announced, nearby = run_async(look())
    except* Unop2pError as errors:
        raise errors.exceptions[0] from None
    if as_json:
        waiting = [columns(table) for table in TableStore(data_home()).waiting()]
        found = {"announced": announced} | ({"lan": nearby} if request.lan else {})
        print(json.dumps({"waiting": waiting, **found}))  # noqa: T201  # the result
        return 0
    show(as_json=False)
    if urls:
        _list(announced, words().say("No table is announced in this lounge."))
    if request.lan:
        if nearby:
            print(words().say("On this network, as anybody there may say it:"))  # noqa: T201  # the result
        _list(nearby, words().say("No table is announced on this network."))
    return 0


def _list(tables: list[dict[str, object]], none: str) -> None:
    if not tables:
        print(none)  # noqa: T201  # the result
    for table in tables:
        print(  # noqa: T201  # the result
            words().say(
                "{host}: {taken} of {seats} seats taken, rules {rules}",
                host=clean(str(table["host"])),
                taken=table["taken"],
                seats=table["seats"],
                rules=table["rules"],
            )
        )
        print(f"  unop2p join {shlex.quote(clean(str(table['ticket'])))}")  # noqa: T201  # the result


def described_entry(table: LanTable) -> dict[str, object]:
    """Return a table of the local network as it is shown."""
    return {
        "host": table.host,
        "taken": table.taken,
        "seats": table.seats,
        "rules": table.rules if table.rules in PRESETS else words().say("of their own"),
        "bots": table.bots,
        "ticket": table.ticket,
    }


def described(table: OpenTable, *brokers: str) -> dict[str, object]:
    """Return an announced table as it is shown.

    Args:
        table: as it was announced.
        brokers: where.
    """
    options = table.offer.options()
    return {
        "host": table.host,
        "taken": table.taken,
        "seats": table.offer.seats_wanted,
        "rules": preset_of(options) or words().say("of their own"),
        "bots": table.offer.bots,
        "ticket": Ticket(table.secret, brokers).text(),
    }
