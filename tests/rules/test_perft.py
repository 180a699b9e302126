"""Counts of all continuations of small positions: the data file, the engine, and the plain reading."""

import pytest

from tests.rules.count_perft import (
    DEPTH,
    Position,
    counts,
    engine_count,
    engine_game,
    plain_count,
    plain_game,
    positions,
)
from unop2p.rules.options import PRESETS

KNOWN = counts()


@pytest.mark.parametrize("position", positions(), ids=lambda position: position.name)
def test_the_engine_counts_what_the_file_says(position: Position) -> None:
    for preset in PRESETS:
        game = engine_game(position, preset)
        found = [engine_count(game, depth) for depth in range(1, 4)]
        assert found == KNOWN[position.name][preset][:3], preset


@pytest.mark.slow
@pytest.mark.parametrize("position", positions(), ids=lambda position: position.name)
def test_the_engine_counts_what_the_file_says_to_its_last_depth(position: Position) -> None:
    for preset in PRESETS:
        last = engine_count(engine_game(position, preset), DEPTH)
        assert last == KNOWN[position.name][preset][-1], preset


@pytest.mark.slow
@pytest.mark.parametrize("position", positions(), ids=lambda position: position.name)
def test_the_plain_reading_counts_the_same(position: Position) -> None:
    for preset in PRESETS:
        game = plain_game(position, preset)
        found = [plain_count(game, depth) for depth in range(1, 4)]
        assert found == KNOWN[position.name][preset][:3], preset


def test_every_position_is_counted_under_every_preset() -> None:
    assert {position.name for position in positions()} == set(KNOWN)
    for found in KNOWN.values():
        assert set(found) == set(PRESETS)
        assert all(len(row) == DEPTH for row in found.values())
