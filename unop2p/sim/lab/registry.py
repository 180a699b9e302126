"""All cheats of the zoo by name."""

from unop2p.sim.lab import (
    zoo_agree,
    zoo_fields,
    zoo_hidden,
    zoo_keys,
    zoo_network,
    zoo_play,
    zoo_shares,
    zoo_shuffle,
    zoo_standin,
    zoo_time,
)
from unop2p.sim.lab.cheats import Cheat, UnknownCheatError, near

CHEATS: dict[str, Cheat] = {
    cheat.name: cheat
    for cheat in (
        *zoo_keys.CHEATS,
        *zoo_shuffle.CHEATS,
        *zoo_shares.CHEATS,
        *zoo_play.CHEATS,
        *zoo_hidden.CHEATS,
        *zoo_standin.CHEATS,
        *zoo_agree.CHEATS,
        *zoo_time.CHEATS,
        *zoo_network.CHEATS,
        *zoo_fields.CHEATS,
    )
}


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
