"""What `unop2p` alone shows: what waits, who one is, what was last, and what one can do next."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from unop2p import __version__
from unop2p.cli.common import read_name
from unop2p.cli.tables import SHOWN_CHARACTERS, when
from unop2p.cli.tongue import words
from unop2p.edge.keystore import known_identity
from unop2p.edge.paths import data_home
from unop2p.edge.results import Result, Results
from unop2p.edge.settings import peek
from unop2p.edge.tables import TableStore
from unop2p.errors import Unop2pError
from unop2p.repl.paint import clean
from unop2p.words import mark

TABLES_SHOWN = 5
NEXT = (
    ("unop2p play", mark("you and three bots, right here")),
    ("unop2p host --seats 3", mark("open a table for friends, and read out the ticket")),
    ("unop2p join 'unop2p:…@mqtt://…'", mark("sit down at it")),
    ("unop2p rules", mark("what can be played: presets and options")),
    ("unop2p config edit", mark("what you always want so: language, name, colors, bell")),
    ("unop2p completion --install", mark("let Tab complete all this")),
    ("unop2p --help", mark("every command; `unop2p play --help`: its options")),
)


def show() -> int:
    """Print what waits, who one is, what was last, and what one can do next."""
    say = words()
    sections = [
        [
            f"unop2p {__version__}. "
            + say.say(
                "UNO for the terminal, peer to peer: no game server, hidden hands, a deal that "
                "everybody can check."
            )
        ]
    ]
    try:
        home = data_home()
        profile = os.environ.get("UNOP2P_PROFILE") or str(peek("profile") or "default")
        sections += [list(_waiting(home)), list(_who(home, profile)), list(_last(home, profile))]
    except Unop2pError as error:  # the rest is of use all the same
        sections.append([error.sentence(say)])
    sections.append(list(_next()))
    print("\n\n".join("\n".join(lines) for lines in sections if lines))  # noqa: T201  # the result
    return 0


def _waiting(home: Path) -> Iterator[str]:
    say, tables = words(), TableStore(home).waiting()
    if not tables:
        return
    yield say.say_n("{n} table waits for you:", "{n} tables wait for you:", len(tables))
    for table in tables[:TABLES_SHOWN]:
        mark_ = table.mark[:SHOWN_CHARACTERS]
        told = say.say(
            "{command}, profile {profile}, last here {when}",
            command=clean(table.words[0]),
            profile=table.profile,
            when=when(table),
        )
        yield f"  unop2p resume {mark_}  {told}"
    if len(tables) > TABLES_SHOWN:
        yield f"  unop2p tables  {say.say('all of them')}"


def _who(home: Path, profile: str) -> Iterator[str]:
    say, identity = words(), known_identity(home, profile)
    if identity is None:
        yield say.say("You have no key yet: your first table makes one.")
        return
    setting = peek("name")
    yield say.say(
        "You are {name}, with the key {fingerprint}.",
        name=read_name(os.environ.get("UNOP2P_NAME") or (str(setting) if setting else None)),
        fingerprint=identity.fingerprint,
    )


def _last(home: Path, profile: str) -> Iterator[str]:
    found, _ = Results(home, profile).read()
    if found:
        yield _match(found[-1])
        yield f"  unop2p stats  {words().say('all of them')}"


def _match(last: Result) -> str:
    ended = datetime.fromtimestamp(last.ended_s, tz=UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    others = [clean(seat.name) for index, seat in enumerate(last.seats) if index != last.own]
    names = ", ".join(others)
    if last.mine.won:
        return words().say_n(
            "Your last match, {when}, with {names}: won, with {n} point.",
            "Your last match, {when}, with {names}: won, with {n} points.",
            last.mine.points,
            when=ended,
            names=names,
        )
    return words().say_n(
        "Your last match, {when}, with {names}: not won, with {n} point.",
        "Your last match, {when}, with {names}: not won, with {n} points.",
        last.mine.points,
        when=ended,
        names=names,
    )


def _next() -> Iterator[str]:
    say = words()
    yield say.say("What you can do:")
    width = max(len(command) for command, _ in NEXT)
    for command, meaning in NEXT:
        yield f"  {command:{width}}  {say.say(meaning)}"
