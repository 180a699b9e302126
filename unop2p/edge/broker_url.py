"""A broker's address, and what it takes to get in: parsed once, printed without the password."""

import contextlib
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from unop2p.edge.errors import (
    BrokerOptionsError,
    BrokerTLSError,
    BrokerURLError,
    PasswordFileError,
)
from unop2p.words import said

PASSWORD_VARIABLE = "UNOP2P_BROKER_PASSWORD"  # noqa: S105  (the name of a variable)
PASSWORD_CHARACTERS_MAX = 65_536
PORTS = {"mqtt": 1883, "mqtts": 8883, "ws": 80, "wss": 443}
"""What each scheme means where no port is given."""
WEBSOCKET_PATH = "/mqtt"


class MQTTVersion(StrEnum):
    """The versions of MQTT that can be spoken."""

    V311 = "3.1.1"
    V5 = "5"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerURL:
    """Where a broker is, and how to get in. Made by `parse_broker_url`."""

    scheme: str
    """mqtt, mqtts, ws or wss."""
    host: str
    port: int
    path: str = ""
    """Of a websocket; empty for others."""
    user: str | None = None
    password: str | None = None
    ca_file: Path | None = None
    """PEM; none for those that the machine trusts."""
    certificate_file: Path | None = None
    """PEM, our own, for brokers that ask for one."""
    key_file: Path | None = None
    version: MQTTVersion = MQTTVersion.V311
    password_file: Path | None = None
    """Where the password is from, if it is from a file."""

    def __repr__(self) -> str:
        """Show no password."""
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        scheme, slashes, rest = self.public_text().partition("://")
        return f"BrokerURL({scheme}{slashes}{user}{rest})"

    def password_now(self) -> str | None:
        """Return the password as its file has it now; the one that we know, if that cannot be read."""
        if self.password_file is not None:
            with contextlib.suppress(PasswordFileError):
                return read_password(self.password_file)
        return self.password

    @property
    def tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self.scheme in ("mqtts", "wss")

    @property
    def websocket(self) -> bool:
        """Whether MQTT goes over a websocket."""
        return self.scheme in ("ws", "wss")

    def short_text(self) -> str:
        """Return host and port alone, where there is little room."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def public_text(self) -> str:
        """Return the address for others, in a ticket or on the screen: no user, no password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        path = "" if self.path == (WEBSOCKET_PATH if self.websocket else "") else self.path
        return f"{self.scheme}://{host}:{self.port}{path}"


def parse_broker_url(
    text: str,
    *,
    ca_file: Path | None = None,
    certificate_file: Path | None = None,
    key_file: Path | None = None,
    password_file: Path | None = None,
    version: MQTTVersion = MQTTVersion.V311,
    environ: Mapping[str, str] | None = None,
) -> BrokerURL:
    """Read a broker's address.

    The password is taken from the address, else from the file, else from the environment variable
    `UNOP2P_BROKER_PASSWORD`; one from outside the address counts only where there is a user.

    Args:
        text: `mqtt|mqtts|ws|wss://[user[:password]@]host[:port][/path]`, or `host[:port]`.
        ca_file: whom to trust, PEM.
        certificate_file: our own certificate, PEM.
        key_file: its key, PEM; none if it is in the certificate's file.
        password_file: its first line is the password.
        version: of MQTT.
        environ: the environment.

    Raises:
        BrokerURLError: it cannot be right.
        BrokerOptionsError: a key without a certificate, a password without a user.
        PasswordFileError: the password's file cannot be read.
    """
    given = text.strip()
    try:
        parts = urlsplit(given if "://" in given else f"mqtt://{given}")
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
    except ValueError:
        # No cause and no text: both may hold the password.
        message = said("The port or the host cannot be read.")
        raise BrokerURLError(message) from None
    if scheme not in PORTS:
        message = said("It begins with '{scheme}://'.", scheme=scheme[:20])
        raise BrokerURLError(message)
    if not host or any(letter.isspace() or not letter.isprintable() for letter in host):
        message = said("The host is missing.")
        raise BrokerURLError(message)
    if port == 0 or parts.query or parts.fragment:
        message = said("It has port 0, a '?' or a '#': write those in a password as %3F and %23.")
        raise BrokerURLError(message)
    websocket = scheme in ("ws", "wss")
    if not websocket and parts.path not in ("", "/"):
        message = said("Only ws:// and wss:// have a path.")
        raise BrokerURLError(message)
    if key_file is not None and certificate_file is None:
        message = said("There is a key file, and no certificate for it.")
        raise BrokerOptionsError(message)
    user = unquote(parts.username) if parts.username else None
    if password_file is not None and user is None:
        message = said("There is a password file, and no user: write `mqtt://user@host:port`.")
        raise BrokerOptionsError(message)
    return BrokerURL(
        scheme=scheme,
        host=host,
        port=port or PORTS[scheme],
        path=(parts.path if parts.path not in ("", "/") else WEBSOCKET_PATH) if websocket else "",
        user=user,
        password=_password(parts.password, password_file, environ) if user else None,
        ca_file=ca_file,
        certificate_file=certificate_file,
        key_file=key_file,
        version=version,
        password_file=password_file if user and parts.password is None else None,
    )


def read_password(path: Path) -> str:
    """Return the password in a file: its first line.

    Raises:
        PasswordFileError: it cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as file:
            return file.readline(PASSWORD_CHARACTERS_MAX).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        strerror = getattr(error, "strerror", None) or said("it is no text in UTF-8")
        message = said("{path}: {strerror}.", path=path, strerror=strerror)
        raise PasswordFileError(message) from error


def _password(
    given: str | None, password_file: Path | None, environ: Mapping[str, str] | None
) -> str | None:
    if given is not None:
        return unquote(given)
    if password_file is not None:
        return read_password(password_file)
    return (os.environ if environ is None else environ).get(PASSWORD_VARIABLE)


class _ClosingSocket(ssl.SSLSocket):
    """One that does not outlive a handshake that fails: the MQTT library would leave it open."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002  # as in ssl
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def tls_context(url: BrokerURL) -> ssl.SSLContext | None:
    """Return how to make the connection secure, or none for a plain one. Reads files.

    Raises:
        BrokerTLSError: one of our own certificate files cannot be used.
    """
    if not url.tls:
        return None
    try:
        context = ssl.create_default_context(cafile=url.ca_file)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.sslsocket_class = _ClosingSocket
        if url.certificate_file is not None:
            # An empty password instead of a question on the terminal, which is the game's.
            context.load_cert_chain(url.certificate_file, url.key_file, password="")
    except (OSError, ValueError) as error:
        files = (url.ca_file, url.certificate_file, url.key_file)
        names = ", ".join(str(file) for file in files if file is not None)
        message = said("One of these files cannot be used: {names}.", names=names)
        raise BrokerTLSError(message) from error
    return context
