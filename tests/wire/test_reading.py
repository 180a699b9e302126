"""Readers: shared or not, every peer finds in an envelope what it would have found alone."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.errors import MalformedError
from unop2p.log.messages import Adopt, Signed
from unop2p.wire import codec, reading
from unop2p.wire.reading import Reader
from unop2p.wire.sealing import Sealer

KEY = bytes(range(32))
AUTHOR = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = AUTHOR.public_key().public_bytes_raw()


def adopt(step: int = 1) -> Adopt:
    return Adopt(table=bytes(16), step=step, head=bytes(32), attempt=0, close=bytes(32))


def envelope(signed: Signed, nonce: int = 0) -> bytes:
    return Sealer(KEY).seal(codec.pack(signed), nonce.to_bytes(24, "big"))


def forged() -> Signed:
    signed = codec.sign(AUTHOR, PUBLIC, adopt())
    return Signed(author=PUBLIC, signature=bytes(64), payload=signed.payload)


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Note the hash of every message whose signature is really checked."""
    seen: list[bytes] = []
    verify = codec.verify

    def noted(signed: Signed) -> None:
        seen.append(signed.hash)
        verify(signed)

    monkeypatch.setattr(codec, "verify", noted)
    return seen


@pytest.mark.parametrize("shared", [False, True])
def test_an_envelope_gives_the_message_whose_signature_holds(shared: bool) -> None:
    signed = codec.sign(AUTHOR, PUBLIC, adopt())
    letter = Reader(KEY, shared=shared).open(envelope(signed))
    assert letter.signed == signed
    assert letter.message() == adopt()
    letter.verify()


def test_peers_that_share_a_reader_check_one_signature_once(checks: list[bytes]) -> None:
    reader, data = Reader(KEY, shared=True), envelope(codec.sign(AUTHOR, PUBLIC, adopt()))
    for _peer in range(4):
        letter = reader.open(data)
        letter.message()
        letter.verify()
    assert len(checks) == 1


def test_without_sharing_every_peer_opens_parses_and_checks_for_itself(
    checks: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[bytes] = []
    decode = codec.decode

    def noted(payload: bytes) -> codec.Message:
        parsed.append(payload)
        return decode(payload)

    monkeypatch.setattr(codec, "decode", noted)
    data = envelope(codec.sign(AUTHOR, PUBLIC, adopt()))
    readers = [Reader(KEY) for _peer in range(4)]
    for reader in readers * 2:
        letter = reader.open(data)
        letter.message()
        letter.verify()
    assert len(checks) == len(parsed) == 8


def test_what_one_of_them_seals_the_others_need_not_open_but_do_check(
    checks: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(KEY, shared=True)
    signed = codec.sign(AUTHOR, PUBLIC, adopt())
    data = reader.seal(signed, bytes(24))
    assert data == envelope(signed)
    assert Reader(KEY).open(data).signed == signed
    monkeypatch.delattr(Sealer, "open")
    for _peer in range(4):
        letter = reader.open(data)
        assert letter.message() == adopt()
        letter.verify()
    assert len(checks) == 1
    with pytest.raises(codec.SignatureError):
        reader.open(reader.seal(forged(), bytes(24))).verify()


def test_a_reader_of_ones_own_opens_what_it_has_sealed() -> None:
    reader = Reader(KEY)
    data = reader.seal(codec.sign(AUTHOR, PUBLIC, adopt()), bytes(24))
    assert repr(reader) == "Reader(0 envelopes)"
    reader.open(data).verify()


def test_a_false_signature_is_refused_each_time_it_is_asked_for() -> None:
    reader, data = Reader(KEY, shared=True), envelope(forged())
    for _peer in range(3):
        with pytest.raises(codec.SignatureError):
            reader.open(data).verify()


def test_a_true_message_does_not_vouch_for_the_same_words_with_a_false_signature() -> None:
    reader = Reader(KEY, shared=True)
    reader.open(envelope(codec.sign(AUTHOR, PUBLIC, adopt()))).verify()
    with pytest.raises(codec.SignatureError):
        reader.open(envelope(forged(), nonce=1)).verify()


@pytest.mark.parametrize("shared", [False, True])
def test_junk_is_refused_each_time_and_never_kept(shared: bool) -> None:
    reader = Reader(KEY, shared=shared)
    for junk in (bytes(300), b"", Sealer(bytes(32)).seal(b"x" * 120, bytes(24))):
        for _ in range(2):
            with pytest.raises(MalformedError):
                reader.open(junk)
    nonsense = Signed(author=PUBLIC, signature=bytes(64), payload=b"{}")
    for _ in range(2):
        with pytest.raises(MalformedError):
            reader.open(envelope(nonsense)).message()
    assert repr(Reader(KEY, shared=shared)) == "Reader(0 envelopes)"


def test_what_is_remembered_has_a_bound_in_number_and_in_bytes(
    monkeypatch: pytest.MonkeyPatch, checks: list[bytes]
) -> None:
    reader = Reader(KEY, shared=True)
    monkeypatch.setattr(reading, "REMEMBERED_COUNT_MAX", 3)
    letters = [envelope(codec.sign(AUTHOR, PUBLIC, adopt(step))) for step in range(5)]
    for data in letters:
        reader.open(data).verify()
    assert repr(reader) == "Reader(3 envelopes)"
    reader.open(letters[-1]).verify()
    assert len(checks) == 5
    reader.open(letters[0]).verify()  # forgotten, so it is checked again
    assert len(checks) == 6
    monkeypatch.setattr(reading, "REMEMBERED_BYTES_MAX", len(letters[0]))
    reader.open(letters[1])
    assert repr(reader) == "Reader(1 envelopes)"
