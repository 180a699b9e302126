"""The levels that learned what a move is worth: `linear` and `net`, which differ in their weights."""

from collections.abc import Sequence
from typing import Final

from unop2p.bots.base import Randomness
from unop2p.bots.features import Sight, describe
from unop2p.bots.kinds import SPARE_MAX
from unop2p.bots.simple import called_plays, gain_of, reaction
from unop2p.bots.weights import Forecaster, Weights, shipped
from unop2p.rules.blanks import HandMove
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Draw, Move, NameColor, Play
from unop2p.rules.position import TurnPhase
from unop2p.rules.view import PlayerView

CARD_WORTH: Final = 0.07
"""What a card fewer is worth where whole hands move, in hundreds of points. Set by hand."""


def looked_at(view: PlayerView, legal: tuple[Move, ...]) -> list[Move]:
    """Return the moves of a turn that are worth a thought.

    Calls are never left out, a wild names a color of the hand if there is one, and an attack that can
    be answered is answered.
    """
    held = {face.color for face in view.hand}
    colors = {color for color in held if color is not None}

    def fine(move: Move) -> bool:
        color = move.color if isinstance(move, Play | NameColor) else None
        return color is None or color in colors or not colors

    plays: list[Move] = [play for play in called_plays(legal) if fine(play)]
    if view.round.phase is TurnPhase.ATTACKED and plays:
        return plays
    many = view.round.phase is TurnPhase.START and len(view.hand) > SPARE_MAX and plays
    others = [
        move
        for move in legal
        if not isinstance(move, Play) and fine(move) and not (many and isinstance(move, Draw))
    ]
    return plays + others or list(legal)


def forecasts(view: PlayerView, moves: Sequence[Move], forecaster: Forecaster) -> list[float]:
    """Return what each move is worth, in hundreds of points."""
    sight = Sight(view)
    values = forecaster.values([describe(sight, move) for move in moves])
    for place, move in enumerate(moves):
        if isinstance(move, Play) and view.round.effect_of(move.cards[0]) in {
            HandMove.SWAP,
            HandMove.ROTATE,
        }:
            left = len(view.hand) - len(move.cards)
            values[place] += CARD_WORTH * gain_of(view, move, left)
    return values


class LearnedBot:
    """Makes the move whose forecast is best.

    It calls, catches and jumps in as every level does; all else, bluffs, challenges and draws of its
    own accord among it, is what its weights say.
    """

    def __init__(
        self,
        name: str,
        two: Weights | None = None,
        more: Weights | None = None,
        *,
        fast: bool = True,
    ) -> None:
        """Take weights.

        Args:
            name: the level.
            two: for two seats; without, what comes with the program under this name.
            more: for three and more; without, those for two if they are given.
            fast: use numpy where it is installed.
        """
        self.name = name
        self._given = (two, more or two)
        self._fast = fast
        self._forecasters: dict[bool, Forecaster] = {}

    def forecaster(self, seats: int) -> Forecaster:
        """Return what foretells at a table of so many seats."""
        pair = seats == 2
        known = self._forecasters.get(pair)
        if known is None:
            given = self._given[0 if pair else 1]
            weights = given or shipped(f"{self.name}-{'two' if pair else 'more'}")
            known = self._forecasters[pair] = Forecaster(weights, fast=self._fast)
        return known

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        del rng
        if isinstance(view.round.due, ReactionDue):
            return reaction(legal)
        moves = looked_at(view, legal)
        if len(moves) == 1:
            return moves[0]
        values = forecasts(view, moves, self.forecaster(len(view.round.active)))
        return moves[values.index(max(values))]
