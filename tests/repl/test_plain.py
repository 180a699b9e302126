"""Lines from a pipe."""

import asyncio
import os

from hypothesis import given
from hypothesis import strategies as st

from unop2p.repl.plain import LINE_BYTES_MAX, Splitter, lines


@given(text=st.text(st.characters(exclude_characters="\n\r", codec="utf-8")), cut=st.integers(1, 9))
def test_lines_do_not_depend_on_how_the_bytes_come(text: str, cut: int) -> None:
    data = f"{text}\nr7\r\n\nlast".encode()
    splitter = Splitter()
    found: list[str] = []
    for start in range(0, len(data), cut):
        found += splitter.feed(data[start : start + cut])
    assert found == [text, "r7", ""]
    assert splitter.feed(b"") == ["last"]
    assert splitter.feed(b"") == []


def test_an_endless_line_comes_in_pieces() -> None:
    splitter = Splitter()
    assert splitter.feed(b"x" * (2 * LINE_BYTES_MAX + 5)) == ["x" * LINE_BYTES_MAX] * 2
    assert splitter.feed(b"y\n") == ["xxxxxy"]


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    assert Splitter().feed(b"\xff7\n") == ["\ufffd7"]


async def test_a_pipe_is_read_to_its_end() -> None:
    source, sink = os.pipe()
    found = []

    async def collect() -> None:
        async for line in lines(source):
            found.append(line)

    reading = asyncio.create_task(collect())
    os.write(sink, b"r7\ndr")
    while not found:
        await asyncio.sleep(0)
    assert found == ["r7"]
    os.write(sink, b"aw\nquit")
    os.close(sink)
    await reading
    os.close(source)
    assert found == ["r7", "draw", "quit"]


async def test_a_descriptor_that_cannot_be_read_is_at_its_end() -> None:
    source, sink = os.pipe()
    os.close(source)
    os.close(sink)
    assert [line async for line in lines(source)] == []
