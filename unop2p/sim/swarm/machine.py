"""What one peer runs on: a clock, a disk, a worker, and being killed or stopped."""

from collections import deque
from dataclasses import dataclass, field

from unop2p.peer import events


@dataclass(slots=True, kw_only=True)
class Machine:
    """The outside of one peer, beside its journal."""

    clock_ms: int
    """How far its clock is ahead of the simulator's."""
    life: int = 0
    """Counts its starts: what was begun in another life comes to nothing."""
    up: bool = False
    frozen: bool = False
    """Stopped by its user or its lid: it goes on as it was."""
    disk_busy: bool = False
    """It waits for its disk."""
    rest: tuple[events.Effect, ...] = ()
    """What it does once the disk has kept what it has to keep."""
    inbox: deque[events.Event] = field(default_factory=deque)
    """What has come in while it waited, or was stopped."""
    wake_ms: int | None = None
    """By the simulator's clock."""
    crash_at: int | None = None
    """Before which of its effects it is killed."""
    crash_for_ms: int = 0
    cut_sends: bool = False
    """Whether what it sent last is lost with it."""
    never: bool = False
    """It does not come back."""

    @property
    def runs(self) -> bool:
        """Whether it does anything at all now."""
        return self.up and not self.frozen
