"""Notes on unfinished tables."""

from pathlib import Path

import pytest

from unop2p.edge.errors import FolderError, ProfileError
from unop2p.edge.journal import Journal
from unop2p.edge.tables import TableStore, table_mark
from unop2p.wire.ticket import Ticket

NOTE = {"ticket": "unop2p:x", "port": 1883}


def test_a_note_is_found_again_until_it_is_forgotten(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    assert store.load("play", "default") is None
    store.save("play", "default", NOTE)
    assert TableStore(tmp_path).load("play", "default") == NOTE
    assert store.load("host", "default") is None
    store.forget("play", "default")
    assert store.load("play", "default") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"ticket": "x"}',
        '{"ticket": "x", "port": "y"}',
        '{"ticket": 1, "port": 2}',
        '{"ticket": "x", "port": 70000}',
        '{"ticket": "x", "port": 2, "bots": "z"}',
        "[" * 100_000,
    ],
)
def test_a_damaged_note_is_none(tmp_path: Path, text: str) -> None:
    store = TableStore(tmp_path)
    store.save("play", "default", NOTE)
    (tmp_path / "tables" / "play-default.json").write_text(text)
    assert store.load("play", "default") is None


@pytest.mark.parametrize("profile", ["../x", "a/b", "", "A"])
def test_a_profile_cannot_lead_out_of_the_folder(tmp_path: Path, profile: str) -> None:
    store = TableStore(tmp_path)
    with pytest.raises(ProfileError):
        store.save("play", profile, NOTE)
    with pytest.raises(ProfileError):
        store.journal_path(Ticket(bytes(9), ("mqtt://x:1",)), profile)


def test_the_note_is_private(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    store.save("play", "default", NOTE)
    assert (tmp_path / "tables" / "play-default.json").stat().st_mode & 0o777 == 0o600


def test_a_note_that_cannot_be_removed_is_an_error_of_its_own(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    (tmp_path / "tables" / "play-default.json").mkdir()
    with pytest.raises(FolderError, match=r"play-default\.json"):
        store.forget("play", "default")
    ticket = Ticket(secret=bytes(10), brokers=("mqtt://127.0.0.1:1",))
    (tmp_path / "tables" / f"{table_mark(ticket)}-default.command").mkdir()
    with pytest.raises(FolderError, match=r"\.command"):
        store.ended(ticket, "default")


def test_the_secrets_that_a_profile_still_keeps_are_found_and_nobody_elses(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    assert store.kept_secrets("ann") == []
    for profile, number in (("ann", 1), ("ann", 2), ("ben", 3), ("my-ann", 4)):
        path = store.journal_path(Ticket(secret=bytes([number]) * 16, brokers=()), profile)
        with Journal.open(path) as journal:
            journal.write_secret("round-0", bytes([number]) * 32)
            journal.write_secret("other", bytes(32))
    assert sorted(store.kept_secrets("ann")) == [bytes([1]) * 32, bytes([2]) * 32]
    with pytest.raises(ProfileError):
        store.kept_secrets("*")
