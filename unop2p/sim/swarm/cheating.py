"""Cheats in the swarm: entries of the laboratory's zoo that one seat can do by itself."""

from unop2p.peer.core import Peer
from unop2p.sim.lab.cheats import COLLUDING, Cheat
from unop2p.sim.lab.registry import CHEATS
from unop2p.sim.lab.trick import Trick, cheating_peer
from unop2p.sim.swarm.faults import ScriptError
from unop2p.sim.swarm.plan import Setup

LEFT_OUT = frozenset({"stall-at-turn"})
"""What says nothing here: it takes longer than a seed lasts."""

FOULS = frozenset({"card-that-does-not-fit"})
"""What the rules fine, where they have a fine for it; then it is a move like any other."""


def usable(setup: Setup) -> list[str]:
    """Return the names of the cheats that a seat can try at a table as it is."""
    return [cheat.name for cheat in CHEATS.values() if fits(cheat, setup)]


def fits(cheat: Cheat, setup: Setup) -> bool:
    """Say whether a cheat can be tried: by one seat, and by the table's own rules and cards."""
    if not cheat.seated or cheat.name in COLLUDING | LEFT_OUT or not cheat.fits(setup.argument):
        return False
    trick = cheat.make()
    options = setup.options()
    if options.foul_penalty and cheat.name in FOULS:
        return False
    return not trick.stacked and all(
        getattr(options, name) == value for name, value in trick.options.items()
    )


def check_cheat(name: str, setup: Setup) -> None:
    """Refuse a cheat that cannot be tried.

    Raises:
        ScriptError: there is none of that name, or it needs another table.
    """
    if name not in CHEATS or not fits(CHEATS[name], setup):
        message = f"`{name[:60]}` is no cheat for such a table."
        raise ScriptError(message)


def make(name: str, seat: int) -> tuple[Trick, type[Peer]]:
    """Return what a cheat does, and the peer that does it."""
    trick = CHEATS[name].make()
    trick.seats = frozenset({seat})  # type: ignore[arg-type]  # by place: no cheat here looks at it
    return trick, cheating_peer(trick)
