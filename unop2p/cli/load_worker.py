"""One process of `unop2p load`: told what to do on standard input, in lines of JSON; it answers likewise.

    {"do": "open", ...}     open tables; `began` is told again and again
    {"do": "begin"}         count from now on
    {"do": "end"}           `counted` is told
    {"do": "close"}, or the end of input: end

Addresses come in that way, and not as arguments, for they may hold a password.
"""

import asyncio
import contextlib
import json
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from unop2p.bots.pace import read_pace
from unop2p.cli.common import make_offer, read_broker, read_rules, run_async
from unop2p.cli.seats import seated_bot
from unop2p.edge.arguments import load_argument
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.load_tables import LoadPlan, LoadTables
from unop2p.errors import Unop2pError

TELL_S: Final = 0.5
LINE_BYTES_MAX: Final = 1 << 20


def plan_of(wanted: dict[str, Any]) -> LoadPlan:
    """Return what is to be played.

    Raises:
        Unop2pError: an option or address that is wrong.
    """

    def broker(url: str) -> BrokerURL:
        file = {name: Path(wanted[name]) for name in ("ca_file", "password_file") if wanted[name]}
        return read_broker(url, mqtt5=wanted["mqtt5"], **file)

    options = read_rules(wanted["rules"], wanted["set"])
    argument = load_argument(wanted["deal"])
    return LoadPlan(
        tables=wanted["tables"],
        urls=tuple(tuple(map(broker, urls)) for urls in wanted["urls"]),
        offer=lambda: make_offer(
            options, wanted["seats"], argument=argument, resilience=wanted["resilience"]
        ),
        bot=lambda: seated_bot(wanted["level"]),
        pace=read_pace(wanted["pace"]),
        shared=wanted["shared"],
        journals=Path(wanted["journals"]) if wanted["journals"] else None,
    )


def tell(**what: object) -> None:
    """Answer in one line."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def work() -> int:
    """Do as told, until there is nothing more to be told."""
    reader = asyncio.StreamReader(limit=LINE_BYTES_MAX)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    tables: LoadTables | None = None
    telling: list[asyncio.Task[None]] = []
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="unop2p-crypto") as executor:
        try:
            while line := await reader.readline():
                order = json.loads(line)
                match order["do"]:
                    case "open":
                        tables = LoadTables(plan_of(order), executor)
                        telling.append(asyncio.create_task(tables.open(order["every_s"])))
                        telling.append(asyncio.create_task(_tell_how_many(tables)))
                    case "begin" if tables is not None:
                        tables.begin_count()
                    case "end" if tables is not None:
                        tell(event="counted", **await tables.end_count())
                    case _:
                        break
        finally:
            for task in telling:
                task.cancel()
            await asyncio.gather(*telling, return_exceptions=True)
            if tables is not None:
                await tables.close()
    return 0


async def _tell_how_many(tables: LoadTables) -> None:
    while True:
        await asyncio.sleep(TELL_S)
        tell(event="began", tables=tables.began, failure=tables.failure())


def main() -> int:
    """Run, and leave Ctrl-C to the process that has started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        try:
            return run_async(work())
        except Unop2pError as error:
            tell(event="failed", text=error.sentence(), code=error.exit_code)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is told where a person reads
            tell(event="failed", text=repr(error), code=1)
    return 1


if __name__ == "__main__":
    sys.exit(main())
