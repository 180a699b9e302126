"""The journal: what was appended is there after any crash, and nothing that is damaged is used."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unop2p.edge.errors import DiskFullError, FolderError, JournalError, JournalLockedError
from unop2p.edge.journal import MAGIC, Journal

GROUPS = ([b"genesis"], [b"", b"statement" * 5], [b"\0" * 40, b"adopt"])


def write(path: Path, groups: tuple[list[bytes], ...] = GROUPS) -> list[int]:
    """Write a journal and return its size at the start and after each group."""
    sizes = []
    with Journal.open(path) as journal:
        sizes.append(path.stat().st_size)
        for group in groups:
            journal.append(group)
            sizes.append(path.stat().st_size)
    return sizes


def read(path: Path) -> tuple[list[bytes], int]:
    """Return the entries and what was repaired."""
    with Journal.open(path) as journal:
        return list(journal.entries()), journal.repaired_bytes


def flat(groups: tuple[list[bytes], ...]) -> list[bytes]:
    """Return the entries of groups."""
    return [entry for group in groups for entry in group]


@given(groups=st.lists(st.lists(st.binary(max_size=50), max_size=4), max_size=4))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_appended_is_read_in_order(
    groups: list[list[bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("journal") / "j"
    write(path, tuple(groups))
    assert read(path) == (flat(tuple(groups)), 0)


def test_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    write(tmp_path / "j")
    write(tmp_path / "j", ([b"more"],))
    assert read(tmp_path / "j") == ([*flat(GROUPS), b"more"], 0)


def test_entries_can_be_read_while_it_is_open(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal:
        journal.append([b"one"])
        assert list(journal.entries()) == [b"one"]
        journal.append([b"two"])
        assert list(journal.entries()) == [b"one", b"two"]


def test_the_file_is_private(tmp_path: Path) -> None:
    write(tmp_path / "sub" / "j")
    assert stat.S_IMODE((tmp_path / "sub" / "j").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "sub").stat().st_mode) == 0o700


def test_each_group_is_synced_once_and_an_empty_one_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync

    def counted(descriptor: int) -> None:
        synced.append(descriptor)
        real(descriptor)

    with Journal.open(tmp_path / "j") as journal:
        monkeypatch.setattr(os, "fsync", counted)
        journal.append([b"one", b"two", b"three"])
        assert len(synced) == 1
        journal.append([])
        assert len(synced) == 1


@pytest.mark.slow
def test_what_is_written_and_not_synced_is_taken_back_when_the_sync_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "no space")

    with Journal.open(tmp_path / "j") as journal:
        journal.append([b"kept"])
        journal.write([b"one"])
        journal.write([b"two"])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(DiskFullError):
                journal.sync()
        assert list(journal.entries()) == [b"kept"]
        journal.append([b"later"])
    assert read(tmp_path / "j") == ([b"kept", b"later"], 0)


def test_one_sync_is_enough_for_all_that_was_written_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(tmp_path / "j") as journal:
        calls: list[int] = []
        monkeypatch.setattr(os, "fsync", calls.append)
        journal.write([b"one"])
        journal.write([b"two"])
        journal.sync()
        journal.sync()
        assert len(calls) == 1


def test_torn_at_any_byte_it_keeps_whole_groups_and_goes_on(tmp_path: Path) -> None:
    sizes = write(tmp_path / "whole")
    data = (tmp_path / "whole").read_bytes()
    for cut in range(len(data) + 1):
        path = tmp_path / "torn"
        path.write_bytes(data[:cut])
        whole = max((index for index, size in enumerate(sizes) if size <= cut), default=0)
        torn = cut - (sizes[whole] if cut >= sizes[0] else 0)
        assert read(path) == (flat(GROUPS[:whole]), torn), cut
        write(path, ([b"again"],))
        assert read(path) == ([*flat(GROUPS[:whole]), b"again"], 0), cut


def test_a_tail_of_zeros_is_a_torn_end(tmp_path: Path) -> None:
    size = write(tmp_path / "j")[-1]
    with (tmp_path / "j").open("ab") as file:
        file.write(bytes(500))
    assert read(tmp_path / "j") == (flat(GROUPS), 500)
    assert (tmp_path / "j").stat().st_size == size


@pytest.mark.slow
def test_a_changed_byte_in_the_middle_is_an_error_and_nothing_is_cut(tmp_path: Path) -> None:
    sizes = write(tmp_path / "whole")
    data = (tmp_path / "whole").read_bytes()
    path = tmp_path / "damaged"
    for place in range(sizes[2]):
        damaged = bytearray(data)
        damaged[place] ^= 0x55
        path.write_bytes(damaged)
        with pytest.raises(JournalError) as caught:
            Journal.open(path)
        assert caught.value.exit_code == 16
        assert path.read_bytes() == damaged, place


def test_groups_in_another_order_are_an_error(tmp_path: Path) -> None:
    sizes = write(tmp_path / "j", ([b"one"], [b"two"], [b"six"]))
    data = (tmp_path / "j").read_bytes()
    swapped = (
        data[: sizes[0]] + data[sizes[1] : sizes[2]] + data[sizes[0] : sizes[1]] + data[sizes[2] :]
    )
    (tmp_path / "j").write_bytes(swapped)
    with pytest.raises(JournalError):
        Journal.open(tmp_path / "j")


@pytest.mark.parametrize("content", [b"hello, this is no journal", MAGIC.replace(b"1", b"2")])
def test_another_kind_of_file_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "j").write_bytes(content)
    with pytest.raises(JournalError, match="not a journal"):
        Journal.open(tmp_path / "j")
    assert (tmp_path / "j").read_bytes() == content


def test_it_is_locked_while_open_and_free_after(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal:
        with pytest.raises(JournalLockedError) as caught:
            Journal.open(tmp_path / "j")
        assert caught.value.exit_code == 15
        journal.append([b"still ours"])
        journal.close()
        journal.close()
    assert read(tmp_path / "j") == ([b"still ours"], 0)


@pytest.mark.slow
def test_a_killed_program_lets_go_of_the_lock_and_keeps_what_it_wrote(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from unop2p.edge.journal import Journal\n"
        "journal = Journal.open(pathlib.Path(sys.argv[1]))\n"
        "journal.append([b'said'])\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()\n"
    )
    path = tmp_path / "j"
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        with pytest.raises(JournalLockedError):
            Journal.open(path)
        child.kill()
    assert read(path) == ([b"said"], 0)


def failing(code: int, after: int) -> object:
    """Return a write that fails after some bytes."""
    real = os.write
    left = after

    def write_some(descriptor: int, data: memoryview) -> int:
        nonlocal left
        if left == 0:
            raise OSError(code, os.strerror(code))
        written = real(descriptor, data[:left])
        left -= written
        return written

    return write_some


@pytest.mark.parametrize("after", [0, 1, 10])
def test_a_full_disk_leaves_the_journal_as_it_was_and_it_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    with Journal.open(tmp_path / "j") as journal:
        journal.append([b"one"])
        before = (tmp_path / "j").read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", failing(errno.ENOSPC, after))
            with pytest.raises(DiskFullError) as caught:
                journal.append([b"two"])
        assert caught.value.exit_code == 14
        assert (tmp_path / "j").read_bytes() == before
        journal.append([b"three"])
    assert read(tmp_path / "j") == ([b"one", b"three"], 0)


def test_after_a_failed_sync_nothing_more_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failed(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Journal.open(tmp_path / "j") as journal:
        journal.append([b"one"])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", failed)
            with pytest.raises(JournalError):
                journal.append([b"two"])
        with pytest.raises(JournalError, match="earlier write"):
            journal.append([b"three"])
    assert read(tmp_path / "j") == ([b"one"], 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_really_full_device_is_told_as_such(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal, Path("/dev/full").open("r+b", 0) as full:
        os.dup2(full.fileno(), journal._frames.file.fileno())
        with pytest.raises(DiskFullError):
            journal.append([b"one"])


@pytest.mark.parametrize("name", ["folder", "file/j"])
def test_what_cannot_be_a_journals_place_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FolderError):
        Journal.open(tmp_path / name)


def test_repr_shows_no_content(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal:
        journal.append([b"sesame"])
        assert "sesame" not in repr(journal)


def test_secrets_are_kept_replaced_and_deleted(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal:
        assert journal.secret_names() == ()
        assert journal.read_secret("round-1") is None
        journal.delete_secret("round-1")
        journal.write_secret("round-2", b"x2")
        journal.write_secret("round-1", b"x")
        journal.write_secret("round-1", b"x1")
        assert journal.secret_names() == ("round-1", "round-2")
    with Journal.open(tmp_path / "j") as journal:
        assert journal.read_secret("round-1") == b"x1"
        journal.delete_secret("round-1")
        assert journal.read_secret("round-1") is None
        assert journal.secret_names() == ("round-2",)


def test_secrets_are_private_and_not_in_the_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal:
        journal.write_secret("round-1", b"sesame")
    folder = tmp_path / "j.secrets"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "round-1").stat().st_mode) == 0o600
    assert b"sesame" not in (tmp_path / "j").read_bytes()


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".", "a" * 65])
def test_a_secrets_name_is_never_a_path(tmp_path: Path, name: str) -> None:
    with Journal.open(tmp_path / "j") as journal:
        with pytest.raises(AssertionError):
            journal.write_secret(name, b"")
        with pytest.raises(AssertionError):
            journal.read_secret(name)
        with pytest.raises(AssertionError):
            journal.delete_secret(name)


def test_a_full_disk_is_told_for_secrets_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Journal.open(tmp_path / "j") as journal:
        journal.write_secret("round-1", b"old")
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(DiskFullError):
                journal.write_secret("round-1", b"new")
        assert journal.read_secret("round-1") == b"old"
