"""Chance as an argument: bytes from outside, or a stream that grows out of a seed."""

import hashlib
from collections.abc import Callable

Entropy = Callable[[int], bytes]
"""Returns that many bytes, each time new ones."""


def seeded_entropy(seed: bytes) -> Entropy:
    """Return a stream of bytes that grows out of a seed: SHAKE-256 in blocks, by a counter.

    Args:
        seed: 32 bytes that nobody else knows.

    Returns:
        A function that gives the next bytes; the same seed gives the same stream.
    """
    counter = 0

    def draw(count: int) -> bytes:
        nonlocal counter
        counter += 1
        block = hashlib.shake_256(b"unop2p/v1/stream" + seed + counter.to_bytes(8, "big"))
        return block.digest(count)

    return draw
