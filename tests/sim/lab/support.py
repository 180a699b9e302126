"""What the laboratory's tests share."""

from unop2p.ids import Seat
from unop2p.sim.lab.registry import find
from unop2p.sim.lab.run import Plan, Report, run


def try_cheat(
    name: str,
    *,
    without: tuple[str, ...] = (),
    peers: int = 3,
    seed: int = 7,
    read: bool = True,
    group: str = "ristretto255",
    argument: str = "proved",
) -> Report:
    """Let the last seat, or the broker, do it."""
    cheat = find(name)
    seat = Seat(peers - 1) if cheat.seated else None
    return run(
        Plan(
            peers=peers,
            argument=argument,
            cheats=((cheat, seat),),
            without=without,
            seed=seed,
            read=read,
            group=group,
        )
    )
