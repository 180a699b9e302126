"""One seed, played to its end, and what came of it."""

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from unop2p.errors import RemoteError
from unop2p.log.messages import Signed
from unop2p.sim.lab.defenses import put
from unop2p.sim.swarm.judge import Violation
from unop2p.sim.swarm.plan import Plan
from unop2p.sim.swarm.table import Make
from unop2p.sim.swarm.world import World
from unop2p.sim.toy import in_toy_group
from unop2p.wire import codec

REMEMBERED_MAX = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a seed has shown. But for the time it is the same whenever the plan is."""

    plan: Plan
    violations: tuple[Violation, ...]
    digest: str
    steps: int
    """Settled at all tables."""
    events: int
    messages: int
    now_ms: int
    acted: dict[str, int]
    """How often each kind of fault has acted."""
    began: dict[str, int]
    """How many faults of each kind have begun."""
    told: dict[str, int]
    """How often players were told what."""
    cpu_s: float


def run(plan: Plan, make: Make | None = None) -> Outcome:
    """Play a plan.

    Args:
        plan: all of it.
        make: other classes of peers, by table and place; for peers with a fault.
    """
    began = time.process_time()
    with ExitStack() as stack:
        if plan.group == "toy":
            stack.enter_context(in_toy_group())
        stack.enter_context(remembering())
        world = World(plan, make)
        crashed: Violation | None = None
        try:
            world.run()
        except Exception as error:  # noqa: BLE001  # whatever a peer raises is what we look for
            crashed = _raised(world, error)
        return Outcome(
            plan=plan,
            violations=(*world.violations, *((crashed,) if crashed else ())),
            digest=world.digest,
            steps=sum(len(table.judge.ledger) for table in world.tables),
            events=world.events,
            messages=world.messages,
            now_ms=world.now_ms,
            acted=dict(world.counts),
            began=dict(world.began),
            told=dict(world.told),
            cpu_s=time.process_time() - began,
        )


def _raised(world: World, error: Exception) -> Violation:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace is not None else ""
    return Violation(
        promise="P5",
        check="raised",
        table=0,
        seat=None,
        step=max(table.top() for table in world.tables),
        at_ms=world.now_ms,
        text=f"{type(error).__name__} in {where}: {error}"[:400],
    )


@contextmanager
def remembering() -> Iterator[None]:
    """Check each signature and parse each message once for all peers of the process.

    What is remembered hangs on all of the bytes, so it is what each peer would have found itself.
    """
    verify, decode = codec.verify, codec.decode
    held: OrderedDict[Signed, bool] = OrderedDict()
    read: OrderedDict[bytes, codec.Message] = OrderedDict()

    def verify_once(signed: Signed) -> None:
        known = held.get(signed)
        if known is None:
            try:
                verify(signed)
            except RemoteError:
                held[signed] = False
                raise
            held[signed] = True
            if len(held) > REMEMBERED_MAX:
                held.popitem(last=False)
        elif not known:
            raise codec.SignatureError

    def decode_once(payload: bytes) -> codec.Message:
        message = read.get(payload)
        if message is None:
            message = read[payload] = decode(payload)
            if len(read) > REMEMBERED_MAX:
                read.popitem(last=False)
        return message

    with ExitStack() as stack:
        put(stack, codec, "verify", verify_once)
        put(stack, codec, "decode", decode_once)
        yield
