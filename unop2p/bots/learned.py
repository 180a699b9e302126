"""The levels that learned what a move is worth: `linear` and `net`, which differ in their weights."""

from collections.abc import Sequence
from typing import Final

from unop2p.bots.base import Randomness
from unop2p.bots.features import Sight, describe
from unop2p.bots.kinds import SPARE_MAX
from unop2p.bots.likeness import weights_for
from unop2p.bots.simple import called_plays, gain_of, reaction
from unop2p.bots.weights import Forecaster, Weights, shipped
from unop2p.rules.blanks import HandMove
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Draw, Move, NameColor, Play
from unop2p.rules.options import Options
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.view import PlayerView

CARD_WORTH: Final = 0.07
"""What a card fewer is worth where whole hands move, in hundreds of points. Set by hand."""
KNOWN_MAX: Final = 16
"""So many tables' weights are kept ready."""
_MOVED: Final = frozenset({HandMove.SWAP, HandMove.ROTATE})


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
    return [value + thumb(view, move) for value, move in zip(values, moves, strict=True)]


def thumb(view: PlayerView, move: Move) -> float:
    """Return what a move of whole hands is worth beyond what features tell, in hundreds of points."""
    if isinstance(move, Play) and view.round.effect_of(move.cards[0]) in _MOVED:
        return CARD_WORTH * gain_of(view, move, len(view.hand) - len(move.cards))
    return 0.0


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
        self._forecasters: dict[tuple[Options, bool], Forecaster] = {}

    def forecaster(self, state: Round) -> Forecaster:
        """Return what foretells at a table, by its rules and its seats."""
        options, seats = state.options, len(state.active)
        known = self._forecasters.get((options, seats == 2))
        if known is None:
            given = self._given[0 if seats == 2 else 1]
            weights = given or shipped(weights_for(self.name, options, seats))
            if len(self._forecasters) >= KNOWN_MAX:
                self._forecasters.clear()
            known = self._forecasters[options, seats == 2] = Forecaster(weights, fast=self._fast)
        return known

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        del rng
        if isinstance(view.round.due, ReactionDue):
            return reaction(legal)
        moves = looked_at(view, legal)
        if len(moves) == 1:
            return moves[0]
        values = forecasts(view, moves, self.forecaster(view.round))
        return moves[values.index(max(values))]
