"""What the seats of one process have done: counted where it happens, added up when somebody asks."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from unop2p.edge.histogram import Histogram
from unop2p.edge.link_state import LinkStatistics
from unop2p.peer.events import Settled
from unop2p.peer.gossip import Repairs


@dataclass(slots=True)
class Work:
    """Proofs of one kind."""

    count: int = 0
    cpu_s: float = 0.0


@dataclass(slots=True)
class _Seat:
    """What one seat that is being played counts for itself."""

    link: Callable[[], LinkStatistics]
    repairs: Repairs


def _gone_seat() -> _Seat:
    statistics = LinkStatistics()
    return _Seat(lambda: statistics, Repairs())


@dataclass(slots=True)
class Meter:
    """Counts for all seats of a process."""

    step_s: Histogram = field(default_factory=Histogram)
    """From one settled step of a seat to its next: whatever anybody thinks is in it."""
    work: dict[str, Work] = field(default_factory=dict)
    """By kind: check, make, prepare."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _seats: list[_Seat] = field(default_factory=list)
    _gone: _Seat = field(default_factory=_gone_seat)
    """What seats have counted that are not played any more."""

    def clock(self) -> Callable[[Settled], None]:
        """Return what is to be told of each settled step of one seat."""
        last_s: float | None = None

        def settled(_: Settled) -> None:
            nonlocal last_s
            now_s = time.monotonic()
            if last_s is not None:
                self.step_s.add(now_s - last_s)
            last_s = now_s

        return settled

    def measured(self, kind: str, work: Callable[[], object]) -> Callable[[], object]:
        """Return work that counts itself, and its CPU time; it may run in any thread."""

        def run() -> object:
            began_s = time.thread_time()
            try:
                return work()
            finally:
                spent_s = time.thread_time() - began_s
                with self._lock:
                    done = self.work.setdefault(kind, Work())
                    done.count += 1
                    done.cpu_s += spent_s

        return run

    def begin(self, link: Callable[[], LinkStatistics], repairs: Repairs) -> Callable[[], None]:
        """Take a seat in; return what is to be called when it ends."""
        seat = _Seat(link, repairs)
        self._seats.append(seat)

        def end() -> None:
            self._seats.remove(seat)
            self._gone.link().add(seat.link())
            self._gone.repairs.add(seat.repairs)

        return end

    def links(self) -> LinkStatistics:
        """Return what all links have counted."""
        total = LinkStatistics()
        for seat in (self._gone, *self._seats):
            total.add(seat.link())
        return total

    def repairs(self) -> Repairs:
        """Return what was asked for, told and mended."""
        total = Repairs()
        for seat in (self._gone, *self._seats):
            total.add(seat.repairs)
        return total
