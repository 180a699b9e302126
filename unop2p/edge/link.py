"""One connection to a broker: made, or refused with the reason that a person can act on."""

import asyncio
import logging
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiomqtt

from unop2p.edge.broker_url import BrokerURL, MQTTVersion, tls_context
from unop2p.edge.errors import (
    BrokerAuthError,
    BrokerCertificateExpiredError,
    BrokerCertificateUnknownError,
    BrokerError,
    BrokerRefusedError,
    BrokerTimeoutError,
    BrokerTLSError,
    BrokerWrongHostError,
)
from unop2p.edge.sieve import PUBACK, Sieve
from unop2p.words import said

LOG = logging.getLogger("unop2p.mqtt")
"""Where the MQTT library writes. It never reaches the terminal, which is the game's: a program that
wants these lines adds a handler of its own."""
LOG.addHandler(logging.NullHandler())
LOG.propagate = False

KEEPALIVE_S = 15
TIMEOUT_S = 5.0
"""For the broker's answers. Many refusals show as silence, so it is short."""
PENDING_CALLS_MAX = 1000
"""Above this the library would log a warning."""

_NODELAY = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)
# Reason codes of MQTT 5, to which the library maps those of 3.1.1.
_AUTH_CODES = (134, 135)
_EXPIRED_CODES = (9, 10)
_HOST_CODES = (62, 64)


def instant_queue(
    deliver: Callable[[aiomqtt.Message], None],
) -> type["asyncio.Queue[aiomqtt.Message]"]:
    """Return a queue for aiomqtt that hands each message over at once and never fills.

    A task for each message, which aiomqtt makes when it is iterated over, would cost more than all
    the rest of our work on it. `get` waits for ever, so the iteration ends with the connection.
    """

    class InstantQueue(asyncio.Queue[aiomqtt.Message]):
        def put_nowait(self, item: aiomqtt.Message) -> None:
            deliver(item)

    return InstantQueue


@asynccontextmanager
async def connect(
    url: BrokerURL,
    deliver: Callable[[aiomqtt.Message], None],
    *,
    will: aiomqtt.Will | None = None,
    take: Callable[[bytes], None] | None = None,
) -> AsyncIterator[aiomqtt.Client]:
    """Connect to a broker, with a fresh random client id and a clean session.

    Args:
        url: the broker.
        deliver: gets each message, within the event loop; it must not raise.
        will: what the broker is to say where the connection breaks; no game uses one.
        take: gets the bytes of each message in place of `deliver`, and sooner, where the connection is
            no websocket; it must not raise.

    Raises:
        BrokerError: the subclass says what was wrong.
        aiomqtt.MqttError: the connection broke later.
    """
    loop = asyncio.get_running_loop()
    # Files are read each time: certificates and passwords change while a table waits.
    context = await loop.run_in_executor(None, tls_context, url)
    password = await loop.run_in_executor(None, url.password_now)
    client = aiomqtt.Client(
        url.host,
        url.port,
        username=url.user,
        password=password,
        identifier=f"unop2p-{secrets.token_hex(8)}",
        protocol=_protocol(url.version),
        clean_session=True if url.version is MQTTVersion.V311 else None,
        transport="websockets" if url.websocket else "tcp",
        websocket_path=url.path if url.websocket else None,
        will=will,
        keepalive=KEEPALIVE_S,
        timeout=TIMEOUT_S,
        tls_context=context,
        socket_options=_NODELAY,
        logger=LOG,
        queue_type=instant_queue(deliver),
    )
    client.pending_calls_threshold = PENDING_CALLS_MAX
    _watch_open_sockets(client)
    _tell_no_one_who_has_gone(client)
    if take is not None:
        _sort_what_comes(client, take, properties=url.version is MQTTVersion.V5)
    await _enter(client, url)
    try:
        _quieten(client)
        yield client
    finally:
        # It was our wish to go, or the link is broken: there is nothing to tell.
        with suppress(aiomqtt.MqttError):
            await client.__aexit__(None, None, None)
        _dispose(client)


async def _enter(client: aiomqtt.Client, url: BrokerURL) -> None:
    entering = asyncio.ensure_future(client.__aenter__())
    try:
        # The library connects in a thread that cannot be stopped: it goes on, and is cleaned up
        # after.
        await asyncio.shield(entering)
    except asyncio.CancelledError:
        _let_go(client)
        entering.add_done_callback(lambda future: _abandon(future, client))
        raise
    except aiomqtt.MqttError as error:
        _dispose(client)
        raise reason(error, url) from error
    except ValueError as error:  # A host name that cannot be encoded.
        message = said("{url}: {error}.", url=url.public_text(), error=error)
        raise BrokerRefusedError(message) from error


def _watch_open_sockets(client: aiomqtt.Client) -> None:
    """Let a link wait for its socket only while that is open.

    aiomqtt asks the event loop by the socket's number, a turn later. By then it may be closed, which
    asyncio would tell of on the terminal, or another connection's.
    """
    private: Any = client
    paho, loop = private._client, asyncio.get_running_loop()  # noqa: SLF001  # the library has no public way

    def write() -> None:
        try:
            paho.loop_write()
        except Exception as error:  # noqa: BLE001  # whatever it is, the link is broken
            if not private._disconnected.done():  # noqa: SLF001  # as above
                private._disconnected.set_exception(error)  # noqa: SLF001  # as above

    def register(_client: object, _data: object, sock: socket.socket) -> None:
        def watch() -> None:
            if sock.fileno() >= 0:
                loop.add_writer(sock.fileno(), write)

        loop.call_soon_threadsafe(watch)

    paho.on_socket_register_write = register


def _tell_no_one_who_has_gone(client: aiomqtt.Client) -> None:
    """Keep a connection that breaks in the moment in which it is given up from telling of it.

    aiomqtt asks its future what came of connecting; where that was cancelled, the question fails, and
    asyncio would tell of it on the terminal.
    """
    private: Any = client
    paho = private._client  # noqa: SLF001  # the library has no public way
    told = paho.on_disconnect

    def disconnected(*what: object) -> None:
        if not private._connected.cancelled():  # noqa: SLF001  # as above
            told(*what)

    paho.on_disconnect = disconnected


def _sort_what_comes(
    client: aiomqtt.Client, take: Callable[[bytes], None], *, properties: bool
) -> None:
    """Take messages out of what the connection brings before the library reads it."""
    private: Any = client
    paho = private._client  # noqa: SLF001  # the library has no public way
    told = paho.on_socket_open

    def acknowledge(packets: bytes) -> None:
        paho._packet_queue(PUBACK[0], packets, 0, 0)  # noqa: SLF001  # as above

    def opened(client: object, data: object, sock: object) -> None:
        if isinstance(sock, socket.socket):
            paho._sock = Sieve(  # noqa: SLF001  # as above
                sock, take=take, acknowledge=acknowledge, properties=properties
            )
        told(client, data, sock)

    paho.on_socket_open = opened


def _abandon(entering: "asyncio.Future[aiomqtt.Client]", client: aiomqtt.Client) -> None:
    if not entering.cancelled():
        entering.exception()  # Looked at, or asyncio would log it.
    _dispose(client)


def _let_go(client: aiomqtt.Client) -> None:
    """Keep the library from touching the event loop, which may be closed before its thread ends."""
    private: Any = client
    for name in ("open", "close", "register_write", "unregister_write"):
        setattr(private._client, f"on_socket_{name}", None)  # noqa: SLF001  # the library has no public way


def drop(client: aiomqtt.Client) -> None:
    """Let a connection break, without a word to the broker."""
    _dispose(client)


def _dispose(client: aiomqtt.Client) -> None:
    """Close the socket, which aiomqtt leaves open after a refusal or a timeout."""
    private: Any = client
    with suppress(OSError, RuntimeError):  # The loop may be closed by now.
        private._client._reset_sockets()  # noqa: SLF001  # the library has no public way


def _protocol(version: MQTTVersion) -> aiomqtt.ProtocolVersion:
    if version is MQTTVersion.V5:
        return aiomqtt.ProtocolVersion.V5
    return aiomqtt.ProtocolVersion.V311


def _quieten(client: aiomqtt.Client) -> None:
    """Do what aiomqtt has no public way for.

    A broken connection's exception that nobody waits for would be logged by asyncio, on the
    terminal; and on a websocket the socket options are not applied.
    """
    private: Any = client
    private._disconnected.add_done_callback(  # noqa: SLF001  # the library has no public way
        lambda future: None if future.cancelled() else future.exception()
    )
    wrapper = private._client.socket()  # noqa: SLF001  # the library has no public way
    if wrapper is not None and not isinstance(wrapper, socket.socket):
        with suppress(OSError), socket.socket(fileno=socket.dup(wrapper.fileno())) as raw:
            raw.setsockopt(*_NODELAY[0])


def reason(error: BaseException, url: BrokerURL) -> BrokerError:
    """Return what a failure to connect means; the address is in it, the password is not."""
    where = url.public_text()
    if isinstance(error, aiomqtt.MqttCodeError):
        code = error.rc if isinstance(error.rc, int) or error.rc is None else error.rc.value
        kind = BrokerAuthError if code in _AUTH_CODES else BrokerRefusedError
        return kind(f"{where}: {error}.")
    result: BrokerError
    cause = error if isinstance(error, OSError) else error.__context__
    match cause:
        case ssl.SSLCertVerificationError():
            result = _certificate_reason(cause, where)
        case ssl.SSLError():
            result = BrokerTLSError(
                said("{where}: {reason}.", where=where, reason=cause.reason or "it is not TLS")
            )
        case TimeoutError():
            result = BrokerTimeoutError(said("{where}.", where=where))
        case socket.gaierror():
            result = BrokerRefusedError(
                said("{where}: there is no host of that name.", where=where)
            )
        case ConnectionResetError() if url.tls:
            result = BrokerTLSError(said("{where}: does that port speak TLS?", where=where))
        case OSError():
            result = BrokerRefusedError(
                said("{where}: {strerror}.", where=where, strerror=cause.strerror or cause)
            )
        case _ if "timed out" in str(error):
            result = BrokerTimeoutError(said("{where}.", where=where))
        case _:
            result = BrokerRefusedError(said("{where}: {error}.", where=where, error=error))
    return result


def _certificate_reason(error: ssl.SSLCertVerificationError, where: str) -> BrokerTLSError:
    if error.verify_code in _EXPIRED_CODES:
        return BrokerCertificateExpiredError(said("{where}.", where=where))
    if error.verify_code in _HOST_CODES:
        return BrokerWrongHostError(said("{where}.", where=where))
    return BrokerCertificateUnknownError(
        said("{where} ({verify_message})", where=where, verify_message=error.verify_message)
    )
