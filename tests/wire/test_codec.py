"""One form of each message; everything else is refused."""

from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.errors import MalformedError
from unop2p.log.messages import Adopt, Statement
from unop2p.table import bodies
from unop2p.wire import codec

HEAD = bytes(32)
STATEMENT = Statement(table=bytes(16), step=3, head=HEAD, body=bodies.Drew())


@given(step=st.integers(0, 1 << 40), attempt=st.integers(0, 99), close=st.binary(max_size=40))
def test_what_is_encoded_is_read_back(step: int, attempt: int, close: bytes) -> None:
    adopt = Adopt(table=bytes(16), step=step, head=HEAD, attempt=attempt, close=close)
    assert codec.decode(codec.encode(adopt)) == adopt


@given(st.binary(max_size=200))
def test_junk_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        codec.decode(data)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"step":3', b'"step": 3'),
        (b'"step":3', b'"step":3.0'),
        (b'"step":3', b'"step":"3"'),
        (b'"step":3', b'"step":3,"step":3'),
        (b'"step":3', b'"step":3,"more":1'),
        (b'"step":3', b'"step":true'),
        (b'"kind":"drew"', b'"kind":"flew"'),
        (b'"kind":"drew"', b'"kind":"kept","color":"R"'),
    ],
)
def test_another_form_of_the_same_is_refused(old: bytes, new: bytes) -> None:
    payload = codec.encode(STATEMENT)
    assert codec.decode(payload) == STATEMENT
    assert old in payload
    with pytest.raises(MalformedError):
        codec.decode(payload.replace(old, new))


@pytest.mark.parametrize("kind", get_args(codec.WireMessage), ids=lambda kind: kind.__name__)
def test_the_kind_of_every_message_stands_last_where_it_is_found_without_reading_the_rest(
    kind: type,
) -> None:
    last = fields(kind)[-1]
    assert last.name == "kind"
    name = str(last.default)
    assert len(name) + len('"kind":""}') <= codec.KIND_TAIL_BYTES
    assert codec.kind_of(f'{{"text":"\\"kind\\":","kind":"{name}"}}'.encode()) == name.encode()


@given(st.binary(max_size=60))
def test_bytes_that_are_no_message_have_some_kind_or_none(data: bytes) -> None:
    assert len(codec.kind_of(data)) < codec.KIND_TAIL_BYTES
