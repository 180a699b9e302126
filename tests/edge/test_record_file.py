"""The record on disk: it grows line by line, goes on after a crash, and is nobody else's file."""

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.wire.test_record import CERTIFICATE, EVIDENCE, SIGNED
from unop2p.edge.errors import DiskFullError
from unop2p.edge.record_file import RecordFile, RecordFileError, RecordInUseError
from unop2p.log.messages import Signed
from unop2p.peer import events
from unop2p.wire.record import evidence_line, fork_line, genesis_line, step_line

GENESIS, STEP, PROOF = (
    line + b"\n" for line in (genesis_line(SIGNED), step_line(CERTIFICATE), evidence_line(EVIDENCE))
)


def test_lines_are_there_as_they_come_and_each_once(tmp_path: Path) -> None:
    file = RecordFile(tmp_path / "folder" / "record")
    for _ in range(2):
        file.begin(SIGNED)
        assert file.path.read_bytes() == GENESIS
    for _ in range(2):
        file.settle(CERTIFICATE)
    for _ in range(2):
        file.prove(EVIDENCE)
    file.close()
    file.close()
    assert file.path.read_bytes() == GENESIS + STEP + PROOF


@pytest.mark.parametrize("cut", [1, 30, len(GENESIS) - 1, len(GENESIS), len(GENESIS) + 9])
def test_after_a_crash_half_a_line_is_cut_off_and_the_rest_goes_on(
    tmp_path: Path, cut: int
) -> None:
    path = tmp_path / "record"
    path.write_bytes((GENESIS + STEP)[:cut])
    file = RecordFile(path)
    assert path.read_bytes() == (GENESIS if cut >= len(GENESIS) else b"")
    file.begin(SIGNED)
    file.settle(CERTIFICATE)
    file.prove(EVIDENCE)
    file.close()
    assert path.read_bytes() == GENESIS + STEP + PROOF


def test_after_a_fork_steps_are_written_again_and_after_a_restart_each_once(tmp_path: Path) -> None:
    path = tmp_path / "record"
    again = replace(CERTIFICATE, adopts=CERTIFICATE.adopts[:1])
    items = (SIGNED,)

    def live(file: RecordFile, effects: tuple[events.Recorded, ...]) -> None:
        for effect in effects:
            file.note(effect)
        file.close()

    one, other = events.Settled(certificate=CERTIFICATE), events.Settled(certificate=again)
    forked = events.Forked(step=CERTIFICATE.step, items=items)
    begun = events.Begun(genesis=SIGNED)
    fork = fork_line(CERTIFICATE.step, items) + b"\n"
    whole = GENESIS + STEP + fork + step_line(again) + b"\n"
    live(RecordFile(path), (begun, one, forked, other))
    assert path.read_bytes() == whole
    live(RecordFile(path), (begun, one, forked, other))
    assert path.read_bytes() == whole
    for cut in (len(GENESIS), len(GENESIS + STEP), len(GENESIS + STEP + fork), len(whole) - 5):
        path.write_bytes(whole[:cut])
        live(RecordFile(path), (begun, one, forked, other))
        assert path.read_bytes() == whole, cut


def test_another_tables_record_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "record"
    path.write_bytes(GENESIS)
    file = RecordFile(path)
    with pytest.raises(RecordInUseError):
        file.begin(Signed(author=bytes(32), signature=bytes(64), payload=b"{}"))
    file.close()
    assert path.read_bytes() == GENESIS


@pytest.mark.parametrize(
    "content", [b"mine\n", b"mine", b"{}\n", GENESIS + b"mine\n", b"\0" * 99, b"\xff\xfe"]
)
def test_what_is_no_record_is_never_written_to(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(RecordInUseError, match="file"):
        RecordFile(path)
    assert path.read_bytes() == content


def test_a_device_without_an_end_is_no_record_and_a_folder_cannot_be_one(tmp_path: Path) -> None:
    with pytest.raises(RecordInUseError):
        RecordFile(Path("/dev/zero"))
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path, tmp_path / "file" / "below"):
        with pytest.raises(RecordFileError, match=r"\.$"):
            RecordFile(path)


@pytest.mark.parametrize(
    ("number", "error"),
    [(errno.ENOSPC, DiskFullError), (errno.EFBIG, DiskFullError), (errno.EIO, RecordFileError)],
)
def test_a_disk_that_fails_has_a_sentence_while_writing_and_while_closing(
    tmp_path: Path, number: int, error: type[Exception]
) -> None:
    file = RecordFile(tmp_path / "record")

    class Failing:
        closed = False

        def write(self, data: bytes) -> int:
            raise OSError(number, "no")

        def flush(self) -> None:
            raise OSError(number, "no")

        def close(self) -> None:
            self.closed = True
            raise OSError(number, "no")

    failing: Any = Failing()
    file._file.close()
    file._file = failing
    with pytest.raises(error):
        file.begin(SIGNED)
    with pytest.raises(error):
        file.close()
    assert failing.closed
    file.close()
