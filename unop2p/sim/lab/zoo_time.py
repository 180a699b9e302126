"""Seats that leave in the middle, and seats that are as slow as a table bears."""

from unop2p.peer.chain import Chain
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.trick import CheatChain, Trick, speaks_in
from unop2p.table.genesis import Timers
from unop2p.table.phases import Phase

STALLS_MAX = 6
"""A seat that stalls does so for its first few words: that is enough to see it, and ends in time."""


class Leaves(Trick):
    """Says nothing any more from the first step of a phase on in which it is due."""

    lawful = True

    def __init__(self, phase: Phase) -> None:
        self.stacked = "guilty" if phase is Phase.ANSWER else ""
        self.phase = phase

    def holds(self, chain: CheatChain) -> bool:
        """Say nothing once the phase has come."""
        if self.first_step is None and speaks_in(chain, self.phase):
            self.tried(chain)
        return self.first_step is not None

    def is_lost(self, chain: Chain) -> bool:
        """See whether the round is over in which it should have come."""
        return _is_past(self.phase, chain)


class Stalls(Trick):
    """Says each of its first words of a phase only just before the limit."""

    lawful = True

    def __init__(self, phase: Phase, limit_ms: int) -> None:
        self.stacked = "guilty" if phase is Phase.ANSWER else ""
        self.phase = phase
        self.limit_ms = limit_ms
        self.steps: set[int] = set()

    def holds(self, chain: CheatChain) -> bool:
        """Wait until one millisecond before the limit."""
        due = chain.state.plan.phase is self.phase and chain.seat in chain.state.plan.speakers
        if not due or (chain.open.step not in self.steps and len(self.steps) >= STALLS_MAX):
            return False
        self.steps.add(chain.open.step)
        self.tried(chain)
        until = chain.open.opened_ms + self.limit_ms - 1
        chain.desk.wake(until)
        return chain.desk.now_ms < until

    def is_lost(self, chain: Chain) -> bool:
        """See whether the round is over in which it should have come."""
        return _is_past(self.phase, chain)


def _is_past(phase: Phase, chain: Chain) -> bool:
    """Say whether a phase will not come any more in this round, or not at such a table."""
    if phase is Phase.SEEDS:
        return not chain.state.replayed
    return phase is not Phase.HANDS and chain.state.plan.phase is Phase.HANDS


def _leaving(phase: Phase, sentence: str) -> Cheat:
    return Cheat(
        name=f"leave-at-{phase}",
        family="time",
        sentence=sentence,
        attacks=Promise.PROGRESS,
        make=lambda: Leaves(phase),
        needs="replay" if phase is Phase.SEEDS else "",
    )


def _stalling(phase: Phase, limit_ms: int) -> Cheat:
    return Cheat(
        name=f"stall-at-{phase}",
        family="time",
        sentence=f"A seat speaks only just before the limit in each {phase} step.",
        attacks=Promise.PROGRESS,
        make=lambda: Stalls(phase, limit_ms),
        needs="replay" if phase is Phase.SEEDS else "",
    )


CHEATS = (
    _leaving(Phase.COMMIT, "A seat leaves before it has committed."),
    _leaving(Phase.REVEAL, "A seat leaves instead of revealing what it has committed to."),
    _leaving(Phase.SHUFFLE, "A seat leaves when it should shuffle."),
    _leaving(Phase.DEAL, "A seat leaves when it should give shares, and has its own hand."),
    _leaving(Phase.TURN, "A seat leaves in its turn: it has seen its hand and does not like it."),
    _leaving(Phase.REACTION, "A seat leaves where it may react."),
    _leaving(Phase.ANSWER, "A seat does not answer a challenge."),
    _leaving(Phase.HANDS, "A seat leaves when its hand is to be opened."),
    _leaving(Phase.SEEDS, "A seat leaves instead of showing the seed of its shuffles."),
    *(
        _stalling(phase, Timers().turn_ms if phase is Phase.TURN else Timers().patience_ms)
        for phase in Phase
        if phase not in {Phase.WAIT, Phase.SHARE}  # no table comes to that by itself, here
    ),
)
