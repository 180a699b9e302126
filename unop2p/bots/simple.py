"""The levels that learn nothing: `random` and `greedy`; and what all levels have in common."""

from collections import Counter
from typing import Final

from unop2p.bots.base import Randomness
from unop2p.rules.blanks import HandMove
from unop2p.rules.cards import Color, Face, points
from unop2p.rules.due import ReactionDue
from unop2p.rules.legal import is_lawful
from unop2p.rules.moves import (
    Accept,
    CallUNO,
    Catch,
    Challenge,
    Draw,
    Move,
    NameColor,
    Pass,
    Play,
)
from unop2p.rules.view import PlayerView

TIE_SIDES: Final = 1 << 16
"""Ties are broken by a die of so many sides."""


class RandomBot:
    """Plays any card that may be played, each as likely, with the call that is due.

    It draws only when it has none, answers an attack when it can, and never challenges.
    """

    name = "random"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        if isinstance(view.round.due, ReactionDue):
            return reaction(legal)
        plays = called_plays(legal)
        if plays:
            # First the card, then how: else a Wild with its four colors would come up too often.
            cards = list(dict.fromkeys(play.cards for play in plays))
            chosen = cards[rng.randrange(len(cards))]
            ways = [play for play in plays if play.cards == chosen]
            return ways[rng.randrange(len(ways))]
        others: list[Move] = [move for move in legal if not isinstance(move, Challenge)]
        others = others or list(legal)
        return others[rng.randrange(len(others))]


class GreedyBot:
    """Highest points first, wilds kept, the color that it holds most of; never bluffs or doubts.

    It does not challenge, because at the rate at which players bluff (about one Wild Draw Four in
    twenty) a challenge costs more than it brings. Measured as the baseline of the ladder: about 96 %
    of two-seat matches to 500 against `random`.
    """

    name = "greedy"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        if isinstance(view.round.due, ReactionDue):
            return reaction(legal)
        color = favorite_color(view.hand)
        for move in legal:
            if isinstance(move, NameColor) and move.color is color:
                return move
        plays = called_plays(legal)
        honest = [
            play
            for play in plays
            if play.color in (None, color) and is_lawful(view.round, play, view.hand)
        ]
        if honest:
            return max(honest, key=lambda play: self._worth(view, play, rng))
        for kind in (Accept, Draw, Pass):
            for move in legal:
                if isinstance(move, kind):
                    return move
        # Nothing but a bluff is left, where a drawn card must be played.
        return plays[0] if plays else legal[0]

    @staticmethod
    def _worth(view: PlayerView, play: Play, rng: Randomness) -> tuple[int, ...]:
        """Rank a play: what decides most comes first."""
        face, left = play.cards[0], len(view.hand) - len(play.cards)
        gain = gain_of(view, play, left)
        color = play.color or face.color
        return (
            int(view.round.goes_out(face, left)),
            int(gain >= 0),
            int(not face.is_wild),
            sum(points(card, view.round.options) for card in play.cards),
            gain,
            _harm(view, play),
            sum(1 for held in view.hand if held.color is color),
            rng.randrange(TIE_SIDES),
        )


def gain_of(view: PlayerView, play: Play, left: int) -> int:
    """Return by how many cards the hand that comes is smaller than the one that goes."""
    state, seat = view.round, view.seat
    match state.effect_of(play.cards[0]):
        case HandMove.SWAP if play.target is not None:
            return left - state.hand_counts[play.target]
        case HandMove.ROTATE if left:
            return left - state.hand_counts[state.next_seat(seat, -state.direction)]
        case HandMove.SHUFFLE:
            others = [state.hand_counts[other] for other in state.active if other != seat]
            return left - (left + sum(others)) // (1 + len(others))
        case _:
            return 0


def _harm(view: PlayerView, play: Play) -> int:
    """Rank whom a blank card hits: who holds least, and the partner last."""
    state = view.round
    if play.target is None:
        return 0
    if state.partners and state.partners[view.seat] == play.target:
        return -sum(state.hand_counts)
    return -state.hand_counts[play.target]


def reaction(legal: tuple[Move, ...]) -> Move | None:
    """Call late, else catch who forgot, else jump in."""
    for kind in (CallUNO, Catch):
        for move in legal:
            if isinstance(move, kind):
                return move
    return next(iter(called_plays(legal)), None)


def called_plays(legal: tuple[Move, ...]) -> list[Play]:
    """Return the plays, without those that leave out a call that is due."""
    called = {
        (move.cards, move.color, move.target)
        for move in legal
        if isinstance(move, Play) and move.uno
    }
    return [
        move
        for move in legal
        if isinstance(move, Play)
        and (move.uno or (move.cards, move.color, move.target) not in called)
    ]


def favorite_color(hand: tuple[Face, ...]) -> Color:
    """Return the color that most cards of a hand have; of equals the first, red for none.

    >>> favorite_color((Face.B1, Face.G2, Face.B7, Face.W)).word
    'blue'
    """
    held = Counter(face.color for face in hand if face.color is not None)
    return max(Color, key=lambda color: held[color])
