"""What a coalition of seats could learn: a reader that tries to open every card from what it saw.

It has all traffic, the ticket, and the round keys of the coalition's seats. For each card it takes off
every share that was said and the coalition's own, and looks whether a face is left; it also tries the
masks that a careless shuffle leaves. A coalition may know its own hands and what lies open, no more.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from unop2p.deal.group import Point, Q, mul, sub, sum_points
from unop2p.deal.standin import combine
from unop2p.errors import RemoteError
from unop2p.ids import Seat
from unop2p.peer.chain import Chain
from unop2p.sim.ring import Ring
from unop2p.table import bodies
from unop2p.table.phases import Phase, StandIn
from unop2p.table.state import TableState
from unop2p.table.work import take_shares

Coalition = tuple[Seat, ...]


@dataclass(slots=True)
class Learned:
    """What one coalition has opened, over all readings of a run."""

    own: set[int] = field(default_factory=set)
    """Cards of its own hands."""
    hands: set[int] = field(default_factory=set)
    """Hidden cards in the hands of others."""
    pile: set[int] = field(default_factory=set)
    """Hidden cards of the pile."""

    @property
    def too_much(self) -> int:
        """How many cards it knows that it must not know."""
        return len(self.hands) + len(self.pile)


def coalitions(seats: int) -> tuple[Coalition, ...]:
    """Return each seat alone, each group that lacks one seat, and nobody: who only listens."""
    alone = [(Seat(seat),) for seat in range(seats)]
    groups = [tuple(map(Seat, group)) for group in combinations(range(seats), seats - 1)]
    return ((), *alone, *(group for group in groups if len(group) > 1))


class Reader:
    """Reads along in one run."""

    def __init__(self, seats: int) -> None:
        """Begin with nothing known."""
        self.learned: dict[Coalition, Learned] = {
            coalition: Learned() for coalition in coalitions(seats)
        }
        self.cards_looked_at = 0
        self._looked: dict[tuple[Coalition, bytes, int], int] = {}

    def read(self, ring: Ring, honest: Iterable[int]) -> None:
        """Take a reading: each honest peer's state, since a fork has two."""
        seen: set[bytes] = set()
        for index in honest:
            chain = ring.places[index].peer.chain
            if chain is None or chain.state.joint is None or chain.state.head in seen:
                continue
            if chain.state.plan.phase in {Phase.HANDS, Phase.SEEDS}:
                # From here on hands are opened to all; a reading of this step comes before it.
                continue
            seen.add(chain.state.head)
            self._read(ring, chain)

    def _read(self, ring: Ring, chain: Chain) -> None:
        state = chain.state
        assert state.joint is not None
        given, shown = shares_said(chain)
        for coalition, learned in self.learned.items():
            keys = _secrets(ring, coalition, state)
            for owner, position in hidden_cards(state, shown):
                some = len(coalition) < len(state.seats)
                if some and set(state.masks[position]) <= set(coalition):
                    continue  # They alone are there: nobody else's key masks it.
                known = given.get(position, {})
                place = (coalition, state.joint.encoded, position)
                if self._looked.get(place) == len(known):
                    continue
                self._looked[place] = len(known)
                self.cards_looked_at += 1
                if self._opens(state, position, known, keys):
                    kind = learned.pile if owner is None else learned.hands
                    (learned.own if owner in coalition else kind).add(position)

    @staticmethod
    def _opens(
        state: TableState, position: int, known: dict[Seat, Point], keys: dict[Seat, int]
    ) -> bool:
        card = state.cards[position]
        said = [point for seat, point in known.items() if seat not in keys]
        own = [mul(x, card.c1) for x in keys.values()]
        bare = sub(card.c2, sum_points([*said, *own])) if said or own else card.c2
        if state.faces.find(bare) is not None:
            return True
        assert state.joint is not None
        # What is left where a mask is none: randomness 1 (a card never masked again), or 0.
        return any(
            state.faces.find(point) is not None for point in (sub(card.c2, state.joint), card.c2)
        )


def deck_truth(ring: Ring, chain: Chain) -> str | None:
    """Say in what a freshly shuffled deck differs from the one that is due; opened with every key.

    Nobody at the table could do this. None where it is as it should be, or no deck lies there.
    """
    state = chain.state
    if state.plan.phase is not Phase.DEAL or state.hands:
        return None
    keys = _secrets(ring, state.members, state)
    if len(keys) < len(state.members):
        return None
    joint = sum(keys.values()) % Q
    found: Counter[str] = Counter()
    for position in state.pile:
        card = state.cards[position]
        found[state.faces.find(sub(card.c2, mul(joint, card.c1))) or "no face"] += 1
    due = Counter(str(face) for face in state.deck_faces())
    changes = [f"{found[face] - due[face]:+d} {face}" for face in sorted({*found, *due})]
    changes = [change for change in changes if not change.startswith("+0")]
    return ", ".join(changes) or None


def _secrets(ring: Ring, coalition: Coalition, state: TableState) -> dict[Seat, int]:
    """Return the round keys that a coalition knows. On a bad network peers sit in another order."""
    found: dict[Seat, int] = {}
    for place in ring.places:
        chain = place.peer.chain
        if chain is None or chain.keys is None or chain.seat is None:
            continue
        if chain.seat in coalition and chain.seat in state.keys:
            found[chain.seat] = chain.keys.secret.expose()
    return found


def hidden_cards(
    state: TableState, shown: frozenset[int] = frozenset()
) -> Iterator[tuple[Seat | None, int]]:
    """Yield every card that only its holder, or nobody (None), may know."""
    for seat, hand in state.hands.items():
        for position in hand:
            if position not in state.known and position not in shown:
                yield seat, position
    due = {position for position, _ in state.plan.dealt} | set(state.plan.opened)
    for position in state.pile:
        # In a step that deals, cards are on their way: they belong to who they are dealt to. A first
        # card that was buried in the pile was seen by everybody.
        if position not in due and position not in state.known:
            yield None, position


def shares_said(chain: Chain) -> tuple[dict[int, dict[Seat, Point]], frozenset[int]]:
    """Return all shares of the round by position and seat, settled ones and those just said.

    Beside them the cards that their holders have just shown.
    """
    state = chain.state
    found = {position: dict(by_seat) for position, by_seat in state.shares.items()}
    shown: set[int] = set()
    parts: dict[Seat, dict[Seat, bytes]] = {}
    for seat, held in chain.open.statements.items():
        body = held.statement.body
        if isinstance(body, bodies.StoodIn):
            for part in body.parts:
                parts.setdefault(part.seat, {})[seat] = part.data
            positions, data = state.plan.shares_due(seat), body.own
        elif isinstance(body, bodies.Shares):
            positions, data = state.plan.shares_due(seat), body.data
        elif isinstance(body, bodies.Played):
            positions, data = body.positions, body.opening
            shown.update(positions)
        elif isinstance(body, bodies.Guilty):
            positions, data = (body.position,), body.opening
            shown.add(body.position)
        else:
            continue
        try:
            points = take_shares(data, len(positions))
        except RemoteError:
            continue
        for position, point in zip(positions, points, strict=True):
            found.setdefault(position, {})[seat] = point
    for standin in state.plan.standins:
        points = _put_together(parts.get(standin.seat, {}), standin, state.threshold)
        for position, point in zip(standin.positions, points, strict=False):
            found.setdefault(position, {})[standin.seat] = point
    return found, frozenset(shown)


def _put_together(parts: dict[Seat, bytes], standin: StandIn, threshold: int) -> tuple[Point, ...]:
    """Return the shares of who is away, as far as the partial shares just said give them."""
    if len(parts) < threshold:
        return ()
    try:
        given = {seat: take_shares(data, len(standin.positions)) for seat, data in parts.items()}
    except RemoteError:
        return ()
    return tuple(
        combine({seat: points[index] for seat, points in given.items()}, threshold)
        for index in range(len(standin.positions))
    )
