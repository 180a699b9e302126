"""Bad input to the real program: each kind has a sentence and a code of its own, and no traceback."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.faults import OPEN, Table, fails, here, ticket_for
from tests.e2e.support import end, run
from tests.edge.support import certificate, free_port, password_file
from unop2p.cli.common import UsageError
from unop2p.edge.errors import (
    BrokerAuthError,
    BrokerCertificateExpiredError,
    BrokerCertificateUnknownError,
    BrokerOptionsError,
    BrokerRefusedError,
    BrokerSilentError,
    BrokerStartError,
    BrokerTimeoutError,
    BrokerTLSError,
    BrokerURLError,
    BrokerWrongHostError,
    FolderError,
    JournalLockedError,
    KeyFileError,
    PasswordFileError,
    ProfileError,
)
from unop2p.edge.record_file import RecordFileError, RecordInUseError
from unop2p.errors import Unop2pError
from unop2p.table.genesis import TableFullError
from unop2p.wire.codec import OtherVersionError
from unop2p.wire.sealing import Sealer
from unop2p.wire.ticket import TicketError, parse_ticket, stretch

pytestmark = [pytest.mark.slow, pytest.mark.broker]

# -- what is typed -----------------------------------------------------------------------------


def test_a_wrong_ticket_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    good = ticket_for("mqtt://127.0.0.1:1")
    for wrong, detail in (
        ("hello", "1 word, not 5"),
        (good.replace("-", "-x", 1), "Word 2"),
        (good.replace("b", "d", 1), "One of the words is not as the host shows it"),
        (good.partition("@")[0], "The broker's address is missing"),
    ):
        fails(here(tmp_path, "join", wrong), TicketError, detail)
    fails(run(tmp_path, "join", good[:-3].replace("-", "")), TicketError, "1 word, not 5")
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
        done = here(tmp_path, "bot", ticket, "--broker", as_ann, "--password-file", "/nowhere")
        fails(done, PasswordFileError, "/nowhere")
        done = here(tmp_path, "bot", ticket, "--password-file", str(right))
        fails(done, BrokerOptionsError, "no user: write `mqtt://user@host:port`")
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
        fails(done, BrokerOptionsError, "no certificate for it")


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
