"""Disks that are full, folders that are closed and journals that are damaged, under the real program."""

import ctypes
import os
import resource
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.faults import Table, fails, here, ticket_for
from tests.e2e.support import PROGRAM, audit, end, environment, run
from unop2p.edge.errors import (
    BrokerStartError,
    DiskFullError,
    FolderError,
    JournalError,
    JournalLockedError,
)
from unop2p.edge.journal import Journal
from unop2p.edge.tables import TableStore
from unop2p.wire.ticket import parse_ticket

pytestmark = [pytest.mark.slow, pytest.mark.broker]

NOBODY = 65_534
PR_CAPBSET_DROP = 24
OVERRIDING = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: what lets root into every folder."""


# -- journals ------------------------------------------------------------------------------------


def seated(folder: Path, table: Table) -> tuple[str, Path]:
    """Seat a bot at a table, end it, and return the ticket and its journal."""
    ticket = table.host("--to", "5000")
    program = table.start("bot", "bot", ticket)
    table.wait_for("bot", "Round 1")
    end(program)
    store = TableStore(folder / "bot")
    journal = store.journal_path(parse_ticket(ticket), "bot")
    assert journal.exists()
    return ticket, journal


def test_a_journal_that_is_damaged(tmp_path: Path) -> None:
    def nonsense(_: bytes) -> bytes:
        other = tmp_path / "other.journal"
        other.unlink(missing_ok=True)
        with Journal.open(other) as fresh:
            fresh.append([b"not a message"])
        return other.read_bytes()

    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket, journal = seated(tmp_path, table)
        whole = journal.read_bytes()
        damages: tuple[Callable[[bytes], bytes], ...] = (
            lambda data: b"junk" + data[4:],
            lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:],
            lambda data: data[: len(data) // 2] + b"\xff" + data[len(data) // 2 + 1 :],
            nonsense,
        )
        for damage in damages:
            journal.write_bytes(damage(whole))
            done = here(tmp_path / "bot", "bot", ticket)
            fails(done, JournalError, str(journal))
            assert journal.read_bytes() == damage(whole), "what is damaged is left as it is"
        for words in (("bot", ticket), ("resume",)):
            fails(run(tmp_path / "bot", *words), JournalError, str(journal))
        # The secret of the round is bound to what was said: without it nothing more can be.
        journal.write_bytes(whole)
        folder = journal.with_name(f"{journal.name}.secrets")
        for file in folder.iterdir():
            file.write_bytes(bytes(32))
        done = run(tmp_path / "bot", "bot", ticket)
        assert done.returncode == 16, done
        assert "The secret of this round is lost or damaged" in done.stderr
        assert "Traceback" not in done.stderr + done.stdout


def test_a_second_program_on_a_seat_is_refused_and_the_first_plays_on(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "5000")
        first = table.start("bot", "bot", ticket)
        table.wait_for("bot", "The first card is")
        for words in (("bot", ticket), ("resume",)):
            fails(run(tmp_path / "bot", *words), JournalLockedError, ".journal")
        (tmp_path / "bot.out").write_text("")
        table.wait_for("bot", "The first card is")
        assert first.poll() is None
        assert "Traceback" not in table.said("bot")


# -- full disks --------------------------------------------------------------------------------


def on_a_small_disk(
    home: Path, *words: str, bytes_max: int = 12_000
) -> "subprocess.CompletedProcess[str]":
    """Run a program that may make no file of more bytes."""

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, bytes_max))

    return subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(home, TMPDIR=str(home.parent)),
        preexec_fn=small_files,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_a_full_disk_stops_the_seat_before_it_says_what_it_cannot_keep(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "5000")
        fails(on_a_small_disk(tmp_path / "bot", "bot", ticket), DiskFullError, ".journal")
        # With room again the same command goes on.
        table.start("bot", "bot", ticket)
        table.wait_for("bot", r"has played|plays|draws|round")


def test_a_disk_that_fills_up_in_mid_match_loses_nothing(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "100", "--record", str(tmp_path / "host.jsonl"))
        program = table.start("bot", "bot", ticket, "--record", str(tmp_path / "bot.jsonl"))
        store = TableStore(tmp_path / "bot")
        for _ in range(2):
            table.wait_for("bot", "plays|draws")
            # The largest file may grow no more, as on a disk without room.
            size = store.journal_path(parse_ticket(ticket), "bot").stat().st_size
            resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (size, size))
            assert program.wait(60) == DiskFullError.exit_code
            said = table.said("bot")
            assert said.splitlines()[-1].startswith(f"unop2p: {DiskFullError().sentence()}"), said
            assert "Traceback" not in said
            (tmp_path / "bot.out").write_text("")
            program = table.start("bot", "resume")
        assert program.wait(100) == 0, table.said("bot")
        found = [
            audit(tmp_path / "auditor", tmp_path / f"{name}.jsonl") for name in ("host", "bot")
        ]
        assert [report["finding"] for report in found] == ["complete"] * 2
        assert found[0]["head"] == found[1]["head"]


def test_a_full_disk_under_the_record(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "5000")
        table.start("bot", "bot", ticket)
        record = tmp_path / "seen.jsonl"
        done = on_a_small_disk(tmp_path / "watch", "watch", ticket, "--record", str(record))
        fails(done, DiskFullError, str(record))
        assert here(tmp_path, "audit", str(record)).returncode == 40


def test_a_disk_without_room_for_a_first_file_is_called_full_and_nothing_else(
    tmp_path: Path,
) -> None:
    """Not a folder that cannot be used, and not a damaged journal."""
    home = tmp_path / "home"
    ticket = ticket_for("mqtt://127.0.0.1:1")
    for words in (("id",), ("bot", ticket)):
        fails(on_a_small_disk(home, *words, bytes_max=0), DiskFullError, ".json")
    for profile in ("bot", "default"):  # the bot's, and its owner's
        assert run(home, "id", "--profile", profile).returncode == 0
    fails(on_a_small_disk(home, "bot", ticket, bytes_max=10), DiskFullError, ".journal")
    done = on_a_small_disk(home, "match", "--bots", "2", "--embedded", "mosquitto", bytes_max=100)
    fails(done, BrokerStartError, "File too large")
    assert here(home, "tables").stdout == "No table waits on this machine.\n"


# -- closed folders ----------------------------------------------------------------------------


def as_a_plain_user() -> None:
    """Give up, in a child that is about to become a program, what lets root into every folder."""
    if os.geteuid() == 0:
        system = ctypes.CDLL(None)
        for capability in OVERRIDING:
            assert system.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0


def close_folder(path: Path) -> None:
    """Close a folder to plain users, and to root as a plain user."""
    path.chmod(0o500)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, -1)


def open_folder(path: Path) -> None:
    """Open it again."""
    if os.geteuid() == 0:
        os.chown(path, 0, -1)
    path.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "chown"), reason="folders have no owners there")
def test_a_home_that_is_not_ours_is_said_to_be_so_by_every_command(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    close_folder(home)
    ticket = ticket_for("mqtt://127.0.0.1:1")
    for words in (("id",), ("play",), ("host",), ("bot", ticket), ("tables",), ("resume",)):
        done = subprocess.run(
            [*PROGRAM, *words],
            capture_output=True,
            text=True,
            timeout=60,
            env=environment(home),
            preexec_fn=as_a_plain_user,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        fails(done, FolderError, str(home))
    open_folder(home)
    assert list(home.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "chown"), reason="folders have no owners there")
def test_a_folder_that_closes_in_mid_match_stops_the_seat_and_loses_nothing(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "60", "--record", str(tmp_path / "host.jsonl"))
        with (tmp_path / "bot.out").open("ab") as out:
            program = subprocess.Popen(
                [*PROGRAM, "bot", ticket],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment(tmp_path / "bot"),
                preexec_fn=as_a_plain_user,
            )
        stack.callback(end, program)
        table.wait_for("bot", "The first card is")
        (secrets,) = (tmp_path / "bot" / "tables").glob("*.secrets")
        close_folder(secrets)
        # The journal is open and goes on; the secret of the next round cannot be kept.
        assert program.wait(100) == FolderError.exit_code
        last = table.said("bot").splitlines()[-1]
        assert last.startswith(f"unop2p: {FolderError().sentence()} {secrets}"), last
        assert "Traceback" not in table.said("bot")
        open_folder(secrets)
        assert table.start("bot", "resume").wait(100) == 0, table.said("bot")
        assert table.wait_for("host", "wins|won")
        report = audit(tmp_path / "auditor", tmp_path / "host.jsonl")
        assert report["finding"] == "complete"
