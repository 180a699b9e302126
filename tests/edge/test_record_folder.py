"""Records beyond those to keep go, the oldest first, and never one that is being written."""

import os
from pathlib import Path
from typing import Any

import pytest

from unop2p.edge.record_folder import prune

ALL: dict[str, Any] = {"keep": 0, "most_bytes": 0, "oldest_s": 0, "but": set()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(5):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(b"x" * 100)
        os.utime(path, (1_000 + number, 1_000 + number))
    (tmp_path / "notes.txt").write_text("mine")
    os.utime(tmp_path / "notes.txt", (1, 1))
    return tmp_path


def left(folder: Path) -> str:
    return "".join(sorted(path.stem for path in folder.glob("*.jsonl")))


@pytest.mark.parametrize(
    ("bounds", "kept"),
    [
        ({}, "01234"),
        ({"keep": 2}, "34"),
        ({"keep": 9}, "01234"),
        ({"most_bytes": 350}, "234"),
        ({"most_bytes": 50}, ""),
        ({"oldest_s": 1_003}, "34"),
        ({"keep": 4, "most_bytes": 300, "oldest_s": 1_001}, "234"),
        ({"keep": 1, "but": {"0"}}, "0"),
        ({"keep": 3, "but": {"0"}}, "034"),
        ({"oldest_s": 9_999, "but": {"0", "2"}}, "02"),
    ],
)
def test_what_is_kept(folder: Path, bounds: dict[str, Any], kept: str) -> None:
    but = {folder / f"{name}.jsonl" for name in bounds.get("but", ())}
    gone = prune(folder, **(ALL | bounds | {"but": but}))
    assert left(folder) == kept
    assert len(gone) == 5 - len(kept)
    assert (folder / "notes.txt").exists()


def test_a_folder_that_has_gone_is_no_reason_to_end(tmp_path: Path) -> None:
    assert prune(tmp_path / "nowhere", **(ALL | {"keep": 1})) == []
