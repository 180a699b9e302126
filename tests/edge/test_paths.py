"""Folders and files of the game are private, and whole or not there."""

import errno
import os
import stat
from pathlib import Path

import platformdirs
import pytest

from unop2p.edge.errors import DiskFullError, FolderError
from unop2p.edge.paths import (
    data_home,
    ensure_folder,
    file_failed,
    is_there,
    settings_path,
    sync_folder,
    write_atomically,
)


def mode(path: Path) -> int:
    """Return the permission bits of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


def test_the_variable_overrides_the_place(tmp_path: Path) -> None:
    home = data_home({"UNOP2P_HOME": str(tmp_path / "a" / "b")})
    assert home == tmp_path / "a" / "b"
    assert home.is_dir()


def test_without_the_variable_it_is_the_platforms_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("UNOP2P_HOME", raising=False)
    home = data_home()
    assert home.name == "unop2p"
    assert tmp_path in home.parents


def test_the_place_of_the_settings_file_is_the_variable_then_the_folder_then_the_platforms(
    tmp_path: Path,
) -> None:
    both = {"UNOP2P_CONFIG": str(tmp_path / "mine.toml"), "UNOP2P_HOME": str(tmp_path)}
    assert settings_path(both) == tmp_path / "mine.toml"
    assert settings_path({"UNOP2P_HOME": str(tmp_path)}) == tmp_path / "config.toml"
    assert settings_path({}).name == "config.toml"


@pytest.mark.parametrize("chosen", [None, "", "relative", "/tmp/chosen"])  # noqa: S108  # only a name
@pytest.mark.parametrize("home", [None, "relative", "/tmp/home"])  # noqa: S108
def test_the_platforms_place_of_the_settings_file_is_what_platformdirs_says(
    chosen: str | None, home: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("XDG_CONFIG_HOME", chosen),
        ("HOME", home),
        ("UNOP2P_HOME", None),
        ("UNOP2P_CONFIG", None),
    ):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    there = Path(platformdirs.user_config_path("unop2p", appauthor=False))
    assert settings_path() == there / "config.toml"


def test_folders_are_private_even_if_they_were_open(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    assert mode(ensure_folder(tmp_path / "open")) == 0o700
    assert mode(ensure_folder(tmp_path / "new")) == 0o700
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("below", ["", "home", "deep/home"])
def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FolderError, match="file") as caught:
        data_home({"UNOP2P_HOME": str(tmp_path / "file" / below)})
    assert caught.value.exit_code == 14
    assert "UNOP2P_HOME" in caught.value.sentence()
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a file system without writing")
def test_a_folder_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(FolderError):
        ensure_folder(Path("/proc/self"))


def test_a_file_is_written_whole_and_private(tmp_path: Path) -> None:
    assert write_atomically(tmp_path / "key", b"one")
    assert write_atomically(tmp_path / "key", b"two")
    assert (tmp_path / "key").read_bytes() == b"two"
    assert mode(tmp_path / "key") == 0o600
    assert os.listdir(tmp_path) == ["key"]


def test_a_file_that_may_not_be_replaced_stays(tmp_path: Path) -> None:
    assert write_atomically(tmp_path / "key", b"one", replace=False)
    assert not write_atomically(tmp_path / "key", b"two", replace=False)
    assert (tmp_path / "key").read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["key"]


def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_atomically(tmp_path / "key", b"one")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(tmp_path / "key", b"two")
    assert (tmp_path / "key").read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["key"]


def test_a_folder_can_be_synced(tmp_path: Path) -> None:
    sync_folder(tmp_path)
    if os.name == "posix":
        with pytest.raises(FileNotFoundError):
            sync_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_file_that_finds_no_room_is_told_from_one_that_cannot_be_used(number: int) -> None:
    path = Path("home") / "key"
    full = file_failed(path, OSError(number, "whatever"))
    assert isinstance(full, DiskFullError)
    assert full.sentence().endswith(f"{path}.")
    closed = file_failed(path, OSError(errno.EACCES, "Permission denied"))
    assert isinstance(closed, FolderError)
    assert closed.sentence().endswith(f"{path}: Permission denied.")


def test_what_lies_behind_a_closed_folder_or_under_an_impossible_name_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_there(tmp_path)
    assert not is_there(tmp_path / "none")
    assert not is_there(tmp_path / ("x" * 5_000))

    def closed(_path: Path, **_: object) -> os.stat_result:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "stat", closed)
    assert not is_there(tmp_path / "home" / "config.toml")
