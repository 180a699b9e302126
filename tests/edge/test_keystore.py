"""Who we are stays the same; who somebody else is, is remembered, and a change is noticed."""

import json
import stat
from pathlib import Path

import pytest

from unop2p.edge.errors import FolderError, KeyFileError, ProfileError
from unop2p.edge.keystore import PEERS_MAX, KnownPeers, PeerVerdict, known_identity, load_identity
from unop2p.log.digest import fingerprint

KEY, OTHER = bytes(range(32)), bytes(32)


def test_an_identity_is_made_once_and_stays(tmp_path: Path) -> None:
    first, again = load_identity(tmp_path), load_identity(tmp_path)
    assert first.public == again.public
    first.private_key.public_key().verify(again.private_key.sign(b"move"), b"move")
    assert load_identity(tmp_path, "bot-2").public != first.public


def test_an_identity_that_was_never_made_is_none_and_is_not_made_by_looking(tmp_path: Path) -> None:
    assert known_identity(tmp_path, "default") is None
    assert not list(tmp_path.iterdir())
    made = load_identity(tmp_path)
    known = known_identity(tmp_path, "default")
    assert known is not None
    assert known.public == made.public
    with pytest.raises(ProfileError):
        known_identity(tmp_path, "../default")


def test_the_key_file_is_private_even_if_it_was_open(tmp_path: Path) -> None:
    load_identity(tmp_path)
    file = tmp_path / "identities" / "default.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    load_identity(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_repr_shows_the_fingerprint_and_no_key(tmp_path: Path) -> None:
    identity = load_identity(tmp_path)
    assert identity.fingerprint == fingerprint(identity.public)
    assert repr(identity) == f"Identity('default', {identity.fingerprint})"


def test_fingerprints_are_groups_to_read_out() -> None:
    assert fingerprint(bytes(32)) == "6668 7aad f862 bd77 6c8f"
    assert fingerprint(KEY) != fingerprint(OTHER)


@pytest.mark.parametrize("name", ["", "../x", "a/b", "A", "a" * 33, "a b", "a\n", ".", "é"])
def test_a_profile_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProfileError) as caught:
        load_identity(tmp_path, name)
    assert caught.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b'{"format": 1}', b'{"format": 1, "private": "zz"}',
     b'{"format": 1, "private": "00"}', b'{"format": 9, "private": "' + b"00" * 32 + b'"}',
     b'{"format": 1, "private": 7}', b"\xff\xfe"],
)  # fmt: skip
def test_a_damaged_key_file_is_an_error_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "identities" / "default.json"
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(KeyFileError, match=r"default\.json") as caught:
        load_identity(tmp_path)
    assert caught.value.exit_code == 14
    assert file.read_bytes() == content


def test_an_error_about_a_key_file_does_not_show_the_key(tmp_path: Path) -> None:
    load_identity(tmp_path)
    file = tmp_path / "identities" / "default.json"
    private = json.loads(file.read_text())["private"]
    file.write_text(json.dumps({"format": 1, "private": private + "00"}))
    with pytest.raises(KeyFileError) as caught:
        load_identity(tmp_path)
    assert private not in caught.value.sentence()
    assert caught.value.__cause__ is None or private not in str(caught.value.__cause__)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("mine")
    with pytest.raises(FolderError):
        load_identity(tmp_path / "home")
    with pytest.raises(FolderError):
        KnownPeers(tmp_path / "home")


def test_a_stranger_is_new_until_remembered(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path)
    assert peers.check("ben", KEY) is PeerVerdict.NEW
    assert peers.check("ben", KEY) is PeerVerdict.NEW
    peers.remember("ben", KEY)
    assert KnownPeers(tmp_path).check("ben", KEY) is PeerVerdict.SAME


def test_another_key_under_a_known_name_is_a_change_until_it_is_remembered(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path)
    peers.remember("ben", KEY)
    assert peers.check("ben", OTHER) is PeerVerdict.CHANGED
    peers.remember("ben", OTHER)
    assert peers.check("ben", OTHER) is PeerVerdict.SAME
    assert peers.check("ben", KEY) is PeerVerdict.CHANGED


@pytest.mark.parametrize("alike", ["BEN", "Ben", "ｂｅｎ"])
def test_names_that_look_alike_are_one_name(tmp_path: Path, alike: str) -> None:
    peers = KnownPeers(tmp_path)
    peers.remember("ben", KEY)
    assert peers.check(alike, OTHER) is PeerVerdict.CHANGED


def test_a_new_name_that_looks_like_a_known_one_is_told_apart(tmp_path: Path) -> None:
    peers = KnownPeers(tmp_path)
    peers.remember("mia", b"m" * 32)
    double = "mi" + chr(0x430)
    assert peers.check(double, b"x" * 32) is PeerVerdict.ALIKE
    assert peers.check(double, b"m" * 32) is PeerVerdict.NEW
    peers.remember(double, b"x" * 32)
    assert peers.check(double, b"x" * 32) is PeerVerdict.SAME
    assert peers.check("mia", b"m" * 32) is PeerVerdict.SAME


def test_two_programs_with_one_folder_see_each_others_peers(tmp_path: Path) -> None:
    here, there = KnownPeers(tmp_path), KnownPeers(tmp_path)
    here.remember("ann", KEY)
    there.remember("ben", OTHER)
    assert here.check("ben", OTHER) is PeerVerdict.SAME
    assert there.check("ann", KEY) is PeerVerdict.SAME


def test_the_oldest_known_peer_gives_way(tmp_path: Path) -> None:
    many = {f"p{index}": KEY.hex() for index in range(PEERS_MAX)}
    (tmp_path / "known-peers.json").write_text(json.dumps({"format": 1, "peers": many}))
    peers = KnownPeers(tmp_path)
    peers.remember("ann", KEY)
    assert peers.check("p0", KEY) is PeerVerdict.NEW
    assert peers.check("p1", KEY) is PeerVerdict.SAME
    assert peers.check("ann", KEY) is PeerVerdict.SAME


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"format": 1}', b'{"format": 2, "peers": {}}', b'{"format": 1, "peers": []}',
     b'{"format": 1, "peers": {"ben": "00"}}', b'{"format": 1, "peers": {"ben": 7}}',
     b'{"format": 1, "peers": {"ben": "zz"}}'],
)  # fmt: skip
def test_a_damaged_file_of_peers_is_an_error_and_stays(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "known-peers.json"
    file.write_bytes(content)
    peers = KnownPeers(tmp_path)
    with pytest.raises(KeyFileError):
        peers.check("ben", KEY)
    with pytest.raises(KeyFileError):
        peers.remember("ben", KEY)
    assert file.read_bytes() == content


def test_a_file_too_deep_to_read_is_damaged(tmp_path: Path) -> None:
    load_identity(tmp_path, "default")
    KnownPeers(tmp_path).remember("ann", bytes(32))
    files = [path for path in tmp_path.rglob("*.json") if path.is_file()]
    assert len(files) == 2
    for path in files:
        path.write_bytes(b"[" * 100_000)
    with pytest.raises(KeyFileError, match="damaged"):
        load_identity(tmp_path, "default")
    with pytest.raises(KeyFileError, match="damaged"):
        KnownPeers(tmp_path).check("ann", bytes(32))
