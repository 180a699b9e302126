"""Hidden cards do not reach a bot: dealt anew, the same view gives the same move."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bots.support import decisions
from unop2p.bots.levels import LEVELS, make_bot
from unop2p.ids import Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.options import PRESETS


def deal_hidden_again(game: DealtGame, seat: Seat, rng: Random) -> int:
    """Mix all that a seat does not see: the other hands and the pile. Return how much moved."""
    others = [other for other in game.hands if other != seat]
    before = [*game.pile, *(face for other in others for face in game.hands[other])]
    cards = list(before)
    rng.shuffle(cards)
    moved = sum(old != new for old, new in zip(before, cards, strict=True))
    game.pile = [face for face in cards[: len(game.pile)] if face is not None]
    cards = cards[len(game.pile) :]
    for other in others:
        count = len(game.hands[other])
        game.hands[other], cards = cards[:count], cards[count:]
    return moved


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1 << 32), rules=st.sampled_from(sorted(PRESETS)))
def test_hidden_cards_dealt_anew_change_no_choice(level: str, seed: int, rules: str) -> None:
    rng = Random(seed)
    bot = make_bot(level)
    for game, view, legal in decisions(PRESETS[rules], 3, rng, 30):
        move = bot.choose(view, legal, Random(seed))
        hands, pile = {seat: list(hand) for seat, hand in game.hands.items()}, list(game.pile)
        moved = deal_hidden_again(game, view.seat, rng)
        assert moved or len(pile) < 5
        again = game.view(view.seat)
        assert again == view
        assert bot.choose(again, again.legal(), Random(seed)) == move
        game.hands.update(hands)  # others may have said by now what their old hands allow
        game.pile[:] = pile
