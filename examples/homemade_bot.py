"""A bot of one's own: it plays a match against the greedy bot that ships.

A bot is anything with a `name` and a `choose`. It sees what a player may see, and picks one of the
lawful moves. Run it: `python examples/homemade_bot.py`.
"""

import random

from unop2p.bots.base import Bot, Randomness
from unop2p.bots.levels import make_bot
from unop2p.ids import Seat
from unop2p.rules.cards import points
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move, Play
from unop2p.rules.options import preset, with_overrides
from unop2p.rules.view import PlayerView

SEED = 7


class Thrifty:
    """Gets rid of the dearest card first, so that losing a round costs little."""

    name = "thrifty"

    def choose(self, view: PlayerView, legal: tuple[Move, ...], rng: Randomness) -> Move | None:
        """Choose the play with the most points, with an UNO call where one is due."""
        if isinstance(view.round.due, ReactionDue):
            return legal[0]
        plays = [move for move in legal if isinstance(move, Play)]
        if not plays:
            return legal[rng.randrange(len(legal))]
        worth = [sum(points(card, view.round.options) for card in play.cards) for play in plays]
        best = [play for play, value in zip(plays, worth, strict=True) if value == max(worth)]
        called = [play for play in best if play.uno]
        choice = called or best
        return choice[rng.randrange(len(choice))]


def play_match(bots: tuple[Bot, ...], rng: random.Random, target: int) -> DealtGame:
    """Play a match with every card known to one object: no keys, no network."""
    options = with_overrides(preset("official"), {"target": target})
    order = tuple(Seat(index) for index in range(len(bots)))
    game = DealtGame.start(options, order, Seat(0), rng)
    while not game.match.over:
        if game.round.over:
            game.next_round()
        elif isinstance(game.round.due, ReactionDue):
            said: list[tuple[Seat, Move]] = []
            for seat in game.asked:
                legal = game.legal(seat)
                move = bots[seat].choose(game.view(seat), legal, rng) if legal else None
                if move is not None:
                    said.append((seat, move))
            game.react(tuple(said))
        else:
            (seat,) = game.asked
            move = bots[seat].choose(game.view(seat), game.legal(seat), rng)
            assert move is not None, "only in a reaction may a bot say nothing"
            game.act(seat, move)
    return game


def main() -> None:
    """Let the two play some matches, and count."""
    rng = random.Random(SEED)  # noqa: S311  # a game of chance, no secret
    bots: tuple[Bot, ...] = (Thrifty(), make_bot("greedy"))
    won = [0] * len(bots)
    for _ in range(20):
        for winner in play_match(bots, rng, target=200).match.winners:
            won[winner] += 1
    for bot, count in zip(bots, won, strict=True):
        print(f"{bot.name} won {count} of 20 matches")


if __name__ == "__main__":
    main()
