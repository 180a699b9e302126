"""`unop2p tables --broker URL`: the tables that wait here, and those announced in a lounge."""

import asyncio
import json
from pathlib import Path

from unop2p.cli.common import run_async
from unop2p.cli.table import BrokerRequest
from unop2p.cli.tables import columns, show
from unop2p.cli.tongue import words
from unop2p.edge.lounge import look_once, read_lounge
from unop2p.edge.paths import data_home
from unop2p.edge.tables import TableStore
from unop2p.peer.lounge import OpenTable
from unop2p.repl.paint import clean
from unop2p.rules.options import PRESETS
from unop2p.wire.ticket import Ticket


def show_all(
    broker: BrokerRequest, lounge: str, password_file: Path | None, *, as_json: bool
) -> int:
    """Print what waits on this machine, and what is announced now; return the exit code.

    Raises:
        BrokerError: a broker does not let us.
        LoungeError: the lounge's name.
    """
    urls = broker.read(())
    place = read_lounge(lounge, password_file)

    async def look() -> list[dict[str, object]]:
        found = await asyncio.gather(*(look_once(url, place) for url in urls))
        return [
            described(table, url.public_text())
            for url, tables in zip(urls, found, strict=True)
            for table in tables
        ]

    announced = run_async(look())
    if as_json:
        waiting = [columns(table) for table in TableStore(data_home()).waiting()]
        print(json.dumps({"waiting": waiting, "announced": announced}))  # noqa: T201  # the result
        return 0
    show(as_json=False)
    if not announced:
        print(words().say("No table is announced in this lounge."))  # noqa: T201  # the result
    for table in announced:
        print(  # noqa: T201  # the result
            words().say(
                "{host}: {taken} of {seats} seats taken, rules {rules}",
                host=clean(str(table["host"])),
                taken=table["taken"],
                seats=table["seats"],
                rules=table["rules"],
            )
        )
        print(f"  unop2p join '{table['ticket']}'")  # noqa: T201  # the result
    return 0


def described(table: OpenTable, broker: str) -> dict[str, object]:
    """Return an announced table as it is shown.

    Args:
        table: as it was announced.
        broker: where.
    """
    options = table.offer.options()
    rules = next((name for name, known in PRESETS.items() if known == options), "")
    return {
        "host": table.host,
        "taken": table.taken,
        "seats": table.offer.seats_wanted,
        "rules": rules or words().say("of their own"),
        "bots": table.offer.bots,
        "ticket": Ticket(table.secret, (broker,)).text(),
    }
