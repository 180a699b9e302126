"""Every shortcut gives the very round that the long way gives, wherever a game takes it."""

from random import Random

import pytest

from tests.bots.support import any_options, position
from unop2p.ids import Seat
from unop2p.rules import facts, transition
from unop2p.rules.cards import Color, Face
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import DealCards, ReactionDue, TurnDue
from unop2p.rules.moves import Accept, Draw, Pass, Play
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.shortcuts import (
    accept_and_draw,
    draw_and_keep,
    draw_one,
    is_plain,
    play_plain,
    with_count,
)
from unop2p.rules.transition import advance

SEATS = tuple(Seat(seat) for seat in range(3))
OPTIONS = [*PRESETS.values(), *(any_options(Random(seed)) for seed in range(6))]


def positions(options: Options, seed: int) -> list[tuple[DealtGame, Round, Seat]]:
    """Return positions in which a seat is to move, of games by chance."""
    rng = Random(seed)
    if options.teams:
        options = with_overrides(options, {"teams": False})
    game = DealtGame.start(options, SEATS, SEATS[0], rng)
    found = []
    for _ in range(250):
        match game.round.due:
            case TurnDue(seat=seat):
                found.append((game.closed(), game.round, seat))
                legal = game.legal(seat)
                game.act(seat, legal[rng.randrange(len(legal))])
            case ReactionDue():
                game.react(())
            case _:
                return found
    return found


def acted(round_: Round, seat: Seat, *moves: Draw | Accept | Pass) -> Round:
    """Return the round after moves, each with the cards that it makes due."""
    for move in moves:
        round_ = advance(round_, facts.Acted(seat=seat, move=move))
        while isinstance(round_.due, DealCards):
            round_ = advance(round_, facts.CardsDealt())
    return round_


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_each_shortcut_is_the_long_way(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = dict.fromkeys(("play", "draw", "keep", "accept"), 0)
    for seed in range(4):
        for game, round_, seat in positions(options, seed):
            if round_.phase is TurnPhase.START and round_.pile_count and not round_.fouled:
                assert draw_one(round_) == acted(round_, seat, Draw())
                taken["draw"] += 1
                if not options.draw_until_playable:
                    assert draw_and_keep(round_) == acted(round_, seat, Draw(), Pass())
                    taken["keep"] += 1
            attack = round_.attack
            if attack is not None and 0 < attack.cards <= round_.pile_count:
                assert accept_and_draw(round_) == acted(round_, seat, Accept())
                taken["accept"] += 1
            for move in game.legal(seat):
                if not isinstance(move, Play):
                    continue
                left = round_.hand_counts[seat] - len(move.cards)
                if not is_plain(round_, move, left):
                    continue
                with monkeypatch.context() as long:
                    long.setattr(transition, "is_plain", lambda *_: False)
                    assert play_plain(round_, seat, move, left) == transition.make_move(
                        round_, seat, move
                    )
                taken["play"] += 1
    assert taken["draw"]
    assert taken["play"] or options.jump_in != "off"


def test_a_call_stands_for_a_single_card_only() -> None:
    round_ = positions(PRESETS["official"], 1)[0][1]
    counts, called = with_count(round_, SEATS[1], 9)
    assert counts[1] == 9
    assert called == round_.called


def drawn_in(round_: Round) -> set[tuple[int, str]]:
    return {(int(seat), color.value) for seat, color in round_.dry}


def test_who_draws_is_remembered_with_the_color_until_it_shows_that_color() -> None:
    game = position("B5 B6 G4", top="R8", others=("G1 R2 R3",))
    game.pile[0] = Face.Y1
    assert game.act(Seat(0), Draw())
    assert drawn_in(game.round) == {(0, "R")}
    assert game.act(Seat(1), Play(cards=(Face.R2,)))
    game.pile[0] = Face.R4
    assert game.act(Seat(0), Draw())
    assert drawn_in(game.round) == {(0, "R")}
    assert game.act(Seat(0), Play(cards=(Face.R4,)))
    assert drawn_in(game.round) == set()


def test_cards_of_a_penalty_end_what_was_known_of_a_hand() -> None:
    game = position("R+2 R6 G4", top="R8", others=("B1 B2 B3",))
    game.pile[0] = Face.Y2
    assert game.act(Seat(0), Play(cards=(Face.R6,)))
    assert game.act(Seat(1), Draw())
    assert drawn_in(game.round) == {(1, "R")}
    assert game.act(Seat(0), Play(cards=(Face.RD,), uno=True))
    assert drawn_in(game.round) == set()


def test_a_hand_that_moves_takes_no_memory_along() -> None:
    game = position("WH R6 G4", top="R8", others=("B1 B2 B3",))
    game.pile[:2] = [Face.Y1, Face.Y2]
    assert game.act(Seat(0), Draw())
    assert game.act(Seat(1), Draw())
    assert game.act(Seat(0), Play(cards=(Face.WH,), color=Color.GREEN))
    assert drawn_in(game.round) == set()
