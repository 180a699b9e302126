"""The level that plays its moves out."""

from random import Random

import pytest

from tests.bots.support import decisions, position
from unop2p.bots.playout import shape_for
from unop2p.bots.search import SearchBot, TooLateError, Worlds, gain, mixer
from unop2p.bots.simple import GreedyBot
from unop2p.ids import Seat
from unop2p.rules.cards import Face
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Draw, Play
from unop2p.rules.options import PRESETS


def test_deals_that_could_be_hold_every_card_once_and_what_is_seen_in_its_place() -> None:
    rng = Random(1)
    for game, view, _ in decisions(PRESETS["official"], 3, rng, 60):
        if isinstance(game.round.due, ReactionDue):
            continue
        shape = shape_for(view.round.options)
        assert shape is not None
        worlds = Worlds(view, shape, Random(2))
        for _ in range(3):
            world = worlds.deal()
            cards = [*world.hands, *world.pile, world.discards]
            assert sum(cards) == (1 << len(shape.faces)) - 1
            counts = [hand.bit_count() for hand in world.hands]
            assert counts == [view.round.hand_counts[seat] for seat in view.round.active]
            assert len(world.pile) == view.round.pile_count
            own = world.hands[view.round.active.index(view.seat)]
            faces = [face for i, face in enumerate(shape.faces) if own >> i & 1]
            assert sorted(faces) == sorted(view.hand)
            assert worlds.top & world.discards


def test_a_seat_that_drew_is_seldom_dealt_that_color() -> None:
    game = position("R1 R2 R3", top="R9", others=("B1 B2 B3 G1",))
    game.pile[0] = Face.Y1
    assert game.act(Seat(0), Play(cards=(Face.R1,)))
    assert game.act(Seat(1), Draw())
    view = game.view(Seat(0))
    shape = shape_for(view.round.options)
    assert shape is not None
    worlds = Worlds(view, shape, Random(1))
    with_red = sum(bool(worlds.deal().hands[1] & shape.colors[0]) for _ in range(400))
    assert 10 < with_red < 80  # one deal in eight is as if it had not drawn


def test_a_shuffle_is_even() -> None:
    mix = mixer(Random(5))
    firsts = [0] * 4
    for _ in range(4000):
        cards = [0, 1, 2, 3]
        mix(cards)
        assert sorted(cards) == [0, 1, 2, 3]
        firsts[cards[0]] += 1
    assert all(850 < count < 1150 for count in firsts)


def test_it_sees_that_a_draw_two_keeps_the_next_from_going_out() -> None:
    view = position("R+2 R9 B4 B5", top="R8", others=("G1",)).view(Seat(0))
    assert SearchBot(GreedyBot()).choose(view, view.legal(), Random(1)) == Play(cards=(Face.RD,))


def test_the_number_of_playouts_is_fixed_so_a_decision_repeats() -> None:
    bot = SearchBot(playouts=60)
    for _, view, legal in decisions(PRESETS["official"], 3, Random(2), 25):
        assert bot.choose(view, legal, Random(7)) == bot.choose(view, legal, Random(7))


def test_where_it_cannot_play_out_it_does_as_the_level_below() -> None:
    below = GreedyBot()
    for _, view, legal in decisions(PRESETS["romanian"], 3, Random(2), 40):
        assert SearchBot(below).choose(view, legal, Random(7)) == below.choose(
            view, legal, Random(7)
        )


def test_when_time_is_up_it_says_so() -> None:
    view = position("R1 R2 B3", top="R9").view(Seat(0))
    with pytest.raises(TooLateError):
        SearchBot(late=lambda: True).choose(view, view.legal(), Random(1))


@pytest.mark.parametrize(("winner", "takes", "value"), [(0, True, 9), (1, True, -9), (-1, True, 0)])
def test_a_round_is_worth_the_points_beyond_the_others(
    winner: int, takes: bool, value: int
) -> None:
    shape = shape_for(PRESETS["polish"])
    assert shape is not None
    view = position("R4 R5", top="R9", rules="polish", others=("G1",)).view(Seat(0))
    world = Worlds(view, shape, Random(1)).deal()
    world.hands = [0, 0]
    world.hands[1 if winner == 0 else 0] = sum(
        shape.bits_of[face][0] for face in (Face.R4, Face.R5)
    )
    world.winner = winner
    assert gain(world, 0, winner_takes=takes) == value
    assert gain(world, 1, winner_takes=takes) == -value


def test_where_each_keeps_its_own_points_fewer_are_better() -> None:
    shape = shape_for(PRESETS["hebrew"])
    assert shape is not None
    view = position("R4 R5", top="R9", rules="hebrew", others=("G1",)).view(Seat(0))
    world = Worlds(view, shape, Random(1)).deal()
    world.hands = [shape.bits_of[Face.R4][0], shape.bits_of[Face.R9][0]]
    assert gain(world, 0, winner_takes=False) == 5
