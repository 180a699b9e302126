"""What a broker brings, sorted before the library sees it: messages are taken, all else goes on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.edge import sieve
from unop2p.edge.sieve import Sieve

CONNACK = bytes([0x20, 2, 0, 0])
PINGRESP = bytes([0xD0, 0])
SUBACK = bytes([0x90, 3, 0, 1, 1])
TOPIC = b"\x00\x05table"


class Line:
    """A socket on which some parts come, one at each read."""

    def __init__(self, *parts: bytes) -> None:
        """Take what comes; after it there is nothing."""
        self.parts = list(parts)
        self.taken: list[bytes] = []
        self.answers: list[bytes] = []
        self.reads = 0

    def recv(self, size: int) -> bytes:
        self.reads += 1
        if not self.parts:
            raise BlockingIOError
        part = self.parts.pop(0)
        assert len(part) <= size
        return part

    def fileno(self) -> int:
        return 17

    def sieve(self, *, properties: bool = False) -> Sieve:
        return Sieve(
            self,  # type: ignore[arg-type]  # what it needs of a socket
            take=self.taken.append,
            acknowledge=self.answers.append,
            properties=properties,
        )


def length(number: int) -> bytes:
    """Return a length as MQTT writes it."""
    found = b""
    while True:
        number, low = divmod(number, 128)
        found += bytes([low | (0x80 if number else 0)])
        if not number:
            return found


def publish(payload: bytes, *, qos: int = 0, mid: int = 1, more: bytes = b"") -> bytes:
    """Return a PUBLISH packet."""
    body = TOPIC + (mid.to_bytes(2, "big") if qos else b"") + more + payload
    return bytes([0x30 | qos << 1]) + length(len(body)) + body


def for_library(made: Sieve, line: Line) -> bytes:
    """Read as the library does, byte by byte, until nothing comes any more."""
    found = b""
    while line.parts or made.pending():
        try:
            found += made.recv(1)
        except BlockingIOError:
            continue
    return found


def test_messages_are_taken_and_all_else_goes_on_to_the_library() -> None:
    line = Line(CONNACK + publish(b"one") + SUBACK + publish(b"two", qos=1, mid=7) + PINGRESP)
    made = line.sieve()
    assert for_library(made, line) == CONNACK + SUBACK + PINGRESP
    assert line.taken == [b"one", b"two"]


def test_what_one_read_brings_costs_one_read_and_one_acknowledgment() -> None:
    line = Line(b"".join(publish(bytes(40), qos=1, mid=mid) for mid in range(1, 101)))
    made = line.sieve()
    with pytest.raises(BlockingIOError):
        made.recv(1)
    assert (len(line.taken), line.reads) == (100, 1)
    assert line.answers == [b"".join(b"\x40\x02" + mid.to_bytes(2, "big") for mid in range(1, 101))]


@given(
    st.lists(
        st.one_of(
            st.sampled_from([CONNACK, PINGRESP, SUBACK]),
            st.binary(max_size=300).map(publish),
            st.binary(max_size=300).map(lambda data: publish(data, qos=1, mid=9)),
        ),
        max_size=8,
    ),
    st.data(),
)
def test_it_does_not_matter_where_the_network_cuts(
    packets: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(packets)
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(stream) - 1)), max_size=20)))
    parts = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    line = Line(*(part for part in parts if part))
    whole = Line(*([stream] if stream else []))
    assert for_library(line.sieve(), line) == for_library(whole.sieve(), whole)
    assert line.taken == whole.taken
    assert b"".join(line.answers) == b"".join(whole.answers)


def test_the_properties_of_mqtt_5_are_no_part_of_a_message() -> None:
    line = Line(publish(b"said", qos=1, more=b"\x03abc"), publish(b"short", more=b"\x00"))
    made = line.sieve(properties=True)
    assert for_library(made, line) == b""
    assert line.taken == [b"said", b"short"]


def test_a_message_whose_properties_are_longer_than_itself_is_none() -> None:
    line = Line(publish(b"said", more=b"\x7f"), publish(b"", more=b"\xff\xff\xff\xff"))
    made = line.sieve(properties=True)
    for_library(made, line)
    assert line.taken == []


def test_what_is_larger_than_any_envelope_is_thrown_away_unread_and_acknowledged() -> None:
    size = sieve.PACKET_BYTES_MAX + 1
    stream = publish(bytes(size), qos=1, mid=3) + publish(b"next")
    step = sieve.READ_BYTES
    line = Line(*(stream[at : at + step] for at in range(0, len(stream), step)))
    made = line.sieve()
    assert for_library(made, line) == b""
    assert line.taken == [b"next"]
    assert line.answers == [b"\x40\x02\x00\x03"]
    assert len(made._held) == 0


@pytest.mark.parametrize(
    "packet",
    [
        pytest.param(publish(b"twice", qos=2), id="quality of service 2"),
        pytest.param(bytes([0x36]) + publish(b"three")[1:], id="quality of service 3"),
        pytest.param(bytes([0x30, 1, 0]), id="too short for a topic"),
        pytest.param(bytes([0x30, 4, 0xFF, 0xFF, 1, 2]), id="a topic longer than the packet"),
    ],
)
def test_what_is_no_plain_message_is_the_librarys(packet: bytes) -> None:
    line = Line(packet + publish(b"next"))
    made = line.sieve()
    assert for_library(made, line) == packet
    assert line.taken == [b"next"]
    assert line.answers == []


def test_after_a_length_that_is_none_all_is_the_librarys() -> None:
    stream = bytes([0x30, 0xFF, 0xFF, 0xFF, 0xFF, 1]) + publish(b"next")
    line = Line(stream)
    made = line.sieve()
    assert for_library(made, line) == stream
    assert line.taken == []


def test_the_end_of_a_connection_is_told() -> None:
    line = Line(b"")
    assert line.sieve().recv(1) == b""


def test_it_is_a_socket_in_all_else() -> None:
    assert line_fileno(Line().sieve()) == 17


def line_fileno(made: Sieve) -> object:
    """Ask what the event loop asks."""
    fileno = made.__getattr__("fileno")
    assert callable(fileno)
    return fileno()
