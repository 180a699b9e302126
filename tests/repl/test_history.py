"""What was typed before."""

from pathlib import Path

from unop2p.repl.history import LINES_MAX, KeptHistory


def kept(path: Path) -> list[str]:
    """Return what a history begins with, the latest first."""
    return list(KeptHistory(path).load_history_strings())


def test_what_was_typed_is_there_the_next_time_the_latest_first(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    history = KeptHistory(path)
    for line in ("r7", "say hi", "two\nlines"):
        history.append_string(line)
    assert kept(path) == ["two lines", "say hi", "r7"]
    assert path.stat().st_mode & 0o077 == 0


def test_a_file_that_has_grown_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{number}\n" for number in range(3 * LINES_MAX)))
    assert kept(path)[0] == str(3 * LINES_MAX - 1)
    assert len(path.read_text().splitlines()) == LINES_MAX


def test_a_file_that_cannot_be_used_is_as_good_as_none(tmp_path: Path) -> None:
    assert kept(tmp_path) == []
    KeptHistory(tmp_path).append_string("r7")
    assert kept(tmp_path / "none" / "a.txt") == []


def test_letters_that_are_no_text_are_shown_as_such(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"say \xff\n\n")
    assert kept(path) == ["say \ufffd"]
