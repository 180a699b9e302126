"""A table's entry on the local network: small, sealed to a lounge, no more than a line of a list. Pure.

It says where a table is and what it looks like; who sits down learns all else from the table itself,
signed. It carries no signature and no time: whoever can open it could have made it, and an old one can
be shown again. So nothing is done with an entry but to show it.
"""

import re
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from pydantic import ConfigDict, TypeAdapter

from unop2p.errors import LocalError, MalformedError
from unop2p.ids import SEATS_MAX
from unop2p.table.genesis import NAME_CHARACTERS_MAX, check_name
from unop2p.wire import codec
from unop2p.wire.lounge import Lounge
from unop2p.wire.sealing import LENGTH_BYTES, NONCE_BYTES, TAG_BYTES, Sealer
from unop2p.wire.ticket import TicketError, parse_ticket
from unop2p.words import said

ENTRY_BYTES_MAX: Final = NONCE_BYTES + 1024 + TAG_BYTES
"""With the rest of an answer it still fits into one packet of Ethernet."""
_PAYLOAD_BYTES_MAX: Final = 1024 - LENGTH_BYTES
_PRESET: Final = re.compile(r"[a-z0-9-]{0,24}")


class EntryTooLargeError(LocalError):
    """This table cannot be announced on the local network: its ticket is too long. Name fewer brokers."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LanTable:
    """A table with free seats, as its host says it."""

    __pydantic_config__: ClassVar = ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64"
    )
    lounge: bytes
    """The mark of the lounge: an entry of one cannot be shown in another."""
    ticket: str
    host: str
    taken: int
    seats: int
    rules: str
    """The preset; empty for rules of their own."""
    bots: Literal["any", "one-each", "none"]
    """Which may sit down."""
    kind: Literal["lan"] = "lan"

    def __repr__(self) -> str:
        """Show no ticket."""
        return f"LanTable({self.host!r}, {self.taken} of {self.seats})"

    def __post_init__(self) -> None:
        """Refuse what no table can be.

        Raises:
            MalformedError: which part.
        """
        check_name(self.host)
        try:
            same = parse_ticket(self.ticket).text() == self.ticket
        except TicketError:
            same = False
        if not same or not self.ticket.isprintable():
            message = "an entry without a ticket"
            raise MalformedError(message)
        if not 2 <= self.seats <= SEATS_MAX or not 0 <= self.taken <= self.seats:
            message = "an entry with seats that no table has"
            raise MalformedError(message)
        if _PRESET.fullmatch(self.rules) is None:
            message = "an entry with rules that have no name"
            raise MalformedError(message)


_ADAPTER: TypeAdapter[LanTable] = TypeAdapter(LanTable)


def check_entry(ticket: str) -> None:
    """See that there is room for a ticket beside all else that an entry may say.

    Raises:
        EntryTooLargeError: there isn't.
    """
    longest = LanTable(
        lounge=bytes(16),
        ticket=ticket,
        host="\U0001f0cf" * NAME_CHARACTERS_MAX,
        taken=0,
        seats=SEATS_MAX,
        rules="x" * 24,
        bots="one-each",
    )
    if len(_ADAPTER.dump_json(longest)) > _PAYLOAD_BYTES_MAX:
        raise EntryTooLargeError(said("It has {n} characters.", n=len(ticket)))


def seal_entry(lounge: Lounge, table: LanTable, nonce: bytes) -> bytes:
    """Return an entry that the people of a lounge can read; of an open one, everybody.

    Args:
        lounge: whose.
        table: its mark is the lounge's, and its ticket one that `check_entry` takes.
        nonce: 24 random bytes, never used before.

    """
    payload = _ADAPTER.dump_json(table)
    assert len(payload) <= _PAYLOAD_BYTES_MAX  # `check_entry` has seen to it
    return Sealer(lounge.sealing_key).seal(payload, nonce)


def open_entry(lounge: Lounge, data: bytes) -> LanTable:
    """Open an entry of a lounge.

    Raises:
        MalformedError: it is none.
    """
    if len(data) > ENTRY_BYTES_MAX:
        message = f"an entry of {len(data)} bytes"
        raise MalformedError(message)
    payload = Sealer(lounge.sealing_key).open(data)
    table = codec.read_canonical(payload, _ADAPTER.validate_json, _ADAPTER.dump_json, "an entry")
    if table.lounge != lounge.mark:
        message = "an entry of another lounge"
        raise MalformedError(message)
    return table
