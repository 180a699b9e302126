"""What goes into `Peer.handle`, and what comes out of it. Effects are done in order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from unop2p.log.evidence import Evidence
from unop2p.log.messages import Signed
from unop2p.log.steps import Certificate
from unop2p.rules.moves import Move
from unop2p.table.commands import Command
from unop2p.table.notices import Notice
from unop2p.wire.reading import Letter

# -- events ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """The peer begins, or comes back."""

    entries: tuple[bytes, ...] = ()
    """The journal, in order; empty for a new table."""
    secrets: Mapping[int, bytes] | None = None
    """Round secrets by round index."""

    def __repr__(self) -> str:
        """Show no secret."""
        return f"Started({len(self.entries)} entries)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """Bytes came in."""

    data: bytes
    letter: Letter | None = None
    """What `Peer.sift` has made of them; None: nothing about them is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Our own player wants something."""

    command: Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A bot has decided what `AskPlayer` asked."""

    step: int
    move: Move | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """Heavy work is done."""

    job: tuple[str, int, int]
    result: object
    """What the work returned, or the `RemoteError` that it raised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Time has passed."""


Event = Started | Received | Asked | Decided | Computed | Tick

# -- effects -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Persist:
    """Write to the journal, and sync, before anything after this is done."""

    entries: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepSecret:
    """Write a round's secret to a file of its own, and sync, before anything after this."""

    round_index: int
    data: bytes

    def __repr__(self) -> str:
        """Show no secret."""
        return f"KeepSecret(round {self.round_index})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DropSecret:
    """The round has settled: delete its secret."""

    round_index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Publish:
    """Send an envelope to everybody."""

    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Notify:
    """Tell our own player."""

    notice: Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Compute:
    """Run work in a worker; the answer is `Computed`."""

    job: tuple[str, int, int]
    """Kind, step, seat."""
    work: Callable[[], object]
    """Returns a result or raises `RemoteError`; touches nothing that changes."""
    shared: bytes | None
    """Digest of the statement it checks: peers of one process may share the answer."""
    small: bool = False
    """It takes about as long as handing it to a worker, and back: it may be done on the spot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPlayer:
    """A bot's turn, or its chance to react; the answer is `Decided`."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Send a `Tick` at this time at the latest."""

    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """The genesis is there: the record begins."""

    genesis: Signed


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A step is settled: it goes into the record."""

    certificate: Certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """A fault is proved: it goes into the record."""

    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Forked:
    """Two closes of a step have settled, and all from it on is void: that goes into the record."""

    step: int
    items: tuple[Signed, ...]
    """What shows it: statements, tries and adopts of the step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The peer has nothing more to do."""

    reason: str
    """Empty where the match has ended as it should."""
    exit_code: int


Recorded = Begun | Settled | Proved | Forked
"""What the record is made of."""
Effect = (
    Persist
    | KeepSecret
    | DropSecret
    | Publish
    | Notify
    | Compute
    | AskPlayer
    | Wake
    | Begun
    | Settled
    | Proved
    | Forked
    | Stop
)
