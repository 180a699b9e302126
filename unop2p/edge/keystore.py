"""Who we are and whom we know: Ed25519 identities by profile, and known peers by name.

Trust on first use (protocol section 7): the first key seen under a name is remembered, and another
one under the same name is told apart from it.
"""

import contextlib
import json
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from unop2p.edge.errors import KeyFileError, ProfileError
from unop2p.edge.paths import FILE_MODE, ensure_folder, file_failed, is_there, write_atomically
from unop2p.log.digest import fingerprint
from unop2p.table.lookalike import skeleton
from unop2p.words import said

KEY_BYTES = 32
PEERS_MAX = 10_000
"""Known peers kept; the oldest give way. Nobody plays with more, and the file stays small."""
_PROFILE = re.compile(r"[a-z0-9_-]{1,32}")
_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A player's key pair."""

    name: str
    """The profile that it belongs to."""
    private_key: Ed25519PrivateKey
    public: bytes
    """32 bytes."""

    def __repr__(self) -> str:
        """Show no private key."""
        return f"Identity({self.name!r}, {self.fingerprint})"

    @property
    def fingerprint(self) -> str:
        """The public key as people compare it."""
        return fingerprint(self.public)


class PeerVerdict(StrEnum):
    """What a name and a key are to us."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    ALIKE = "alike"
    """New, under a name that looks like a known one with another key."""


def check_profile(profile: str) -> None:
    """Refuse what is no profile name: it becomes part of file names.

    Raises:
        ProfileError: not 1 to 32 of a-z, 0-9, `-` and `_`.
    """
    if not _PROFILE.fullmatch(profile):
        message = said("It is {profile!r}.", profile=profile[:40])
        raise ProfileError(message)


def known_identity(home: Path, profile: str) -> Identity | None:
    """Return the identity of a profile, or None where it was never made: none is made now.

    Args:
        home: the data folder.
        profile: 1 to 32 of a-z, 0-9, `-` and `_`.

    Raises:
        ProfileError: the profile's name.
        FolderError: the folder cannot be used.
        KeyFileError: the key file is damaged.
    """
    check_profile(profile)
    return load_identity(home, profile) if is_there(_key_path(home, profile)) else None


def _key_path(home: Path, profile: str) -> Path:
    return home / "identities" / f"{profile}.json"


def load_identity(home: Path, profile: str = "default") -> Identity:
    """Return the identity of a profile, made at its first use.

    Args:
        home: the data folder.
        profile: 1 to 32 of a-z, 0-9, `-` and `_`.

    Raises:
        ProfileError: the profile's name.
        FolderError: the folder cannot be used.
        KeyFileError: the key file is damaged.
    """
    check_profile(profile)
    path = _key_path(home, profile)
    ensure_folder(path.parent)
    try:
        if not path.exists():
            fresh = Ed25519PrivateKey.generate()
            content = {"format": _FORMAT, "private": fresh.private_bytes_raw().hex()}
            write_atomically(path, json.dumps(content).encode(), replace=False)
        data = path.read_bytes()
        with contextlib.suppress(OSError):
            path.chmod(FILE_MODE)
    except OSError as error:
        raise file_failed(path, error) from error
    private = _private_key(path, data)
    return Identity(
        name=profile, private_key=private, public=private.public_key().public_bytes_raw()
    )


def _private_key(path: Path, data: bytes) -> Ed25519PrivateKey:
    try:
        content = json.loads(data)
        if content["format"] != _FORMAT:
            message = said("{path}: it is of another version.", path=path)
            raise KeyFileError(message)
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(content["private"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        # No cause: the text of such an error may quote what is in the file.
        message = said("{path}: it is damaged.", path=path)
        raise KeyFileError(message) from None


def _folded(name: str) -> str:
    """Return a name under which a key is kept: case and width do not matter."""
    return unicodedata.normalize("NFKC", name).casefold()


class KnownPeers:
    """Names and the keys that they had when first met, in `known-peers.json`."""

    def __init__(self, home: Path) -> None:
        """Take the data folder; nothing is read yet.

        Raises:
            FolderError: the folder cannot be used.
        """
        self._path = ensure_folder(home) / "known-peers.json"

    def check(self, name: str, public: bytes) -> PeerVerdict:
        """Return what this key under this name is to us; nothing is remembered.

        Raises:
            KeyFileError: the file is damaged.
        """
        peers, own = self._read(), public.hex()
        known = peers.get(_folded(name))
        if known is not None:
            return PeerVerdict.SAME if known == own else PeerVerdict.CHANGED
        alike = [key for other, key in peers.items() if skeleton(other) == skeleton(name)]
        return PeerVerdict.ALIKE if alike and own not in alike else PeerVerdict.NEW

    def remember(self, name: str, public: bytes) -> None:
        """Remember a key under a name, in place of any other.

        Raises:
            KeyFileError: the file is damaged.
            FolderError: it cannot be written.
        """
        assert len(public) == KEY_BYTES
        peers = self._read()
        peers.pop(_folded(name), None)
        peers[_folded(name)] = public.hex()
        for oldest in list(peers)[:-PEERS_MAX]:
            del peers[oldest]
        content = {"format": _FORMAT, "peers": peers}
        try:
            write_atomically(self._path, json.dumps(content, indent=1).encode())
        except OSError as error:
            raise file_failed(self._path, error) from error

    def _read(self) -> dict[str, str]:
        """Read anew each time: another program with the same folder may have written."""
        try:
            content = json.loads(self._path.read_bytes())
            peers = content["peers"]
            if content["format"] != _FORMAT or not all(
                isinstance(key, str) and len(bytes.fromhex(key)) == KEY_BYTES
                for key in peers.values()
            ):
                message = said("{path}: it is damaged.", path=self._path)
                raise KeyFileError(message)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise file_failed(self._path, error) from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            message = said("{path}: it is damaged.", path=self._path)
            raise KeyFileError(message) from error
        return dict(peers)
