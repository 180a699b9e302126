"""Names that look alike: what a person at a terminal would take for the same, told apart.

The skeleton of a name is what it looks like; names with one skeleton are confusable. It follows Unicode
Technical Standard 39, section 4, more coarsely: accents and case do not count, and look-alikes are those
that stand for Latin letters or digits.

Source: Unicode security data, `confusables.txt` of 2021-05-29 (14.0), the entries of the basic plane
whose look-alike is ASCII and that NFKD does not already unfold.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

# Code points in hexadecimal, by what they look like.
_LIKE: Final[dict[str, str]] = {
    "2": "1a7 3e8 14bf a644 a75a",
    "3": "1b7 21c 417 4e0 2ccc a76a a7ab",
    "4": "13ce",
    "5": "1bc",
    "6": "431 13ee 2cd2",
    "8": "222 223 9ea a6a b03",
    "9": "9ed a67 b68 d6d 2cca a76e",
    "a": "251 391 3b1 410 430 13aa 15c5 237a a4ee",
    "aa": "a732 a733",
    "ae": "c6 e6 4d4 4d5",
    "ao": "a734 a735",
    "au": "a736 a737",
    "av": "a738 a739 a73a a73b",
    "ay": "a73c a73d",
    "b": "184 392 412 42c 13cf 13f4 1472 15af 15f7 a4d0 a7b4",
    "bl": "42b",
    "c": "421 441 13df 1d04 2ca4 2ca5 a4da abaf",
    "d": "501 13a0 13e7 146f 15de 15ea a4d2 a4d3",
    "dz": "2a3",
    "e": "395 415 435 4bd 13ac 2d39 a4f0 ab32",
    "f": "3dc 584 15b4 1e9d a4dd a798 a799 ab35",
    "g": "18d 261 50c 581 13c0 13f3 1d83 a4d6",
    "h": "397 41d 4bb 570 13bb 13c2 157c 2c8e a4e7",
    "i": "131 269 26a 3b9 456 4cf 13a5 2373 a647 ab75",
    "j": "37f 3f3 408 458 13ab 148d a4d9 a7b2",
    "k": "39a 41a 13e6 2c94 a4d7",
    "l": "196 1c0 399 406 4c0 5c0 5d5 5df 627 7ca 13de 14aa 2c92 2cd0 2d4f a4e1 a4f2",
    "ll": "1c1 5f0",
    "lo": "42e",
    "ls": "2aa",
    "lz": "2ab",
    "m": "39c 3fa 41c 13b7 15f0 2c98 a4df",
    "n": "39d 578 57c 2c9a a4e0",
    "o": (
        "39f 3bf 3c3 41e 43e 555 585 5e1 647 6be 6c1 6d5 7c0 966 9e6 a66 ae6 b20 "
        "b66 be6 c02 c66 c82 ce6 d02 d20 d66 d82 e50 ed0 101d 1040 10ff 12d0 1d0f 1d11 "
        "2c9e 2c9f 2d54 3007 a4f3 ab3d"
    ),
    "oe": "152 153",
    "oo": "221e a698 a699 a74e a74f",
    "p": "3a1 3c1 420 440 13e2 146d 2374 2ca2 2ca3 a4d1",
    "q": "51b 563 566 2d55",
    "r": "1a6 433 13a1 13d2 1587 1d26 2c85 a4e3 ab47 ab48 ab81",
    "s": "1bd 405 455 54f 13d5 13da a4e2 a731 abaa",
    "t": "3a4 422 13a2 2ca6 a4d4",
    "t3": "a728",
    "tf": "a777",
    "ts": "2a6",
    "u": "28b 3c5 54d 57d 1200 144c 1d1c a4f4 a79f ab4e ab52",
    "ue": "1d6b",
    "uo": "ab63",
    "v": "3bd 474 475 5d8 13d9 142f 1d20 2d38 a4e6 aba9",
    "w": "26f 461 51c 51d 561 13b3 13d4 1d21 a4ea ab83",
    "x": "d7 3a7 425 445 1541 157d 166d 166e 2cac 2d5d a4eb a7b3",
    "y": "263 28f 3a5 3b3 423 443 4ae 4af 10e7 13a9 13bd 1d8c 1eff 2ca8 a4ec ab5a",
    "z": "396 13c3 1d22 a4dc ab93",
}
_LOOKS: Final = {int(code, 16): shape for shape, codes in _LIKE.items() for code in codes.split()}
BLANKS: Final = frozenset(chr(code) for code in (0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0))
"""Printable by the letter of Unicode, and yet nothing is seen of them."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"))


@lru_cache(maxsize=256)
def skeleton(name: str) -> str:
    """Return what a name looks like.

    >>> skeleton("Mia") == skeleton("m" + chr(0x456) + "a")
    True
    >>> skeleton("rnia"), skeleton("1van")
    ('mla', 'lvan')
    """
    shape = ""
    for char in unicodedata.normalize("NFKD", name):
        if char in BLANKS or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
            continue
        shape += _LOOKS.get(ord(char), char)
    shape = shape.casefold()
    for char, seen in (("0", "o"), ("1", "l"), ("i", "l"), ("|", "l")):
        shape = shape.replace(char, seen)
    for pair, seen in _PAIRS:
        shape = shape.replace(pair, seen)
    return shape


def marks(names: Sequence[str], prints: Sequence[str], *, taken: Sequence[str] = ()) -> list[str]:
    """Return for each name what has to stand beside it so that no two look alike.

    Args:
        names: of one table.
        prints: the fingerprint of each, in groups with spaces between.
        taken: other words that nobody should look like.

    Returns:
        For a name that is unlike all others the empty string; else `#` and as many groups of its
        fingerprint as differ from those of its doubles.
    """
    shapes = [skeleton(name) for name in names]
    reserved = {skeleton(word) for word in taken}
    found: list[str] = []
    for index, shape in enumerate(shapes):
        others = [
            prints[other].split()
            for other, known in enumerate(shapes)
            if known == shape and other != index
        ]
        if not others and shape not in reserved:
            found.append("")
            continue
        own = prints[index].split()
        count = 1
        while count < len(own) and any(other[:count] == own[:count] for other in others):
            count += 1
        found.append("#" + "".join(own[:count]))
    return found
