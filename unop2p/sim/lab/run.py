"""One experiment: real peers at one table, some of them cheating, and what came of it."""

import random
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import StrEnum

from unop2p.bots.levels import make_bot
from unop2p.errors import Unop2pError
from unop2p.ids import Seat
from unop2p.log.evidence import Evidence
from unop2p.log.messages import Statement
from unop2p.peer.chain import Chain
from unop2p.rules.moves import Challenge, Move, Play
from unop2p.rules.options import Options, preset, with_overrides
from unop2p.rules.view import PlayerView
from unop2p.sim.lab.cheats import Cheat
from unop2p.sim.lab.defenses import without
from unop2p.sim.lab.reader import Coalition, Learned, Reader, deck_truth
from unop2p.sim.lab.stack import stack_deck
from unop2p.sim.lab.trick import Trick, cheating_peer
from unop2p.sim.ring import Network, Place, Ring, StuckError
from unop2p.sim.toy import in_toy_group
from unop2p.table import bodies
from unop2p.wire import codec
from unop2p.wire.audit import audit

WAITED_MS = 75_000
"""A table that has not moved for so long waits: longer than a turn, which is the longest limit."""
SEEDS_TRIED_MAX = 32
"""How many seeds are looked at for one under which a cheat has an occasion."""


class Outcome(StrEnum):
    """What came of an experiment."""

    CAUGHT = "caught"
    """Every honest seat holds evidence against the cheats, and against nobody else."""
    HARMLESS = "harmless"
    """The match ended as it should, and nobody was blamed."""
    WAITS = "waits"
    """The table waits for the cheat; nobody is blamed, and nothing was gained."""
    THROUGH = "got through"
    """What must not be was taken for true, or was learned."""
    SPLIT = "split"
    """Honest seats settled different things, and none knows why."""
    UNNAMED = "nobody named"
    """Honest seats stopped or fell over, and cannot say through whom."""
    FRAMED = "honest seat blamed"
    UNTRIED = "no occasion"
    """The cheat never had the chance to do it: this says nothing."""


BAD = frozenset({Outcome.THROUGH, Outcome.SPLIT, Outcome.UNNAMED, Outcome.FRAMED})
"""What must not come out where every defense is on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An experiment. The same plan gives the same result, but for times."""

    peers: int = 4
    argument: str = "proved"
    cheats: tuple[tuple[Cheat, Seat | None], ...] = ()
    """With the seat that does it; None for the broker's. One cheat at several seats colludes."""
    seed: int = 7
    without: tuple[str, ...] = ()
    rules: str = "official"
    network: Network | None = None
    read: bool = True
    """Whether a reader tries to open every card; it takes about a third of the time."""
    group: str = "ristretto255"
    """Or `toy`: without any secrecy, and many times as fast."""
    audit: bool = False
    """Whether every honest seat's record is audited; it takes longer than the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a run has cost, all peers together."""

    wall_ms: float
    bytes: int
    """Sealed, as published."""
    messages: int
    steps: int
    table_ms: int
    """On the simulated clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an experiment has shown."""

    plan: Plan
    outcome: Outcome
    seed: int
    """Under which the cheat had its occasion."""
    tried_step: int | None
    """Where the cheat first did it."""
    caught_step: int | None
    """Which step was open when it was first proved."""
    phase: str
    """What the step was for in which it was tried."""
    blamed: tuple[Seat, ...]
    reason: str
    """Of the evidence; or what the cheat got; or why nobody is blamed."""
    evidence: tuple[str, ...]
    """What it consists of, each as `seat N: kind of message`."""
    waits_for: tuple[Seat, ...]
    learned: dict[Coalition, Learned] = field(repr=False)
    cards_looked_at: int
    audited: tuple[str, ...]
    """What an audit finds in each honest seat's record, and about whom; empty where none was asked."""
    cost: Cost

    @property
    def steps_late(self) -> int | None:
        """How many steps after the deed it was proved; 0 is the earliest that can be."""
        if self.caught_step is None or self.tried_step is None:
            return None
        return self.caught_step - self.tried_step

    @property
    def learned_too_much(self) -> int:
        """The most hidden cards that any coalition read."""
        return max((found.too_much for found in self.learned.values()), default=0)


def run(plan: Plan) -> Report:
    """Run an experiment; where the cheat finds no occasion, with the next seeds.

    Args:
        plan: what is to be tried.
    """
    report = _run_once(plan, plan.seed)
    if not all(cheat.fits(plan.argument) for cheat, _ in plan.cheats):
        return report
    for seed in range(plan.seed + 1, plan.seed + SEEDS_TRIED_MAX):
        if report.outcome is not Outcome.UNTRIED:
            break
        report = _run_once(plan, seed)
    return report


def player(
    _seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
) -> Move | None:
    """Play so that much happens: bluff with a Wild Draw Four, doubt every one, often forget UNO."""
    for move in legal:
        if isinstance(move, Challenge):
            return move
        if isinstance(move, Play) and move.cards[0] == "W4" and len(view.hand) > 2:
            return move
    chosen = make_bot("greedy").choose(view, legal, rng)
    if isinstance(chosen, Play) and chosen.uno and rng.randrange(2):
        return replace(chosen, uno=False)
    return chosen


def options_for(rules: str, rounds: int) -> Options:
    """Return the rules of a run: a preset, over after so many rounds."""
    return with_overrides(preset(rules), {"match_end": "rounds", "target": rounds})


@dataclass(slots=True)
class Watch:
    """Looks at a ring after every event, and says when there is no more to be seen."""

    honest: tuple[int, ...]
    tricks: tuple[Trick, ...]
    reader: Reader | None
    moved_ms: int = 0
    steps: tuple[int, ...] = ()
    phases: dict[int, str] = field(default_factory=dict)
    proved_step: int | None = None
    """Which step was open at the first honest seat that held evidence."""
    waits: bool = False
    lost: bool = False
    deck: str = ""
    """In what a shuffled deck differed from the one that was due."""

    def __call__(self, ring: Ring) -> bool:
        """Say whether the run is over."""
        places = [ring.places[index] for index in self.honest]
        steps = tuple(_step(place.peer.chain) for place in places)
        if self.proved_step is None:
            self.proved_step = _proved_at(places)
        if steps != self.steps:
            self.steps = steps
            self.moved_ms = ring.now_ms
            for place in places:
                if place.peer.chain is not None:
                    plan = place.peer.chain.state.plan
                    self.phases[place.peer.chain.open.step] = str(plan.phase)
            if self.reader is not None:
                self.reader.read(ring, self.honest)
                chain = places[0].peer.chain
                self.deck = self.deck or (deck_truth(ring, chain) if chain else None) or ""
        if all(place.stop is not None or _has_put_out(place) for place in places):
            return True
        chain = ring.places[self.honest[0]].peer.chain
        if chain is not None and any(
            trick.first_step is None and trick.is_lost(chain) for trick in self.tricks
        ):
            self.lost = True
            return True
        self.waits = ring.now_ms - self.moved_ms > WAITED_MS
        return self.waits


def _has_put_out(place: Place) -> bool:
    """Say whether a peer has put out who was proved guilty: no more is to be seen of the cheat."""
    chain = place.peer.chain
    return chain is not None and chain.fault is not None and bool(chain.state.gone)


def _step(chain: Chain | None) -> int:
    return chain.open.step if chain is not None else -1


def _run_once(plan: Plan, seed: int) -> Report:
    tricks: dict[str, Trick] = {}
    peers: dict[int, type] = {}
    for cheat, seat in plan.cheats:
        trick = tricks.setdefault(cheat.name, cheat.make())
        if seat is not None:
            trick.seats |= {seat}
            peers[seat] = cheating_peer(trick)
    honest = tuple(index for index in range(plan.peers) if index not in peers)
    networks = [trick.network(frozenset(peers)) for trick in tricks.values()]
    network = next((found for found in networks if found is not None), plan.network)
    reader = Reader(plan.peers) if plan.read else None
    watch = Watch(honest, tuple(tricks.values()), reader)
    rounds = max((trick.rounds for trick in tricks.values()), default=1)
    changes = {name: value for trick in watch.tricks for name, value in trick.options.items()}
    fell: Unop2pError | AssertionError | None = None

    def tap(ring: Ring, sender: int, data: bytes) -> None:
        for trick in watch.tricks:
            trick.tap(ring, sender, data)

    with ExitStack() as stack:
        if plan.group == "toy":
            stack.enter_context(in_toy_group())
        stack.enter_context(without(plan.without))
        ring = Ring(
            plan.peers,
            with_overrides(options_for(plan.rules, rounds), changes),
            seed=seed,
            player=player,
            network=network,
            argument=plan.argument,
            peers=peers,
            tap=tap,
            think_ms=max((trick.think_ms for trick in watch.tricks), default=0),
            resilience=max((trick.resilience for trick in watch.tricks), default=0),
        )
        for trick in watch.tricks:
            if trick.stacked:
                stack_deck(stack, lambda: ring, min(trick.seats), trick.stacked)
        began = time.perf_counter()
        try:
            ring.run(watch)
        except (Unop2pError, AssertionError) as error:
            fell = error
        wall_ms = (time.perf_counter() - began) * 1000
        return _judge(plan, seed, ring, watch, fell, wall_ms)


@dataclass(slots=True)
class _Finding:
    outcome: Outcome
    reason: str
    evidence: Evidence | None = None
    blamed: tuple[Seat, ...] = ()
    waits_for: tuple[Seat, ...] = ()


def _judge(
    plan: Plan,
    seed: int,
    ring: Ring,
    watch: Watch,
    fell: Unop2pError | AssertionError | None,
    wall_ms: float,
) -> Report:
    finding = _find(ring, watch, fell)
    steps = [trick.first_step for trick in watch.tricks if trick.first_step is not None]
    tried = min(steps, default=None)
    reader = watch.reader
    if reader is not None and finding.outcome in {Outcome.HARMLESS, Outcome.WAITS, Outcome.CAUGHT}:
        given = {seat for trick in watch.tricks if trick.gives_away for seat in trick.seats}
        judged = [item for item in reader.learned.items() if given <= set(item[0])]
        worst = max(judged, key=lambda item: item[1].too_much)
        if worst[1].too_much:
            who = " and ".join(map(str, worst[0])) or "nobody"
            finding.outcome = Outcome.THROUGH
            finding.reason = f"seats {who} read {worst[1].too_much} hidden cards"
    return Report(
        plan=plan,
        outcome=finding.outcome,
        seed=seed,
        tried_step=tried,
        caught_step=watch.proved_step if finding.evidence is not None else None,
        phase=watch.phases.get(tried, "") if tried is not None else "",
        blamed=finding.blamed,
        reason=finding.reason,
        evidence=_items(ring, finding.evidence),
        waits_for=finding.waits_for,
        learned=reader.learned if reader is not None else {},
        cards_looked_at=reader.cards_looked_at if reader is not None else 0,
        audited=_audits(ring, watch.honest) if plan.audit else (),
        cost=Cost(
            wall_ms=wall_ms,
            bytes=sum(len(data) for _, data in ring.published),
            messages=len(ring.published),
            steps=max(watch.steps, default=0),
            table_ms=ring.now_ms,
        ),
    )


def _find(ring: Ring, watch: Watch, fell: Unop2pError | AssertionError | None) -> _Finding:
    """Say what came of it: blame first, then what the cheats got, then whether all is well."""
    honest = [ring.places[index] for index in watch.honest]
    keys = [place.key.public_key().public_bytes_raw() for place in ring.places]
    faults = [place.peer.chain.fault if place.peer.chain else None for place in honest]
    proved = [fault for fault in faults if fault is not None]
    blamed = tuple(sorted({Seat(keys.index(fault.author)) for fault in proved}))
    if any(seat in watch.honest for seat in blamed):
        framed = next(fault for fault in proved if keys.index(fault.author) in watch.honest)
        return _Finding(Outcome.FRAMED, framed.reason, framed, blamed)
    if proved and len(proved) == len(faults):
        first = min(proved, key=lambda fault: fault.step)
        return _Finding(Outcome.CAUGHT, first.reason, first, blamed)
    if fell is not None and not isinstance(fell, StuckError):
        return _Finding(Outcome.UNNAMED, f"a seat fell over: {str(fell) or type(fell).__name__}")
    tried = [trick for trick in watch.tricks if trick.first_step is not None]
    if watch.tricks and not tried:
        return _Finding(Outcome.UNTRIED, "it had no occasion")
    effects = [trick.effect(ring, watch.honest) for trick in tried]
    got = next((effect for effect in effects if effect is not None), None)
    if got is not None:
        return _Finding(Outcome.THROUGH, got)
    if _differ(ring, watch.honest):
        return _Finding(Outcome.SPLIT, "honest seats have settled different steps")
    stops = [place.stop for place in honest if place.stop is not None]
    odd = next((stop for stop in stops if stop.exit_code), None)
    if odd is not None:
        return _Finding(Outcome.UNNAMED, odd.reason)
    last = min(watch.steps, default=0)
    for trick in tried:
        assert trick.first_step is not None
        if not trick.lawful and last > trick.first_step:
            deck = f"; the deck has {watch.deck}" if watch.deck else ""
            return _Finding(Outcome.THROUGH, f"it was settled as if it were true{deck}")
    if watch.waits or fell is not None:
        missing = {
            seat
            for place in honest
            if place.peer.chain is not None
            for seat in place.peer.chain.missing()
        }
        if not missing:
            return _Finding(Outcome.UNNAMED, "the table stands still, and nobody is missing")
        wrong = sorted(missing & set(map(Seat, watch.honest)))
        if wrong:
            return _Finding(Outcome.UNNAMED, f"the table waits for honest seats {wrong}")
        return _Finding(
            Outcome.WAITS,
            "the table waits, nobody is blamed",
            waits_for=tuple(sorted(missing)),
        )
    return _Finding(Outcome.HARMLESS, "the match ended as it should, nobody is blamed")


def _proved_at(places: list[Place]) -> int | None:
    """Return the first step that is open where evidence is held; None where there is none."""
    chains = [place.peer.chain for place in places]
    steps = [chain.open.step for chain in chains if chain is not None and chain.fault is not None]
    return min(steps, default=None)


def _audits(ring: Ring, honest: tuple[int, ...]) -> tuple[str, ...]:
    """Audit what honest seats have recorded, each different record once."""
    found: dict[tuple[bytes, ...], str] = {}
    for index in honest:
        lines = tuple(ring.places[index].record)
        if lines not in found:
            report = audit(lines)
            found[lines] = f"{report.finding.value} {report.author}".strip()
    return tuple(found[tuple(ring.places[index].record)] for index in honest)


def _differ(ring: Ring, honest: tuple[int, ...]) -> bool:
    """Say whether two honest peers have settled one step differently."""
    closes: dict[int, set[bytes]] = {}
    for index in honest:
        chain = ring.places[index].peer.chain
        for certificate in chain.history if chain is not None else ():
            closes.setdefault(certificate.step, set()).add(certificate.close)
    return any(len(found) > 1 for found in closes.values())


def _items(ring: Ring, evidence: Evidence | None) -> tuple[str, ...]:
    if evidence is None:
        return ()
    keys = [place.key.public_key().public_bytes_raw() for place in ring.places]
    return tuple(
        f"seat {keys.index(item.author)}: {_kind(item.payload)}" for item in evidence.items
    )


def _kind(payload: bytes) -> str:
    message = codec.decode(payload)
    if isinstance(message, Statement):
        assert isinstance(message.body, bodies.Body)
        return f"statement `{message.body.kind}`"
    return type(message).__name__.lower()
