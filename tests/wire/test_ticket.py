"""Tickets: read back as they were shown, and a slip of the tongue is noticed."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.errors import LocalError
from unop2p.wire.ticket import (
    CONSONANTS,
    SECRET_BYTES,
    VOWELS,
    WORD_COUNT,
    WORD_LETTERS,
    Ticket,
    TicketError,
    new_ticket,
    parse_ticket,
    stretch,
)

SECRET = bytes.fromhex("0011223344556677ff")
BROKER = "mqtt://192.168.1.5:1883"
TICKET = Ticket(SECRET, (BROKER,))
secrets_ = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)


@given(secrets_)
def test_a_ticket_reads_back_as_it_was_shown(secret: bytes) -> None:
    ticket = Ticket(secret, (BROKER, "wss://play.example.org:443"))
    assert parse_ticket(ticket.text()) == ticket


@given(secrets_)
def test_words_can_be_said(secret: bytes) -> None:
    words = Ticket(secret, (BROKER,)).words().split("-")
    assert len(words) == WORD_COUNT
    for word in words:
        assert len(word) == WORD_LETTERS
        assert all(letter in CONSONANTS for letter in word[::2])
        assert all(letter in VOWELS for letter in word[1::2])


def test_words_are_proquints() -> None:
    # Wilkerson 2009: 127.0.0.1 is lusab-babad.
    assert (
        Ticket(bytes.fromhex("7f000001") + bytes(5), (BROKER,)).words().startswith("lusab-babad-")
    )


@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        lambda text: f"  {text}\n",
        lambda text: text.removeprefix("unop2p:"),
        lambda text: text.replace("-", "-\n"),
    ],
    ids=["upper", "spaces", "no prefix", "broken lines"],
)
def test_it_is_read_as_people_paste_it(change: object) -> None:
    assert callable(change)
    words, _, broker = TICKET.text().partition("@")
    assert parse_ticket(f"{change(words)}@{broker}") == TICKET


@given(secrets_, st.integers(0, WORD_COUNT * WORD_LETTERS - 1), st.integers(1, 15))
def test_most_slips_of_one_letter_are_noticed_and_none_passes_for_the_same(
    secret: bytes, place: int, step: int
) -> None:
    letters = list("".join(Ticket(secret, (BROKER,)).words().split("-")))
    among = CONSONANTS if place % WORD_LETTERS % 2 == 0 else VOWELS
    old = letters[place]
    letters[place] = among[(among.index(old) + step) % len(among)]
    words = ["".join(letters[i : i + WORD_LETTERS]) for i in range(0, len(letters), WORD_LETTERS)]
    text = f"unop2p:{'-'.join(words)}@{BROKER}"
    if letters[place] == old:
        return
    try:
        assert parse_ticket(text).secret != secret
    except TicketError as error:
        assert "One of the words" in str(error)


def test_hardly_a_slip_passes_the_checksum() -> None:
    words = TICKET.words()
    passed = tried = 0
    for place, old in enumerate(words):
        if old == "-":
            continue
        for new in CONSONANTS if old in CONSONANTS else VOWELS:
            if new == old:
                continue
            tried += 1
            try:
                parse_ticket(f"{words[:place]}{new}{words[place + 1 :]}@{BROKER}")
                passed += 1
            except TicketError:
                pass
    assert tried == 15 * 15 + 10 * 3
    assert passed <= tried // 50


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "1 word, not 5"),
        ("hello", "1 word, not 5"),
        (f"babab-babab-babab-babab@{BROKER}", "4 words, not 5"),
        (f"babab-babab-table-babab-babab@{BROKER}", "Word 3, 'table'"),
        (f"babab-babab-babab-babab-baba@{BROKER}", "Word 5, 'baba'"),
        (f"babab-babéb-babab-babab-babab@{BROKER}", "Word 2"),
        (TICKET.words(), "address is missing"),
        (f"{TICKET.words()}@", "address is missing"),
        (f"{TICKET.words()}@,", "address is missing"),
        (f"{TICKET.words()}@{','.join([BROKER] * 5)}", "address is missing"),
    ],
)
def test_what_is_no_ticket_is_refused_with_the_reason(text: str, sentence: str) -> None:
    with pytest.raises(TicketError, match=sentence) as caught:
        parse_ticket(text)
    assert isinstance(caught.value, LocalError)
    assert caught.value.exit_code == 2


@given(st.text(max_size=60))
def test_any_other_text_is_a_ticket_error_and_nothing_else(text: str) -> None:
    with pytest.raises(TicketError):
        parse_ticket(text)


def test_a_new_ticket_takes_all_its_secret_from_the_entropy() -> None:
    asked: list[int] = []

    def entropy(count: int) -> bytes:
        asked.append(count)
        return SECRET[:count]

    assert new_ticket(entropy, (BROKER,)) == TICKET
    assert asked == [SECRET_BYTES]
    assert SECRET_BYTES * 8 >= 64


def test_neither_repr_shows_a_secret() -> None:
    assert repr(TICKET) == f"Ticket(…@{BROKER})"
    assert repr(stretch(TICKET)) == "TableSecrets(…)"


def test_stretching_is_scrypt_and_tells_nothing_of_the_broker() -> None:
    secrets = stretch(TICKET)
    material = hashlib.scrypt(
        SECRET, salt=b"unop2p/v1/ticket", n=2**15, r=8, p=1, maxmem=2**26, dklen=48
    )
    assert secrets.sealing_key == material[:32]
    assert secrets.topic == f"unop2p/v1/{material[32:].hex()}"
    assert stretch(Ticket(SECRET, ("mqtt://elsewhere:1",))) == secrets
    assert stretch(Ticket(bytes(9), (BROKER,))) != secrets
