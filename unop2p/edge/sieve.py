"""What a broker brings, taken from the socket in one go, and sorted before the library sees it.

The library reads a packet in at least three calls of the system, and makes a message and two lines of log
of it, before anybody can say that it is junk. Under a flood that is most of the cost. So the packets that
carry messages are cut out of the stream here, as many as one read brings, handed over as bytes, and
acknowledged together. All others go on to the library, which knows nothing of it.
"""

import socket
from collections.abc import Callable
from typing import Final

from unop2p.wire.sealing import ENVELOPE_BYTES_MAX

NEVER_BYTES: Final = 1 << 62
"""After a length that is none nothing can be cut out any more: all is the library's, which ends it."""
READ_BYTES: Final = 64 * 1024
PUBLISH: Final = 0x30
KIND: Final = 0xF0
QOS: Final = 0x06
"""Both bits of a PUBLISH's first byte that tell its quality of service (MQTT 3.1.1, section 3.3.1)."""
QOS_1: Final = 0x02
PUBACK: Final = b"\x40\x02"
LENGTH_BYTES_MAX: Final = 4
MORE: Final = 0x80
"""Set in each byte of a length but the last (section 2.2.3)."""
PACKET_BYTES_MAX: Final = ENVELOPE_BYTES_MAX + 2 * 64 * 1024
"""An envelope with the longest topic, and room for properties; what is larger is thrown away unread."""


class Sieve:
    """Stands in for a connection's socket towards the library. Belongs to one event loop."""

    def __init__(
        self,
        sock: socket.socket,
        *,
        take: Callable[[bytes], None],
        acknowledge: Callable[[bytes], None],
        properties: bool,
    ) -> None:
        """Take a socket that does not block.

        Args:
            sock: the connection, TLS or plain.
            take: gets the bytes of each message; it must not raise.
            acknowledge: gets PUBACK packets that are to be sent.
            properties: whether messages carry them, as in MQTT 5.
        """
        self._sock = sock
        self._take = take
        self._acknowledge = acknowledge
        self._properties = properties
        self._held = bytearray()
        """The beginning of a packet that is not all here."""
        self._wanted = 0
        """How long `_held` has to be before it is worth a look."""
        self._skip = 0
        """Bytes that are still to be thrown away."""
        self._through = 0
        """Bytes of a packet for the library that are still to come."""
        self._ready = b""
        """What is for the library."""

    def __getattr__(self, name: str) -> object:
        """Do all else that a socket does."""
        return getattr(self._sock, name)

    def recv(self, size: int) -> bytes:
        """Return at most `size` bytes of what is for the library; empty where the broker has gone.

        Raises:
            OSError: the connection broke.
            BlockingIOError: nothing for the library has come.
        """
        if not self._ready:
            data = self._sock.recv(READ_BYTES)
            if not data:
                return b""
            self._sort(data)
            if not self._ready:
                raise BlockingIOError
        found, self._ready = self._ready[:size], self._ready[size:]
        return found

    def pending(self) -> int:
        """Return how many bytes there are that no event of the socket will tell of."""
        pending: Callable[[], int] | None = getattr(self._sock, "pending", None)
        return len(self._ready) or (pending() if pending is not None else 0)

    # -- sorting -------------------------------------------------------------------------------

    def _sort(self, data: bytes) -> None:
        if self._held:
            self._held += data
            if len(self._held) < self._wanted:
                return
            data = bytes(self._held)
            self._held.clear()
        ready: list[bytes] = []
        answers: list[bytes] = []
        at = 0
        while at < len(data):
            if self._skip:
                part = min(self._skip, len(data) - at)
                self._skip -= part
            elif self._through:
                part = min(self._through, len(data) - at)
                self._through -= part
                ready.append(data[at : at + part])
            else:
                part = self._packet(data, at, answers)
                if part < 0:
                    self._held += data[at:]
                    self._wanted = -part
                    break
            at += part
        self._ready += b"".join(ready)
        if answers:
            self._acknowledge(b"".join(answers))

    def _packet(self, data: bytes, at: int, answers: list[bytes]) -> int:
        """Take the packet that begins at a place, or see what is to be done with its bytes.

        Returns:
            How many bytes of it are done; or, below zero, how many have to be here first.
        """
        header = _header(data, at)
        if header is None:
            return at - len(data) - 1
        body, length = header
        kind, stop = data[at], body + length
        known = body + 2
        if length < 0:
            self._through = NEVER_BYTES
            return 0
        if kind & KIND != PUBLISH or kind & QOS not in (0, QOS_1) or known > stop:
            self._through = stop - at
            return 0
        if len(data) < known:
            return at - known
        # The topic, and the number that is to be acknowledged.
        known += int.from_bytes(data[body:known], "big") + (2 if kind & QOS else 0)
        if known > stop:
            self._through = stop - at  # the library says that it is malformed
            return 0
        large = length > PACKET_BYTES_MAX
        needed = known if large else stop
        if len(data) < needed:
            return at - needed
        if kind & QOS:
            answers.append(PUBACK + data[known - 2 : known])
        if large:
            self._skip = stop - at
            return 0
        payload = self._payload(data, known, stop)
        if payload is not None:
            self._take(payload)
        return stop - at

    def _payload(self, data: bytes, at: int, stop: int) -> bytes | None:
        """Return what a PUBLISH carries; None where it is none that a broker may send."""
        if self._properties and at < stop:
            length, shift = 0, 0
            while at < stop and shift < 7 * LENGTH_BYTES_MAX:
                byte = data[at]
                length |= (byte & ~MORE) << shift
                at, shift = at + 1, shift + 7
                if not byte & MORE:
                    break
            at += length
        return data[at:stop] if at <= stop else None


def _header(data: bytes, at: int) -> tuple[int, int] | None:
    """Return where a packet's body begins and its length; None where not all of that is here.

    A length of more than four bytes is none, and given as -1.
    """
    length = 0
    for index in range(LENGTH_BYTES_MAX):
        place = at + 1 + index
        if place >= len(data):
            return None
        length |= (data[place] & ~MORE) << (7 * index)
        if not data[place] & MORE:
            return place + 1, length
    return at, -1


__all__ = ["Sieve"]
