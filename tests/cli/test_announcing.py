"""Where a host announces its table: nowhere, unless it was asked to."""

import asyncio
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.e2e.support import end, run, start
from unop2p.cli import announcing
from unop2p.cli.announcing import Announcing, nowhere
from unop2p.edge.broker_url import parse_broker_url
from unop2p.edge.errors import PasswordFileError
from unop2p.edge.lan import LanError
from unop2p.errors import LocalError
from unop2p.peer.lobby import Lobby
from unop2p.wire.lan import EntryTooLargeError
from unop2p.wire.ticket import Ticket

URLS = (parse_broker_url("mqtt://127.0.0.1:1"),)
TICKET = Ticket(bytes(9), ("mqtt://127.0.0.1:1",))
KEY = Ed25519PrivateKey.generate()


def read(
    lounge: str = "kitchen",
    *,
    public: bool = False,
    lan: bool = False,
    address: str | None = "127.0.0.1",
) -> Announcing:
    return Announcing.read((public, lan, lounge, None), address)


async def test_nothing_is_opened_or_said_unless_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, lobby: Lobby
) -> None:
    def never(*_words: object) -> None:
        raise AssertionError

    monkeypatch.setattr(announcing, "local_network", never)
    monkeypatch.setattr(announcing, "announce", never)
    monkeypatch.setattr(announcing, "announce_here", never)
    before = asyncio.all_tasks()
    async with read().open(URLS, TICKET) as begin:
        begin(lobby, KEY)
        nowhere(lobby, KEY)
        assert asyncio.all_tasks() == before


def test_a_lounge_that_nobody_asks_for_is_not_even_read() -> None:
    assert read("").lounge is None
    with pytest.raises(LocalError):
        read("", public=True)
    with pytest.raises(PasswordFileError):
        Announcing.read((False, True, "x", Path("no such file")), None)


async def test_a_network_that_cannot_be_used_is_told_before_anything_is_announced() -> None:
    with pytest.raises(LanError):
        async with read(lan=True, address="203.0.113.9").open(URLS, TICKET):
            pytest.fail("it was opened")
    with pytest.raises(EntryTooLargeError):
        long = Ticket(bytes(9), ("wss://h:443/" + "x" * 900,))
        async with read(lan=True).open(URLS, long):
            pytest.fail("it was opened")


@pytest.fixture
def lobby() -> Lobby:
    """A lobby that is never asked."""
    return object.__new__(Lobby)


@pytest.mark.slow
def test_a_table_on_the_local_network_is_listed_with_its_ticket_and_others_are_not(
    tmp_path: Path,
) -> None:
    secret = tmp_path / "secret"
    secret.write_text(f"{tmp_path}\n")
    looking = ("tables", "--lan", "--address", "127.0.0.1", "--lounge-password-file", str(secret))
    words = ("host", "--bot", "greedy", "--seats", "3", "--address", "127.0.0.1")
    with (tmp_path / "a.txt").open("wb") as one, (tmp_path / "b.txt").open("wb") as other:
        programs = [
            start(tmp_path / "a", *words, "--name", "ann", *looking[1:2], *looking[4:], out=one),
            start(tmp_path / "b", *words, "--name", "ben", out=other),
        ]
        try:
            found: list[dict[str, object]] = []
            for _ in range(30):
                done = run(tmp_path / "c", *looking, "--json")
                assert done.returncode == 0, done.stderr
                found = json.loads(done.stdout)["lan"]
                if found:
                    break
            assert [table["host"] for table in found] == ["ann"]
            ticket = str(found[0]["ticket"])
            assert ticket in (tmp_path / "a.txt").read_text()
            shown = run(tmp_path / "c", *looking).stdout
            assert "On this network" in shown
            assert "ann: 1 of 3 seats taken, rules official" in shown
            assert f"  unop2p join {ticket}" in shown
        finally:
            end(*programs)
