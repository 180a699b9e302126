"""A stacked deck, for cheats that need a rare hand: proofs are real, chance is not.

The first shuffle of a round puts the deck into the wanted order, the others leave it as it is. Nothing
that is said changes by that, for nobody can see an order; only the simulator can do it.
"""

from collections.abc import Callable
from contextlib import ExitStack

from unop2p.deal import coin
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.sim.lab.defenses import swap
from unop2p.sim.ring import Ring
from unop2p.table import bodies
from unop2p.table.phases import Phase
from unop2p.table.state import TableState

FIRST = "R9"
HANDS = {
    "guilty": "W4 R1 R2 G3 G4 B5 B6",
    "innocent": "W4 G1 G2 G3 B4 B5 B6",
    "wild": "W R1 G1 G2 G3 B4 B5",
    "red": "R1 G1 G2 G3 B4 B5 B6",
    "nothing": "G0 G1 G2 G3 B4 B5 B6",
}
"""What the cheat gets; red will be in force when its turn comes."""
ANSWERS: dict[type, str] = {bodies.Guilty: "guilty", bodies.Innocent: "innocent"}
"""The hand that leads to an answer of this kind, when its Wild Draw Four is doubted."""
NEXT = {"nothing fits": ("nothing", "R2"), "nothing, and nothing drawn": ("nothing", "G4")}
"""Hands with the card that is drawn first; in other decks that is whatever is left."""


def wanted_deck(state: TableState, seat: Seat, hand: str) -> list[Face]:
    """Return the deck in the order that deals a hand to a seat, and red numbers to all others.

    With them red stays in force until the seat's turn: numbers change nothing else.
    """
    assert state.match is not None
    order = state.match.players
    # A dealer that has left or was put out is not among them.
    start = order.index(state.match.dealer_among(order)) + 1
    players = [order[(start + index) % len(order)] for index in range(len(order))]
    left = list(state.deck_faces())
    name, *drawn = NEXT.get(hand, (hand,))
    first = [Face(word) for word in drawn]
    hands: dict[Seat, list[Face]] = {seat: [Face(word) for word in HANDS[name].split()]}
    for face in (*hands[seat], Face(FIRST), *first):
        left.remove(face)
    for other in players:
        if other != seat:
            hands[other] = [_take(left, "R"), *(_take(left, "GBY") for _ in range(6))]
    top = [hands[player][index] for index in range(7) for player in players]
    return [*top, Face(FIRST), *first, *left]


def _take(left: list[Face], colors: str) -> Face:
    """Take a number of one of these colors, the highest first; where none is left, another card."""
    colored = [face for face in left if str(face)[0] in colors and not face.is_wild]
    numbers = [face for face in colored if str(face)[1:].isdigit()] or colored
    chosen = max(numbers, key=lambda face: (str(face)[1:], str(face)))
    left.remove(chosen)
    return chosen


def stack_deck(stack: ExitStack, ring: Callable[[], Ring], seat: Seat, hand: str) -> None:
    """Let the first deck that is shuffled be the wanted one, for as long as the stack is open."""
    done: set[int] = set()
    orders: dict[int, tuple[int, ...]] = {}
    """By the first word of chance, so that a shuffle that is replayed comes out again as it was."""
    fair = coin.shuffled

    def stacked(count: int, word: Callable[[], int]) -> tuple[int, ...]:
        first = word()
        if first not in orders:
            again = iter((first,))
            orders[first] = order(count, lambda: next(again, None) or word())
        return orders[first]

    def order(count: int, word: Callable[[], int]) -> tuple[int, ...]:
        chain = next(place.peer.chain for place in ring().places if place.peer.chain is not None)
        state = chain.state
        if state.plan.phase is not Phase.SHUFFLE or count != len(state.deck_faces()):
            return fair(count, word)
        if state.match is None or seat not in state.match.players:
            return fair(count, word)  # it has left before it was dealt anything
        if state.step in done:
            return tuple(range(count))
        done.add(state.step)
        due = list(state.deck_faces())
        chosen: list[int] = []
        for face in wanted_deck(state, seat, hand):
            chosen.append(next(i for i, f in enumerate(due) if f == face and i not in chosen))
        return tuple(chosen)

    swap(stack, fair, stacked, but=coin)
