"""One table over several brokers at once: it lives while any of them carries its messages.

Every message goes to all of them, and the first copy that comes back is the one that counts (protocol
section 8). What one broker loses another may carry; what all lose is asked for again by the peers.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.errors import BrokerError
from unop2p.edge.link_state import LinkState, LinkStatistics, LinkStatus
from unop2p.edge.mqtt import MQTTTransport

SEEN_MAX = 4096
"""Messages remembered, so that the copies of the other brokers are known."""


class SeveralTransports:
    """Carries the messages of one table over several brokers. Belongs to one event loop."""

    def __init__(
        self,
        urls: tuple[BrokerURL, ...],
        topic: str,
        *,
        on_message: Callable[[bytes], object],
        on_state: Callable[[LinkState], None],
    ) -> None:
        """Take what is needed; nothing is sent before `first_connect` or `run`.

        Args:
            urls: the brokers, one or more.
            topic: the table's one topic, the same on each.
            on_message: gets every message once, whichever broker carries it first. False: it was junk,
                and may come again.
            on_state: is told whenever the link changes. It is up while one broker is; a reason
                beside that tells of another that is lost.
        """
        self.state = LinkState(status=LinkStatus.DOWN)
        self._on_message = on_message
        self._on_state = on_state
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._states = [self.state] * len(urls)
        self._links = [
            MQTTTransport(
                url,
                topic,
                on_message=self._take,
                on_state=partial(self._told, index),
            )
            for index, url in enumerate(urls)
        ]

    def __repr__(self) -> str:
        """Show neither topic nor password."""
        return f"SeveralTransports({', '.join(map(repr, self._links))})"

    @property
    def links(self) -> list[tuple[str, LinkStatus]]:
        """Each broker, as `host:port`, and how its link is."""
        return [link for one in self._links for link in one.links]

    @property
    def unechoed_count(self) -> int:
        """How many of our messages have come back over no broker yet."""
        return min(link.unechoed_count for link in self._links)

    @property
    def statistics(self) -> LinkStatistics:
        """What all links together have counted; the round trip is the quickest."""
        total = LinkStatistics()
        for link in self._links:
            total.add(link.statistics)
        return total

    def stuck_s(self) -> float:
        """Return for how many seconds something is due on every link that does not come."""
        return min(link.stuck_s() for link in self._links)

    def publish(self, data: bytes) -> None:
        """Send a message over every broker: now, or when its link is there. Returns at once.

        Raises:
            MessageTooLargeError: more than 256 KiB.
        """
        for link in self._links:
            link.publish(data)

    async def first_connect(self, timeout_s: float = 10.0) -> None:
        """Connect to each broker once; one that lets us play is enough.

        Raises:
            BrokerError: none does; what the first of them said.
        """
        answers = await asyncio.gather(
            *(link.first_connect(timeout_s) for link in self._links), return_exceptions=True
        )
        refusals = [answer for answer in answers if answer is not None]
        for refusal in refusals:
            if not isinstance(refusal, BrokerError):
                raise refusal
        if len(refusals) == len(self._links):
            raise refusals[0]

    async def run(self) -> None:
        """Keep every link up until cancelled.

        Raises:
            Exception: what `on_message` raised.
        """
        async with asyncio.TaskGroup() as group:
            for link in self._links:
                group.create_task(link.run())

    def _take(self, data: bytes) -> bool:
        """Hand a message up; return False where it was junk, which is not worth remembering."""
        digest = hashlib.blake2b(data, digest_size=16).digest()
        if digest in self._seen:
            return True
        if self._on_message(data) is False:
            return False
        self._seen[digest] = None
        if len(self._seen) > SEEN_MAX:
            self._seen.popitem(last=False)
        return True

    def _told(self, index: int, state: LinkState) -> None:
        lost = self._states[index].status is LinkStatus.UP and state.status is LinkStatus.DOWN
        self._states[index] = state
        best = LinkStatus.DOWN
        for status in (LinkStatus.UP, LinkStatus.CONNECTING):
            if any(one.status is status for one in self._states):
                best = status
                break
        reason = state.reason if lost or best is not LinkStatus.UP else ""
        told = LinkState(status=best, reason=reason, retry_ms=state.retry_ms)
        if told != self.state:
            self.state = told
            self._on_state(told)
