"""Bad input to the real program: each kind has a sentence and a code of its own, and no traceback."""

import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.e2e.support import PROGRAM, end, environment, run, start
from tests.edge.support import certificate, free_port, mosquitto, password_file
from unop2p.cli.common import UsageError
from unop2p.cli.main import app
from unop2p.edge.errors import (
    BrokerAuthError,
    BrokerCertificateExpiredError,
    BrokerCertificateUnknownError,
    BrokerRefusedError,
    BrokerSilentError,
    BrokerStartError,
    BrokerTimeoutError,
    BrokerTLSError,
    BrokerURLError,
    BrokerWrongHostError,
    DiskFullError,
    FolderError,
    JournalError,
    JournalLockedError,
    KeyFileError,
    ProfileError,
)
from unop2p.edge.journal import Journal
from unop2p.edge.record_file import RecordFileError, RecordInUseError
from unop2p.edge.tables import TableStore
from unop2p.errors import Unop2pError
from unop2p.table.genesis import TableFullError
from unop2p.wire.codec import OtherVersionError
from unop2p.wire.sealing import Sealer
from unop2p.wire.ticket import TicketError, new_ticket, parse_ticket, stretch

pytestmark = [pytest.mark.slow, pytest.mark.broker]

OPEN = "allow_anonymous true"


def ticket_for(url: str) -> str:
    return new_ticket(lambda n: bytes(range(n)), (url,)).text()


def here(home: Path, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run the same command line in this process: quicker, where many cases make one kind."""
    done = CliRunner().invoke(
        app, list(words), env={"UNOP2P_HOME": str(home), **more}, catch_exceptions=False
    )
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def fails(
    done: "subprocess.CompletedProcess[str]", error: type[Unop2pError], detail: str = ""
) -> None:
    """Assert that a program ended with an error's own sentence and code, and nothing else went wrong."""
    last = done.stderr.splitlines()[-1] if done.stderr else ""
    assert last.startswith(f"unop2p: {error().sentence()}"), done
    assert detail in last, last
    assert done.returncode == error.exit_code, done
    assert "Traceback" not in done.stderr + done.stdout
    assert "Exception" not in done.stderr + done.stdout
    assert done.stderr.count("unop2p: ") == 1


class Table:
    """A broker with a table on it; whatever is started here is ended."""

    def __init__(self, folder: Path, stack: ExitStack, config: str = OPEN) -> None:
        """Start the broker."""
        self.folder, self.stack = folder, stack
        self.port = free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        stack.enter_context(mosquitto(folder, config, self.port))

    def start(self, home: str, *words: str) -> "subprocess.Popen[bytes]":
        """Start a program with a home of its own; what it says goes to a file."""
        out = self.stack.enter_context((self.folder / f"{home}.out").open("ab"))
        program = start(self.folder / home, *words, out=out)
        self.stack.callback(end, program)
        return program

    def said(self, home: str) -> str:
        """Return what a program has said so far."""
        return (self.folder / f"{home}.out").read_text()

    def wait_for(self, home: str, pattern: str, seconds: float = 30) -> str:
        """Wait until a program has said something."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if found := re.search(pattern, self.said(home)):
                return found[0]
            time.sleep(0.02)
        raise AssertionError(self.said(home))

    def host(self, *words: str, seats: int = 2) -> str:
        """Start a host with a bot on its seat, and return the ticket."""
        self.start(
            "host", "host", "--bot", "greedy", "--name", "host", "--seats", str(seats),
            "--broker", self.url, *words,
        )  # fmt: skip
        return self.wait_for("host", r"unop2p:[a-z-]+@\S+")


# -- what is typed -----------------------------------------------------------------------------


def test_a_wrong_ticket_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    good = ticket_for("mqtt://127.0.0.1:1")
    for wrong, detail in (
        ("hello", "1 words, not 5"),
        (good.replace("-", "-x", 1), "Word 2"),
        (good.replace("b", "d", 1), "One of the words is not as the host shows it"),
        (good.partition("@")[0], "The broker's address is missing"),
    ):
        fails(here(tmp_path, "join", wrong), TicketError, detail)
    fails(run(tmp_path, "join", good[:-3].replace("-", "")), TicketError, "1 words, not 5")
    fails(here(tmp_path, "watch", ticket_for("http://host")), BrokerURLError, "http://")
    fails(here(tmp_path, "id", "--profile", "../up"), ProfileError, "'../up'")


def test_a_ticket_that_nobody_answers_to_is_said_to_be_so(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        for home, words in (("one", ("bot",)), ("two", ("watch",)), ("three", ("join", "--plain"))):
            table.start(home, words[0], ticket_for(table.url), *words[1:])
        for home in ("one", "two", "three"):
            table.wait_for(home, "Nobody answers to this ticket yet: is the host there")


# -- the broker --------------------------------------------------------------------------------


def test_a_closed_port_an_unknown_host_and_a_broker_that_does_not_start(tmp_path: Path) -> None:
    url = f"mqtt://127.0.0.1:{free_port()}"
    for words in (("join", ticket_for(url)), ("host", "--broker", url, "--plain")):
        fails(run(tmp_path, *words), BrokerRefusedError, f"{url}: Connection refused.")
    assert list((tmp_path / "tables").glob("host-*")) == [], "a table that never opened is noted"
    fails(
        here(tmp_path, "bot", ticket_for("mqtt://no-such-host.invalid")),
        BrokerRefusedError,
        "there is no host of that name",
    )
    fails(here(tmp_path, "host", "--embedded", "nonsense"), UsageError, "nonsense")
    fails(here(tmp_path, "host", "--address", "192.0.2.1"), BrokerStartError, "192.0.2.1")


def test_a_wrong_password_and_none(tmp_path: Path) -> None:
    with ExitStack() as stack:
        file = password_file(tmp_path, "ann", "right")
        table = Table(tmp_path, stack, f"allow_anonymous false\npassword_file {file}")
        wrong, right = tmp_path / "wrong", tmp_path / "right"
        wrong.write_text("wrong\n")
        right.write_text("right\n")
        ticket, as_ann = ticket_for(table.url), table.url.replace("//", "//ann@")
        fails(run(tmp_path, "bot", ticket), BrokerAuthError, table.url)
        done = here(tmp_path, "bot", ticket, "--broker", as_ann, "--password-file", str(wrong))
        fails(done, BrokerAuthError, table.url)
        done = here(tmp_path, "bot", ticket, "--broker", as_ann, UNOP2P_BROKER_PASSWORD="wrong")
        fails(done, BrokerAuthError, table.url)
        for words, detail in (
            (("--broker", as_ann, "--password-file", str(tmp_path / "nowhere")), "nowhere"),
            (("--password-file", str(right)), "no user: write `mqtt://user@host:port`"),
        ):
            fails(here(tmp_path, "bot", ticket, *words), BrokerURLError, detail)
        table.start(
            "host", "host", "--bot", "greedy", "--broker", as_ann, "--password-file", str(right)
        )
        shown = table.wait_for("host", r"unop2p:[a-z-]+@\S+")
        assert "ann" not in shown and "right" not in shown


def test_an_access_list_that_keeps_us_out(tmp_path: Path) -> None:
    rules = tmp_path / "acl"
    rules.write_text("topic read unop2p/v1/#\n")
    with ExitStack() as stack:
        table = Table(tmp_path, stack, f"{OPEN}\nacl_file {rules}")
        fails(run(tmp_path, "bot", ticket_for(table.url)), BrokerSilentError, table.url)


@pytest.mark.parametrize(
    ("days", "host", "trusted", "error"),
    [
        (-1, "127.0.0.1", True, BrokerCertificateExpiredError),
        (30, "example.org", True, BrokerWrongHostError),
        (30, "127.0.0.1", False, BrokerCertificateUnknownError),
    ],
    ids=["expired", "another host", "unknown authority"],
)
def test_a_certificate_that_does_not_hold(
    tmp_path: Path, days: int, host: str, trusted: bool, error: type[Unop2pError]
) -> None:
    crt, key = certificate(tmp_path, host=host, days=days)
    with ExitStack() as stack:
        table = Table(tmp_path, stack, f"{OPEN}\ncertfile {crt}\nkeyfile {key}")
        secure = table.url.replace("mqtt", "mqtts")
        words = ("--ca-file", str(crt)) if trusted else ()
        fails(run(tmp_path, "bot", ticket_for(secure), *words), error, secure)
        if not trusted:
            fails(here(tmp_path, "bot", ticket_for(table.url)), BrokerTimeoutError, table.url)


def test_files_of_certificates_that_cannot_be_used_and_a_port_without_tls(tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_text("junk\n")
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        secure = table.url.replace("mqtt", "mqtts")
        ticket = ticket_for(secure)
        fails(run(tmp_path, "bot", ticket), BrokerTLSError, "does that port speak TLS?")
        for option in ("--ca-file", "--cert"):
            for file in (junk, tmp_path / "nowhere", tmp_path):
                fails(here(tmp_path, "bot", ticket, option, str(file)), BrokerTLSError, str(file))
        done = here(tmp_path, "bot", ticket, "--key", str(junk))
        fails(done, BrokerURLError, "no certificate for it")


# -- folders and files -------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine\n")
    for home in (file, file / "below", Path("/proc") / "none"):
        for words in (("id",), ("host",), ("play",)):
            fails(here(home, *words), FolderError, str(home))
    fails(run(file, "play"), FolderError, str(file))
    assert file.read_text() == "mine\n"


def test_a_record_that_cannot_be_written_is_said_before_anybody_is_invited(tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_text("mine\n")
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        for record, error in (
            (tmp_path, RecordFileError),
            (junk / "below", RecordFileError),
            (junk, RecordInUseError),
        ):
            for words in (
                ("host", "--bot", "greedy", "--broker", table.url),
                ("bot", ticket_for(table.url)),
                ("watch", ticket_for(table.url)),
            ):
                done = here(tmp_path / "home", *words, "--record", str(record))
                fails(done, error, str(record))
                assert "ticket" not in done.stderr
    assert junk.read_text() == "mine\n"


def test_a_broken_record_is_found_broken_and_no_record_is_said_to_be_none(tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    for content in (b"", b"\0" * 99, b"hello", b"{}\n", b"\xff\xfe\n" * 9, b"[" * 99_999):
        junk.write_bytes(content)
        done = here(tmp_path, "audit", str(junk))
        wanted = (41, "broken  Line 1: ") if content else (40, "incomplete  The record is empty.")
        assert (done.returncode, done.stderr) == (wanted[0], ""), (content[:9], done)
        assert done.stdout.startswith(wanted[1]), done.stdout
        assert done.stdout.count("\n") == 1
    for wrong in (tmp_path, tmp_path / "nowhere"):
        done = here(tmp_path, "audit", str(wrong))
        assert (done.returncode, done.stdout) == (14, "")
        assert done.stderr.startswith("unop2p: The record cannot be read:"), done.stderr
    junk.write_bytes(b"{}")
    done = run(tmp_path, "audit", str(junk), "--expect", str(junk))
    assert done.returncode == 2
    assert done.stderr.startswith("unop2p: The file of known peers cannot be read"), done.stderr


def test_a_line_without_an_end_takes_no_memory_without_an_end(tmp_path: Path) -> None:
    done = run(tmp_path, "audit", "/dev/zero")
    assert (done.returncode, done.stdout) == (41, "broken  Line 1: a line that is too long.\n")


def test_an_identity_that_is_damaged_and_one_that_others_could_read(tmp_path: Path) -> None:
    folder = tmp_path / "identities"
    first = run(tmp_path, "id")
    file = folder / "default.json"
    whole = file.read_bytes()
    file.chmod(0o644)
    folder.chmod(0o755)
    assert here(tmp_path, "id").stdout == first.stdout
    assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
    for content in (b"", whole[:-9], whole.replace(b'"format": 1', b'"format": 2'), b"\xff", b"[]"):
        file.write_bytes(content)
        done = here(tmp_path, "id")
        fails(done, KeyFileError, str(file))
        assert whole[30:60].decode() not in done.stderr
        assert file.read_bytes() == content, "a damaged key is somebody's: it is not replaced"
    file.unlink()
    file.mkdir()
    fails(here(tmp_path, "id"), FolderError, str(file))


def test_known_peers_that_are_damaged_are_told_of_and_the_game_goes_on(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "20")
        (tmp_path / "bot").mkdir()
        (tmp_path / "bot" / "known-peers.json").write_text("{")
        program = table.start("bot", "bot", ticket)
        assert program.wait(60) == 0
        assert "known-peers.json: it is damaged" in table.said("bot")
        assert "Traceback" not in table.said("bot")


# -- the table ---------------------------------------------------------------------------------


def test_a_full_table_and_a_name_that_is_taken(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "5000")
        table.start("ann", "bot", ticket, "--name", "host")
        table.wait_for("ann", "The table begins: .*host2")
        for words in (("bot",), ("join", "--plain")):
            fails(run(tmp_path / "late", words[0], ticket, *words[1:]), TableFullError)


def test_a_second_program_at_the_same_seat(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host(seats=3)
        table.start("ann", "bot", ticket)
        table.wait_for("host", "2 of 3")
        fails(run(tmp_path / "ann", "bot", ticket), JournalLockedError, ".journal")
        done = run(tmp_path / "host", "host", "--bot", "greedy", "--broker", table.url)
        fails(done, JournalLockedError, ".journal")


def test_another_version_of_the_protocol(tmp_path: Path) -> None:
    """A table of another version offers itself; what comes of it is said, and nothing is signed."""
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = ticket_for(table.url)
        secrets = stretch(parse_ticket(ticket))
        script = (
            "import asyncio, aiomqtt, sys\n"
            "async def main():\n"
            f"    async with aiomqtt.Client('127.0.0.1', {table.port}) as client:\n"
            "        while True:\n"
            "            await client.publish(sys.argv[1], bytes.fromhex(sys.argv[2]), qos=1)\n"
            "            await asyncio.sleep(0.2)\n"
            "asyncio.run(main())\n"
        )
        payload = bytes([2]) + bytes(32) + bytes(64) + b'{"kind":"offer","version":2}'
        sealed = Sealer(secrets.sealing_key).seal(payload, bytes(24))
        other = subprocess.Popen([sys.executable, "-c", script, secrets.topic, sealed.hex()])
        stack.callback(end, other)
        for words in (("bot",), ("watch",), ("join", "--plain")):
            done = run(tmp_path / words[0], words[0], ticket, *words[1:])
            fails(done, OtherVersionError, "Theirs is 2, ours is 1.")


# -- the journal and the disk ------------------------------------------------------------------


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
        journal.unlink()
        with Journal.open(journal) as fresh:
            fresh.append([b"not a message"])
        return journal.read_bytes()

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
        # The secret of the round is bound to what was said: without it nothing more can be.
        journal.write_bytes(whole)
        folder = journal.with_name(f"{journal.name}.secrets")
        for file in folder.iterdir():
            file.write_bytes(bytes(32))
        done = run(tmp_path / "bot", "bot", ticket)
        assert done.returncode == 16, done
        assert "The secret of this round is lost or damaged" in done.stderr
        assert "Traceback" not in done.stderr + done.stdout


def on_a_small_disk(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a program that may make no file of more than 12 kB."""

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000))

    return subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(home),
        preexec_fn=small_files,
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


def test_a_full_disk_under_the_record(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = Table(tmp_path, stack)
        ticket = table.host("--to", "5000")
        table.start("bot", "bot", ticket)
        record = tmp_path / "seen.jsonl"
        done = on_a_small_disk(tmp_path / "watch", "watch", ticket, "--record", str(record))
        fails(done, DiskFullError, str(record))
        assert here(tmp_path, "audit", str(record)).returncode == 40
