"""Rounds on the rules engine, many at once: by any rules, told as a bot at a table is told."""

from random import Random

import numpy as np
import pytest

from tests.bots.support import any_options
from unop2p.bots import features, ruled
from unop2p.bots.batch import Ints
from unop2p.bots.ruled import RuledTables
from unop2p.errors import InvalidOptionsError
from unop2p.rules.due import RoundOver
from unop2p.rules.moves import Pass, Play
from unop2p.rules.options import PRESETS, Options, with_overrides

SOME = tuple(any_options(Random(seed)) for seed in range(6))


def by_chance(tables: RuledTables, rng: Random) -> Ints:
    """Return an action for each round."""
    return np.array([rng.randrange(len(moves)) for moves in tables.moves])


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(
    "options", [*PRESETS.values(), *SOME], ids=[*PRESETS, *map(str, range(len(SOME)))]
)
def test_each_move_is_told_as_a_bot_at_a_table_is_told_it(options: Options, seats: int) -> None:
    rng = Random(seats)
    tables = RuledTables(8, seats, Random(1), options)
    compared = 0
    for _ in range(25):
        rows, actions = np.nonzero(tables.legal())
        found = tables.describe(rows, actions)
        for place in range(0, len(rows), 5):
            view, move = tables.views[rows[place]], tables.moves[rows[place]][actions[place]]
            told = features.describe(features.Sight(view), move)
            assert found[place].tolist() == pytest.approx(told, abs=1e-5), move
            compared += 1
        tables.step(by_chance(tables, rng))
        tables.deal()
    assert compared > 80


@pytest.mark.parametrize("rules", PRESETS)
def test_a_round_that_ends_brings_its_points_beyond_the_mean_of_the_others(rules: str) -> None:
    rng = Random(2)
    tables = RuledTables(30, 3, Random(3), PRESETS[rules])
    sign = -1 if PRESETS[rules].scoring == "keep_own" else 1
    ended = 0
    for turn in range(90):
        tables.step(tables.greedy() if turn % 3 else by_chance(tables, rng))
        for row in np.nonzero(tables.over)[0].tolist():
            due = tables.games[row].due
            assert isinstance(due, RoundOver)
            points = [sign * many for many in due.outcome.points]
            for seat in range(3):
                others = sum(points) - points[seat]
                assert tables.reward[row, seat] == pytest.approx(points[seat] - others / 2)
            winner = due.outcome.winner
            assert tables.winner[row] == (-1 if winner is None else winner)
            ended += 1
        tables.deal()
        assert not tables.over.any()
    assert ended > 5


def test_only_choices_are_asked_for() -> None:
    tables = RuledTables(20, 4, Random(1), PRESETS["romanian"])
    rng = Random(4)
    jumped = pairs = 0
    for _ in range(120):
        assert all(len(moves) > 1 for moves in tables.moves)
        for view, moves in zip(tables.views, tables.moves, strict=True):
            assert view.round.turn == view.seat
            pairs += any(isinstance(move, Play) and len(move.cards) > 1 for move in moves)
        before = [game.round.actor for game in tables.games]
        turns = tables.seat.copy()
        tables.step(by_chance(tables, rng))
        for row, game in enumerate(tables.games):
            actor = game.round.actor
            jumped += actor is not None and actor not in {turns[row], before[row]}
        tables.deal()
    assert pairs > 10
    assert jumped > 10


def test_greedy_plays_a_card_that_it_may_play() -> None:
    tables = RuledTables(40, 2, Random(1), PRESETS["ukrainian"])
    for _ in range(20):
        actions = tables.greedy()
        for view, moves, action in zip(tables.views, tables.moves, actions.tolist(), strict=True):
            plays = [move for move in moves if isinstance(move, Play)]
            if plays and not any(isinstance(move, Pass) for move in moves):
                assert isinstance(moves[action], Play), view
        tables.step(actions)
        tables.deal()


def test_the_rule_of_thumb_is_added_where_hands_move_and_nowhere_else() -> None:
    rules = with_overrides(PRESETS["official"], {"hand_moves": ["seven_swaps"]})
    moving, still = (RuledTables(60, 2, Random(1), rules_) for rules_ in (rules, PRESETS["greek"]))
    rng = Random(5)
    seen = 0.0
    for _ in range(20):
        for tables in (moving, still):
            rows, actions = np.nonzero(tables.legal())
            found = tables.bonus(rows, actions)
            for row, action, more in zip(rows, actions, found.tolist(), strict=True):
                move = tables.moves[row][action]
                seven = isinstance(move, Play) and move.cards[0].number == 7
                assert not more or (tables is moving and seven)
                seen += abs(more)
            tables.step(by_chance(tables, rng))
            tables.deal()
    assert seen


def test_a_round_without_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruled, "TURNS_MAX", 3)
    tables = RuledTables(5, 2, Random(1), PRESETS["hebrew"])
    for _ in range(4):
        assert not tables.over.all()
        tables.step(tables.greedy())
    assert tables.over.any()
    assert not tables.reward[tables.over].any()


def test_rules_that_so_many_seats_cannot_play_are_refused() -> None:
    with pytest.raises(InvalidOptionsError):
        RuledTables(2, 3, Random(1), with_overrides(PRESETS["official"], {"teams": True}))
