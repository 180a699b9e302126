"""The levels that ship: `random` and `greedy`."""

from collections import Counter

from unop2p.bots.base import Bot, Randomness
from unop2p.errors import LocalError
from unop2p.rules.cards import Color, Face, points
from unop2p.rules.due import ReactionDue
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


class UnknownBotError(LocalError):
    """There is no bot of that level."""

    exit_code = 2


class RandomBot:
    """Plays any lawful card, with the call that is due; draws when it has none."""

    name = "random"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        if isinstance(view.round.due, ReactionDue):
            return _reaction(legal)
        plays: list[Move] = [
            move for move in legal if isinstance(move, Play) and _calls(legal, move)
        ]
        wanted: list[Move] | tuple[Move, ...] = (
            plays or [move for move in legal if not isinstance(move, Challenge)] or legal
        )
        return wanted[rng.randrange(len(wanted))]


class GreedyBot:
    """Highest points first, wilds kept, the color that it holds most of; bluffs and doubts never.

    Source of the policy: `reference/bots.md` of the design, where it is the baseline.
    """

    name = "greedy"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`."""
        if isinstance(view.round.due, ReactionDue):
            return _reaction(legal)
        colors = _colors(view.hand)
        for move in legal:
            if isinstance(move, NameColor) and move.color is colors[0]:
                return move
        plays = [
            move
            for move in legal
            if isinstance(move, Play)
            and _calls(legal, move)
            and move.color in (None, colors[0])
            and not self._bluffs(view, move)
        ]
        if plays:
            return max(plays, key=lambda play: self._worth(view, play, rng))
        for kind in (Accept, Draw, Pass):
            for move in legal:
                if isinstance(move, kind):
                    return move
        return legal[0]

    @staticmethod
    def _bluffs(view: PlayerView, play: Play) -> bool:
        """A Wild Draw Four while holding the color in force."""
        if play.cards[0] is not Face.W4 or view.round.attack is not None:
            return False
        return any(face.color == view.round.color for face in view.hand)

    @staticmethod
    def _worth(view: PlayerView, play: Play, rng: Randomness) -> tuple[int, int, int, int]:
        face = play.cards[0]
        worth = points(face, view.round.options) * len(play.cards)
        color = play.color or face.color
        same = sum(1 for other in view.hand if other.color == color)
        # A target with few cards is the better one to swap with.
        swap = 0 if play.target is None else -view.round.hand_counts[play.target]
        return (0 if face.is_wild else 1, worth + swap, same, rng.randrange(1 << 16))


def _reaction(legal: tuple[Move, ...]) -> Move | None:
    """Call late, catch who forgot, jump in where it can."""
    for kind in (CallUNO, Catch, Play):
        for move in legal:
            if isinstance(move, kind) and (not isinstance(move, Play) or _calls(legal, move)):
                return move
    return None


def _calls(legal: tuple[Move, ...], play: Play) -> bool:
    """Say whether a play carries its UNO call, where one is due."""
    if play.uno:
        return True
    called = Play(cards=play.cards, color=play.color, target=play.target, uno=True)
    return called not in legal


def _colors(hand: tuple[Face, ...]) -> list[Color]:
    held = Counter(face.color for face in hand if face.color is not None)
    return sorted(Color, key=lambda color: -held[color])


_LEVELS: dict[str, type[RandomBot] | type[GreedyBot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
}
LEVELS = tuple(_LEVELS)


def make_bot(level: str) -> Bot:
    """Return a bot of a level.

    Raises:
        UnknownBotError: there is no such level.
    """
    try:
        return _LEVELS[level]()
    except KeyError as error:
        message = f"'{level}': there are {', '.join(LEVELS)}."
        raise UnknownBotError(message) from error
