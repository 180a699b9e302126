"""`unop2p tables` and `unop2p resume`: what waits on this machine, and going on with it."""

import json
import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from unop2p.cli.common import Given, UsageError, tell_unused
from unop2p.cli.tongue import words
from unop2p.edge.paths import data_home
from unop2p.edge.tables import TableStore, WaitingTable
from unop2p.wire.ticket import Ticket
from unop2p.words import mark, said, said_n

TITLES = (mark("table"), mark("command"), mark("profile"), mark("last here"))
"""Of the columns, as `columns` has them."""
OF_A_LOUNGE = ("--lounge", "--lounge-password-file")
OF_A_BROKER = ("--ca-file", "--cert", "--key", "--password-file", "--mqtt5", "--no-mqtt5")
SHOWN_CHARACTERS = 8
"""Of a table's mark: enough to tell one's own tables apart."""
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/]*@")


def remember(store: TableStore, ticket: Ticket, profile: str) -> None:
    """Note the command of this program as the one that comes back to a table.

    A password in a broker's address is left out: it is for `--password-file` or the environment.

    Raises:
        FolderError: it cannot be written.
    """
    words = [_PASSWORD.sub(r"\1@", word) for word in sys.argv[1:] if word != "--new"]
    store.remember(ticket, profile, words, str(Path.cwd()))


def tell_useless(given: Given, *, lan: bool) -> None:
    """Say which options mean something with a broker only, where none is asked."""
    tell_unused(OF_A_BROKER if lan else (*OF_A_LOUNGE, *OF_A_BROKER), given)


def show(*, as_json: bool) -> int:
    """Print the tables that wait on this machine, where one was last first.

    Raises:
        EdgeError: the data folder cannot be used.
    """
    rows = [columns(table) for table in TableStore(data_home()).waiting()]
    if as_json:
        print(json.dumps(rows))  # noqa: T201  # the command's result
        return 0
    if not rows:
        print(words().say("No table waits on this machine."))  # noqa: T201
        return 0
    from rich import box  # noqa: PLC0415  # only what draws a table waits for it
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table as Grid  # noqa: PLC0415

    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in rows[0]:
        grid.add_column(words().say(title), overflow="fold")
    for row in rows:
        grid.add_row(*row.values())
    console = Console(highlight=False, markup=False)
    console.print(grid)
    console.print(
        words().say("`unop2p resume TABLE` goes on with one; without a name, with the first.")
    )
    return 0


def columns(table: WaitingTable) -> dict[str, str]:
    """Return a table as it is shown, by column."""
    return {
        "table": table.mark[:SHOWN_CHARACTERS],
        "command": table.words[0],
        "profile": table.profile,
        "last here": when(table),
    }


def when(table: WaitingTable) -> str:
    """Return when one was last at a table, by the clock of this machine."""
    return datetime.fromtimestamp(table.last_s, tz=UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def resumed_words(wanted: str | None) -> list[str]:
    """Return the command line that goes on with a table, and go to the folder where it was given.

    Args:
        wanted: the beginning of a table's mark; None for where one was last.

    Raises:
        UsageError: no table waits, none of that mark, or more than one; or its folder is gone.
        EdgeError: the data folder cannot be used.
    """
    table = choose(TableStore(data_home()).waiting(), wanted)
    try:
        os.chdir(table.folder)
    except OSError as error:
        message = said(
            "The folder in which you sat down cannot be used: {folder}.", folder=table.folder
        )
        raise UsageError(message) from error
    return list(table.words)


def choose(tables: list[WaitingTable], wanted: str | None) -> WaitingTable:
    """Return the table that is meant.

    Raises:
        UsageError: there is none, or more than one.
    """
    if not tables:
        message = said(
            "No table waits on this machine: `unop2p play`, `host` or `join` begins one."
        )
        raise UsageError(message)
    if wanted is None:
        return tables[0]
    found = [table for table in tables if table.mark.startswith(wanted.lower())]
    if len(found) == 1:
        return found[0]
    if found:
        message = said_n(
            "{n} seat here is at a table whose mark begins with '{mark}': see `unop2p tables`.",
            "{n} seats here are at a table whose mark begins with '{mark}': see `unop2p tables`.",
            len(found),
            mark=wanted[:40],
        )
    else:
        message = said(
            "No seat here is at a table whose mark begins with '{mark}': see `unop2p tables`.",
            mark=wanted[:40],
        )
    raise UsageError(message)
