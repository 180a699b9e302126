"""What an unattended bot notes of its tables."""

from dataclasses import replace
from pathlib import Path

from unop2p.edge.bot_notes import HostedCount, SeatNote, SeatNotes
from unop2p.wire.ticket import new_ticket

TICKET = new_ticket(lambda count: bytes(range(count)), ("mqtt://h:1883",))
NOTE = SeatNote(ticket=TICKET.text(), profile="bot", role="joiner")


def test_a_note_is_kept_changed_and_forgotten(tmp_path: Path) -> None:
    notes = SeatNotes(tmp_path)
    notes.save(NOTE)
    assert SeatNotes(tmp_path).all() == [NOTE]
    notes.save(replace(NOTE, over=True))
    assert notes.all() == [replace(NOTE, over=True)]
    notes.forget(TICKET, "bot")
    notes.forget(TICKET, "bot")
    assert notes.all() == []


def test_a_note_is_private_and_shows_no_ticket(tmp_path: Path) -> None:
    SeatNotes(tmp_path).save(NOTE)
    (path,) = (tmp_path / "tables").glob("*.seat")
    assert path.stat().st_mode & 0o077 == 0
    assert TICKET.words() not in repr(NOTE)
    assert TICKET.words() not in path.name


def test_damaged_notes_are_left_out(tmp_path: Path) -> None:
    notes = SeatNotes(tmp_path)
    notes.save(NOTE)
    for name, text in (("a", "{"), ("b", "[]"), ("c", '{"ticket": "x", "profile": "p"}')):
        (tmp_path / "tables" / f"{name}.seat").write_text(text)
    odd = '{"ticket": "no ticket", "profile": "p", "role": "joiner", "over": false}'
    (tmp_path / "tables" / "d.seat").write_text(odd)
    assert notes.all() == [NOTE]


def test_each_file_of_a_bot_has_a_count_of_its_own(tmp_path: Path) -> None:
    one, other = (HostedCount(tmp_path, tmp_path / name) for name in ("one.toml", "other.toml"))
    one.add(TICKET)
    one.add(TICKET)
    assert (one.matches, other.matches) == (1, 0)
    assert HostedCount(tmp_path, tmp_path / "." / "one.toml").matches == 1
    one.forget()
    one.forget()
    assert HostedCount(tmp_path, tmp_path / "one.toml").matches == one.matches == 0


def test_a_damaged_count_is_none(tmp_path: Path) -> None:
    count = HostedCount(tmp_path, tmp_path / "one.toml")
    count.add(TICKET)
    (path,) = (tmp_path / "tables").glob("*.hosted")
    for text in ("", "{", "[]", '{"matches": -1, "last": ""}', '{"matches": true, "last": ""}'):
        path.write_text(text)
        assert HostedCount(tmp_path, tmp_path / "one.toml").matches == 0
