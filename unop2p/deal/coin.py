"""The round's coin: all seeds hashed together, and the uniform choices that grow out of it."""

from collections.abc import Callable, Sequence

from unop2p.deal.group import hash_to_bytes

_WORD_BYTES = 8
_WORD = 2**64


def coin(seeds: Sequence[bytes]) -> bytes:
    """Return the coin of all seeds, in order of seat; 32 bytes."""
    return hash_to_bytes("coin", *seeds)[:32]


def uniform_below(bound: int, word: Callable[[], int]) -> int:
    """Return a uniform number below `bound` from uniform 64-bit words, by rejection."""
    limit = _WORD - _WORD % bound
    while True:
        value = word()
        if value < limit:
            return value % bound


def shuffled(count: int, word: Callable[[], int]) -> tuple[int, ...]:
    """Return a uniform permutation of 0..count-1 (Fisher-Yates, Durstenfeld 1964)."""
    items = list(range(count))
    for last in range(count - 1, 0, -1):
        other = uniform_below(last + 1, word)
        items[last], items[other] = items[other], items[last]
    return tuple(items)


def permutation(tossed: bytes, label: str, count: int) -> tuple[int, ...]:
    """Return the permutation of 0..count-1 that a coin gives for one use."""
    drawn = 0

    def word() -> int:
        nonlocal drawn
        drawn += 1
        block = hash_to_bytes("coin-word", tossed, label.encode(), drawn.to_bytes(8, "big"))
        return int.from_bytes(block[:_WORD_BYTES], "big")

    return shuffled(count, word)
