"""Rounds on integer hands are rounds of the rules engine, turn for turn."""

from random import Random

import pytest

from tests.bots.support import any_options
from unop2p.bots.playout import Playout, begin, shape_for
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face, Kind
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import ReactionDue, RoundOver, TurnDue
from unop2p.rules.moves import Accept, Draw, Move, NameColor, Pass, Play
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.position import TurnPhase

FAST = ("official", "greek", "hebrew", "polish")
WILDS = (Kind.WILD, Kind.BLANK, Kind.SHUFFLE_HANDS, Kind.WILD_DRAW_FOUR)


def policy(game: DealtGame, seat: Seat) -> Move:
    """Choose as a playout does, but from the list of lawful moves, with faces and no bits."""
    legal, hand = game.legal(seat), list(game.held(seat))
    state, shape = game.round, shape_for(game.round.options)
    assert shape is not None
    if state.phase is TurnPhase.ATTACKED:
        return Accept()
    full = {(m.cards, m.color) for m in legal if isinstance(m, Play) and m.uno}
    best = None
    for move in legal:
        if not isinstance(move, Play) or (not move.uno and (move.cards, move.color) in full):
            continue
        face = move.cards[0]
        if face.kind is Kind.WILD_DRAW_FOUR and not game.lawful(seat, move):
            continue
        left = list(hand)
        left.remove(face)
        held = [sum(card.color is color for card in left) for color in Color]
        color = list(Color)[held.index(max(held))]
        if face.is_wild and move.color is not color:
            continue
        rank = shape.faces.index(face)
        if best is None or rank < best[0]:
            best = (rank, move)
    if best is not None:
        return best[1]
    return next(m for kind in (Draw, Pass) for m in legal if isinstance(m, kind))


def one_turn(game: DealtGame) -> None:
    """Play on until another turn begins, as one turn of a playout."""
    while True:
        seat = game.round.turn
        game.act(seat, policy(game, seat))
        if isinstance(game.round.due, ReactionDue):
            game.react(())
        due = game.round.due
        if isinstance(due, RoundOver):
            return
        assert isinstance(due, TurnDue)
        if game.round.phase is TurnPhase.ATTACKED:
            continue
        if game.round.phase is TurnPhase.START:
            return


def copy_of(game: DealtGame) -> Playout:
    shape = shape_for(game.round.options)
    assert shape is not None
    hands = [[face for face in game.hands[seat] if face] for seat in game.round.players]
    return begin(shape, game.round, hands, game.pile, lambda cards: None)


def faces(playout: Playout, bits: int) -> list[Face]:
    names = playout.shape.faces
    return sorted(names[i] for i in range(len(names)) if bits >> i & 1)


def assert_same(game: DealtGame, playout: Playout) -> None:
    state = game.round
    for seat in state.players:
        held = sorted(face for face in game.hands[seat] if face)
        assert faces(playout, playout.hands[seat]) == held
    assert faces(playout, playout.discards) == sorted(state.discards)
    assert [faces(playout, card)[0] for card in reversed(playout.pile)] == game.pile
    if not isinstance(state.due, RoundOver):
        assert not playout.over
        assert playout.turn == state.turn
        assert playout.way == state.direction or len(playout.hands) == 2
        assert playout.fitting == playout.shape.mask(state.color, state.discards[-1])


def play_both(options: Options, seats: int, seed: int, turns: int = 400) -> bool:
    """Return whether a round came to its end without a shuffle."""
    rng = Random(seed)
    order = tuple(Seat(seat) for seat in range(seats))
    game = DealtGame.start(options, order, order[rng.randrange(seats)], rng)
    while game.round.phase is not TurnPhase.START:
        seat = game.round.turn
        legal = game.legal(seat)
        game.act(seat, legal[0] if isinstance(legal[0], NameColor) else Accept())
    playout = copy_of(game)
    for _ in range(turns):
        shuffles, shuffled_hands = game.reshuffled, game.round.discards.count(Face.WH)
        one_turn(game)
        playout.run(1)
        if (game.reshuffled, game.round.discards.count(Face.WH)) != (shuffles, shuffled_hands):
            if isinstance(game.round.due, RoundOver):
                return False
            playout = copy_of(game)  # by another chance: take over where the cards lie
            continue
        assert_same(game, playout)
        if isinstance(game.round.due, RoundOver):
            outcome = game.round.due.outcome
            assert playout.over
            assert playout.winner == (-1 if outcome.winner is None else outcome.winner)
            points = playout.points()
            if options.scoring == "winner_takes":
                assert max(outcome.points) == sum(points)
            else:
                assert list(outcome.points) == points
            return True
    return False


@pytest.mark.parametrize("rules", FAST)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_turn_for_turn_a_playout_is_the_rules_engine(rules: str, seats: int) -> None:
    assert sum(play_both(PRESETS[rules], seats, seed) for seed in range(12)) >= 2


def fast_options(count: int) -> list[Options]:
    found: list[Options] = []
    rng = Random(11)
    quiet = {
        "stacking": "none",
        "deflect": [],
        "hand_moves": [],
        "jump_in": "off",
        "play_pairs": "off",
        "foul_penalty": 0,
        "match_end": "target",
    }
    while len(found) < count:
        options = with_overrides(any_options(rng), quiet)
        if shape_for(options) is not None:
            found.append(options)
    return found


@pytest.mark.parametrize("options", fast_options(40), ids=range(40))
def test_so_it_is_under_any_options_that_it_knows(options: Options) -> None:
    ended = sum(play_both(options, 2 + seed % 3, seed) for seed in range(6))
    assert ended or options.draw_until_playable or options.deck.startswith("112")


@pytest.mark.parametrize("rules", ["ukrainian", "romanian"])
def test_what_it_does_not_know_it_leaves_to_the_rules_engine(rules: str) -> None:
    assert shape_for(PRESETS[rules]) is None


def test_a_round_in_which_nobody_can_play_or_draw_is_blocked() -> None:
    shape = shape_for(PRESETS["polish"])
    assert shape is not None
    red, blue = shape.bits_of[Face.R1][0], shape.bits_of[Face.B2][0]
    top = shape.bits_of[Face.G9][0]
    playout = Playout(
        shape=shape,
        hands=[red, blue],
        pile=[],
        discards=top,
        top=top,
        fitting=shape.mask(Color.GREEN, Face.G9),
        turn=0,
        shuffle=lambda cards: None,
    )
    playout.run()
    assert playout.over
    assert playout.winner == -1
    assert playout.points() == [1, 2]
