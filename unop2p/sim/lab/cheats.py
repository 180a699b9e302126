"""The zoo as a list: every cheat with a sentence, the promise that it attacks, and what stops it."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Literal

from unop2p.errors import LocalError
from unop2p.sim.lab.trick import Trick
from unop2p.table.replay import is_replayed


class UnknownCheatError(LocalError):
    """There is no cheat of that name: `unop2p lab list` shows them all."""

    exit_code = 2


class UnknownDefenseError(LocalError):
    """There is no defense of that name to leave out: `unop2p lab list` shows them all."""

    exit_code = 2


PROOF_DEFENSES = frozenset({"shuffle-proofs", "fs-commitments", "hashed-faces"})
"""What keeps a proof of shuffle sound. Where shuffles are replayed instead, the replay does."""
KNOWN = frozenset({"proved", "commit-reveal"})
"""The arguments whose insides the zoo knows."""
COLLUDING = frozenset({"shared-key", "opposite-keys"})
"""Cheats that take two seats."""
Needs = Literal["", "proof", "replay", "known"]
"""What a cheat needs of shuffles: that they carry a proof, that they are replayed after the round, or
that their insides are known; or nothing."""
REPLAY_INSTEAD = PROOF_DEFENSES | {"remask-check"}


class Promise(StrEnum):
    """What the protocol promises, by its numbers there."""

    SECRECY = "P1"
    FAIR_DEAL = "P2"
    AGREEMENT = "P3"
    BLAME = "P4"
    PROGRESS = "P5"
    ADMISSION = "P6"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheat:
    """One entry of the zoo."""

    name: str
    family: str
    sentence: str
    """What it does."""
    attacks: Promise
    make: Callable[[], Trick]
    seated: bool = True
    """Whether a seat does it; else it is the broker, or somebody outside."""
    stopped_by: tuple[str, ...] = ()
    """The defenses that, all left out together, let it through; mostly one."""
    first_shuffler: bool = False
    """Whether it can be tried by who shuffles first only."""
    needs: Needs = ""

    def fits(self, argument: str) -> bool:
        """Say whether a table with such shuffles has what it needs."""
        match self.needs:
            case "proof":
                return not is_replayed(argument)
            case "replay":
                return is_replayed(argument)
            case "known":
                return argument in KNOWN
            case _:
                return True

    def teeth(self, *, replayed: bool) -> tuple[str, ...]:
        """Return the defenses that, left out together, let it through at such a table."""
        if not replayed or not REPLAY_INSTEAD.intersection(self.stopped_by):
            return self.stopped_by
        kept = tuple(name for name in self.stopped_by if name not in PROOF_DEFENSES)
        return ("shuffle-replay", *kept)


def near(name: str, known: list[str]) -> str:
    """Return what may have been meant, as the end of a sentence; empty where nothing is near."""
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    return f" Did you mean {' or '.join(f'`{other}`' for other in close)}?" if close else ""
