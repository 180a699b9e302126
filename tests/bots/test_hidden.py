"""Hidden cards do not reach a bot: dealt anew, the same view gives the same move."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bots.support import decisions
from unop2p.bots.levels import LEVELS, make_bot
from unop2p.ids import Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue
from unop2p.rules.legal import is_lawful
from unop2p.rules.moves import CallUNO, Catch, Challenge, Draw, Move, NameColor, Play
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.position import TurnPhase
from unop2p.rules.view import PlayerView


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


SORTS = (
    *("color of the first card", "color of a wild", "challenge", "bluff", "draw of its own accord"),
    *("late call", "catch", "jumping in", "two at once", "answer", "whom to swap with"),
)
"""Every sort of decision that a seat has."""
EACH = 2
"""Decisions of each sort that are looked at, for each level."""
RULES: tuple[Options, ...] = (
    *PRESETS.values(),
    with_overrides(PRESETS["official"], {"jump_in": "numbers", "hand_moves": ["seven_swaps"]}),
)


def sorts_of(view: PlayerView, legal: tuple[Move, ...]) -> set[str]:
    """Return which sorts of decision a seat has here."""
    plays = [move for move in legal if isinstance(move, Play)]
    reacting = isinstance(view.round.due, ReactionDue)
    phase = view.round.phase
    there = {
        "color of the first card": any(isinstance(move, NameColor) for move in legal),
        "color of a wild": any(play.color is not None for play in plays),
        "challenge": any(isinstance(move, Challenge) for move in legal),
        "bluff": any(not is_lawful(view.round, play, view.hand) for play in plays),
        "draw of its own accord": bool(plays) and Draw() in legal and phase is TurnPhase.START,
        "late call": CallUNO() in legal,
        "catch": any(isinstance(move, Catch) for move in legal),
        "jumping in": reacting and bool(plays),
        "two at once": any(len(play.cards) > 1 for play in plays),
        "answer": phase is TurnPhase.ATTACKED and bool(plays),
        "whom to swap with": len({play.target for play in plays} - {None}) > 1,
    }
    return {sort for sort, yes in there.items() if yes}


@pytest.mark.parametrize("level", LEVELS)
def test_no_sort_of_decision_hangs_on_hidden_cards(level: str) -> None:
    bot, seen, rng = make_bot(level), Counter[str](), Random(11)
    for number, options in enumerate(RULES * 60):
        lacking = [sort for sort in SORTS if seen[sort] < EACH]
        if not lacking:
            break
        steps = 60 if lacking[1:] else 2  # the first card is a Wild once in 27 matches
        for game, view, legal in decisions(options, 3, rng, steps):
            new = [sort for sort in sorts_of(view, legal) if seen[sort] < EACH]
            if not new:
                continue
            seen.update(new)
            move = bot.choose(view, legal, Random(number))
            hands, pile = {seat: list(hand) for seat, hand in game.hands.items()}, list(game.pile)
            deal_hidden_again(game, view.seat, rng)
            again = game.view(view.seat)
            assert bot.choose(again, again.legal(), Random(number)) == move, new
            game.hands.update(hands)
            game.pile[:] = pile
    assert {sort: seen[sort] for sort in SORTS if seen[sort] < EACH} == {}
