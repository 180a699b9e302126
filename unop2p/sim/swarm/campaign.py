"""Many seeds on all cores: the same seeds give the same outcomes, however many cores there are."""

import multiprocessing
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field

from unop2p.sim.swarm.plan import Plan, draw
from unop2p.sim.swarm.run import Outcome, run

PIECE = 8
"""Seeds that a process plays before it reports."""
AHEAD = 3
"""Pieces that wait for each process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """What is played for every seed."""

    mode: str = "swarm"
    tables: int = 0
    seats: int = 0
    rounds: int = 0
    group: str = "toy"
    resilience: int | None = None
    """Of each table, as far as it can have it; None: drawn."""

    def plan(self, seed: int) -> Plan:
        """Draw the plan of a seed."""
        return draw(
            seed,
            self.mode,
            tables=self.tables,
            seats=self.seats,
            rounds=self.rounds,
            group=self.group,
            resilience=self.resilience,
        )


@dataclass(slots=True)
class Totals:
    """What some seeds have come to, added up."""

    seeds: int = 0
    failed: int = 0
    steps: int = 0
    events: int = 0
    messages: int = 0
    table_ms: int = 0
    """On the simulator's clock."""
    cpu_s: float = 0.0
    peers: int = 0
    tables: int = 0
    acted: Counter[str] = field(default_factory=Counter)
    """How often each kind of fault has acted: messages lost, peers killed, ..."""
    began: Counter[str] = field(default_factory=Counter)
    """How many faults of each kind have begun."""
    hit: Counter[str] = field(default_factory=Counter)
    """In how many seeds each kind of fault has acted."""
    told: Counter[str] = field(default_factory=Counter)
    """How often players were told what."""
    broken: Counter[str] = field(default_factory=Counter)
    """How often each checker has found something, as `P3 agreement`."""

    def add(self, outcome: Outcome) -> None:
        """Add one seed."""
        self.seeds += 1
        self.failed += bool(outcome.violations)
        self.steps += outcome.steps
        self.events += outcome.events
        self.messages += outcome.messages
        self.table_ms += outcome.now_ms
        self.cpu_s += outcome.cpu_s
        self.tables += len(outcome.plan.tables)
        self.peers += sum(setup.seats for setup in outcome.plan.tables)
        for total, found in (
            (self.acted, outcome.acted),
            (self.began, outcome.began),
            (self.told, outcome.told),
        ):
            total.update({str(name): count for name, count in found.items()})
        self.hit.update(str(name) for name, count in outcome.acted.items() if count)
        self.broken.update(f"{v.promise} {v.check}" for v in outcome.violations[:1])


def play_seed(campaign: Campaign, seed: int) -> Outcome:
    """Draw the plan of a seed, and play it."""
    return run(campaign.plan(seed))


def play_piece(campaign: Campaign, seeds: tuple[int, ...]) -> list[Outcome]:
    """Play some seeds, one after another."""
    return [play_seed(campaign, seed) for seed in seeds]


def play(campaign: Campaign, seeds: list[int], workers: int) -> Iterator[list[Outcome]]:
    """Play seeds on so many cores; yield what is done, piece by piece.

    Args:
        campaign: what is played.
        seeds: which; each piece has them in this order.
        workers: processes; with 1 all is played in this one.
    """
    size = 1 if workers == 1 else max(1, min(PIECE, len(seeds) // (workers * AHEAD)))
    pieces = (tuple(seeds[first : first + size]) for first in range(0, len(seeds), size))
    if workers == 1:
        for piece in pieces:
            yield play_piece(campaign, piece)
        return
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_hush) as pool:
        waiting: set[Future[list[Outcome]]] = set()
        try:
            for piece in pieces:
                waiting.add(pool.submit(play_piece, campaign, piece))
                if len(waiting) >= workers * AHEAD:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield future.result()
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BaseException:
            # Nobody waits for what is still being played. The pool sees them end, and ends.
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            raise


def _hush() -> None:
    """Leave Ctrl-C to the process that was started by hand."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
