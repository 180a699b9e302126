"""A bot whose choices are somebody else's function: for tests, lessons and scripted tables."""

from collections.abc import Callable

from unop2p.bots.base import Randomness
from unop2p.rules.moves import Move
from unop2p.rules.view import PlayerView

Policy = Callable[[PlayerView, tuple[Move, ...]], Move | None]
"""Takes the view and all lawful moves; returns one of them, or None to let a reaction pass."""


class ScriptedBot:
    """Does as its policy says. It takes no chances: the policy holds all there is to know."""

    def __init__(self, policy: Policy, *, name: str = "scripted") -> None:
        """Take the policy.

        Args:
            policy: asked for every decision.
            name: what the bot calls itself.
        """
        self.name = name
        self._policy = policy

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Return what the policy says; see `Bot.choose`."""
        del rng
        move = self._policy(view, legal)
        assert move is None or move in legal, f"{move} is not one of the lawful moves"
        return move
