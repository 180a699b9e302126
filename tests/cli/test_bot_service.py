"""`unop2p bot --config`: what it refuses at once, what it prints, and what it goes on with."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e.support import run
from unop2p.cli.bot_log import BotLog
from unop2p.cli.bot_orders import read_orders
from unop2p.cli.bot_service import Service, unattended
from unop2p.cli.common import UsageError
from unop2p.edge.bot_config import default_config
from unop2p.edge.bot_notes import SeatNote
from unop2p.edge.errors import PasswordFileError
from unop2p.edge.journal import Journal
from unop2p.edge.link_state import LinkState, LinkStatus
from unop2p.edge.lounge import lounge_password
from unop2p.wire.ticket import new_ticket

TICKET = new_ticket(lambda count: bytes(range(count)), ("mqtt://127.0.0.1:9",))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "home"))


def written(folder: Path, text: str) -> Path:
    path = folder / "bot.toml"
    path.write_text(text)
    return path


def test_the_program_prints_a_whole_file(tmp_path: Path) -> None:
    done = run(tmp_path, "bot", "--print-config")
    assert (done.returncode, done.stdout) == (0, default_config())


def test_neither_ticket_nor_file_or_both_is_refused(tmp_path: Path) -> None:
    for ticket, path in ((None, None), (TICKET.text(), tmp_path)):
        with pytest.raises(UsageError, match="takes a ticket"):
            unattended(ticket, path, show=False, as_json=False)


def test_a_lounges_password_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("secret\nmore\n")
    assert lounge_password(path) == "secret"
    assert lounge_password(None) == ""
    with pytest.raises(PasswordFileError, match="nowhere"):
        lounge_password(tmp_path / "nowhere")


def test_seats_of_before_come_first_and_a_ticket_is_played_once(tmp_path: Path) -> None:
    other = new_ticket(lambda count: bytes(count), ("mqtt://127.0.0.1:9",))
    path = written(tmp_path, f'tickets = ["{TICKET.text()}"]')
    service = Service(path, read_orders(path), BotLog(as_json=False))
    assert service._open_tickets() == [TICKET]
    service._notes.save(SeatNote(ticket=other.text(), profile="bot", role="joiner"))
    service._notes.save(SeatNote(ticket=other.text(), profile="strange", role="joiner"))
    service._notes.save(SeatNote(ticket=TICKET.text(), profile="bot", role="joiner", over=True))
    assert [note.ticket for note in service._pending()] == [other.text()]
    assert service._open_tickets() == []


def test_records_beyond_those_to_keep_go_the_oldest_first(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    path = written(
        tmp_path, f'tickets = ["{TICKET.text()}"]\nrecords = "{folder}"\nrecords_keep = 2'
    )
    service = Service(path, read_orders(path), BotLog(as_json=False))
    import os

    for number in range(4):
        record = folder / f"{number}.jsonl"
        record.write_text("")
        os.utime(record, (number, number))
    service._prune()
    assert sorted(record.name for record in folder.iterdir()) == ["2.jsonl", "3.jsonl"]


def test_a_wrong_file_read_anew_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, f'tickets = ["{TICKET.text()}"]')
    orders = read_orders(path)
    service = Service(path, orders, BotLog(as_json=False))
    path.write_text("x = 1")
    service.reload()
    assert service._orders is orders
    assert "`x`" in capsys.readouterr().out


def test_a_lounge_that_cannot_be_reached_is_told_once_for_each_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, '[broker]\nurl = ["mqtt://127.0.0.1:9"]\n[lounge]\nname = "x"')
    service = Service(path, read_orders(path), BotLog(as_json=False))
    for status, reason in (
        (LinkStatus.CONNECTING, ""),
        (LinkStatus.DOWN, "nobody answers"),
        (LinkStatus.CONNECTING, "nobody answers"),
        (LinkStatus.DOWN, "nobody answers"),
        (LinkStatus.UP, ""),
        (LinkStatus.DOWN, "nobody answers"),
        (LinkStatus.DOWN, ""),
    ):
        service._lounge_link(service._orders.urls[0], LinkState(status=status, reason=reason))
    told = [line.split(" ", 2)[2] for line in capsys.readouterr().out.splitlines()]
    down = "the lounge: not connected: nobody answers"
    assert told == [down, "the lounge: connected", down]


def test_of_several_brokers_each_lounge_is_told_of_by_its_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urls = '["mqtt://127.0.0.1:9", "mqtt://127.0.0.1:10"]'
    path = written(tmp_path, f'[broker]\nurl = {urls}\n[lounge]\nname = "x"')
    service = Service(path, read_orders(path), BotLog(as_json=False))
    for url in (*service._orders.urls, *service._orders.urls):
        service._lounge_link(url, LinkState(status=LinkStatus.UP, reason=""))
    told = [line.split(" ", 2)[2] for line in capsys.readouterr().out.splitlines()]
    assert told == [
        "the lounge on mqtt://127.0.0.1:9: connected",
        "the lounge on mqtt://127.0.0.1:10: connected",
    ]


def test_a_seat_that_another_program_plays_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, f'tickets = ["{TICKET.text()}"]')
    service = Service(path, read_orders(path), BotLog(as_json=False))
    note = SeatNote(ticket=TICKET.text(), profile="bot", role="joiner")

    async def sit_down() -> None:
        with ThreadPoolExecutor(1) as executor:
            await service._sit(note, executor, resumed=False)
            await asyncio.wait(service._running)
            service._reap()

    with Journal.open(service._store.journal_path(TICKET, "bot")):
        asyncio.run(sit_down())
    assert "Another running program plays this seat" in capsys.readouterr().out


def test_matches_hosted_are_counted_over_a_restart_until_all_are_played(tmp_path: Path) -> None:
    path = written(
        tmp_path, '[broker]\nurl = ["mqtt://127.0.0.1:9"]\n[host]\nseats = 2\nmatches = 2'
    )
    other = new_ticket(lambda count: bytes(count), ("mqtt://127.0.0.1:9",))
    Service(path, read_orders(path), BotLog(as_json=False))._hosted.add(TICKET)
    again = Service(path, read_orders(path), BotLog(as_json=False))
    assert not again._is_done()
    again._hosted.add(TICKET)  # its end was noted, and then the machine went down
    assert not again._is_done()
    again._hosted.add(other)
    assert Service(path, read_orders(path), BotLog(as_json=False))._is_done()


def test_the_bot_that_has_hosted_all_ends_and_begins_anew_when_it_is_started(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(
        tmp_path, '[broker]\nurl = ["mqtt://127.0.0.1:9"]\n[host]\nseats = 2\nmatches = 1'
    )
    service = Service(path, read_orders(path), BotLog(as_json=False))
    service._hosted.add(TICKET)
    assert asyncio.run(service.run()) == 0
    assert "ended" in capsys.readouterr().out
    assert not Service(path, read_orders(path), BotLog(as_json=False))._is_done()
