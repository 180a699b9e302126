"""What a seed is: tables, rules, times and a script of faults, drawn from it and written down.

Swarm testing (Groce, Zhang, Eide, Chen, Regehr: *Swarm Testing*, ISSTA 2012): each seed draws its own
subset of the kinds of faults, since some hide what others would show.
"""

import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, TypeVar

from unop2p.errors import LocalError
from unop2p.ids import SEATS_MAX, SEATS_MIN
from unop2p.log.closing import majority
from unop2p.rules.options import PRESETS, Options, check_seats, preset, with_overrides
from unop2p.sim.swarm import faults
from unop2p.sim.swarm.faults import MODES, Fault, Kind, ScriptError
from unop2p.table.genesis import check_resilience
from unop2p.table.replay import is_replayed
from unop2p.table.standing import resilience_max

T = TypeVar("T")
FORMAT = "unop2p-sim-1"
TABLES_MAX = 100
STEPS_MAX = 2_000
NUMBER_MAX = 10**15
SEATS = (2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 6)
"""What is drawn from; one seed in `WIDE_ONE_IN` has up to ten."""
WIDE_ONE_IN = 40
STEPS = (8, 16, 24, 32, 40)
"""How many steps before the healing; a long seed, one in `LONG_ONE_IN`, has `LONG_STEPS`."""
LONG_ONE_IN = 16
LONG_STEPS = 120
WIDE_STEPS = 12
FOR_MS = (300, 1_500, 6_000, 12_000, 25_000, 45_000)
"""How long faults last: around the times at which peers ask, lose patience, and take one for gone."""
KIND_PERCENT = 40
"""How likely a seed of the swarm has a kind of fault at all."""
CHANGES: dict[str, tuple[object, ...]] = {
    "jump_in": ("numbers", "colored"),
    "play_pairs": ("numbers", "colored"),
    "hand_moves": (("seven_swaps", "zero_rotates"),),
    "stacking": ("pass", "add"),
    "uno_deadline": ("before_card",),
    "draw_until_playable": (True,),
    "wd4_challenge": ("card_returns", "off"),
    "foul_penalty": (2,),
    "deck": ("110", "112_swap"),
    "first_wild": ("reshuffle", "bury_middle"),
    "teams": (True,),
}
"""Rules that a seed may change, and to what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One table."""

    seats: int
    rules: str = "official"
    changes: tuple[tuple[str, Any], ...] = ()
    argument: str = "proved"
    rounds: int = 1
    think_ms: int = 300
    resilience: int = 0
    """For how many seats the others can stand in."""

    def options(self) -> Options:
        """Return what is played.

        Raises:
            InvalidOptionsError: that cannot be played.
        """
        end = {"match_end": "rounds", "target": self.rounds}
        options = with_overrides(preset(self.rules), {**dict(self.changes), **end})
        check_seats(options, self.seats)
        return options


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All of a run: the same plan gives the same run, event by event."""

    seed: int
    mode: str = "swarm"
    tables: tuple[Setup, ...]
    faults: tuple[Fault, ...] = ()
    steps: int = 40
    """The healing comes when every table has come so far,"""
    safety_ms: int = 60_000
    """or at this time."""
    more: int = 4
    """How many steps each table must settle after it."""
    latency_ms: int = 20
    """A message takes up to so long."""
    work_ms: int = 5
    """Work takes up to so long."""
    group: str = "toy"
    audit: bool = False
    """Whether a record of each table is audited at the end."""
    read: bool = False
    """Whether a reader tries to open every card along the way."""

    def cheats(self, table: int) -> tuple[Fault, ...]:
        """Return who cheats at a table."""
        return tuple(f for f in self.faults if f.kind is Kind.CHEAT and f.table == table)

    def absent(self, table: int) -> set[int]:
        """Return who cheats at a table, never comes back to it, or leaves it."""
        return {
            seat
            for fault in self.faults
            if fault.table == table
            and (
                fault.kind in {Kind.CHEAT, Kind.LEAVE} or (fault.kind is Kind.GONE and fault.amount)
            )
            for seat in fault.seats
        }

    def only(self, numbers: tuple[int, ...]) -> "Plan":
        """Return the plan with some of its faults, by their number."""
        return replace(self, faults=tuple(f for n, f in enumerate(self.faults) if n in numbers))


def draw(
    seed: int,
    mode: str = "swarm",
    *,
    tables: int = 0,
    seats: int = 0,
    rounds: int = 0,
    group: str = "toy",
    resilience: int | None = None,
) -> Plan:
    """Return the plan of a seed.

    Args:
        seed: of everything.
        mode: of `MODES`.
        tables: how many; 0: mostly one.
        seats: at each table; 0: drawn.
        rounds: to be played to their end; 0: as the seed draws, mostly a part of one.
        group: `toy`, or `ristretto255`.
        resilience: of each table, as far as its seats and its shuffles allow; None: drawn.
    """
    rng = random.Random(f"plan {seed} {mode}")  # noqa: S311  # a simulation
    count = tables or (2 if rng.randrange(20) == 0 else 1)
    setups = tuple(_setup(rng, seats, rounds) for _ in range(count))
    # Of a stream of its own: all else of a seed is what it was before tables had this.
    apart = random.Random(f"resilience {seed} {mode}")  # noqa: S311  # a simulation
    setups = tuple(_standing(apart, setup, resilience) for setup in setups)
    wide = max(setup.seats for setup in setups) > 6  # seats
    steps = rng.choice(STEPS)
    if rng.randrange(LONG_ONE_IN) == 0 and not wide:
        steps = LONG_STEPS
    if wide:
        steps = min(steps, WIDE_STEPS)
    if rounds:
        steps = STEPS_MAX
    plan = Plan(
        seed=seed,
        mode=mode,
        tables=setups,
        steps=steps,
        safety_ms=rng.choice((30_000, 60_000, 90_000)) if not rounds else 3_600_000,
        latency_ms=rng.choice((2, 20, 20, 120)),
        work_ms=rng.choice((0, 5, 50)),
        group=group,
        audit=rng.randrange(6) == 0,
        read=rng.randrange(6) == 0 and not wide,
    )
    found: list[Fault] = []
    for table in range(count):
        found += _faults(rng, plan, table, min(steps, LONG_STEPS))
    return replace(plan, faults=tuple(found))


def _setup(rng: random.Random, seats: int, rounds: int) -> Setup:
    count = seats or rng.choice(SEATS)
    if not seats and rng.randrange(WIDE_ONE_IN) == 0:
        count = rng.randrange(7, SEATS_MAX + 1)
    setup = Setup(
        seats=count,
        rules=rng.choice(("official", *PRESETS)),
        argument=rng.choice(("proved", "commit-reveal")),
        rounds=rounds or rng.choice((1, 1, 2)),
        think_ms=rng.choice((0, 200, 1_500)),
    )
    changes: dict[str, Any] = {"hidden_checks": "proved"} if rng.randrange(4) == 0 else {}
    for name, values in CHANGES.items():
        if rng.randrange(8) == 0:
            changes[name] = rng.choice(values)
    for name in ("", *CHANGES):
        changes.pop(name, None)  # one after the other, until the rest makes sense
        made = replace(setup, changes=tuple(sorted(changes.items())))
        try:
            made.options()
        except LocalError:
            continue
        return made
    return replace(setup, rules="official")


def _standing(rng: random.Random, setup: Setup, resilience: int | None) -> Setup:
    """Draw for how many seats the others of a table can stand in."""
    most = 0 if is_replayed(setup.argument) else resilience_max(setup.seats)
    drawn = rng.randrange(most + 1)
    return replace(setup, resilience=drawn if resilience is None else min(resilience, most))


def _faults(rng: random.Random, plan: Plan, table: int, steps: int) -> list[Fault]:
    """Draw the faults of one table."""
    kinds = list(MODES[plan.mode])
    if plan.mode == "swarm":
        kinds = [kind for kind in kinds if rng.randrange(100) < KIND_PERCENT]
        if Kind.CHEAT in kinds and rng.randrange(2):
            kinds.remove(Kind.CHEAT)
    seats = plan.tables[table].seats
    spare = seats - majority(seats)
    """So many may cheat, leave or never come back, that the others are a majority still."""
    found: list[Fault] = []
    for kind in kinds:
        for _ in range(rng.choice((1, 1, 2, 3))):
            fault = _fault(rng, kind, plan.tables[table], steps)
            if fault is None:
                continue
            fault = replace(fault, table=table)
            more = replace(plan, faults=(*found, fault))
            if len(more.absent(table)) <= spare and len(more.cheats(table)) <= 1:
                found.append(fault)
    return found


def _fault(rng: random.Random, kind: Kind, setup: Setup, steps: int) -> Fault | None:
    one = (rng.randrange(setup.seats),)
    some = tuple(sorted(rng.sample(range(setup.seats), rng.randrange(1, setup.seats))))
    base = Fault(
        kind=kind,
        step=rng.randrange(steps),
        after_ms=rng.choice((0, 5, 30, 200, 1_000)),
        for_ms=rng.choice(FOR_MS),
    )
    match kind:
        case Kind.LOSS | Kind.REPEAT | Kind.REORDER:
            return replace(base, percent=rng.choice((2, 10, 30, 60)))
        case Kind.DELAY:
            return replace(base, amount=rng.choice((50, 400, 3_000)), percent=100)
        case Kind.CUT | Kind.ONE_WAY:
            return replace(base, seats=some)
        case Kind.OUTAGE:
            return base
        case Kind.JUNK:
            return replace(base, amount=rng.choice((20, 100)), for_ms=min(base.for_ms, 6_000))
        case Kind.CRASH:
            return replace(base, seats=one, amount=rng.randrange(40), percent=rng.choice((0, 100)))
        case Kind.FREEZE:
            return replace(base, seats=one)
        case Kind.GONE:
            # A table that has not begun is not begun without somebody: none of it goes for good.
            step = max(base.step, 1)
            return replace(base, seats=one, for_ms=0, amount=rng.randrange(2), step=step)
        case Kind.SLOW_DISK | Kind.SLOW_WORK:
            return replace(base, seats=some, amount=rng.choice((30, 300, 2_500)))
        case Kind.CLOCK:
            return replace(base, seats=one, amount=rng.choice((1_000, 15_000, 90_000)), for_ms=0)
        case Kind.LEAVE:
            return replace(base, seats=one, for_ms=0) if rng.randrange(3) == 0 else None
        case Kind.CHEAT:
            return _cheat(rng, base, one, setup)


def _cheat(rng: random.Random, base: Fault, one: tuple[int, ...], setup: Setup) -> Fault | None:
    from unop2p.sim.swarm.cheating import usable  # noqa: PLC0415  # the zoo, for those that cheat

    names = usable(setup)
    if not names:
        return None
    return replace(base, seats=one, step=0, after_ms=0, for_ms=0, name=rng.choice(names))


# -- as a file ---------------------------------------------------------------------------------


def dump(plan: Plan) -> str:
    """Return a plan as a script, one fault a line."""
    head = asdict(replace(plan, faults=()))
    head["tables"] = [{**asdict(setup), "changes": dict(setup.changes)} for setup in plan.tables]
    del head["faults"]
    lines = [json.dumps(faults.to_json(fault)) for fault in plan.faults]
    body = json.dumps({"format": FORMAT, **head}, indent=1)[:-2]
    return body + ',\n "faults": [' + ",".join(f"\n  {line}" for line in lines) + "\n ]\n}\n"


def load(text: str) -> Plan:
    """Read a script.

    Raises:
        ScriptError: it is none, or nothing that can be played.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = "It is not JSON."
        raise ScriptError(message) from error
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        message = f"It does not say `{FORMAT}`."
        raise ScriptError(message)
    try:
        setups = tuple(_read_setup(item) for item in _list(data.pop("tables", None)))
        found = tuple(faults.from_json(item) for item in _list(data.pop("faults", None)))
        plan = _checked(Plan, {**data, "tables": setups, "faults": found})
    except (LocalError, TypeError, ValueError) as error:
        message = str(error)[:200] or "It cannot be read."
        raise ScriptError(message) from error
    _check(plan)
    return plan


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        message = "`tables` and `faults` are lists."
        raise ScriptError(message)
    return value


def _checked(make: Callable[..., T], data: dict[str, Any]) -> T:
    """Make one of our dataclasses of values that are of the types of its fields."""
    wanted = {field.name: field.type for field in fields(make)}  # type: ignore[arg-type]  # as said
    for name, value in data.items():
        kind = {"int": int, "str": str, "bool": bool}.get(getattr(wanted.get(name), "__name__", ""))
        wrong = kind is not None and type(value) is not kind
        if wrong or (isinstance(value, int) and not 0 <= value < NUMBER_MAX):
            message = f"`{name}` cannot be {str(value)[:40]}."
            raise ScriptError(message)
    return make(**data)


def _read_setup(item: object) -> Setup:
    if not isinstance(item, dict) or not isinstance(item.get("changes", {}), dict):
        message = "A table is `{...}`, and its changes too."
        raise ScriptError(message)
    changes = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in item.get("changes", {}).items()
    }
    setup = _checked(Setup, {**item, "changes": tuple(sorted(changes.items()))})
    if not SEATS_MIN <= setup.seats <= SEATS_MAX:
        message = f"{setup.seats} seats: {SEATS_MIN} to {SEATS_MAX}."
        raise ScriptError(message)
    setup.options()
    return setup


def _check(plan: Plan) -> None:
    from unop2p.sim.swarm.cheating import check_cheat  # noqa: PLC0415  # as above

    if not 0 < len(plan.tables) <= TABLES_MAX or plan.group not in {"toy", "ristretto255"}:
        message = f"1 to {TABLES_MAX} tables, in the group toy or ristretto255."
        raise ScriptError(message)
    for setup in plan.tables:
        if setup.argument not in {"proved", "commit-reveal"}:
            message = f"`{setup.argument[:40]}`: proved, or commit-reveal."
            raise ScriptError(message)
        try:
            check_resilience(setup.resilience, setup.seats, setup.argument)
        except LocalError as error:
            raise ScriptError(str(error)) from error
    for fault in plan.faults:
        if fault.table >= len(plan.tables):
            message = f"{fault}: there is no such table."
            raise ScriptError(message)
        if any(seat >= plan.tables[fault.table].seats for seat in fault.seats):
            message = f"{fault}: there is no such seat."
            raise ScriptError(message)
        if fault.kind is Kind.CHEAT:
            check_cheat(fault.name, plan.tables[fault.table])
