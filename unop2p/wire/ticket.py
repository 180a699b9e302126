"""Tickets: a short line to read out or paste, with 72 bits of secret and the broker's address.

The words are proquints (Wilkerson, "A Proposal for Proquints", 2009): five letters, consonant and
vowel in turn, 16 bits each, sayable in any language. Five of them: 72 bits of secret, 8 of checksum.
Stretched by scrypt (RFC 7914) into the table's sealing key and its topic.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from unop2p.errors import LocalError
from unop2p.words import said, said_n

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"
WORD_COUNT = 5
WORD_LETTERS = 5
SECRET_BYTES = 9
PREFIX = "unop2p:"
BROKERS_MAX = 4
_SALT = b"unop2p/v1/ticket"
SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**15, 8, 1


class TicketError(LocalError):
    """That is not a ticket: paste the whole line that the host shows, `unop2p:…@mqtt://…`."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Ticket:
    """What lets somebody sit down at a table."""

    secret: bytes
    """9 bytes."""
    brokers: tuple[str, ...]
    """URLs without passwords; at least one."""

    def __repr__(self) -> str:
        """Show no secret."""
        return f"Ticket(…@{','.join(self.brokers)})"

    def words(self) -> str:
        """Return the secret as words."""
        return "-".join(_words(self.secret + _checksum(self.secret)))

    def text(self) -> str:
        """Return the whole line."""
        return f"{PREFIX}{self.words()}@{','.join(self.brokers)}"


@dataclass(frozen=True, slots=True)
class TableSecrets:
    """What a ticket is stretched into."""

    sealing_key: bytes
    topic: str

    def __repr__(self) -> str:
        """Show no key."""
        return "TableSecrets(…)"


def _checksum(secret: bytes) -> bytes:
    return hashlib.sha256(b"unop2p/v1/ticket-check" + secret).digest()[:1]


def _word(value: int) -> str:
    return (
        CONSONANTS[value >> 12]
        + VOWELS[value >> 10 & 3]
        + CONSONANTS[value >> 6 & 15]
        + VOWELS[value >> 4 & 3]
        + CONSONANTS[value & 15]
    )


def _words(data: bytes) -> list[str]:
    return [_word(int.from_bytes(data[i : i + 2], "big")) for i in range(0, len(data), 2)]


def _value(word: str) -> int:
    value = 0
    for index, letter in enumerate(word):
        letters, bits = (CONSONANTS, 4) if index % 2 == 0 else (VOWELS, 2)
        value = value << bits | letters.index(letter)
    return value


def _is_word(word: str) -> bool:
    return len(word) == WORD_LETTERS and all(
        letter in (CONSONANTS if index % 2 == 0 else VOWELS) for index, letter in enumerate(word)
    )


def new_ticket(entropy: Callable[[int], bytes], brokers: tuple[str, ...]) -> Ticket:
    """Return a ticket with a fresh secret."""
    return Ticket(entropy(SECRET_BYTES), brokers)


def parse_ticket(text: str) -> Ticket:
    """Read a ticket as a person pastes or types it.

    Raises:
        TicketError: which word is wrong, or that one of them must be, or that the broker is missing.
    """
    spoken, at, rest = "".join(text.split()).partition("@")
    words = spoken.lower().removeprefix(PREFIX).split("-")
    if len(words) != WORD_COUNT:
        message = said_n(
            "It has {n} word, not {word_count}.",
            "It has {n} words, not {word_count}.",
            len(words),
            word_count=WORD_COUNT,
        )
        raise TicketError(message)
    for index, word in enumerate(words, 1):
        if not _is_word(word):
            message = said(
                "Word {index}, '{word}', cannot be right: a word is {word_letters} letters, "
                "consonant and vowel in turn.",
                index=index,
                word=word[:20],
                word_letters=WORD_LETTERS,
            )
            raise TicketError(message)
    data = b"".join(_value(word).to_bytes(2, "big") for word in words)
    secret, check = data[:SECRET_BYTES], data[SECRET_BYTES:]
    if _checksum(secret) != check:
        message = said("One of the words is not as the host shows it: compare them one by one.")
        raise TicketError(message)
    brokers = tuple(url for url in rest.split(",") if url)
    if not at or not 1 <= len(brokers) <= BROKERS_MAX:
        message = said("The broker's address is missing behind the '@'.")
        raise TicketError(message)
    return Ticket(secret, brokers)


def stretch(ticket: Ticket) -> TableSecrets:
    """Stretch a ticket into the sealing key and the topic; takes about a tenth of a second."""
    material = hashlib.scrypt(
        ticket.secret,
        salt=_SALT,
        n=SCRYPT_N,
        r=SCRYPT_R,
        p=SCRYPT_P,
        maxmem=64 * 1024 * 1024,
        dklen=48,
    )
    return TableSecrets(material[:32], "unop2p/v1/" + material[32:].hex())
