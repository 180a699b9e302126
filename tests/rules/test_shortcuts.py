"""Every shortcut gives the very round that the long way gives, wherever a game takes it."""

from random import Random

import pytest

from tests.bots.support import any_options, position
from unop2p.ids import Seat
from unop2p.rules import facts, transition
from unop2p.rules.cards import Color, Face
from unop2p.rules.dealt import DealtGame
from unop2p.rules.due import DealCards, ReactionDue, RoundOver, TurnDue
from unop2p.rules.fits import WILDS
from unop2p.rules.moves import Accept, CallUNO, Catch, Draw, Move, Pass, Play
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.rules.position import Round, TurnPhase, evolve
from unop2p.rules.public import problem
from unop2p.rules.sheet import sheet_of
from unop2p.rules.shortcuts import (
    PLAIN,
    accept_and_draw,
    call_or_catch,
    draw_one,
    is_calm,
    keep_drawn,
    play_quiet,
    with_count,
)
from unop2p.rules.transition import advance

SEATS = tuple(Seat(seat) for seat in range(3))
OPTIONS = [*PRESETS.values(), *(any_options(Random(seed)) for seed in range(6))]


def positions(options: Options, seed: int) -> list[tuple[DealtGame, Round]]:
    """Return positions in which somebody is asked, of games by chance; each its own value."""
    rng = Random(seed)
    if options.teams:
        options = with_overrides(options, {"teams": False})
    game = DealtGame.start(options, SEATS, SEATS[0], rng)
    found = []
    for _ in range(250):
        match game.due:
            case TurnDue(seat=seat):
                found.append((game.closed(), game.round))
                legal = game.legal(seat)
                plays = [move for move in legal if isinstance(move, Play)]
                game.act(seat, rng.choice(plays if plays and rng.random() < 0.6 else legal))
            case ReactionDue():
                found.append((game.closed(), game.round))
                said = [(seat, game.legal(seat)) for seat in game.asked]
                chosen = [(seat, rng.choice(moves)) for seat, moves in said if moves]
                game.react(tuple(chosen[: rng.randrange(3)]))
            case _:
                return found
    return found


def dealt(round_: Round) -> Round:
    """Return a round once the cards are taken that are due."""
    while isinstance(round_.due, DealCards):
        round_ = advance(round_, facts.CardsDealt())
    return round_


def acted(round_: Round, seat: Seat, *moves: Move) -> Round:
    """Return the round after moves, each with the cards that it makes due."""
    for move in moves:
        round_ = dealt(advance(round_, facts.Acted(seat=seat, move=move)))
    return round_


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_each_draw_and_pass_is_the_long_way(options: Options) -> None:
    taken = dict.fromkeys(("draw", "keep", "pass", "accept"), 0)
    for seed in range(4):
        for _, round_ in positions(options, seed):
            seat, short = round_.turn, evolve(round_)
            if not isinstance(round_.due, TurnDue):
                continue
            attack = round_.attack
            if round_.phase is TurnPhase.START and round_.pile_count:
                for keep in (False, True)[: 2 - options.draw_until_playable]:
                    short = evolve(round_)
                    draw_one(short, keep=keep)
                    assert short == acted(round_, seat, Draw(), *[Pass()] * keep)
                    taken["keep" if keep else "draw"] += 1
            elif problem(round_, seat, Pass()) is None:
                keep_drawn(short)
                assert short == acted(round_, seat, Pass())
                taken["pass"] += 1
            elif attack is not None and 0 < attack.cards <= round_.pile_count:
                accept_and_draw(short)
                assert short == acted(round_, seat, Accept())
                taken["accept"] += 1
    must_go_on = options.draw_until_playable and options.drawn_card == "must_play"
    assert taken["draw"]
    assert taken["keep"] or options.draw_until_playable
    assert taken["pass"] or must_go_on or not options.voluntary_draw


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_each_play_is_the_long_way(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: dict[int, int] = {1: 0, 2: 0}
    sheet = sheet_of(options)
    for seed in range(6):
        for game, round_ in positions(options, seed):
            seat = round_.turn
            for move in game.legal(seat) if isinstance(round_.due, TurnDue) else ():
                if not isinstance(move, Play):
                    continue
                left = round_.hand_counts[seat] - len(move.cards)
                short = evolve(round_)
                if not play_quiet(short, sheet, seat, move, left):
                    assert short == round_
                    continue
                with monkeypatch.context() as long:
                    long.setattr(transition, "play_quiet", lambda *_: False)
                    assert short == transition.make_move(round_, seat, move)
                taken[min(left, 2)] += 1
    assert all(taken.values()) or options.jump_in != "off"


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_each_call_and_catch_is_the_long_way(options: Options) -> None:
    taken = 0
    for seed in range(6):
        for _, round_ in positions(options, seed):
            if not isinstance(round_.due, ReactionDue) or not is_calm(round_):
                continue
            (one,) = round_.catchable
            said: list[tuple[Seat, Move]] = [(one, CallUNO())]
            said += [(seat, Catch(seat=one)) for seat in SEATS if seat != one]
            for seat, move in said:
                if problem(round_, seat, move) is not None:
                    continue
                caught = one if isinstance(move, Catch) else None
                if caught is not None and round_.pile_count < options.uno_penalty:
                    continue
                short = evolve(round_)
                call_or_catch(short, caught, None if caught is not None else one)
                reacted = facts.Reacted(moves=((seat, move),))
                assert short == dealt(advance(round_, reacted)), (round_.text(), move)
                taken += 1
            short = evolve(round_)
            call_or_catch(short, None, None)
            assert short == advance(round_, facts.Reacted(moves=()))
    assert taken or options.jump_in != "off" or not options.uno_penalty


def test_a_call_stands_for_a_single_card_only() -> None:
    round_ = evolve(positions(PRESETS["official"], 1)[0][1], called=frozenset({SEATS[1]}))
    assert with_count(round_, SEATS[1], 9)[0][1] == 9
    assert with_count(round_, SEATS[1], 9)[1] == frozenset()
    assert with_count(round_, SEATS[1], 1)[1] == {SEATS[1]}


def test_numbers_and_the_wild_strike_nobody() -> None:
    assert len(PLAIN) == 41
    assert PLAIN & WILDS == {Face.W}


@pytest.mark.parametrize("options", PRESETS.values(), ids=PRESETS)
def test_a_round_that_was_looked_at_does_not_change_with_its_game(options: Options) -> None:
    rng = Random(5)
    game = DealtGame.start(options, SEATS, SEATS[0], rng)
    looked_at = []
    for _ in range(120):
        if game.match.over or isinstance(game.due, RoundOver):
            break
        if rng.randrange(2):
            looked_at.append((game.round, evolve(game.round)))
        if isinstance(game.due, ReactionDue):
            game.react(())
        else:
            (seat,) = game.asked
            game.act(seat, rng.choice(game.legal(seat)))
    assert len(looked_at) > 5
    assert all(round_ == copy for round_, copy in looked_at)
    assert looked_at[0] != looked_at[-1]


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
