"""Options that make sense, the way a match ends, and the draw for the dealer."""

from random import Random

import pytest

from unop2p.errors import IllegalMoveError, InvalidNotationError, InvalidOptionsError
from unop2p.ids import Seat
from unop2p.rules.cards import Face, deck_for, parse_color, parse_face
from unop2p.rules.dealt import mixed
from unop2p.rules.describe import describe, differences
from unop2p.rules.due import RoundOutcome, Termination
from unop2p.rules.facts import Acted, CardTurned, Reacted
from unop2p.rules.match import choose_dealer, score_round, start_match
from unop2p.rules.moves import Catch, Play
from unop2p.rules.options import PRESETS, options_from_dict, options_to_dict, preset, with_overrides
from unop2p.rules.round import advance, start_round, winning_reaction

OFFICIAL = PRESETS["official"]
ORDER = (Seat(2), Seat(0), Seat(1))


def ended(winner: int, *points: int) -> RoundOutcome:
    """Return the outcome of a round that somebody won."""
    return RoundOutcome(termination=Termination.WENT_OUT, winner=Seat(winner), points=tuple(points))


@pytest.mark.parametrize(
    "values",
    [
        {"match_end": "eliminate"},
        {"wd4_condition": "any_time"},
        {"hand_moves": "zero_rotates,zero_swaps"},
        {"stacking": "add"},
        {"target": 0},
        {"target": "many"},
        {"uno_penalty": 3},
        {"deck": "7"},
        {"voluntary_draw": "maybe"},
        {"stack_on": ["two_on_three"]},
        {"martian": 1},
    ],
)
def test_senseless_options_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(InvalidOptionsError):
        with_overrides(OFFICIAL, values)


def test_options_are_read_from_text() -> None:
    options = with_overrides(
        OFFICIAL,
        {"stacking": "add", "stack_on": "{four_on_two, two_on_two}", "target": "200", "deck": 108},
    )
    assert options.stack_on == ("two_on_two", "four_on_two")
    assert (options.target, options.deck) == (200, "108")


def test_a_dict_that_lacks_an_option_is_refused() -> None:
    values: dict[str, object] = dict(options_to_dict(OFFICIAL))
    del values["target"]
    with pytest.raises(InvalidOptionsError, match="missing"):
        options_from_dict(values)
    with pytest.raises(InvalidOptionsError, match="no preset"):
        preset("martian")


def test_the_dealer_moves_to_the_left_past_who_is_out() -> None:
    options = with_overrides(PRESETS["hebrew"], {"match_end": "eliminate", "target": 100})
    match = score_round(start_match(options, ORDER, Seat(2)), ended(1, 150, 0, 10))
    assert match.out == {0}
    assert match.dealer == 1
    assert match.players == (2, 1)
    match = score_round(match, ended(1, 0, 0, 90))
    assert match.winners == (1,)


def test_rounds_are_counted_where_they_decide() -> None:
    options = with_overrides(OFFICIAL, {"match_end": "rounds", "target": 2})
    match = start_match(options, ORDER, Seat(0))
    match = score_round(match, ended(1, 0, 900, 0))
    assert not match.over
    assert score_round(match, ended(1, 0, 5, 0)).winners == (1,)


def test_a_tie_for_the_lowest_total_is_a_shared_win() -> None:
    match = start_match(PRESETS["hebrew"], ORDER, Seat(0))
    assert score_round(match, ended(1, 500, 7, 7)).winners == (2, 1)


@pytest.mark.parametrize("name", ["official", "hebrew", "romanian"])
def test_every_seat_can_become_the_dealer(name: str) -> None:
    options = PRESETS[name]
    found = {
        choose_dealer(options, ORDER, mixed(deck_for(options), Random(seed)))[0]
        for seed in range(60)
    }
    assert found == set(ORDER)


def test_a_chosen_dealer_is_who_opened_the_table() -> None:
    options = with_overrides(OFFICIAL, {"dealer_selection": "chosen"})
    assert choose_dealer(options, ORDER, deck_for(options)) == (0, ())


def test_a_catch_comes_before_a_jump_in_and_the_nearer_before_the_farther() -> None:
    begun = start_round(
        PRESETS["romanian"], seat_count=4, players=tuple(map(Seat, range(4))), dealer=Seat(3)
    )
    begun = advance(begun, CardTurned(face=Face.R5))
    play = Play(cards=(Face.R7,))
    played = advance(begun, Acted(seat=Seat(0), move=play))
    assert winning_reaction(played, ()) is None
    assert winning_reaction(played, ((Seat(3), play), (Seat(2), play))) == 2
    catch = Catch(seat=Seat(0))
    assert winning_reaction(played, ((Seat(1), play), (Seat(3), catch))) == 3
    with pytest.raises(IllegalMoveError):
        advance(played, Reacted(moves=((Seat(0), play),)))
    jumped = advance(played, Reacted(moves=((Seat(2), play),)))
    assert jumped.turn == 3


def test_what_is_no_card_and_no_color_is_refused() -> None:
    assert parse_face("r+2") is Face.RD
    with pytest.raises(InvalidNotationError):
        parse_face("R10")
    with pytest.raises(InvalidNotationError):
        parse_color("pink")


def test_rules_are_told_in_sentences_and_by_what_differs() -> None:
    for options in PRESETS.values():
        assert all(line.endswith(".") for line in describe(options))
    assert differences(OFFICIAL, OFFICIAL) == []
    assert len(differences(PRESETS["polish"], OFFICIAL)) >= 1
