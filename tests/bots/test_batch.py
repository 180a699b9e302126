"""The rounds in arrays are the rounds of the rules engine: the same moves, the same positions."""

from random import Random

import numpy as np
import pytest

from unop2p.bots import batch, batch_features, features
from unop2p.bots.batch import Tables
from unop2p.bots.kinds import (
    ACCEPT,
    CHALLENGE,
    COLORED,
    COLORS,
    DRAW,
    FACE_OF,
    KIND_OF,
    PILE_COUNTS,
    SPARE_MAX,
    WH,
)
from unop2p.ids import Seat
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue, RoundOver, TurnDue
from unop2p.rules.moves import Accept, Challenge, Draw, Move, NameColor, Pass, Play
from unop2p.rules.options import PRESETS
from unop2p.rules.position import TurnPhase

PHASES = {
    TurnPhase.START: batch.MOVE,
    TurnPhase.AFTER_DRAW: batch.DRAWN,
    TurnPhase.ATTACKED: batch.ATTACKED,
    TurnPhase.COLOR: batch.COLOR,
}


def action_of(move: Move, phase: TurnPhase) -> int | None:
    """Return the number of a move; None for one that leaves out its call."""
    match move:
        case Play(cards=(face,), color=None):
            return KIND_OF[face]
        case Play(cards=(face,), color=color) if color is not None:
            return COLORED + 4 * (KIND_OF[face] - COLORED) + COLORS.index(color)
        case NameColor(color=color):
            return COLORED + COLORS.index(color)
        case Challenge():
            return CHALLENGE
        case Accept():
            return ACCEPT
        case Draw() | Pass():
            return DRAW
    raise AssertionError(move)


def copied(tables: Tables, row: int, game: DealtGame) -> None:
    """Give the game the hidden cards of a row; faces are equal, only their order may differ."""
    for seat in range(tables.seats):
        kinds = np.repeat(np.arange(len(FACE_OF)), tables.hands[row, seat])
        game.hands[Seat(seat)] = [FACE_OF[kind] for kind in kinds]
    game.listed_for = None
    rest = tables.pile[row, tables.place[row] : tables.end[row]]
    game.pile = [FACE_OF[kind] for kind in rest]


def begun(tables: Tables, row: int) -> DealtGame:
    """Return a game of the rules engine in the position of a freshly dealt row."""
    name = "official" if int(tables.totals[WH]) else "polish"
    order = tuple(Seat(seat) for seat in range(tables.seats))
    turn, way = int(tables.seat[row]), int(tables.way[row])
    sizes = tables.sizes[row].tolist()
    top = FACE_OF[int(tables.top[row])]
    # Who deals decides who begins: try each.
    for dealer in order:
        game = DealtGame.start(PRESETS[name], order, dealer, Random(1))
        game.turns = [top]
        game.position = game.match.start_round()
        game.hands = {seat: [top] * 7 for seat in order}
        game.pile = [top] * (len(tables.cards) - 7 * tables.seats)
        game.settle()
        state = game.round
        if (state.turn, state.direction, list(state.hand_counts)) == (turn, way, sizes):
            copied(tables, row, game)
            return game
    raise AssertionError("nobody can have dealt so")


def assert_same(tables: Tables, row: int, game: DealtGame) -> None:
    state = game.round
    assert isinstance(state.due, TurnDue)
    assert state.turn == tables.seat[row]
    assert state.direction == tables.way[row]
    assert PHASES[state.phase] == tables.phase[row]
    assert KIND_OF[state.discards[-1]] == tables.top[row]
    assert features.counted(state.discards) == tables.discards[row].tolist()
    if state.color is not None:
        assert COLORS.index(state.color) == tables.color[row]
    assert list(state.hand_counts) == tables.sizes[row].tolist()
    for seat in range(tables.seats):
        held = features.counted([face for face in game.hands[Seat(seat)] if face])
        assert held == tables.hands[row, seat].tolist()
        dry = [(Seat(seat), color) in state.dry for color in COLORS]
        assert dry == tables.dry[row, seat].tolist()
    assert state.pile_count == tables.end[row] - tables.place[row]


def called(moves: tuple[Move, ...]) -> list[Move]:
    full = {(m.cards, m.color) for m in moves if isinstance(m, Play) and m.uno}
    return [m for m in moves if not isinstance(m, Play) or m.uno or (m.cards, m.color) not in full]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "deck"), [(2, "112_shuffle"), (3, "112_shuffle"), (4, "108"), (10, "112_shuffle")]
)
def test_move_for_move_they_are_the_rules_engine(seats: int, deck: str) -> None:
    rng = np.random.default_rng(seats)
    tables = Tables(12, seats, rng, deck)
    games = [begun(tables, row) for row in range(tables.count)]
    ended = compared = 0
    for _ in range(400):
        legal = tables.legal()
        actions = np.zeros(tables.count, dtype=np.int64)
        chosen: list[tuple[Seat, Move]] = []
        for row, game in enumerate(games):
            assert_same(tables, row, game)
            seat = game.round.turn
            moves = {action_of(m, game.round.phase): m for m in called(game.legal(seat))}
            looked = np.nonzero(legal[row])[0].tolist()
            assert set(looked) <= set(moves)
            # Left out is only a wild in a color of which the hand has no card, and to draw for nothing.
            for action in {number for number in moves if number is not None} - set(looked):
                if action == DRAW and len(game.held(seat)) > SPARE_MAX:
                    continue
                assert COLORED <= action < DRAW
                assert not any(
                    face.color is COLORS[(action - COLORED) % 4] for face in game.held(seat)
                )
            described = batch_features.describe(tables, np.full(len(looked), row), np.array(looked))
            sight = features.Sight(game.view(seat))
            for action, told in zip(looked, described, strict=True):
                assert features.describe(sight, moves[action]) == pytest.approx(
                    told.tolist(), abs=1e-6
                ), (action, moves[action])
                compared += 1
            action = looked[int(rng.integers(len(looked)))]
            if action == DRAW and len(looked) > 1 and rng.random() < 0.7:
                action = looked[0]
            actions[row] = action
            chosen.append((seat, moves[action]))
        piles = (tables.end - tables.place).copy()
        tables.step(actions)
        for row, game in enumerate(games):
            seat, move = chosen[row]
            mixes = isinstance(move, Play) and KIND_OF[move.cards[0]] == WH
            shuffled = (
                tables.end[row] - tables.place[row] > piles[row] or game.round.pile_count <= 6
            )
            game.act(seat, move)
            if isinstance(game.round.due, ReactionDue):
                game.react(())
            if tables.over[row]:
                assert isinstance(game.round.due, RoundOver)
                if not (shuffled or mixes):
                    points = list(game.round.due.outcome.points)
                    winner = game.round.due.outcome.winner
                    assert tables.winner[row] == (-1 if winner is None else winner)
                    assert max(tables.reward[row]) == max(points)
                ended += 1
            elif shuffled or mixes:
                games[row] = resynced(tables, row, game)
        tables.deal()
        for row in [at for at, game in enumerate(games) if isinstance(game.round.due, RoundOver)]:
            games[row] = begun(tables, row)
    assert ended > 10
    assert compared > 5_000


def resynced(tables: Tables, row: int, game: DealtGame) -> DealtGame:
    """Cards were shuffled by another chance: take over where they lie, and what hangs on the drawn one."""
    from dataclasses import replace

    copied(tables, row, game)
    phase = {number: phase for phase, number in PHASES.items()}[int(tables.phase[row])]
    drawn = FACE_OF[int(tables.drawn[row])] if phase is TurnPhase.AFTER_DRAW else None
    game.drawn = drawn
    seat = Seat(int(tables.seat[row]))
    game.position = replace(
        game.round,
        phase=phase,
        turn=seat,
        due=TurnDue(seat=seat),
    )
    return game


def test_every_deck_is_the_one_of_its_preset() -> None:
    from unop2p.rules.cards import deck_for

    for name, deck in (("official", "112_shuffle"), ("polish", "108")):
        assert features.counted(deck_for(PRESETS[name])) == list(PILE_COUNTS[deck])
