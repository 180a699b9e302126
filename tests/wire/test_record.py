"""Lines of a record: one form of each, bounded; what a cut leaves can be told from anything else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.errors import MalformedError
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate
from unop2p.wire.record import (
    LINE_BYTES_MAX,
    EvidenceLine,
    GenesisLine,
    RecordedMessage,
    StepLine,
    check_beginning,
    decode_line,
    encode_line,
    evidence_line,
    genesis_line,
    read_message,
    step_line,
)

SIGNED = Signed(author=bytes(32), signature=bytes(64), payload='{"text":"a \\"b\\" ü"}'.encode())
CERTIFICATE = Certificate(
    step=3, head=bytes(32), close=bytes(32), attempt=0, statements=(SIGNED,) * 2, adopts=(SIGNED,)
)
EVIDENCE = Evidence(author=bytes(32), step=4, reason="two tries", items=(SIGNED, SIGNED))
LINES = (genesis_line(SIGNED), step_line(CERTIFICATE), evidence_line(EVIDENCE))


@pytest.mark.parametrize("data", LINES)
def test_what_is_written_is_read_back_to_the_same_bytes(data: bytes) -> None:
    assert encode_line(decode_line(data)) == data
    assert b"\n" not in data


def test_a_message_keeps_the_bytes_that_were_signed() -> None:
    line = decode_line(LINES[0])
    assert isinstance(line, GenesisLine)
    assert read_message(line.genesis) == SIGNED
    step = decode_line(LINES[1])
    assert isinstance(step, StepLine)
    assert [read_message(item) for item in step.statements] == [SIGNED, SIGNED]


def test_why_evidence_proves_a_fault_is_not_stated_for_it_follows_from_the_items() -> None:
    line = decode_line(LINES[2])
    assert isinstance(line, EvidenceLine)
    assert json.loads(LINES[2]).keys() == {"step", "items", "close", "kind"}


@given(st.binary(max_size=200))
def test_junk_is_no_line(data: bytes) -> None:
    with pytest.raises(MalformedError):
        decode_line(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["kind", "step", "items", "genesis", "version", "adopts"]), inner
            )
        ),
    )
)
def test_other_json_is_no_line(value: Any) -> None:
    with pytest.raises(MalformedError):
        decode_line(json.dumps(value).encode())


def test_a_line_that_is_too_long_is_not_looked_at() -> None:
    huge = EvidenceLine(
        step=0,
        items=(RecordedMessage(author=b"", signature=b"", payload="x" * LINE_BYTES_MAX),),
    )
    data = encode_line(huge)
    with pytest.raises(MalformedError, match="too long"):
        decode_line(data)
    with pytest.raises(MalformedError, match="too long"):
        check_beginning(data, first=False)


@pytest.mark.parametrize("data", LINES)
def test_what_a_cut_leaves_is_the_beginning_of_a_line(data: bytes) -> None:
    first = data is LINES[0]
    for end in range(1, len(data) + 1):
        try:
            data[:end].decode()
        except UnicodeDecodeError:
            continue  # no payload of the protocol has other than plain letters
        check_beginning(data[:end], first=first)
        if end > 2:
            with pytest.raises(MalformedError):
                check_beginning(data[:end], first=not first)


@pytest.mark.parametrize(
    "data",
    [
        b'{"step":1}',
        b'{"step":1}}',
        b'{"step":1,]',
        b'{"step":nonsense',
        b'{"step":\xff',
        b'{"step":1,"items":[\x00',
        b'{"step":' + b"[" * 100_000,
        b'{"step":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"step":' + b"9" * 100_000 + b"}",
        b'{"steps":1',
    ],
    ids=range(10),
)
def test_what_no_cut_can_leave_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        check_beginning(data, first=False)
