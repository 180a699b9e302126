"""Views and moves as numbers."""

from pathlib import Path
from random import Random

from tests.bots.support import any_options, decisions
from tests.bots.test_hidden import deal_hidden_again
from unop2p.bots.observing import (
    ACTIONS,
    LET_PASS,
    VIEW_FEATURES,
    action_of,
    actions_of,
    view_numbers,
)
from unop2p.rules.due import ReactionDue


def test_every_action_means_one_lawful_move_and_hidden_cards_change_no_number() -> None:
    for seed in range(6):
        rng = Random(seed)
        for game, view, legal in decisions(any_options(rng), 4, rng, 40):
            numbers = view_numbers(view)
            assert len(numbers) == VIEW_FEATURES
            found = actions_of(view, legal)
            assert {action_of(view, move) for move in legal} <= set(found)
            assert all(0 <= number < ACTIONS for number in found)
            assert all(move is None or move in legal for move in found.values())
            assert (LET_PASS in found) == isinstance(view.round.due, ReactionDue)
            hands, pile = {seat: list(hand) for seat, hand in game.hands.items()}, list(game.pile)
            deal_hidden_again(game, view.seat, rng)
            assert view_numbers(game.view(view.seat)) == numbers
            game.hands.update(hands)
            game.pile[:] = pile


def test_the_reference_tells_the_shapes_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "bots.md").read_text("utf-8")
    assert f"| {VIEW_FEATURES} numbers as `float32`" in page
    assert f"| {ACTIONS:,} of `int8`" in page
