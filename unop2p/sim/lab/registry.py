"""All cheats of the zoo by name."""

from unop2p.sim.lab import zoo_shuffle
from unop2p.sim.lab.cheats import Cheat, UnknownCheatError, near

CHEATS: dict[str, Cheat] = {cheat.name: cheat for cheat in (*zoo_shuffle.CHEATS,)}


def find(name: str) -> Cheat:
    """Return a cheat.

    Raises:
        UnknownCheatError: there is none of that name.
    """
    cheat = CHEATS.get(name)
    if cheat is None:
        message = f"'{name[:60]}'.{near(name, list(CHEATS))}"
        raise UnknownCheatError(message)
    return cheat
