"""Envelopes to messages, lazily: what is opened is parsed, and its signature checked, when asked for.

Peers of one process hear the same envelopes. With a shared reader each envelope is opened, parsed and
checked once for all of them: what is remembered hangs on the whole bytes, so it is the answer that
each peer would have found itself. What cannot be opened or parsed is never remembered.
"""

from collections import OrderedDict

from unop2p.log.messages import Signed
from unop2p.wire import codec
from unop2p.wire.sealing import Sealer

REMEMBERED_COUNT_MAX = 1_024
REMEMBERED_BYTES_MAX = 8 * 1024 * 1024
"""Peers of one process hear an envelope within moments of each other: a deal of ten seats in
flight is about 1 MB."""


class Letter:
    """An opened envelope. Nothing in it is believed before `verify`."""

    __slots__ = ("_message", "_verified", "signed")

    def __init__(self, signed: Signed) -> None:
        """Take what was in the envelope."""
        self.signed = signed
        self._message: codec.Message | None = None
        self._verified: bool | None = None

    def message(self) -> codec.Message:
        """Return what it says.

        Raises:
            MalformedError: it is not a message of this protocol.
        """
        if self._message is None:
            self._message = codec.decode(self.signed.payload)
        return self._message

    def verify(self) -> None:
        """Check the signature.

        Raises:
            SignatureError: it does not hold.
        """
        if self._verified is None:
            self._verified = False
            codec.verify(self.signed)
            self._verified = True
        elif not self._verified:
            raise codec.SignatureError


class Reader:
    """Opens the envelopes of one table; where it is shared, each but once."""

    __slots__ = ("_held", "_held_bytes", "_shared", "sealer")

    def __init__(self, key: bytes, *, shared: bool = False) -> None:
        """Begin with nothing.

        Args:
            key: the table's sealing key, 32 bytes.
            shared: whether several peers use this reader.
        """
        self.sealer = Sealer(key)
        self._shared = shared
        self._held: OrderedDict[bytes, Letter] = OrderedDict()
        self._held_bytes = 0

    def __repr__(self) -> str:
        """Show no key and no message."""
        return f"Reader({len(self._held)} envelopes)"

    def open(self, data: bytes) -> Letter:
        """Open an envelope.

        Raises:
            MalformedError: it is not sealed under the table's key, or too large or short.
            OtherVersionError: another version of the protocol.
        """
        if not self._shared:
            return Letter(codec.unpack(self.sealer.open(data)))
        held = self._held.get(data)
        if held is None:
            held = self._hold(data, codec.unpack(self.sealer.open(data)))
        return held

    def seal(self, signed: Signed, nonce: bytes) -> bytes:
        """Seal a message of one of our peers; those who share this reader need not open it.

        Its signature is checked like any other: a key that signs wrongly is noticed here.

        Args:
            signed: what is sent.
            nonce: 24 random bytes, never used before.
        """
        data = self.sealer.seal(codec.pack(signed), nonce)
        if self._shared:
            self._hold(data, signed)
        return data

    def _hold(self, data: bytes, signed: Signed) -> Letter:
        if data not in self._held:
            self._held_bytes += len(data)
        held = self._held[data] = Letter(signed)
        while len(self._held) > REMEMBERED_COUNT_MAX or self._held_bytes > REMEMBERED_BYTES_MAX:
            oldest, _ = self._held.popitem(last=False)
            self._held_bytes -= len(oldest)
        return held
