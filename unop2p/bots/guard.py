"""A bot of somebody's own, held to what a bot is: it gets a copy, and its answer is looked at."""

from dataclasses import replace

from unop2p.bots.base import Bot, Randomness
from unop2p.errors import LocalError
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move
from unop2p.rules.position import evolve
from unop2p.rules.view import PlayerView
from unop2p.words import said

DETAIL_CHARACTERS_MAX = 200


class BotFailedError(LocalError):
    """A bot of your own has failed: `unop2p bot check` shows what it does wrong."""


def one_line(text: str) -> str:
    """Return text that is not ours in one short line of printable characters."""
    words = " ".join(text.split())
    shown = "".join(character if character.isprintable() else "?" for character in words)
    return shown[:DETAIL_CHARACTERS_MAX]


def fault_of(error: BaseException) -> str:
    """Return what went wrong in code that is not ours, in one line."""
    return one_line(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)


def copied(view: PlayerView) -> PlayerView:
    """Return a view of its own: whatever is set in it changes nothing for anybody else."""
    return replace(view, round=evolve(view.round), match=replace(view.match))


def is_answer(move: object, view: PlayerView, legal: tuple[Move, ...]) -> bool:
    """Say whether a bot may answer so: with a lawful move, or in a reaction with None."""
    if move is None:
        return isinstance(view.round.due, ReactionDue)
    return any(move == lawful for lawful in legal)


class GuardedBot:
    """Asks a bot of somebody's own, and says in one sentence what it does wrong."""

    def __init__(self, bot: Bot, name: str) -> None:
        """Take the bot.

        Args:
            bot: whose answers are looked at.
            name: what it is called by whoever chose it.
        """
        self.name = name
        self._bot = bot

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose a move; see `Bot.choose`.

        Raises:
            BotFailedError: the bot raises, or its answer is none.
        """
        try:
            move = self._bot.choose(copied(view), legal, rng)
            fine = is_answer(move, view, legal)
        except (Exception, SystemExit) as error:  # whatever the author's own code does
            message = said("`{name}` fails: {error}.", name=self.name, error=fault_of(error))
            raise BotFailedError(message) from error
        if not fine:
            message = said(
                "`{name}` answers {move}, which is no lawful move here.",
                name=self.name,
                move=one_line(repr(move)),
            )
            raise BotFailedError(message)
        return move
