"""One form of each message; everything else is refused."""

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
