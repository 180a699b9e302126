"""A record that was changed anywhere is never found complete, and one that was cut is incomplete."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from tests.wire.records import (
    BODY_KINDS,
    all_records,
    body_kinds,
    fault,
    proved,
    rigged_audit,
)
from tests.wire.spans import Span, spans
from unop2p.wire.audit import Audit, Finding, _WrongError, audit

PER_FIELD_MAX = 3
"""Of each field its first occurrence, one in the middle and the last are changed."""


def take(work: Audit, line: bytes) -> None:
    work.take(line.removesuffix(b"\n"))


def refused(work: Audit, line: bytes) -> None:
    """Assert that a line does not hold where a record has come to, and that it changes nothing."""
    before = work.state, work.state and (work.state.step, work.state.head), work.fault
    with pytest.raises(_WrongError) as caught:
        take(work, line)
    assert str(caught.value)
    assert before == (work.state, work.state and (work.state.step, work.state.head), work.fault)


def changed(line: bytes, place: int, to: int) -> bytes:
    assert line[place] != to
    return line[:place] + bytes([to]) + line[place + 1 :]


def neighbour(byte: int) -> int:
    """Return another byte of the same kind, so that the line keeps its form where it can."""
    for first, last in (b"09", b"az", b"AZ"):
        if first <= byte <= last:
            return byte + 1 if byte < last else first
    return byte ^ 1


@cache
def occurrences() -> dict[str, list[tuple[str, int, Span]]]:
    """Return by path every place of a field: record, index of the line, span."""
    found: dict[str, list[tuple[str, int, Span]]] = {}
    for name, lines in all_records().items():
        for index, line in enumerate(lines):
            for span in spans(line.removesuffix(b"\n")):
                found.setdefault(span.path, []).append((name, index, span))
    return found


def chosen(places: list[tuple[str, int, Span]]) -> Iterator[tuple[str, int, Span]]:
    some = [item for item in places if item[2].places]
    picked = {0, len(some) // 2, len(some) - 1}
    for index in sorted(picked)[:PER_FIELD_MAX] if some else ():
        yield some[index]


@pytest.mark.slow
def test_the_records_here_hold_every_kind_of_line_message_and_body() -> None:
    assert set().union(*(body_kinds(lines) for lines in all_records().values())) == BODY_KINDS
    lead = {path.partition(".")[0] for path in occurrences()}
    assert lead == {"<genesis>", "<step>", "<evidence>"}


@pytest.mark.slow
def test_every_record_here_is_found_to_be_what_it_is() -> None:
    with rigged_audit():
        for name, lines in all_records().items():
            wanted = Finding.FAULT if name.startswith("fault") else Finding.COMPLETE
            report = audit(lines)
            assert (report.finding, report.line) == (wanted, len(lines)), (name, report.reason)


@pytest.mark.slow
def test_a_byte_changed_in_any_kind_of_field_is_found_at_its_line() -> None:
    """Of every field of every kind of line, message and body, and in the names of the fields."""
    fields = occurrences()
    due: dict[str, dict[int, list[tuple[str, int]]]] = {}
    for path, places in fields.items():
        for name, index, span in chosen(places):
            middle = len(span.places) // 2
            for place in {span.places[0], span.places[middle], span.places[-1]}:
                due.setdefault(name, {}).setdefault(index, []).append((path, place))
    rng = random.Random(7)
    seen: set[str] = set()
    with rigged_audit():
        for name, lines in all_records().items():
            work = Audit()
            for index, line in enumerate(lines):
                for path, place in due.get(name, {}).get(index, ()):
                    refused(work, changed(line, place, neighbour(line[place])))
                    refused(work, changed(line, place, line[place] ^ 1 << rng.randrange(8)))
                    seen.add(path)
                take(work, line)
            if "fault" not in name:
                assert work.state is not None and work.state.over
    # A field that is empty in all records has no byte to change.
    assert fields.keys() - seen == {
        path for path, places in fields.items() if not any(span.places for _, _, span in places)
    }
    assert len(seen) > 200


@pytest.mark.slow
def test_every_byte_of_a_line_counts() -> None:
    lines = proved()
    work = Audit()
    shortest = min(range(1, len(lines)), key=lambda index: len(lines[index]))
    for line in lines[:shortest]:
        take(work, line)
    line = lines[shortest].removesuffix(b"\n")
    for place in range(len(line)):
        refused(work, changed(line, place, line[place] ^ 1 << place % 8))


@pytest.mark.slow
def test_a_byte_flipped_in_any_of_500_places_is_never_complete() -> None:
    rng = random.Random(500)
    lines = proved()
    assert audit(lines).finding is Finding.COMPLETE
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    places = sorted(rng.sample(range(starts[-1]), 500))
    work = Audit()
    tried = 0
    for number, line in enumerate(lines):
        for place in (
            p - starts[number] for p in places if starts[number] <= p < starts[number + 1]
        ):
            flipped = changed(line, place, line[place] ^ 1 << rng.randrange(8))
            tried += 1
            if place < len(line) - 1:
                refused(work, flipped)
            else:  # a newline: two lines are one now, or the last one does not end
                rest = [flipped + (lines[number + 1] if number + 1 < len(lines) else b"")]
                found = audit([*lines[:number], *rest]).finding
                assert found in {Finding.BROKEN, Finding.INCOMPLETE}
        take(work, line)
    assert tried == 500


@pytest.mark.slow
def test_a_record_whose_tail_is_cut_anywhere_is_incomplete() -> None:
    lines = proved()
    for keep in (0, 1, 2, len(lines) // 2, len(lines) - 1):
        assert audit(lines[:keep]).finding is Finding.INCOMPLETE
    for index in (0, 1, len(lines) - 1):
        line = lines[index]
        for end in (1, 2, 9, len(line) // 2, len(line) - 2, len(line) - 1):
            report = audit([*lines[:index], line[:end]])
            assert report.finding is Finding.INCOMPLETE, (index, end)
            assert (report.line, "cut off" in report.reason) == (index + 1, True)


@pytest.mark.slow
def test_a_tail_that_no_cut_can_leave_is_broken() -> None:
    lines = proved()
    last = lines[-1]
    for tail in (
        b"x",
        b"null",
        b"{}",
        b'{"step":1}x',
        b'{"version":1,"genesis":{"author":"',
        b"\0",
    ):
        report = audit([*lines[:3], tail])
        assert (report.finding, report.line) == (Finding.BROKEN, 4), tail
    for tail in (last.replace(b"\n", b"*"), last.replace(b"\n", b"\r"), last[:40] + b"\x01"):
        assert audit([*lines[:-1], tail]).finding is Finding.BROKEN
    for tail in (b"GIF89a", b"\xef\xbb\xbf" + lines[0][:50], b" ", b'{"step":0,'):
        assert audit([tail]).finding is Finding.BROKEN, tail


@pytest.mark.slow
def test_lines_that_are_left_out_swapped_or_said_twice_are_broken() -> None:
    lines = list(proved())
    for wrong, line in (
        (lines[1:], 1),
        (lines[:3] + lines[4:], 4),
        ([*lines[:3], lines[4], lines[3], *lines[5:]], 4),
        ([*lines[:3], lines[2], *lines[3:]], 4),
        ([*lines, lines[-1]], len(lines) + 1),
        ([lines[0], *lines], 2),
        ([*lines, lines[0]], len(lines) + 1),
        ([*lines, fault("one")[-1]], len(lines) + 1),
        ([*lines[:5], *fault("one")[3:], *lines[5:]], 6),
        ([*fault("one"), fault("one")[-1]], len(fault("one")) + 1),
        ([fault("one")[-1], *lines], 1),
    ):
        report = audit(wrong)
        assert (report.finding, report.line) == (Finding.BROKEN, line), report.reason


@pytest.mark.slow
def test_lines_in_any_other_form_are_broken() -> None:
    lines = list(proved())
    third = lines[2].removesuffix(b"\n")
    other = {
        "carriage return": third + b"\r\n",
        "space at the end": third + b" \n",
        "space inside": third.replace(b'"step":', b'"step": ', 1) + b"\n",
        "mark of the byte order": b"\xef\xbb\xbf" + third + b"\n",
        "another encoding": third.decode().encode("utf-16") + b"\n",
        "blank": b"\n",
        "blank before": b"\n" + third + b"\n",
        "nothing": b"null\n",
        "a key twice": third.replace(b'{"step":1,', b'{"step":1,"step":1,') + b"\n",
        "a key more": third.replace(b'{"step":1,', b'{"step":1,"more":1,') + b"\n",
        "a key less": third.replace(b'"step":1,', b"", 1) + b"\n",
        "another order": b'{"kind":"step",' + third[1:].replace(b',"kind":"step"}', b"}") + b"\n",
        "a float": third.replace(b'"step":1,', b'"step":1.0,', 1) + b"\n",
        "an exponent": third.replace(b'"step":1,', b'"step":1e0,', 1) + b"\n",
        "a zero before": third.replace(b'"step":1,', b'"step":01,', 1) + b"\n",
        "a minus": third.replace(b'"step":1,', b'"step":-1,', 1) + b"\n",
        "a word": third.replace(b'"step":1,', b'"step":true,', 1) + b"\n",
        "text": third.replace(b'"step":1,', b'"step":"1",', 1) + b"\n",
        "huge": third.replace(b'"step":1,', b'"step":' + b"9" * 30 + b",", 1) + b"\n",
        "enormous": third.replace(b'"step":1,', b'"step":' + b"9" * 100_000 + b",", 1) + b"\n",
        "not a number": third.replace(b'"step":1,', b'"step":NaN,', 1) + b"\n",
        "an escape": third.replace(b'"kind"', b'"\\u006bind"', 1) + b"\n",
        "half a letter": third.replace(b'"kind":"step"', b'"kind":"\\ud800"') + b"\n",
        "half a letter in a payload": third.replace(b'"payload":"{', b'"payload":"\\ud800{', 1)
        + b"\n",
        "a byte that is no letter": third.replace(b'"payload":"{', b'"payload":"\xff{', 1) + b"\n",
        "a zero byte": third.replace(b'"payload":"{', b'"payload":"\0{', 1) + b"\n",
        "a zero byte at the end": third + b"\0\n",
        "deep": b"[" * 100_000 + b"]" * 100_000 + b"\n",
        "deep inside": third.replace(b'"step":1,', b'"step":' + b"[" * 5000 + b"]" * 5000 + b",")
        + b"\n",
        "long": b'{"step":"' + b"x" * 10_000_000 + b'"}\n',
        "comment": b"# a note\n",
        "two in one": third + third + b"\n",
        "a list": b"[" + third + b"]\n",
    }
    for what, line in other.items():
        assert line not in lines, what
        report = audit([*lines[:2], line, *lines[3:]])
        assert (report.finding, report.line) == (Finding.BROKEN, 3), what
        assert len(report.reason) < 200
    first = lines[0].removesuffix(b"\n")
    for line in (
        first.replace(b'"version":1', b'"version":2'),
        first.replace(b'"version":1', b'"version":11111111111111111111'),
        b"",
        b"{}",
        third,
    ):
        report = audit([line + b"\n", *lines[1:]])
        assert (report.finding, report.line) == (Finding.BROKEN, 1)


def test_no_lines_are_an_empty_record() -> None:
    report = audit([])
    assert (report.finding, report.line, report.step) == (Finding.INCOMPLETE, 0, -1)
    assert (report.names, report.rounds) == ((), ())
