"""The file of a bot that runs by itself: what can stand in it, and what is wrong in it."""

import re
import tomllib
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from unop2p.edge.errors import EXIT_USAGE
from unop2p.errors import EdgeError
from unop2p.table.talk import CHAT_CHARACTERS_MAX
from unop2p.words import said

FILE_BYTES_MAX: Final = 256 * 1024
SEATS_MAX: Final = 32
"""Identities in one process; a table takes a connection and some megabytes for each."""
TICKETS_MAX: Final = 100
_QUIET = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
_FINGERPRINT = r"[0-9a-f]{4}( ?[0-9a-f]{4}){4}"

Line = Annotated[str, StringConstraints(max_length=CHAT_CHARACTERS_MAX, pattern=r"^[^\r\n]*$")]
Fingerprint = Annotated[str, StringConstraints(pattern=f"^{_FINGERPRINT}$")]
Words = Annotated[list[str], Field(max_length=200)]


class BotConfigError(EdgeError):
    """The file of the bot is wrong: `unop2p bot --print-config` shows a whole one."""

    exit_code = EXIT_USAGE


class Part(BaseModel):
    """A part of the file: unknown keys and values of another kind are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SeatPart(Part):
    """[[seat]]: one identity; write more of these for more seats in one process."""

    profile: str = Field(
        default="bot", pattern=r"^[a-z0-9_-]{1,32}$", description="Which of your keys."
    )
    name: str = Field(default="bot", pattern=r"^\S{1,24}$", description="How tables call it.")
    level: str = Field(
        default="greedy",
        min_length=1,
        description="A level, or a bot of your own, as `unop2p bot --level`.",
    )
    tables: int = Field(default=1, ge=1, le=20, description="How many tables it plays at once.")


class BrokerPart(Part):
    """[broker]: where the lounge is and where tables are hosted. A ticket names its own."""

    url: Words = Field(default=[], description="Addresses, one to four; none: tickets only.")
    ca_file: str = Field(
        default="", description="Whom to trust, PEM; empty: whom the system trusts."
    )
    cert: str = Field(default="", description="Our certificate, PEM.")
    key: str = Field(default="", description="Its key, PEM.")
    password_file: str = Field(
        default="", description="Its first line is the password of the user in `url`."
    )
    mqtt5: bool = Field(default=False, description="Speak MQTT 5 instead of 3.1.1.")


class LoungePart(Part):
    """[lounge]: where it looks for tables, and announces its own."""

    name: str = Field(default="", max_length=64, description="Empty: no lounge.")
    password_file: str = Field(
        default="", description="Its first line is the lounge's password; empty: an open lounge."
    )


class HostPart(Part):
    """[host]: tables of its own, one after another, announced in the lounge if there is one."""

    seats: int = Field(default=0, ge=0, le=10, description="Seats of each table; 0: it hosts none.")
    matches: int = Field(default=0, ge=0, description="Stop after so many matches; 0: never.")
    rules: str = Field(default="official", description="A preset, or a rule file.")
    set: Words = Field(default=[], description="Rules changed one by one, as option=value.")
    deal: str = Field(default="proved", description="How cards are shuffled.")
    turn_time: float = Field(default=60.0, ge=1, le=86_400, description="Seconds for a turn.")
    resilience: int = Field(
        default=-1,
        ge=-1,
        le=4,
        description="For how many absent seats the others can stand in; -1: 1 from four seats up.",
    )
    allow_bots: Literal["any", "one-each", "none"] = Field(
        default="any", description="Which bots may sit down: any, one-each (of every owner)."
    )


class AcceptPart(Part):
    """[accept]: by which rules it plays at tables of others. It says so where it does not."""

    presets: Words = Field(default=[], description="Presets that it plays; empty: all.")
    may_differ: Words = Field(
        default=["target", "match_end"],
        description="Options in which a table may differ from such a preset; with no presets: in all.",
    )
    options: dict[str, Annotated[list[bool | int | str], Field(max_length=50)]] = Field(
        default={},
        description="Values of single options that it plays, as { target = [200, 500] }.",
    )
    deals: Words = Field(default=["proved"], description="Shuffle arguments that it sits down for.")
    seats_least: int = Field(default=2, ge=2, le=10, description="Seats of a table, at least.")
    seats_most: int = Field(default=10, ge=2, le=10, description="Seats of a table, at most.")


class CompanyPart(Part):
    """[company]: whom it plays with, as host and as guest."""

    people: Literal["anyone", "known"] = Field(
        default="anyone", description="anyone; or known: met before on this machine, or a friend."
    )
    friends: list[Fingerprint] = Field(
        default=[], description="Fingerprints, as `unop2p id` shows them."
    )
    blocked: list[Fingerprint] = Field(
        default=[], description="Never with these, nor with their bots."
    )
    bots: bool = Field(default=True, description="Whether other bots may sit there.")
    bots_alone: bool = Field(
        default=True, description="Whether it begins where nobody is a person."
    )
    when_alone: Literal["play", "pause", "leave"] = Field(
        default="play",
        description="When all people have gone from a table: play on; pause until one is back; leave.",
    )
    alone_after: int = Field(
        default=60, ge=5, le=86_400, description="Seconds until they count as gone."
    )


class MannersPart(Part):
    """[manners]: what it says. {name} and {level} are filled in; empty: nothing."""

    greeting: Line = Field(
        default="Hello, I am {name}, a bot ({level}).", description="On sitting down."
    )
    farewell: Line = Field(
        default="Thank you for the game.", description="When the match has ended."
    )
    away: Line = Field(
        default="I am being restarted, and come back to this table.",
        description="When it is stopped.",
    )


class MetricsPart(Part):
    """[metrics]: figures for Prometheus, at http://address:port/metrics."""

    port: int = Field(default=0, ge=0, le=65_535, description="0: none are served.")
    address: str = Field(default="127.0.0.1", min_length=1, description="Of this machine.")
    beyond_loopback: bool = Field(
        default=False, description="Whether that may be an address that others can reach."
    )


class BotConfig(Part):
    """The whole file."""

    tickets: Annotated[list[str], Field(max_length=TICKETS_MAX)] = Field(
        default=[], description="Tables to serve, by ticket; each is one match."
    )
    pace: str = Field(
        default="human",
        pattern=r"^(human|fast|[0-9]{1,5})$",
        description="How long it seems to think: human, fast, or milliseconds.",
    )
    owner: str = Field(
        default="default",
        pattern=r"^([a-z0-9_-]{1,32})?$",
        description="The profile whose key stands up for the bots; empty: nobody's.",
    )
    quiet: Words = Field(
        default=[], description='No new tables in these hours, as ["22:00-07:00"].'
    )
    records: str = Field(
        default="", description="A folder for the records of all tables; empty: none."
    )
    records_keep: int = Field(
        default=1_000, ge=0, description="Keep so many records, the newest; 0: all."
    )
    records_megabytes: int = Field(
        default=1_000, ge=0, description="Keep at most so much of them, the newest; 0: all."
    )
    records_days: int = Field(
        default=0, ge=0, description="Keep none that is older than so many days; 0: all."
    )
    stop_seconds: int = Field(
        default=20,
        ge=0,
        le=3_600,
        description="When it is to end, a round that is being played may take so long to end; 0: none.",
    )
    lobby_minutes: int = Field(
        default=10, ge=1, le=10_080, description="How long it sits in a lobby that does not fill."
    )
    give_up_minutes: int = Field(
        default=720,
        ge=1,
        le=525_600,
        description="After so long without a move it gives a seat up.",
    )
    when_stopped: Literal["wait", "leave"] = Field(
        default="wait",
        description="Then: its tables wait for it to come back; or leave them for good, hand open.",
    )
    broker: BrokerPart = BrokerPart()
    lounge: LoungePart = LoungePart()
    host: HostPart = HostPart()
    accept: AcceptPart = AcceptPart()
    company: CompanyPart = CompanyPart()
    manners: MannersPart = MannersPart()
    metrics: MetricsPart = MetricsPart()
    seat: Annotated[list[SeatPart], Field(min_length=1, max_length=SEATS_MAX)] = [SeatPart()]

    @model_validator(mode="after")
    def _together(self) -> Self:
        """Refuse what makes no sense together."""
        for hours in self.quiet:
            if not _QUIET.fullmatch(hours):
                message = f"quiet|'{hours[:20]}' is not written as 22:00-07:00"
                raise ValueError(message)
        for at in ("profile", "name"):
            if len({getattr(seat, at) for seat in self.seat}) != len(self.seat):
                message = f"seat.{at}|two seats have the same {at}"
                raise ValueError(message)
        if len(self.broker.url) > 4:
            message = "broker.url|a table is on four brokers at most"
            raise ValueError(message)
        if self.host.seats == 1:
            message = "host.seats|a table has 2 to 10 seats"
            raise ValueError(message)
        if (self.host.seats or self.lounge.name) and not self.broker.url:
            message = "broker.url|a lounge, or a table of its own, needs a broker"
            raise ValueError(message)
        if not (self.tickets or self.host.seats or self.lounge.name):
            message = "tickets|there is nothing to do: no ticket, no lounge, no table to host"
            raise ValueError(message)
        return self

    def is_quiet(self, now: time) -> bool:
        """Say whether no new tables are taken at a time of day."""
        minute = now.hour * 60 + now.minute
        for hours in self.quiet:
            found = _QUIET.fullmatch(hours)
            assert found is not None
            begin, end = (int(found[n]) * 60 + int(found[n + 1]) for n in (1, 3))
            inside = begin <= minute < end if begin <= end else minute >= begin or minute < end
            if inside:
                return True
        return False


PARTS: Final[tuple[tuple[str, type[Part]], ...]] = (
    ("broker", BrokerPart),
    ("lounge", LoungePart),
    ("host", HostPart),
    ("accept", AcceptPart),
    ("company", CompanyPart),
    ("manners", MannersPart),
    ("metrics", MetricsPart),
    ("seat", SeatPart),
)


def read_bot_config(path: Path) -> BotConfig:
    """Return what the file says.

    Raises:
        BotConfigError: it is no TOML, has an unknown key or a wrong value: which, and in which line.
        BotConfigError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        message = said("{path}: {strerror}.", path=path, strerror=error.strerror or error)
        raise BotConfigError(message) from error
    try:
        if len(data) > FILE_BYTES_MAX:
            too_long = f"it is longer than {FILE_BYTES_MAX} bytes"
            raise ValueError(too_long)  # noqa: TRY301  # said as all else that is wrong
        text = data.decode()
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        message = said("{path}: {error}.", path=path, error=str(error)[:200])
        raise BotConfigError(message) from error
    try:
        return BotConfig.model_validate(content)
    except ValidationError as error:
        # No cause: the details quote what stands in the file, and that may be a ticket.
        key, what = first_wrong(error)
        line = line_of(text, key)
        shown = ".".join(str(part) for part in key)
        message = (
            said(
                "{path}, line {line}, `{key}`: {what}.", path=path, line=line, key=shown, what=what
            )
            if line
            else said("{path}, `{key}`: {what}.", path=path, key=shown, what=what)
        )
        raise BotConfigError(message) from None


def first_wrong(error: ValidationError) -> tuple[tuple[str | int, ...], str]:
    """Return the key and the words of the first thing that is wrong; no value of the file."""
    first = error.errors(include_url=False, include_input=False)[0]
    where, what = tuple(first["loc"]), str(first["msg"])
    if first["type"] == "value_error":
        key, bar, rest = what.removeprefix("Value error, ").partition("|")
        return (tuple(key.split(".")), rest) if bar else (where, what)
    if first["type"] == "extra_forbidden":
        return where, "there is no such key"
    return where, what[:1].lower() + what[1:]


def line_of(text: str, key: tuple[str | int, ...]) -> int:
    r"""Return the line of a key, or of the nearest part of it that is found; 0 for none.

    >>> line_of("a = 1\n[[seat]]\n[[seat]]\nlevel = 2", ("seat", 1, "level"))
    4
    """
    first = str(next(iter(key), ""))
    part = first if len(key) > 1 or first in dict(PARTS) else ""
    wanted = next((str(one) for one in key[1 if part else 0 :] if isinstance(one, str)), "")
    number = key[1] if len(key) > 1 and isinstance(key[1], int) and part == "seat" else None
    current, count, found = "", -1, 0
    for index, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[\[?\s*([A-Za-z0-9_.-]+)\s*\]", line)
        if head:
            current = head[1]
            count += current == "seat"
            at = current == part or current.startswith(f"{part}.")
            if at and (number is None or number == count):
                found = found or index
            continue
        if not (current == part or (not part and not current)) and part:
            continue
        if number is not None and number != count:
            continue
        if wanted and re.match(rf'\s*"?{re.escape(wanted)}"?\s*=', line):
            return index
        if not part and not current and re.match(rf'\s*"?{re.escape(first)}"?\s*=', line):
            return index
    if not found and part:
        for index, line in enumerate(text.splitlines(), 1):
            if re.match(rf'\s*"?{re.escape(part)}"?\s*[.=]', line):
                return index
    return found


def default_config() -> str:
    """Return a whole file: every key with its default, and what it means. It serves a lounge."""
    lines = [
        "# A bot that runs by itself: unop2p bot --config bot.toml",
        "# Every key, with its default. The two that are set below make it look for tables in",
        "# the lounge `bots` of a broker on this machine: change them. SIGHUP reads the file anew.",
        "",
    ]
    simple = {
        name: field for name, field in BotConfig.model_fields.items() if name not in dict(PARTS)
    }
    lines += _keys(simple, {})
    for name, part in PARTS:
        heading = f"[[{name}]]" if name == "seat" else f"[{name}]"
        title = (part.__doc__ or "").partition(": ")[2].strip()
        lines += [f"# {title[:1].upper()}{title[1:]}", heading]
        lines += _keys(part.model_fields, _EXAMPLE.get(name, {}))
    return "\n".join(lines).rstrip() + "\n"


_EXAMPLE: Final[dict[str, dict[str, Any]]] = {
    "broker": {"url": ["mqtt://127.0.0.1:1883"]},
    "lounge": {"name": "bots"},
}


def _keys(fields: dict[str, Any], example: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, field in fields.items():
        lines.append(f"# {field.description}")
        lines.append(f"{name} = {toml_value(example.get(name, field.default))}")
    return [*lines, ""]


def toml_value(value: object) -> str:
    """Return a value as TOML writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case list():
            return "[" + ", ".join(toml_value(item) for item in value) + "]"
        case dict():
            inner = ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items())
            return "{ " + inner + " }" if inner else "{}"
        case _:
            return str(value)
