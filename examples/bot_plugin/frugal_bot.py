"""A bot as a plug-in: it keeps the points in its hand low, and its colors many.

One instance sits at one table. It sees what a player may see, answers with one of the lawful moves, and
takes its chance from `rng` alone: then the same position with the same seed gives the same move.
"""

from unop2p.bots.base import Randomness
from unop2p.rules.cards import points
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import CallUNO, Catch, Challenge, Move, Play
from unop2p.rules.view import PlayerView


class Frugal:
    """Plays what leaves the cheapest hand; of equals what leaves the most colors."""

    name = "frugal"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Return one of `legal`, or None to let a reaction pass."""
        if isinstance(view.round.due, ReactionDue):
            # Call UNO late, else catch who forgot, else jump in.
            calls = (move for move in legal if isinstance(move, CallUNO | Catch))
            return next(calls, legal[0])
        plays = [move for move in legal if isinstance(move, Play)]
        if not plays:
            calm = tuple(move for move in legal if not isinstance(move, Challenge)) or legal
            return calm[rng.randrange(len(calm))]
        best = max(self._worth(view, play) for play in plays)
        equals = [play for play in plays if self._worth(view, play) == best]
        return equals[rng.randrange(len(equals))]

    @staticmethod
    def _worth(view: PlayerView, play: Play) -> tuple[int, int, bool]:
        left = list(view.hand)
        for card in play.cards:
            left.remove(card)
        colors = {card.color for card in left if card.color is not None}
        named = play.color is None or play.color in colors
        # With a call, where one is due: who forgets it can be caught.
        return (
            -sum(points(card, view.round.options) for card in left),
            len(colors) + named,
            play.uno,
        )
