"""What several commands share: reading options, setting up seats, words at the end."""

import asyncio
import gc
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeVar

from unop2p import PROTOCOL_VERSION
from unop2p.cli.exits import complain
from unop2p.cli.tongue import words
from unop2p.edge.broker import EmbeddedBroker, Engine, embedded_broker
from unop2p.edge.broker_url import BrokerURL, MQTTVersion, parse_broker_url
from unop2p.edge.errors import EXIT_USAGE, BrokerOptionsError
from unop2p.edge.leftover import end_leftover, owner_runs
from unop2p.edge.paths import is_there
from unop2p.errors import EdgeError, LocalError, MalformedError
from unop2p.ids import SEATS_MAX, SEATS_MIN
from unop2p.repl.paint import clean
from unop2p.rules.options import (
    PRESETS,
    Options,
    check_seats,
    options_to_dict,
    preset,
    with_overrides,
)
from unop2p.rules.rule_file import RuleFileError, parse_rule_file
from unop2p.table.genesis import (
    NAME_CHARACTERS_MAX,
    TABLE_ID_BYTES,
    Offer,
    Timers,
    check_name,
    check_resilience,
    default_resilience,
)
from unop2p.words import said

Result = TypeVar("Result")
Given = frozenset[str]
"""The options that stand on the command line, as `--seats`; no settings and no environment."""

TEXT_CHARACTERS_MAX = 1_000_000
"""Rule files and files of examples are far shorter."""
SIGNAL_EXIT_CODES = 128
"""A program that was ended by a signal has this, and the signal's number, as its exit code."""
PORT_MAX = 65_535
LEFTOVER_NOTE = "broker_folder"
TERMS_NOTE = "terms"
TLS_OPTIONS = ("--ca-file", "--cert", "--key")
OWN_BROKER_OPTIONS = ("--embedded", "--address", "--port")
RESUME_PATIENCE_S = 5.0
"""How long a table that goes on waits for its own port: its broker ends soon after its program."""

ALLOWED_BOTS: Final[dict[str, Literal["any", "one-each", "none"]]] = {
    "any": "any",
    "one-each": "one-each",
    "none": "none",
}
"""Which bots may sit at a table: any, one of each owner, none."""

BOT_NAMES = ("ada", "ben", "cleo", "dan", "eva", "fay", "gus", "hal", "ivy", "jon")
"""What our bots are called; each has a profile, so a lasting key, of its own."""


class UsageError(LocalError):
    """That cannot be asked for."""

    exit_code = EXIT_USAGE


def read_rules(name: str, overrides: list[str]) -> Options:
    """Return the rules of `--rules NAME_OR_FILE --set option=value`.

    A preset's name is that preset; anything else is a rule file. Overrides go on top of either.

    Raises:
        InvalidOptionsError: an unknown preset, option or value, or a wrong rule file.
        UsageError: an override without '=', or a file that cannot be read.
    """
    changes: dict[str, object] = {}
    for item in overrides:
        option, equals, value = item.partition("=")
        if not equals:
            message = said("`--set {item}`: write it as option=value.", item=item)
            raise UsageError(message)
        changes[option.strip()] = value.strip()
    return with_overrides(_base_rules(name), changes)


def _base_rules(name: str) -> Options:
    path = Path(name)
    if name in PRESETS or not (path.suffix or is_there(path)):
        return preset(name)
    try:
        return parse_rule_file(read_text(path))
    except RuleFileError as error:
        message = said("In {path}: {error}", path=path, error=error)
        raise RuleFileError(message) from error


def read_text(path: Path) -> str:
    """Return a text file's content.

    Raises:
        UsageError: it cannot be read, is too long, or is no text.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:  # some editors put a mark before the text
            text = file.read(TEXT_CHARACTERS_MAX + 1)  # a device may never end
    except OSError as error:
        message = said(
            "{path} cannot be read: {strerror}.", path=path, strerror=error.strerror or error
        )
        raise UsageError(message) from error
    except UnicodeDecodeError as error:
        message = said("{path} is not a text file in UTF-8.", path=path)
        raise UsageError(message) from error
    if len(text) > TEXT_CHARACTERS_MAX:
        message = said(
            "{path} is too long: at most {text_characters_max} characters are read.",
            path=path,
            text_characters_max=TEXT_CHARACTERS_MAX,
        )
        raise UsageError(message)
    return text


def check_writable(option: str, path: Path) -> None:
    """See that a file can be written, before the work of many minutes is done for it.

    Args:
        option: which names the file, as `--html`.
        path: the file; it is there afterwards, with what it held or empty.

    Raises:
        UsageError: it cannot.
    """
    try:
        path.open("a").close()
    except OSError as error:
        raise _unwritable(option, path, error) from error


def write_text(option: str, path: Path, text: str) -> None:
    """Write a file that an option names.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _unwritable(option, path, error) from error


def _unwritable(option: str, path: Path, error: OSError) -> UsageError:
    return UsageError(
        said(
            "`{option} {path}` cannot be written: {strerror}.",
            option=option,
            path=path,
            strerror=error.strerror or error,
        )
    )


def check_seat_count(seats: int) -> None:
    """Check a number of seats that stands on the command line.

    Raises:
        UsageError: UNO is not played with so many.
    """
    if not SEATS_MIN <= seats <= SEATS_MAX:
        message = said(
            "UNO is for {seats_min} to {seats_max} seats, not {seats}.",
            seats_min=SEATS_MIN,
            seats_max=SEATS_MAX,
            seats=seats,
        )
        raise UsageError(message)


def make_offer(
    options: Options,
    seats: int,
    *,
    argument: str = "proved",
    turn_s: float = 60.0,
    reaction_s: float = 2.0,
    patience_s: float = 20.0,
    resilience: int | None = None,
    bots: str = "any",
    hints: bool = True,
) -> Offer:
    """Return the terms of a new table.

    Args:
        options: the rules.
        seats: how many.
        argument: the name of the shuffle argument, as `load_argument` returns it.
        turn_s: seconds for a turn.
        reaction_s: seconds of the reaction window.
        patience_s: seconds that a silent seat is waited for beyond its time.
        resilience: for how many absent seats the others can stand in; None: as is usual.
        bots: which bots may sit there: any, one-each or none.
        hints: whether persons may be told what a bot would play.

    Raises:
        UsageError: a number of seats that UNO is not played with, or odd timers.
        InvalidOptionsError: the rules are for another number of seats, or the resilience is.
    """
    check_seat_count(seats)
    if bots not in ALLOWED_BOTS:
        message = said(
            "`--allow-bots {bots}`: it is one of {names}.",
            bots=bots[:40],
            names=", ".join(ALLOWED_BOTS),
        )
        raise UsageError(message)
    if not 1 <= turn_s <= 86_400 or not 0 <= reaction_s <= 60:  # Timers' bounds
        message = said("A turn takes 1 to 86400 s, a reaction window 0 to 60 s.")
        raise UsageError(message)
    if not 1 <= patience_s <= 3_600:
        message = said("A seat that is silent is waited for 1 to 3600 s.")
        raise UsageError(message)
    check_seats(options, seats)
    if resilience is None:
        resilience = default_resilience(seats, argument)
    check_resilience(resilience, seats, argument)
    return Offer(
        table=secrets.token_bytes(TABLE_ID_BYTES),
        version=PROTOCOL_VERSION,
        rules=options_to_dict(options),
        timers=Timers(
            turn_ms=round(turn_s * 1000),
            reaction_ms=round(reaction_s * 1000),
            patience_ms=round(patience_s * 1000),
        ),
        seats_wanted=seats,
        argument=argument,
        resilience=resilience,
        bots=ALLOWED_BOTS[bots],
        hints=hints,
    )


def read_name(given: str | None) -> str:
    """Return the player's name: as given, else the login's, as far as it can be a name.

    Raises:
        UsageError: a given name with spaces or odd characters.
    """
    wanted = given or os.environ.get("UNOP2P_NAME")
    if not wanted:
        return _login_name()
    # In a locale without UTF-8 letters arrive as the bytes that they are made of.
    name = os.fsencode(wanted).decode("utf-8", errors="replace")
    try:
        check_name(name)
    except MalformedError as error:
        message = said(
            "'{name}': a name is 1 to 24 printable characters, without spaces.",
            name=clean(name[:40]),
        )
        raise UsageError(message) from error
    return name


def _login_name() -> str:
    """Return what the login is called, without what a name cannot have; nobody has asked for it."""
    login = os.environ.get("USER") or os.environ.get("USERNAME") or ""
    letters = (char for char in login if char.isprintable() and not char.isspace())
    name = "".join(letters)[:NAME_CHARACTERS_MAX]
    try:
        check_name(name)
    except MalformedError:
        return "you"
    return name


def read_broker(
    url: str,
    *,
    ca_file: Path | None = None,
    cert: Path | None = None,
    key: Path | None = None,
    password_file: Path | None = None,
    mqtt5: bool = False,
) -> BrokerURL:
    """Return a broker's address with what it takes to get in.

    Raises:
        BrokerURLError: it cannot be right.
    """
    return parse_broker_url(
        url,
        ca_file=ca_file,
        certificate_file=cert,
        key_file=key,
        password_file=password_file,
        version=MQTTVersion.V5 if mqtt5 else MQTTVersion.V311,
    )


def check_tls_files(urls: Iterable[BrokerURL], given: Given) -> None:
    """Refuse certificates that were asked for where no connection can use them.

    Those of the settings file or the environment are for whatever broker uses them.

    Args:
        urls: the brokers that are used; none for one of our own.
        given: the options that stand on the command line.

    Raises:
        BrokerOptionsError: no broker speaks TLS.
    """
    useless = [option for option in TLS_OPTIONS if option in given]
    if useless and not any(url.tls for url in urls):
        message = said(
            "Only mqtts:// and wss:// use {options}: leave that out, or write such an address.",
            options=_quoted(useless),
        )
        raise BrokerOptionsError(message)


def tell_unused(options: Iterable[str], given: Given) -> None:
    """Say which options of the command line have no effect, where there are some."""
    useless = [option for option in dict.fromkeys(options) if option in given]
    if useless:
        say(said("These options have no effect here: {options}.", options=_quoted(useless)))


def changed(asked: Mapping[str, object], note: Mapping[str, object]) -> list[str]:
    """Return the options that say something else than when the table was opened.

    Args:
        asked: the terms of a table by option.
        note: of the table; without `TERMS_NOTE` nobody knows what was asked for, and all are told.
    """
    before = note.get(TERMS_NOTE)
    known = before if isinstance(before, dict) else {}
    return [option for option, value in asked.items() if known.get(option) != str(value)]


def terms_note(asked: Mapping[str, object], note: Mapping[str, object] | None) -> dict[str, object]:
    """Return what to note of the terms, so that going on can tell what is asked for in vain."""
    if note is not None:
        return {TERMS_NOTE: note[TERMS_NOTE]} if TERMS_NOTE in note else {}
    return {TERMS_NOTE: {option: str(value) for option, value in asked.items()}}


def _quoted(options: Iterable[str]) -> str:
    return ", ".join(f"`{option}`" for option in options)


def check_embedded(engine: str, port: int = 0) -> None:
    """Check what was asked of a broker of our own, before anything is done.

    Raises:
        UsageError: there is no such engine or port anywhere.
    """
    engines = ("auto", *Engine)
    if engine not in engines:
        message = said(
            "`--embedded {engine}`: it is one of {names}.",
            engine=engine[:40],
            names=", ".join(engines),
        )
        raise UsageError(message)
    if not 0 <= port <= PORT_MAX:
        message = said(
            "`--port {port}`: a port is 1 to {port_max}, or 0 for any free one.",
            port=port,
            port_max=PORT_MAX,
        )
        raise UsageError(message)


async def start_embedded(
    engine: str, address: str, port: int, note: Mapping[str, object] | None
) -> EmbeddedBroker:
    """Start a broker of our own; where a killed program's one still holds the port, end that first.

    Args:
        engine: `auto`, `mosquitto`, `iotcore` or `amqtt`.
        address: what to listen on.
        port: 0 for any free one.
        note: of the unfinished table that goes on, or None for a new one.

    Raises:
        BrokerStartError: it does not start.
    """
    patience_s = RESUME_PATIENCE_S if note is not None else 0.0
    folder = note.get(LEFTOVER_NOTE) if note is not None else None
    if isinstance(folder, str):
        if owner_runs(Path(folder)):
            patience_s = 0.0  # the table goes on in another program: nothing to wait for
        else:
            await asyncio.to_thread(end_leftover, Path(folder))
    broker = embedded_broker(engine, address, port, patience_s=patience_s)
    await broker.start()
    return broker


def leftover_note(broker: EmbeddedBroker | None) -> dict[str, object]:
    """Return what to note of a broker of ours, so that the next start finds it if we are killed."""
    if broker is None or broker.folder is None:
        return {}
    return {LEFTOVER_NOTE: str(broker.folder)}


class EndedError(EdgeError):
    """Ended from outside."""

    @classmethod
    def by(cls, number: int) -> Self:
        """Return the error for a signal; the exit code is a shell's for it."""
        error = cls(f"({signal.Signals(number).name})")
        error.exit_code = SIGNAL_EXIT_CODES + number
        return error


def program() -> str:
    """Return how this program is called by who has called it.

    Its name where that is enough; in a clone its path, as it was given.
    """
    given = sys.argv[0]
    known = shutil.which("unop2p")
    if Path(given).stem != "unop2p" or (known and Path(known).samefile(given)):
        return "unop2p"
    return given


def run_async(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a command's coroutine; SIGTERM and SIGHUP end it as Ctrl-C does, in good order.

    On Windows the selector loop is needed: the MQTT library uses `add_reader`.

    Raises:
        EndedError: by a signal.
    """
    # All that was imported stays: looking through it for cycles takes 50 ms, and finds none.
    gc.freeze()
    factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(_until_signal(main))


async def _until_signal(main: Coroutine[Any, Any, Result]) -> Result:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    heard: list[int] = []

    def on_signal(number: int) -> None:
        heard.append(number)
        if len(heard) == 1:  # a second one must not end the ending
            task.cancel()

    for name in ("SIGTERM", "SIGHUP") if sys.platform != "win32" else ():
        number = getattr(signal, name, None)
        # Where it is ignored, as under `nohup`, it stays so.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            loop.add_signal_handler(number, on_signal, number)
    try:
        return await main
    except asyncio.CancelledError:
        if heard:
            raise EndedError.by(heard[0]) from None
        raise


def say(text: str) -> None:
    """Print a line for a person in the own language, on standard error: results go to the other."""
    complain(words().tell(text) + "\n")
