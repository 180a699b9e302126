"""Files of frames: a frame is there whole or not at all, and what is damaged is never taken for torn."""

import errno
import os
from pathlib import Path

import pytest

from unop2p.edge.errors import DiskFullError, JournalError
from unop2p.edge.frames import FRAME_BYTES_MAX, FrameFile, write_all

HEAD = b"head\n"
BODIES = [b"one", b"", b"three" * 9]


def opened(path: Path) -> FrameFile:
    if not path.exists():
        path.write_bytes(HEAD)
    frames = FrameFile(path, path.open("r+b", buffering=0), len(HEAD))
    frames.recover()
    return frames


def filled(path: Path) -> FrameFile:
    frames = opened(path)
    for body in BODIES:
        frames.write(body)
    frames.sync()
    return frames


def test_what_was_written_is_read_after_the_head(tmp_path: Path) -> None:
    filled(tmp_path / "f").file.close()
    again = opened(tmp_path / "f")
    assert list(again.bodies()) == BODIES
    assert again.repaired_bytes == 0
    again.file.close()


def test_every_cut_leaves_the_frames_before_it(tmp_path: Path) -> None:
    frames = filled(tmp_path / "f")
    frames.file.close()
    data = (tmp_path / "f").read_bytes()
    for cut in range(len(HEAD), len(data)):
        (tmp_path / "f").write_bytes(data[:cut])
        again = opened(tmp_path / "f")
        found = list(again.bodies())
        assert found == BODIES[: len(found)]
        assert again.end + again.repaired_bytes == cut
        again.file.close()


def test_every_changed_byte_of_a_body_is_an_error(tmp_path: Path) -> None:
    filled(tmp_path / "f").file.close()
    data = bytearray((tmp_path / "f").read_bytes())
    at = data.index(b"one")
    for place in range(at, at + 3):
        data[place] ^= 1
        (tmp_path / "f").write_bytes(data)
        with pytest.raises(JournalError, match="at byte"):
            opened(tmp_path / "f")
        data[place] ^= 1


def test_a_length_that_no_frame_has_is_damage(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(HEAD + (FRAME_BYTES_MAX + 1).to_bytes(4, "big") + bytes(4))
    with pytest.raises(JournalError):
        opened(tmp_path / "f")


def test_without_room_what_was_not_synced_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = filled(tmp_path / "f")
    frames.write(b"not synced")

    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(DiskFullError):
            frames.write(b"more")
    assert list(frames.bodies()) == BODIES
    frames.write(b"later")
    frames.sync()
    assert list(frames.bodies()) == [*BODIES, b"later"]
    frames.file.close()


def test_write_all_goes_on_after_a_short_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    with (tmp_path / "f").open("wb", buffering=0) as file, monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:3]))
        write_all(file.fileno(), b"0123456789")
    assert (tmp_path / "f").read_bytes() == b"0123456789"
