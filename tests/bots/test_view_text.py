"""A view goes into plain JSON values and back, with nothing lost and nothing hidden in it."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bots.support import any_options, decisions
from tests.bots.test_hidden import deal_hidden_again
from unop2p.bots.view_text import read_view, view_dict
from unop2p.rules.options import PRESETS


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 32), seats=st.sampled_from((2, 3, 5, 10)))
def test_a_view_survives_the_way_through_json(seed: int, seats: int) -> None:
    rng = Random(seed)
    for _, view, legal in decisions(any_options(rng), seats, rng, 40):
        again = read_view(json.loads(json.dumps(view_dict(view))), view.match.options)
        assert again == view
        assert again.legal() == legal


@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_hidden_cards_dealt_anew_change_no_byte_of_it(rules: str) -> None:
    rng = Random(4)
    for game, view, _ in decisions(PRESETS[rules], 3, rng, 60):
        hands, pile = {seat: list(hand) for seat, hand in game.hands.items()}, list(game.pile)
        before = json.dumps(view_dict(view))
        deal_hidden_again(game, view.seat, rng)
        assert json.dumps(view_dict(game.view(view.seat))) == before
        game.hands.update(hands)
        game.pile[:] = pile
