"""Matches of bots on one table that knows every card: no peers, no network, only the rules.

To compare bots, play each seed once for every seat that a bot can sit on: the first to move has a
small edge. Judge on matches, not rounds: luck decides most of a round.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unop2p.bots.base import Bot, Randomness
from unop2p.ids import Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move
from unop2p.rules.options import Options

ROUNDS_MAX = 2_000
"""A match that no bot wins in so many rounds (each blocked, or worth nothing) is broken off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaResult:
    """What a match came to."""

    winners: tuple[Seat, ...]
    """Empty where the match was broken off."""
    totals: tuple[int, ...]
    rounds: int
    decisions: int
    """How often a bot was asked."""


def play_match(
    bots: Sequence[Bot],
    options: Options,
    *,
    deal: Randomness,
    chances: Sequence[Randomness],
    deals: Callable[[int], Randomness] | None = None,
    dealer: int = 0,
    rounds_max: int = ROUNDS_MAX,
) -> ArenaResult:
    """Play a match to its end.

    Args:
        bots: by seat, 2 to 10; seats are in turn order.
        options: the rules.
        deal: the chance of the cards.
        chances: each bot's own chance, by seat.
        deals: the chance of each round after the first, if each shall have its own: then the cards of
            a round do not hang on how the rounds before were played.
        dealer: who deals first.
        rounds_max: after so many rounds the match is broken off.
    """
    assert len(bots) == len(chances)
    order = tuple(Seat(seat) for seat in range(len(bots)))
    game = DealtGame.start(options, order, order[dealer], deal)
    decisions = 0
    while True:
        while not game.round.over:
            decisions += _decide(game, bots, chances)
        if game.match.over or game.match.rounds_played >= rounds_max:
            return ArenaResult(
                winners=game.match.winners,
                totals=game.match.totals,
                rounds=game.match.rounds_played,
                decisions=decisions,
            )
        if deals is not None:
            game.rng = deals(game.match.rounds_played)
        game.next_round()


def _decide(game: DealtGame, bots: Sequence[Bot], chances: Sequence[Randomness]) -> int:
    """Ask every bot that may say something now; return how many were asked."""
    asked = 0
    said: list[tuple[Seat, Move]] = []
    for seat in game.asked:
        view = game.view(seat)
        legal = view.legal()
        if not legal:
            continue
        asked += 1
        move = bots[seat].choose(view, legal, chances[seat])
        if move is not None:
            said.append((seat, move))
    if isinstance(game.round.due, ReactionDue):
        game.react(tuple(said))
    else:
        ((seat, move),) = said
        game.act(seat, move)
    return asked
