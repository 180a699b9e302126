"""Positions for bots to decide on, and tables by chance."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from unop2p.bots.base import Bot
from unop2p.errors import InvalidOptionsError
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue
from unop2p.rules.match import start_match
from unop2p.rules.moves import Move
from unop2p.rules.options import CHOICES, FLAGS, NUMBERS, PRESETS, SETS, Options, with_overrides
from unop2p.rules.view import PlayerView


def any_options(rng: Random) -> Options:
    """Return options by chance, those that make sense."""
    while True:
        values: dict[str, object] = {name: rng.choice(many) for name, many in CHOICES.items()}
        values |= {name: [v for v in many if rng.random() < 0.5] for name, many in SETS.items()}
        values |= {name: rng.choice(list(many)) for name, many in NUMBERS.items()}
        values |= {name: rng.random() < 0.5 for name in FLAGS}
        values |= {"teams": False, "decks": 1}
        try:
            return with_overrides(PRESETS["official"], values)
        except InvalidOptionsError:
            continue


def position(
    hand: str,
    *,
    top: str,
    color: str | None = None,
    others: tuple[str, ...] = ("B1 B2 B3",),
    rules: str = "official",
    **overrides: object,
) -> DealtGame:
    """Return a game in which seat 0 is to move with these cards."""
    options = with_overrides(PRESETS[rules], overrides)
    seats = 1 + len(others)
    order = tuple(Seat(seat) for seat in range(seats))
    hands = [[Face(word) for word in cards.split()] for cards in (hand, *others)]
    # The dealer's left neighbor begins, so the last seat deals: an up-card is turned, then changed.
    game = DealtGame.start(options, order, order[-1], Random(1))
    while game.round.top is None or game.round.top.number is None or game.asked != (Seat(0),):
        game = DealtGame.start(options, order, order[-1], Random(game.rng.randrange(1 << 30)))
    face = Face(top)
    game.hands = {Seat(seat): list(cards) for seat, cards in enumerate(hands)}
    game.pile = [Face.Y9] * 30
    game.position = replace(
        game.round,
        hand_counts=tuple(len(cards) for cards in hands),
        pile_count=30,
        discards=(face,),
        color=Color(color) if color is not None else face.color,
    )
    game.match = start_match(options, order, order[-1])
    return game


def decisions(
    options: Options, seats: int, rng: Random, steps: int, player: Bot | None = None
) -> Iterator[tuple[DealtGame, PlayerView, tuple[Move, ...]]]:
    """Play a game, by chance or as a bot does; yield each decision that is asked on the way."""
    order = tuple(Seat(seat) for seat in range(seats))
    game = DealtGame.start(options, order, order[0], rng)
    for _ in range(steps):
        if game.round.over:
            if game.match.over:
                return
            game.next_round()
            continue
        said: list[tuple[Seat, Move]] = []
        for seat in game.asked:
            view = game.view(seat)
            legal = view.legal()
            if legal:
                yield game, view, legal
                move = legal[rng.randrange(len(legal))]
                if player is not None:
                    move = player.choose(view, legal, rng) or move
                said.append((seat, move))
        if isinstance(game.round.due, ReactionDue):
            game.react(tuple(item for item in said if rng.random() < 0.5))
        else:
            ((seat, move),) = said
            game.act(seat, move)
