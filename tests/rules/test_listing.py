"""The lists of lawful moves against `refusal`, which judges one move: neither knows of the other."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from tests.rules.test_play import some_options
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue
from unop2p.rules.legal import refusal
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
from unop2p.rules.options import PRESETS, Options
from unop2p.rules.public import problem


def every_move(game: DealtGame, seat: Seat) -> Iterator[Move]:
    """Yield all that could be typed, but for calls and seats that change nothing."""
    yield from (Draw(), Pass(), CallUNO(), Challenge(), Accept())
    yield from (NameColor(color=color) for color in Color)
    yield from (Catch(seat=other) for other in game.round.players)
    hand = game.held(seat)
    for face in Face:
        along = [tuple(sorted(c for c in hand if c.color is color)) for color in Color]
        packs = [(face,), (face, face), *((face, *cards) for cards in along if cards)]
        colors = (None, *Color)
        targets = (None, *game.round.players)
        for cards, color, target in product(dict.fromkeys(packs), colors, targets):
            if color is not None and not face.is_wild:
                continue
            yield Play(cards=cards, color=color, target=target)


def order_of_cards(move: Move) -> Move:
    """Return a play with what it takes along in one fixed order, and without a call."""
    if not isinstance(move, Play):
        return move
    cards = (move.cards[0], *sorted(move.cards[1:]))
    return Play(cards=cards, color=move.color, target=move.target)


def check(options: Options, seats: int, seed: int, steps: int) -> int:
    """Compare both in every position of a game by chance; return how many were compared."""
    rng = Random(seed)
    order = tuple(Seat(seat) for seat in range(seats))
    game = DealtGame.start(options, order, order[0], rng)
    compared = 0
    for _ in range(steps):
        if game.round.over:
            break
        said: list[tuple[Seat, Move]] = []
        for seat in game.asked:
            legal = game.legal(seat)
            hand, drawn = game.held(seat), game.view(seat).drawn
            allowed = {
                move
                for move in map(order_of_cards, every_move(game, seat))
                if refusal(game.round, seat, move, hand, drawn) is None
                and not (move == Draw() and Accept() in legal)  # the same by another name
                and not (isinstance(move, Play) and goes_out_for_nothing(game, seat, move))
            }
            assert {order_of_cards(move) for move in legal} == allowed, game.round.text()
            compared += 1
            if legal:
                said.append((seat, rng.choice(legal)))
        if isinstance(game.round.due, ReactionDue):
            game.react(tuple(said[:1]))
        else:
            game.act(*said[0])
    return compared


def test_a_card_that_the_deck_has_not_is_refused_whoever_plays_it() -> None:
    order = (Seat(0), Seat(1))
    game = DealtGame.start(PRESETS["polish"], order, order[0], Random(2))
    (seat,) = game.asked
    for cards in ((Face.WB1,), (Face.WB1, Face.R1), (Face.WB,), (Face.WH,), (Face.WX,)):
        move = Play(cards=cards, color=Color.RED)
        wrong = problem(game.round, seat, move)
        assert wrong is not None
        assert wrong.reason == f"{cards[0]} is not in this deck."


def goes_out_for_nothing(game: DealtGame, seat: Seat, play: Play) -> bool:
    """Return whether a last card names a seat, which is allowed and means nothing."""
    left = game.round.hand_counts[seat] - len(play.cards)
    return play.target is not None and game.round.goes_out(play.cards[0], left)


@pytest.mark.parametrize("name", PRESETS)
def test_the_lists_hold_what_is_not_refused_and_no_more(name: str) -> None:
    assert check(PRESETS[name], 3, 7, 12) > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_lists_hold_what_is_not_refused_under_any_rules(seed: int) -> None:
    for number in range(seed * 4, seed * 4 + 4):
        seats = 2 + number % 3
        check(some_options(Random(number), seats), seats, number, 20)
