"""What a transport tells about its link."""

from dataclasses import dataclass, field
from enum import StrEnum

from unop2p.edge.histogram import Histogram


class LinkStatus(StrEnum):
    """Where a transport stands."""

    CONNECTING = "connecting"
    UP = "up"
    """Connected, and our own messages come back."""
    DOWN = "down"
    """Broken, or never made; it is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkState:
    """What `on_state` is told."""

    status: LinkStatus
    reason: str = ""
    """Why it is down, for a person."""
    retry_ms: int = 0
    """How long until the next try, where it is down."""


@dataclass(slots=True, kw_only=True)
class LinkStatistics:
    """Counted since the start."""

    sent_count: int = 0
    sent_bytes: int = 0
    resent_count: int = 0
    received_count: int = 0
    received_bytes: int = 0
    repeated_count: int = 0
    """Received again, and not handed up."""
    dropped_count: int = 0
    """Too large, or out of a full outbox."""
    junk_count: int = 0
    """Received, and no message that the table's members may send, or one too many."""
    connected_count: int = 0
    """Times that the link came up."""
    reconnected_count: int = 0
    """Of those all but the first of each link."""
    round_trip_ms: float | None = None
    """From sending to our own echo, the last time."""
    round_trip_s: Histogram = field(default_factory=Histogram)
    """All of them."""

    def add(self, other: "LinkStatistics") -> None:
        """Count what another link has counted, too; the last round trip is the quicker."""
        self.sent_count += other.sent_count
        self.sent_bytes += other.sent_bytes
        self.resent_count += other.resent_count
        self.received_count += other.received_count
        self.received_bytes += other.received_bytes
        self.repeated_count += other.repeated_count
        self.dropped_count += other.dropped_count
        self.junk_count += other.junk_count
        self.connected_count += other.connected_count
        self.reconnected_count += other.reconnected_count
        trips = [ms for ms in (self.round_trip_ms, other.round_trip_ms) if ms is not None]
        self.round_trip_ms = min(trips, default=None)
        self.round_trip_s.merge(other.round_trip_s.counts, other.round_trip_s.sum_s)
