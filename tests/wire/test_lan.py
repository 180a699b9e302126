"""Entries of the local network: what one says, who reads it, and what is refused."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.errors import MalformedError
from unop2p.wire.lan import (
    ENTRY_BYTES_MAX,
    EntryTooLargeError,
    LanTable,
    check_entry,
    open_entry,
    seal_entry,
)
from unop2p.wire.lounge import Lounge, stretch_lounge
from unop2p.wire.sealing import Sealer
from unop2p.wire.ticket import Ticket

OPEN = stretch_lounge("kitchen")
SEALED = stretch_lounge("kitchen", "secret")
NONCE = bytes(range(24))


def table(lounge: Lounge = OPEN, **changes: Any) -> LanTable:
    """Return an entry of a lounge, with changes."""
    made = LanTable(
        lounge=lounge.mark,
        ticket=Ticket(bytes(9), ("mqtt://192.0.2.5:1883",)).text(),
        host="ann",
        taken=1,
        seats=4,
        rules="greek",
        bots="any",
    )
    return replace(made, **changes)


def sealed(fields: dict[str, object]) -> bytes:
    """Return what somebody seals who writes the fields alone."""
    payload = json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()
    return Sealer(OPEN.sealing_key).seal(payload, NONCE)


def fields() -> dict[str, object]:
    known = json.loads(Sealer(OPEN.sealing_key).open(seal_entry(OPEN, table(), NONCE)))
    assert isinstance(known, dict)
    return known


def test_what_is_sealed_is_opened_in_the_same_lounge_alone() -> None:
    assert open_entry(OPEN, seal_entry(OPEN, table(), NONCE)) == table()
    entry = seal_entry(SEALED, table(SEALED), NONCE)
    assert open_entry(SEALED, entry) == table(SEALED)
    with pytest.raises(MalformedError):
        open_entry(OPEN, entry)


def test_an_entry_cannot_be_carried_into_another_lounge() -> None:
    with pytest.raises(MalformedError, match="another lounge"):
        open_entry(OPEN, seal_entry(OPEN, table(SEALED), NONCE))


def test_an_entry_shows_no_ticket_where_it_is_printed() -> None:
    assert "babab" not in repr(table())


def test_what_the_test_seals_by_hand_is_taken() -> None:
    assert open_entry(OPEN, sealed(fields())) == table()


@pytest.mark.parametrize(
    "change",
    [
        {"host": ""},
        {"host": "a\x1b[2J"},
        {"host": "a\u202egnp"},
        {"host": "x" * 25},
        {"host": 7},
        {"ticket": ""},
        {"ticket": "unop2p:babab-babab@mqtt://h"},
        {"ticket": table().ticket + "\n"},
        {"ticket": table().ticket + "\x07"},
        {"ticket": table().ticket.upper()},
        {"taken": 5},
        {"taken": -1},
        {"taken": True},
        {"seats": 1},
        {"seats": 11},
        {"seats": 10**30},
        {"rules": "Greek"},
        {"rules": "x" * 25},
        {"rules": "\x1b[31m"},
        {"bots": "all"},
        {"kind": "look"},
        {"more": 1},
        {"lounge": "AAAA"},
    ],
    ids=str,
)
def test_what_no_table_is_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(MalformedError):
        open_entry(OPEN, sealed({**fields(), **change}))


def test_an_entry_in_another_spelling_is_refused() -> None:
    payload = json.dumps(fields(), indent=1).encode()
    with pytest.raises(MalformedError, match="canonical"):
        open_entry(OPEN, Sealer(OPEN.sealing_key).seal(payload, NONCE))


@given(st.binary(max_size=1200))
def test_bytes_of_strangers_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        open_entry(OPEN, data)


def test_an_entry_fits_into_a_kilobyte_whatever_the_host_is_called() -> None:
    long = Ticket(bytes(9), tuple(f"mqtts://broker-{n}.example.org:8883" for n in range(4))).text()
    check_entry(long)
    for host in ("x", "\U0001f0cf" * 24):
        entry = seal_entry(OPEN, table(ticket=long, host=host, rules="x" * 24), NONCE)
        assert len(entry) <= ENTRY_BYTES_MAX


def test_a_ticket_that_is_too_long_for_an_entry_is_refused_before_anything_is_announced() -> None:
    long = Ticket(bytes(9), ("wss://h:443/" + "x" * 800,)).text()
    with pytest.raises(EntryTooLargeError):
        check_entry(long)


def test_too_many_bytes_are_refused_unopened() -> None:
    entry = seal_entry(OPEN, table(), NONCE)
    with pytest.raises(MalformedError, match="an entry of"):
        open_entry(OPEN, entry + bytes(ENTRY_BYTES_MAX))
