"""What a transport tells about its link."""

from dataclasses import dataclass
from enum import StrEnum


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
    connected_count: int = 0
    """Times that the link came up; one less is the number of reconnects."""
    round_trip_ms: float | None = None
    """From sending to our own echo, the last time."""
