"""What becomes of messages: the faults of the network that are on now, at one table."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from unop2p.sim.swarm.faults import Fault, Kind

LATE_MS = 400
"""So much later, at most, comes a message that others overtake."""
Blocked = Callable[[int, int, bytes], bool]


@dataclass(slots=True, kw_only=True)
class Weather:
    """The network of one table."""

    seed: int
    latency_ms: int
    counts: Counter[str]
    """How often each kind of fault has acted."""
    on: list[tuple[Fault, random.Random]] = field(default_factory=list)
    """The faults that are on, each with its own chance, so that one more or less changes no other."""
    blocked: list[Blocked] = field(default_factory=list)
    """What cheats keep from whom."""
    last_ms: dict[tuple[int, int], int] = field(default_factory=dict)
    """When the last message of a sender comes to a receiver: the next comes after it."""
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Begin with fair weather."""
        self.chance = random.Random(f"latency {self.seed}")  # noqa: S311  # a simulation

    def begin(self, fault: Fault) -> None:
        """Let a fault act."""
        self.on.append((fault, random.Random(f"{self.seed} {fault}")))  # noqa: S311  # as above

    def end(self, fault: Fault) -> None:
        """Let a fault act no more."""
        self.on = [item for item in self.on if item[0] is not fault]

    def clear(self) -> None:
        """Heal the network."""
        self.on = []
        self.blocked = []

    def arrivals(self, now_ms: int, sender: int, receiver: int, data: bytes) -> list[int]:
        """Return when a message comes to a receiver: never, once, or more often."""
        if any(blocked(sender, receiver, data) for blocked in self.blocked):
            return []
        copies, late_ms, overtaken = 1, 0, False
        for fault, rng in self.on:
            match fault.kind:
                case Kind.OUTAGE:
                    return self._acted(fault, [])
                case Kind.CUT if (sender in fault.seats) != (receiver in fault.seats):
                    return self._acted(fault, [])
                case Kind.ONE_WAY if sender in fault.seats and receiver not in fault.seats:
                    return self._acted(fault, [])
                case Kind.LOSS if rng.randrange(100) < fault.percent:
                    return self._acted(fault, [])
                case Kind.REPEAT if rng.randrange(100) < fault.percent:
                    copies += 1
                case Kind.REORDER if rng.randrange(100) < fault.percent:
                    overtaken = True
                case Kind.DELAY if rng.randrange(100) < fault.percent:
                    late_ms += fault.amount
                case _:
                    continue
            self.counts[fault.kind] += 1
        found: list[int] = []
        for _ in range(copies):
            at_ms = now_ms + 1 + self.chance.randrange(self.latency_ms + 1) + late_ms
            if overtaken:
                at_ms += self.chance.randrange(LATE_MS)
            else:
                at_ms = max(at_ms, self.last_ms.get((sender, receiver), 0))
                self.last_ms[sender, receiver] = at_ms
            found.append(at_ms)
        return found

    def _acted(self, fault: Fault, found: list[int]) -> list[int]:
        self.counts[fault.kind] += 1
        return found
