"""Faults as data: what goes wrong at a table, from when on, for how long, and with whom.

A fault begins a while after its table has reached a step, so that a script stays meaningful when
other faults are taken out of it. Time is the simulator's.
"""

from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from unop2p.errors import LocalError


class ScriptError(LocalError):
    """This is no script of faults that the simulator can play."""

    exit_code = 2


class Kind(StrEnum):
    """What can go wrong."""

    LOSS = "loss"
    """Messages are lost, so many percent, each for every receiver by itself."""
    REPEAT = "repeat"
    """Messages come twice."""
    REORDER = "reorder"
    """Messages overtake others."""
    DELAY = "delay"
    """Messages take longer by `amount` ms."""
    CUT = "cut"
    """Seats and the others do not hear each other."""
    ONE_WAY = "one-way"
    """The others do not hear the seats."""
    OUTAGE = "outage"
    """The broker is down, for all tables; what was on its way is lost."""
    JUNK = "junk"
    """Strangers write: broken envelopes, old ones again, ones under another table's key."""
    CRASH = "crash"
    """A peer is killed before one of its effects, the `amount`-th from then on; then it is started
    from its journal. With `percent` what it had just sent is lost with it."""
    FREEZE = "freeze"
    """A peer is stopped, and goes on later as if nothing had been."""
    GONE = "gone"
    """A peer is killed, and comes back at the healing only, or never (`amount` 1)."""
    SLOW_DISK = "slow-disk"
    """What is to be kept takes up to `amount` ms to be on the disk; the peer waits for it."""
    SLOW_WORK = "slow-work"
    """Proofs and checks take `amount` ms longer."""
    CLOCK = "clock"
    """A peer's clock jumps forward by `amount` ms."""
    LEAVE = "leave"
    """A player leaves the table for good."""
    CHEAT = "cheat"
    """A seat cheats, from the beginning on, as the entry of the laboratory's zoo does."""


NETWORK = (Kind.LOSS, Kind.REPEAT, Kind.REORDER, Kind.DELAY)
MODES: dict[str, tuple[Kind, ...]] = {
    "none": (),
    "loss": (*NETWORK, Kind.JUNK),
    "partition": (Kind.CUT, Kind.ONE_WAY, Kind.OUTAGE),
    "crash": (Kind.CRASH, Kind.GONE),
    "slow": (Kind.FREEZE, Kind.SLOW_DISK, Kind.SLOW_WORK, Kind.CLOCK, Kind.DELAY),
    "cheat": (Kind.CHEAT,),
    "swarm": tuple(Kind),
}
"""By name, which kinds a seed may draw from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that goes wrong."""

    kind: Kind
    table: int = 0
    step: int = 0
    """It waits until a peer of the table has this step open."""
    after_ms: int = 0
    """And so long after that."""
    for_ms: int = 0
    """How long it lasts; it ends at the healing at the latest."""
    seats: tuple[int, ...] = ()
    """Whom it concerns, by the order in which they sat down; nobody: everybody."""
    percent: int = 0
    amount: int = 0
    name: str = ""
    """Of a cheat."""

    def __str__(self) -> str:
        """Say it in one line."""
        parts = [self.kind.value + (f" {self.name}" if self.name else "")]
        parts += [f"table {self.table}"] if self.table else []
        parts += [f"seats {','.join(map(str, self.seats))}"] if self.seats else []
        parts.append(f"from step {self.step}")
        for value, text in (
            (self.after_ms, "{} ms later"),
            (self.for_ms, "for {} ms"),
            (self.percent, "{} %"),
            (self.amount, "amount {}"),
        ):
            parts += [text.format(value)] if value else []
        return ", ".join(parts)


_DEFAULTS = Fault(kind=Kind.LOSS)


def to_json(fault: Fault) -> dict[str, Any]:
    """Return a fault as JSON holds it: only what differs from the defaults."""
    found = {
        name: value for name, value in asdict(fault).items() if value != getattr(_DEFAULTS, name)
    }
    return {**found, "kind": fault.kind.value}


def from_json(data: object) -> Fault:
    """Read a fault.

    Raises:
        ScriptError: it is none.
    """
    kinds = {field.name: type(getattr(_DEFAULTS, field.name)) for field in fields(Fault)}
    if not isinstance(data, dict) or not set(data) <= set(kinds):
        message = f"{str(data)[:80]} is no fault."
        raise ScriptError(message)
    given = dict(data)
    try:
        kind = Kind(given.pop("kind", ""))
    except ValueError as error:
        message = f"{str(data)[:80]}: there is no such kind of fault."
        raise ScriptError(message) from error
    if isinstance(seats := given.get("seats", []), list):
        given["seats"] = tuple(seats)
    for name, value in given.items():
        if kinds[name] is tuple and not isinstance(value, tuple):
            message = f"{str(data)[:80]}: `{name}` is a list."
            raise ScriptError(message)
        whole = value if isinstance(value, tuple) else (value,)
        wanted = int if kinds[name] in {int, tuple} else kinds[name]
        if not all(type(item) is wanted for item in whole) or not _in_bounds(name, whole):
            message = f"{str(data)[:80]}: `{name}` cannot be so."
            raise ScriptError(message)
    return Fault(kind=kind, **given)


def _in_bounds(name: str, values: tuple[Any, ...]) -> bool:
    highest = {"percent": 100, "seats": 9}.get(name, 10**9)
    return all(isinstance(value, str) or 0 <= value <= highest for value in values)
