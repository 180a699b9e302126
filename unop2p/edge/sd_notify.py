"""Telling a service manager how we are: the protocol of `sd_notify(3)` of systemd.

A datagram of lines `NAME=value` to the socket of `NOTIFY_SOCKET`, and that is all there is to it. Without
that variable nothing is said.
"""

import contextlib
import os
import socket
import time
from collections.abc import Callable, MutableMapping, Sequence
from typing import Final, Protocol, Self

from unop2p.edge.link_state import LinkState, LinkStatus

STUCK_S: Final = 60.0
"""So long a link may await its own message, or be on one try to connect, before it counts as dead."""
EXTEND_EVERY_S: Final = 5.0
EXTEND_S: Final = 30.0
"""While there is no broker yet, a manager that waits for `READY=1` is asked for so much more time."""
STATUS_CHARACTERS_MAX: Final = 200
TURN_S: Final = 0.25
"""How often `Guard.turn` is called."""


class Link(Protocol):
    """What is to be known of a link to a broker."""

    state: LinkState

    def stuck_s(self) -> float:
        """Return for how many seconds something is due on it that does not come."""
        ...


class Notifier:
    """Sends to the socket of a service manager, or to nobody."""

    def __init__(self, address: str = "", watchdog_s: float = 0.0) -> None:
        """Take whom to tell, and how often it wants to hear of us.

        Args:
            address: of a Unix socket, `@` before an abstract one; empty: nobody is told.
            watchdog_s: within so many seconds it wants to hear `WATCHDOG=1`; 0: never.
        """
        self.watchdog_s = watchdog_s if address else 0.0
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    @classmethod
    def from_environment(cls, environment: MutableMapping[str, str] = os.environ) -> Self:
        """Return what the manager asks for; the variables are taken out, our own programs need none."""
        address = environment.pop("NOTIFY_SOCKET", "")
        wanted = environment.pop("WATCHDOG_USEC", "")
        whose = environment.pop("WATCHDOG_PID", "")
        if not address.startswith(("/", "@")) or not hasattr(socket, "AF_UNIX"):
            return cls()
        ours = not whose or whose == str(os.getpid())
        number = int(wanted) if ours and wanted.isascii() and wanted.isdecimal() else 0
        return cls(address, number / 1_000_000)

    def tell(self, **values: str) -> None:
        """Send lines; a manager that does not hear them is no reason to end."""
        if not self._address:
            return
        lines = "\n".join(f"{name}={value}" for name, value in values.items())
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.settimeout(0)
            out.sendto(lines.encode(), self._address)


class Guard:
    """Knows when to tell what: ready with the first link, alive only while all links are."""

    def __init__(self, notifier: Notifier, now: Callable[[], float] = time.monotonic) -> None:
        """Take whom to tell, and a clock in seconds."""
        self._notifier, self._now = notifier, now
        self._ready = False
        self._said_s = float("-inf")
        self._extended_s = float("-inf")
        self._status = ""

    def turn(self, links: Sequence[Link], status: str) -> None:
        """Look at the links, and tell what is due; the event loop calls it, unless it hangs.

        A broker that cannot be reached is told in the status. It is no reason to be started again: a
        link that tries is alive.
        """
        now_s = self._now()
        if not self._ready:
            self._ready = not links or any(link.state.status is LinkStatus.UP for link in links)
            if self._ready:
                self._notifier.tell(READY="1")
            elif now_s - self._extended_s >= EXTEND_EVERY_S:
                self._extended_s = now_s
                self._notifier.tell(EXTEND_TIMEOUT_USEC=str(round(EXTEND_S * 1_000_000)))
        wanted_s = self._notifier.watchdog_s
        if wanted_s and now_s - self._said_s >= wanted_s / 2 - TURN_S and _alive(links):
            self._said_s = now_s
            self._notifier.tell(WATCHDOG="1")
        reason = next((link.state.reason for link in links if link.state.reason), "")
        told = f"{status}; {reason}" if reason else status
        told = "".join(char for char in told if char.isprintable())[:STATUS_CHARACTERS_MAX]
        if told != self._status:
            self._status = told
            self._notifier.tell(STATUS=told)

    def reloading(self) -> None:
        """Tell that the file is read anew."""
        self._notifier.tell(RELOADING="1", MONOTONIC_USEC=str(time.monotonic_ns() // 1_000))

    def reloaded(self) -> None:
        """Tell that this is done, whether or not it was good."""
        self._notifier.tell(READY="1")

    def stopping(self, within_s: float) -> None:
        """Tell that we are about to end, and how long that may take."""
        self._ready = True
        usec = str(round(within_s * 1_000_000))
        self._notifier.tell(STOPPING="1", EXTEND_TIMEOUT_USEC=usec)


def _alive(links: Sequence[Link]) -> bool:
    return all(link.stuck_s() < STUCK_S for link in links)
