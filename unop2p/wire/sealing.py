"""Envelopes: what the broker sees. ChaCha20-Poly1305 under a key of its own for each message.

Many senders share the table's key, so there are no counters and no short random nonces: every
envelope has its own key, HKDF-SHA256 of the table's key with 24 random bytes that are sent along
(RFC 5869, RFC 8439). Padded to size steps, so that sizes tell little.
"""

import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from unop2p.errors import MalformedError

KEY_BYTES = 32
NONCE_BYTES = 24
TAG_BYTES = 16
LENGTH_BYTES = 4
ENVELOPE_BYTES_MAX = 256 * 1024
PADDING_STEPS = (256, 512, 1024, 2048, 4096, 8192)
"""Plaintext sizes; beyond the last, multiples of it."""
_INFO = b"unop2p/v1/seal"
_FIRST_BLOCK = _INFO + b"\x01"
_ZERO_NONCE = bytes(12)


def padded_length(length: int) -> int:
    """Return the size step that a plaintext of this length, with its length field, is padded to.

    >>> padded_length(10), padded_length(300), padded_length(9000)
    (256, 512, 16384)
    """
    for step in PADDING_STEPS:
        if length <= step:
            return step
    return -(-length // PADDING_STEPS[-1]) * PADDING_STEPS[-1]


def may_be_envelope(size: int) -> bool:
    """Say whether an envelope can have this many bytes.

    >>> may_be_envelope(24 + 512 + 16), may_be_envelope(24 + 513 + 16)
    (True, False)
    """
    padded = size - NONCE_BYTES - TAG_BYTES
    return size <= ENVELOPE_BYTES_MAX and (
        padded in PADDING_STEPS or (padded > 0 and padded % PADDING_STEPS[-1] == 0)
    )


class Sealer:
    """Seals and opens the envelopes of one table."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        """Take the table's sealing key, 32 bytes."""
        assert len(key) == KEY_BYTES
        self._key = key

    def __repr__(self) -> str:
        """Show no key."""
        return "Sealer(…)"

    def _cipher(self, nonce: bytes) -> ChaCha20Poly1305:
        # HKDF of one block (RFC 5869, sections 2.2 and 2.3): as long as the hash, so T(1) is it all.
        extracted = hmac.digest(nonce, self._key, "sha256")
        return ChaCha20Poly1305(hmac.digest(extracted, _FIRST_BLOCK, "sha256"))

    def seal(self, payload: bytes, nonce: bytes) -> bytes:
        """Seal a payload.

        Args:
            payload: any bytes; the envelope must stay within 256 KiB.
            nonce: 24 random bytes, never used before.

        Returns:
            nonce, ciphertext, tag.
        """
        assert len(nonce) == NONCE_BYTES
        body = len(payload).to_bytes(LENGTH_BYTES, "big") + payload
        size = padded_length(len(body))
        assert NONCE_BYTES + size + TAG_BYTES <= ENVELOPE_BYTES_MAX
        padded = body + bytes(size - len(body))
        return nonce + self._cipher(nonce).encrypt(_ZERO_NONCE, padded, _INFO)

    def open(self, data: bytes) -> bytes:
        """Open an envelope.

        Raises:
            MalformedError: of a size that none has, not sealed under this key, or wrongly padded.
        """
        if not may_be_envelope(len(data)):
            message = f"an envelope of {len(data)} bytes"
            raise MalformedError(message)
        nonce = data[:NONCE_BYTES]
        try:
            padded = self._cipher(nonce).decrypt(_ZERO_NONCE, data[NONCE_BYTES:], _INFO)
        except InvalidTag as error:
            message = "an envelope that is not sealed under this table's key"
            raise MalformedError(message) from error
        length = int.from_bytes(padded[:LENGTH_BYTES], "big")
        end = LENGTH_BYTES + length
        if (
            end > len(padded)
            or padded_length(end) != len(padded)
            or padded.count(0, end) < len(padded) - end
        ):
            message = "an envelope that is wrongly padded"
            raise MalformedError(message)
        return padded[LENGTH_BYTES:end]
