"""The engine against a second, plain reading of the rules, on games by chance."""

from random import Random

import pytest

from tests.rules import naive
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.dealt import DealtGame
from unop2p.rules.moves import Accept, Play
from unop2p.rules.options import PRESETS, Options
from unop2p.rules.position import TurnPhase


def compare_turn(game: DealtGame, rng: Random, options: Options) -> None:
    """Make a move by chance in a turn that is not attacked, and compare what comes of it."""
    state = game.round
    (seat,) = game.asked
    legal = game.legal(seat)
    assert state.top is not None
    assert state.color is not None
    pool = [game.drawn] if state.after_draw else game.held(seat)
    matching = {
        face
        for face in pool
        if face is not None
        and naive.lies_on(face.value, state.top.value, state.color.value, options.symbol_match)
    }
    played = {move.cards[0] for move in legal if isinstance(move, Play)}
    assert played <= matching
    assert {face for face in matching if not face.is_wild} <= played
    move = rng.choice(legal)
    assert game.act(seat, move)
    if not isinstance(move, Play) or game.round.over or move.cards[0].value in {"WH", "WX"}:
        return
    wanted = naive.after_play(
        move.cards[0].value, len(state.players), state.players.index(seat), state.direction
    )
    now = game.round
    assert (now.players.index(now.turn), now.direction, now.attack_cards) == wanted
    if move.cards[0].number == 0 and options.hand_moves:
        return  # the hands have gone round
    assert now.hand_counts[seat] == state.hand_counts[seat] - len(move.cards)


@pytest.mark.parametrize("name", ["official", "greek", "hebrew", "romanian", "polish"])
def test_turns_follow_the_plain_reading(name: str) -> None:
    options = PRESETS[name]
    for seed in range(12):
        rng = Random(seed)
        order = tuple(Seat(seat) for seat in range(2 + seed % 4))
        game = DealtGame.start(options, order, order[0], rng, auto_accept=False)
        for _ in range(150):
            if game.round.over:
                break
            if isinstance(game.round.due, dues.ReactionDue):
                game.react(())
                continue
            (seat,) = game.asked
            if game.round.phase is TurnPhase.ATTACKED:
                faced, before = game.round.attack_cards, game.round.hand_counts[seat]
                room = len(game.pile) + len(game.round.discards) - 1
                assert Accept() in game.legal(seat)
                game.act(seat, Accept())
                assert game.round.hand_counts[seat] == before + min(faced, room)
            elif game.round.phase is TurnPhase.COLOR:
                game.act(seat, rng.choice(game.legal(seat)))
            else:
                compare_turn(game, rng, options)


@pytest.mark.parametrize("name", PRESETS)
def test_points_follow_the_plain_reading(name: str) -> None:
    options = PRESETS[name]
    for seed in range(12):
        rng = Random(seed)
        order = tuple(Seat(seat) for seat in range(2))
        game = DealtGame.start(options, order, order[0], rng)
        for _ in range(400):
            if isinstance(game.round.due, dues.RoundOver):
                break
            if isinstance(game.round.due, dues.ReactionDue):
                game.react(())
                continue
            (seat,) = game.asked
            legal = game.legal(seat)
            plays = [move for move in legal if isinstance(move, Play)]
            game.act(seat, rng.choice(plays or list(legal)))
        if not isinstance(game.round.due, dues.RoundOver):
            continue
        left = [
            sum(
                naive.worth(face.value, options.action_points, options.extra_wild_points)
                for face in game.held(seat)
            )
            for seat in order
        ]
        winner = game.round.due.outcome.winner
        if options.scoring == "winner_takes":
            left = [sum(left) * (seat == winner) for seat in order]
        assert game.round.due.outcome.points == tuple(left)
        assert game.match.totals == tuple(left)
