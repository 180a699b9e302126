"""What the world outside can do to us, each with a sentence of its own and an exit code.

====  =========================================================================
code  meaning
====  =========================================================================
2     usage: a command, broker address, profile or ticket that cannot be right
10    the broker refused the connection, or an embedded one did not start
11    the broker refused the user or password
12    TLS: the certificate is expired, unknown, or for another host
13    the broker did not answer in time, or does not give our messages back
14    a folder or file cannot be used, or the disk is full
15    another program holds the journal
16    the journal is damaged
====  =========================================================================
"""

from unop2p.errors import EdgeError

EXIT_USAGE = 2
EXIT_BROKER_REFUSED = 10
EXIT_BROKER_AUTH = 11
EXIT_BROKER_TLS = 12
EXIT_BROKER_SILENT = 13
EXIT_FOLDER = 14
EXIT_JOURNAL_LOCKED = 15
EXIT_JOURNAL_BROKEN = 16


class BrokerURLError(EdgeError):
    """That is not a broker's address: write `mqtt://host:port`, or mqtts, ws, wss."""

    exit_code = EXIT_USAGE


class PasswordFileError(EdgeError):
    """The password cannot be read from its file: check the name and your right to read."""

    exit_code = EXIT_USAGE


class BrokerOptionsError(EdgeError):
    """These options do not go with that broker."""

    exit_code = EXIT_USAGE


class ProfileError(EdgeError):
    """That is not a profile name: use 1 to 32 of a-z, 0-9, '-' and '_'."""

    exit_code = EXIT_USAGE


class BrokerError(EdgeError):
    """Something is wrong between us and the broker."""

    exit_code = EXIT_BROKER_REFUSED


class BrokerRefusedError(BrokerError):
    """Nobody answers at the broker's address: is the broker running, and host and port right?"""

    exit_code = EXIT_BROKER_REFUSED


class BrokerStartError(BrokerError):
    """The broker that comes with the game did not start: try another one with `--embedded`."""

    exit_code = EXIT_BROKER_REFUSED


class BrokerAuthError(BrokerError):
    """The broker does not accept this user and password, or wants some: check them."""

    exit_code = EXIT_BROKER_AUTH


class BrokerTLSError(BrokerError):
    """A secure connection to the broker cannot be made."""

    exit_code = EXIT_BROKER_TLS


class BrokerCertificateExpiredError(BrokerTLSError):
    """The broker's certificate has expired or is not valid yet: check this machine's clock too."""


class BrokerCertificateUnknownError(BrokerTLSError):
    """Nobody we trust has signed the broker's certificate: if it is your own, give its CA file."""


class BrokerWrongHostError(BrokerTLSError):
    """The broker's certificate is for another host name: check the address."""


class BrokerTimeoutError(BrokerError):
    """The broker did not answer in time.

    Check, in this order: is it the right port; does that port speak TLS (mqtts) or not (mqtt); does
    the broker want a user, a password or a client certificate; does it speak this version of MQTT;
    does a firewall stand between?
    """

    exit_code = EXIT_BROKER_SILENT


class BrokerSilentError(BrokerError):
    """We are connected to the broker, but our own messages do not come back.

    Its access list probably does not let this user both read and write `unop2p/v1/#`.
    """

    exit_code = EXIT_BROKER_SILENT


class MessageTooLargeError(EdgeError):
    """A message is larger than the 256 KiB that the protocol allows."""


class FolderError(EdgeError):
    """A folder or file of the game cannot be used: set UNOP2P_HOME to a folder of your own."""

    exit_code = EXIT_FOLDER


class KeyFileError(FolderError):
    """A key file cannot be read: restore it from a copy, or move it away for a new identity."""


class ToyGroupError(EdgeError):
    """This program calculates in a toy group, in which no card is hidden: only simulations do."""

    exit_code = EXIT_USAGE


class DiskFullError(EdgeError):
    """The disk is full: nothing was sent. Make room and start again with the same command."""

    exit_code = EXIT_FOLDER


class JournalLockedError(EdgeError):
    """Another running program plays this seat: leave it there, or use `--profile` for a second."""

    exit_code = EXIT_JOURNAL_LOCKED


class JournalError(EdgeError):
    """The journal is damaged, and going on could make us contradict ourselves: take a new seat."""

    exit_code = EXIT_JOURNAL_BROKEN
