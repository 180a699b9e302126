"""What a level would play, and what that brings by the network's forecast: for people who ask."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.learned import LearnedBot, forecasts, looked_at
from unop2p.bots.levels import make_bot
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move, Play
from unop2p.rules.view import PlayerView

LEVEL: Final = "net"
"""Which level is asked if none is named: the strongest."""
POINTS: Final = 100
"""A forecast of 1 is so many points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Valued:
    """A move and its worth."""

    move: Move
    points: float
    """What the round will bring: own points minus the mean of the others', as the network expects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What a level would do."""

    level: str
    move: Move | None
    """None: say nothing, where others move and one may react."""
    points: float | None
    """None in a reaction: what is called or caught has no forecast."""
    others: tuple[Valued, ...] = ()
    """The other moves that are worth a thought, the best first."""


def same_but_for_the_call(one: Move | None, other: Move | None) -> bool:
    """Say whether two moves are the same, with UNO called or not."""
    if isinstance(one, Play) and isinstance(other, Play):
        return (one.cards, one.color, one.target) == (other.cards, other.color, other.target)
    return one == other


@dataclass(slots=True)
class Adviser:
    """Gives hints. The network's forecasts were learned as `likeness.py` says."""

    level: str = LEVEL
    bot: Bot = field(init=False)
    net: LearnedBot = field(init=False)

    def __post_init__(self) -> None:
        """Load the level.

        Raises:
            UnknownBotError: there is no such level.
        """
        self.bot, self.net = make_bot(self.level), LearnedBot("net")

    def values(self, view: PlayerView, moves: Sequence[Move]) -> list[float]:
        """Return what the network expects of moves of a turn, in points."""
        forecaster = self.net.forecaster(view.round)
        return [POINTS * value for value in forecasts(view, moves, forecaster)]

    def hint(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Hint:
        """Return what the level would do.

        Args:
            view: of the person, who is asked for a move or may react.
            legal: all lawful moves, one at least.
            rng: chance of the hint's own.
        """
        move = self.bot.choose(view, legal, rng)
        if move is None or isinstance(view.round.due, ReactionDue):
            return Hint(level=self.level, move=move, points=None)
        others = [other for other in looked_at(view, legal) if other != move]
        points, *worths = self.values(view, [move, *others])
        valued = [Valued(move=m, points=p) for m, p in zip(others, worths, strict=True)]
        valued.sort(key=lambda item: -item.points)
        return Hint(level=self.level, move=move, points=points, others=tuple(valued))
