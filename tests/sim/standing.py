"""Tables at which others stand in, stopped at a kind of step: for tests."""

import random
from collections.abc import Callable

from unop2p.ids import Seat
from unop2p.peer.chain import Chain
from unop2p.rules import due as dues
from unop2p.rules.moves import Draw, Move, Pass
from unop2p.rules.options import preset, with_overrides
from unop2p.rules.position import Resume
from unop2p.rules.view import PlayerView
from unop2p.sim.lab.run import player
from unop2p.sim.ring import Network, Ring
from unop2p.table.phases import Phase
from unop2p.table.state import At, TableState

ONE_ROUND = {"match_end": "rounds", "target": 1}
MOVING = {"hand_moves": ["zero_rotates", "seven_swaps"]}


def chain_of(ring: Ring, index: int) -> Chain:
    chain = ring.places[index].peer.chain
    assert chain is not None
    return chain


def kind_of(state: TableState) -> str:
    """Return what kind of step a table is at."""
    plan, round_ = state.plan, state.round
    if state.at is At.MOVE and plan.phase is Phase.DEAL:
        return "move"
    if plan.phase is Phase.DEAL and state.at is At.DEAL:
        return "first deal"
    if plan.phase is Phase.DEAL and round_ is not None and isinstance(round_.due, dues.DealCards):
        cards = sum(count for _, count in round_.due.draws)
        return "draw" if round_.resume is Resume.DRAWN else f"penalty {cards}"
    if plan.phase is Phase.SHUFFLE and round_ is not None:
        return type(round_.due).__name__
    return str(plan.phase)


def drawing(
    seat: int, view: PlayerView, legal: tuple[Move, ...], rng: random.Random
) -> Move | None:
    """Draw and keep mostly, so that the pile runs out."""
    for move in legal:
        if isinstance(move, Draw | Pass) and rng.random() < 0.85:  # noqa: PLR2004  # mostly
            return move
    return player(seat, view, legal, rng)


def table(
    seats: int,
    resilience: int,
    seed: int,
    *,
    rules: str = "official",
    draws: bool = False,
    network: Network | None = None,
) -> Ring:
    """Return peers that have not begun."""
    changes = {**ONE_ROUND, **(MOVING if rules == "official" else {})}
    return Ring(
        seats,
        with_overrides(preset(rules), changes),
        seed=seed,
        think_ms=500,
        resilience=resilience,
        player=drawing if draws else player,
        network=network,
    )


def at(kind: str) -> Callable[[Ring], bool]:
    """Return whether every peer has come to a kind of step."""

    def there(ring: Ring) -> bool:
        chains = [place.peer.chain for place in ring.places]
        return all(chain is not None and kind_of(chain.state) == kind for chain in chains)

    return there


def owes(kind: str, index: int) -> Callable[[Ring], bool]:
    """Return whether a peer owes a piece of its own in a kind of step, and has not said it."""

    def due(ring: Ring) -> bool:
        chain = ring.places[index].peer.chain
        return (
            chain is not None
            and kind_of(chain.state) == kind
            and chain.seat in chain.state.plan.speakers
            and chain.seat not in chain.open.statements
        )

    return due


def seat_of(ring: Ring, index: int) -> Seat:
    seat = chain_of(ring, index).seat
    assert seat is not None
    return seat
