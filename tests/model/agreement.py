"""A model of how a step closes, small enough to look at every run of it.

What is explored is not a network but what each peer may *say*: a peer says a message if there is any set
of messages, between what its journal keeps and all that was ever sent, under which the rules of protocol
section 4 let it. That covers loss, delay, repetition, reordering, crash and restart at once, for each
only decides which set it is. Sent messages only ever grow, and more of them never forbids anybody else
anything, so a state is the set of messages sent.

Bounds: `n` voters, all active; attempts up to `attempts`; closes are FULL (leaves nobody out, sealed at
attempt 0 by the statements) and two others. A fork needs two closes; others only take votes from them.

One voter may be a liar: it signs anything at all, as long as nothing it has signed contradicts itself by
the rules of `unop2p.log.evidence`; so a fork without evidence would be found here. Since more messages
never hinder the others, it has said all of it at the start. Its adopts are cast where they do most harm:
one at each attempt at which its tries allow it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

FULL = 0
CLOSES = (FULL, 1, 2)


@dataclass(frozen=True, slots=True, order=True)
class Said:
    """All that one voter has signed in the step."""

    tries: tuple[tuple[int, int, int], ...] = ()
    """Attempt, close, named seal (-1 for none)."""
    adopts: tuple[tuple[int, int], ...] = ()
    """Attempt, close."""

    def tried(self) -> int:
        """Return the highest attempt that was tried, 0 for none."""
        return max((attempt for attempt, _, _ in self.tries), default=0)

    def adopted(self) -> int:
        """Return the highest attempt that was adopted, -1 for none."""
        return max((attempt for attempt, _ in self.adopts), default=-1)

    def kept(self) -> int:
        """Return the attempt of the highest seal that the journal keeps, -1 for none."""
        return max([*(seal for _, _, seal in self.tries), *(a for a, _ in self.adopts)], default=-1)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of the protocol; each field is one that a mutant breaks."""

    majority_less: int = 0
    """How many votes fewer than a majority are taken for one."""
    names_seal: bool = True
    """A try names the highest seal that is held, and tries that close."""
    adopts_rise: bool = True
    """No adopt of an attempt lower than one that was tried."""
    one_try: bool = True
    """One try an attempt."""
    seal_first: bool = True
    """Only what is sealed is adopted."""
    seal_counts: bool = True
    """A try counts only together with the seal that it names."""


State = tuple[Said, ...]
"""What each honest voter has said, sorted, for they are alike."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is explored."""

    n: int
    attempts: int
    liar: Said | None = None
    rules: Rules = Rules()

    @property
    def majority(self) -> int:
        """Return how many equal votes are enough."""
        return self.n // 2 + 1 - self.rules.majority_less

    def start(self) -> State:
        """Return the state in which every statement was made, and nothing else."""
        return (Said(),) * (self.n - (self.liar is not None))

    def voters(self, state: State) -> State:
        """Return what each voter has said, the liar too."""
        return state if self.liar is None else (*state, self.liar)

    def seals(self, state: State) -> set[tuple[int, int]]:
        """Return attempt and close of every seal that the sent messages make."""
        found = {(0, FULL)}
        for attempt in range(1, self.attempts + 1):
            counted: Counter[int] = Counter()
            for said in self.voters(state):
                counted.update(
                    {
                        close
                        for a, close, seal in said.tries
                        if a == attempt
                        and (seal < 0 or (seal, close) in found or not self.rules.seal_counts)
                    }
                )
            found |= {(attempt, c) for c, count in counted.items() if count >= self.majority}
        return found

    def settled(self, state: State) -> set[int]:
        """Return the closes that a majority has adopted, each at one attempt.

        The liar's vote counts for whichever close is one short of it: two of one attempt would need
        two voters of the honest too many for both.
        """
        votes = Counter(vote for said in state for vote in set(said.adopts))
        found = {close for (_, close), count in votes.items() if count >= self.majority}
        if self.liar is not None:
            for attempt in range(self.attempts + 1):
                short = [
                    close
                    for (a, close), count in sorted(votes.items())
                    if a == attempt and count == self.majority - 1
                ]
                cast = replace(self.liar, adopts=((attempt, FULL),))
                if short and not contradicts(cast):
                    found.add(next((c for c in short if c not in found), short[0]))
        return found

    def next_states(self, state: State) -> Iterator[State]:
        """Return every state that one more message leads to."""
        seals = self.seals(state)
        for said in set(state):
            rest = list(state)
            rest.remove(said)
            for after in self._says(state, said, seals):
                yield tuple(sorted([*rest, after]))

    # -- an honest voter ---------------------------------------------------------------------

    def _says(self, state: State, said: Said, seals: set[tuple[int, int]]) -> Iterator[Said]:
        for attempt, close in self._adoptable(said, seals):
            yield replace(said, adopts=tuple(sorted([*said.adopts, (attempt, close)])))
        first = said.tried() + (1 if self.rules.one_try else 0)
        for attempt in range(max(first, 1), self.attempts + 1):
            for close in CLOSES:
                for seal in range(-1, attempt):
                    entry = (attempt, close, seal)
                    if entry not in said.tries and self._may_try(state, said, seals, entry):
                        yield replace(said, tries=tuple(sorted([*said.tries, entry])))

    def _adoptable(self, said: Said, seals: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        sealed = seals
        if not self.rules.seal_first:
            sealed = {(a, c) for a in range(self.attempts + 1) for c in CLOSES}
        for attempt, close in sealed:
            low = attempt < said.tried() and self.rules.adopts_rise
            if not low and attempt > said.adopted():
                yield attempt, close

    def _may_try(
        self, state: State, said: Said, seals: set[tuple[int, int]], entry: tuple[int, int, int]
    ) -> bool:
        """Say whether some knowledge lets a voter sign this try."""
        attempt, close, seal = entry
        if not self.rules.names_seal:
            return seal == -1 and self._supported(state, entry)
        if seal >= 0:
            # Two seals of one attempt are both held, or neither: the lower close is named.
            if (seal, close) not in seals or seal < said.kept():
                return False
            kept = {c for a, c in said.adopts if a == seal}
            kept |= {c for _, c, s in said.tries if s == seal}
            if any(other < close for other in kept):
                return False
        elif said.kept() >= 0 or close == FULL:
            # Who keeps a seal names one; who holds all statements holds the seal of attempt 0.
            return False
        return self._supported(state, entry)

    def _supported(self, state: State, entry: tuple[int, int, int]) -> bool:
        """Say whether tries of the attempt before can be held without a higher seal."""
        attempt, close, seal = entry
        if attempt == 1 or seal == attempt - 1:
            return True
        counted: Counter[int] = Counter()
        free = 0
        for said in self.voters(state):
            before = [t for t in said.tries if t[0] == attempt - 1]
            if not before:
                continue
            _, other, named = before[0]
            if named < 0 or (named == seal and other == close) or not self.rules.seal_counts:
                counted[other] += 1
            else:
                free += 1
        known = free + sum(min(count, self.majority - 1) for count in counted.values())
        return known >= self.majority


def contradicts(said: Said) -> bool:
    """Say whether one voter's messages hold evidence against it, as `unop2p.log.evidence` finds it."""
    if len({a for a, _, _ in said.tries}) < len(said.tries):
        return True
    if len({a for a, _ in said.adopts}) < len(said.adopts):
        return True
    return any(
        tried > adopted and seal < adopted
        for adopted, _ in said.adopts
        for tried, _, seal in said.tries
    )


def swap(said: Said) -> Said:
    """Return what was said with the two other closes changed for each other."""
    turn = {FULL: FULL, 1: 2, 2: 1}
    return Said(
        tries=tuple(sorted((a, turn[c], s) for a, c, s in said.tries)),
        adopts=tuple(sorted((a, turn[c]) for a, c in said.adopts)),
    )


@dataclass(frozen=True, slots=True)
class Explored:
    """What an exploration has found."""

    states: int
    fork: State | None
    blamed: State | None
    """An honest voter whose own messages contradict each other."""


def settles(model: Model, state: State, alive: tuple[int, ...]) -> bool:
    """Say whether voters that hear all that was ever sent, and go on by the rules, settle the step.

    Args:
        model: its bound on attempts is not meant for this.
        state: where the network begins to carry everything.
        alive: indices into the state; the others say nothing any more.
    """
    votes = list(state)
    while True:
        now = replace(model, attempts=1 + max((said.tried() for said in votes), default=0))
        if now.settled(tuple(votes)):
            return True
        before = list(votes)
        for index in alive:
            votes[index] = _next_word(now, tuple(votes), votes[index])
        if votes == before:
            return False


def _next_word(model: Model, state: State, said: Said) -> Said:
    """Return what a voter has said after its next word, where it knows everything."""
    seals = model.seals(state)
    top = max(attempt for attempt, _ in seals)
    close = min(c for attempt, c in seals if attempt == top)
    if top >= said.tried() and top > said.adopted():
        return replace(said, adopts=tuple(sorted([*said.adopts, (top, close)])))
    tried = Counter(a for other in model.voters(state) for a in {t[0] for t in other.tries})
    ready = [0, *(a for a, count in tried.items() if count >= model.majority), top]
    attempt = max(ready) + 1
    if attempt <= said.tried():
        return said
    return replace(said, tries=tuple(sorted([*said.tries, (attempt, close, top)])))


def explore(
    model: Model, states_max: int = 5_000_000, *, look: Callable[[State], None] | None = None
) -> Explored:
    """Look at every state that can be reached; stop at the first that is wrong.

    Args:
        model: what is explored.
        states_max: a bound on memory.
        look: called with each state.

    Raises:
        RuntimeError: there are more states than `states_max`.
    """
    # Where nothing tells the two other closes apart, each state stands for its mirror image too.
    alike = model.liar is None or swap(model.liar) == model.liar
    seen = {model.start()}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        if look is not None:
            look(state)
        if len(model.settled(state)) > 1:
            return Explored(states=len(seen), fork=state, blamed=None)
        if any(contradicts(said) for said in state):
            return Explored(states=len(seen), fork=None, blamed=state)
        for after in model.next_states(state):
            known = min(after, tuple(sorted(map(swap, after)))) if alike else after
            if known not in seen:
                seen.add(known)
                waiting.append(known)
        if len(seen) > states_max:
            message = f"more than {states_max} states"
            raise RuntimeError(message)
    return Explored(states=len(seen), fork=None, blamed=None)


def liars(attempts: int) -> list[Said]:
    """Return all that a liar can have tried without contradicting itself, mirror images left out."""
    choices: list[list[tuple[int, int, int] | None]] = [
        [None, *((attempt, close, seal) for close in CLOSES for seal in range(-1, attempt))]
        for attempt in range(1, attempts + 1)
    ]
    found = {
        Said(tries=tuple(entry for entry in picked if entry is not None))
        for picked in product(*choices)
    }
    return sorted({min(said, swap(said)) for said in found})
