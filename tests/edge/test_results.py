"""The file of results: what is kept, and what damage does."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.edge.errors import FolderError, ProfileError
from unop2p.edge.results import Result, Results, SeatResult, decode, encode


def result(table: str = "aa", own: int = 0, **seat: object) -> Result:
    mine = SeatResult(name="ann", key="01", bot=False, points=500, rounds_won=4, won=True)
    other = SeatResult(name="ben", key="02", bot=True, points=120, rounds_won=2, won=False)
    seats = (replace(mine, **seat), other)  # type: ignore[arg-type]
    return Result(ended_s=1_700_000_000, table=table, rounds=6, own=own, seats=seats)


def test_results_come_back_as_they_were_in_order(tmp_path: Path) -> None:
    results = Results(tmp_path, "default")
    for table in ("aa", "bb"):
        results.add(result(table))
    assert Results(tmp_path, "default").read() == ([result("aa"), result("bb")], 0)
    assert results.path.stat().st_mode & 0o077 == 0


def test_a_match_is_kept_once(tmp_path: Path) -> None:
    results = Results(tmp_path, "default")
    results.add(result("aa"))
    results.add(result("aa"))
    assert len(results.read()[0]) == 1


def test_profiles_have_files_of_their_own(tmp_path: Path) -> None:
    Results(tmp_path, "one").add(result())
    assert Results(tmp_path, "two").read() == ([], 0)
    with pytest.raises(ProfileError):
        Results(tmp_path, "../up")


@given(place=st.integers(min_value=0), change=st.integers(min_value=1, max_value=255))
def test_a_changed_byte_is_noticed(place: int, change: int) -> None:
    line = bytearray(encode(result()))
    line[place % len(line)] ^= change
    assert decode(bytes(line)) is None


def test_a_damaged_line_is_left_out_and_counted(tmp_path: Path) -> None:
    results = Results(tmp_path, "default")
    results.add(result("aa"))
    results.path.write_bytes(results.path.read_bytes().replace(b"500", b"501") + b"[1\n")
    results.add(result("bb"))
    assert results.read() == ([result("bb")], 2)


def test_half_a_line_takes_no_other_along(tmp_path: Path) -> None:
    results = Results(tmp_path, "default")
    results.add(result("aa"))
    with results.path.open("ab") as file:
        file.write(encode(result("bb"))[:40])
    results.add(result("cc"))
    assert results.read() == ([result("aa"), result("cc")], 1)


@pytest.mark.parametrize("line", [b"", b"{}", b"[]", b"null", b"{" * 5000, b'{"sum":"x"}'])
def test_what_is_no_result_is_none(line: bytes) -> None:
    assert decode(line) is None


def test_a_seat_that_is_not_there_is_no_result() -> None:
    assert decode(encode(result(own=5))) is None


def test_a_file_that_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    results = Results(tmp_path, "default")
    results.path.mkdir()
    with pytest.raises(FolderError):
        results.read()


def test_the_file_does_not_grow_for_ever_and_keeps_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = len(encode(result("0000"))) + 1
    monkeypatch.setattr("unop2p.edge.results.FILE_BYTES_MAX", 10 * line)
    results = Results(tmp_path, "default")
    for number in range(100):
        results.add(result(f"{number:04}"))
        assert results.path.stat().st_size <= 21 * line
    found, damaged = results.read()
    assert found[-1].table == "0099"
    assert len(found) >= 9
    assert damaged <= 1, "half a line where reading begins"
    assert results.path.stat().st_mode & 0o077 == 0
