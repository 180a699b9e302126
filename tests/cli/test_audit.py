"""`unop2p audit` on values: exit codes, words and JSON of each finding."""

import json
from functools import cache
from pathlib import Path

import pytest

from tests.wire.records import fault, proved
from unop2p.cli.audit import (
    EXIT_CODES,
    UNEXPECTED_EXIT_CODE,
    ExpectFileError,
    RecordUnreadableError,
    run,
)
from unop2p.log.digest import fingerprint
from unop2p.wire.audit import AuditReport, Finding, audit
from unop2p.wire.record import LINE_BYTES_MAX

pytestmark = pytest.mark.slow


@cache
def report() -> AuditReport:
    return audit(proved())


def written(folder: Path, *lines: bytes) -> Path:
    file = folder / "record.jsonl"
    file.write_bytes(b"".join(lines))
    return file


def peers(folder: Path, content: object) -> Path:
    file = folder / "peers.json"
    file.write_text(json.dumps(content))
    return file


def test_every_finding_has_a_code_of_its_own() -> None:
    assert EXIT_CODES.keys() == set(Finding)
    assert len({*EXIT_CODES.values(), UNEXPECTED_EXIT_CODE}) == len(Finding) + 1


def test_a_whole_record_is_ok_and_the_keys_are_said_to_be_nobodys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(written(tmp_path, *proved()), None, None, as_json=False) == 0
    said = capsys.readouterr().out
    for name, key in zip(report().names, report().keys, strict=True):
        assert f"seat   {name} (bot)  {fingerprint(key)}" in said
    assert "Whose they are, the record cannot know: compare fingerprints." in said
    assert "round  1: " in said
    assert f"last head {report().head.hex()[:16]}" in said
    assert "ok     Everything holds." in said


def test_json_says_the_same_as_one_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(written(tmp_path, *proved()), None, None, as_json=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["finding"] == "complete"
    assert found["head"] == report().head.hex()
    assert found["totals"] == list(report().totals)
    assert [seat["key"] for seat in found["seats"]] == [key.hex() for key in report().keys]
    assert found["unexpected"] is None
    assert (found["statements"], found["signatures"]) == (
        report().statements,
        report().signatures,
    )


def test_a_cut_record_a_broken_and_one_with_a_fault_have_their_own_words_and_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = proved()
    for content, code, words in (
        (lines[:5], 40, "incomplete  Everything up to line 5 holds. The match has not ended"),
        ((*lines[:5], lines[5][:99]), 40, "incomplete  Everything up to line 6 holds. The last"),
        ((*lines[:4], *lines[5:]), 41, "broken  Line 5, step 3: step 4 where 3 is due."),
        ((), 40, "incomplete  The record is empty."),
        ((b"junk\n",), 41, "broken  Line 1: not a line of a record."),
        (fault("one"), 42, "fault  p2 broke the protocol at step "),
    ):
        assert run(written(tmp_path, *content), None, None, as_json=False) == code
        assert words in capsys.readouterr().out


def test_expected_keys_are_compared_and_a_stranger_has_a_code_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, *proved())
    known = {name: key.hex() for name, key in zip(report().names, report().keys, strict=True)}
    assert run(file, peers(tmp_path, {"peers": known}), None, as_json=False) == 0
    assert "known  Every key is one that you know." in capsys.readouterr().out
    swapped = dict(zip(known, reversed(known.values()), strict=True))
    for wrong in (swapped, {}, {**known, "p0": "00"}):
        assert run(file, peers(tmp_path, {"peers": wrong}), None, as_json=False) == 43
        assert "unexpected  Not the keys you know: p0" in capsys.readouterr().out
    cut = written(tmp_path, *proved()[:5])
    assert run(cut, peers(tmp_path, {"peers": {}}), None, as_json=False) == 40, (
        "it is cut in any case"
    )


@pytest.mark.parametrize(
    "content", [None, [], {}, {"peers": None}, {"peers": []}, {"peers": "x"}, 3]
)
def test_a_file_of_known_peers_that_is_none_is_refused_before_the_record_is_read(
    tmp_path: Path, content: object
) -> None:
    with pytest.raises(ExpectFileError):
        run(tmp_path / "nowhere", peers(tmp_path, content), None, as_json=False)


@pytest.mark.parametrize("file", [".", "nowhere", "file/below"])
def test_a_file_that_cannot_be_read_has_a_sentence(tmp_path: Path, file: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordUnreadableError, match=r"\.$"):
        run(tmp_path / file, None, None, as_json=False)


def test_a_line_of_any_length_is_read_no_further_than_shows_that_it_is_too_long(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, proved()[0], b"x" * (3 * LINE_BYTES_MAX), b"\n")
    assert run(file, None, None, as_json=False) == 41
    assert "Line 2, step 0: a line that is too long." in capsys.readouterr().out
