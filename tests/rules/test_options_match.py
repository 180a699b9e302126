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
        {"decks": 5},
        {"decks": 0},
        {"teams": "maybe"},
        {"dealer_selection": "chosen", "first_dealer": "two words"},
        {"dealer_selection": "chosen", "first_dealer": 25 * "x"},
        {"blank_cards": "fox"},
        {"blank_cards": [3]},
        {"blank_cards": 3},
    ],
)
def test_senseless_options_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(InvalidOptionsError):
        with_overrides(OFFICIAL, values)


SENSELESS = [
    ({"match_end": "eliminate", "scoring": "winner_takes"}, "nobody gathers points"),
    ({"wd4_condition": "any_time", "wd4_challenge": "card_stays"}, "cannot be challenged"),
    ({"wd4_condition": "any_time", "wd4_challenge": "card_returns"}, "cannot be challenged"),
    ({"hand_moves": "zero_rotates,zero_swaps"}, "both rotate and swap"),
    ({"stacking": "add", "stack_on": ""}, "at least one value in `stack_on`"),
    ({"stacking": "pass", "stack_on": ""}, "at least one value in `stack_on`"),
    ({"first_dealer": "mia", "dealer_selection": "random"}, "needs `dealer_selection=chosen`"),
    ({"first_dealer": "mia", "dealer_selection": "high_card_zero"}, "needs `dealer_selection"),
    ({"blank_cards": "fox: reverse", "deck": "108"}, "the deck of 108 has no blank cards"),
    ({"blank_cards": "fox: reverse", "deck": "110"}, "the deck of 110 has no blank cards"),
    ({"blank_cards": "fox x2: reverse; owl x2: reverse"}, "and 4 were given a meaning"),
    ({"blank_cards": "fox: reverse; Fox: skip next"}, "two blank cards are called"),
]


@pytest.mark.parametrize(("values", "reason"), SENSELESS)
def test_two_options_that_make_no_sense_together_are_refused_with_the_reason(
    values: dict[str, object], reason: str
) -> None:
    with pytest.raises(InvalidOptionsError) as caught:
        with_overrides(OFFICIAL, values)
    assert reason in str(caught.value)


@pytest.mark.parametrize(("values", "_reason"), SENSELESS)
def test_each_of_them_makes_sense_with_another(values: dict[str, object], _reason: str) -> None:
    helped = {
        "match_end": {"scoring": "keep_own"},
        "wd4_condition": {"wd4_challenge": "off"},
        "hand_moves": {"hand_moves": "zero_rotates,seven_swaps"},
        "stacking": {"stack_on": "two_on_two"},
        "first_dealer": {"dealer_selection": "chosen"},
        "blank_cards": {"deck": "112_swap", "blank_cards": "fox x2: reverse; owl: skip next"},
    }
    with_overrides(OFFICIAL, values | helped[next(iter(values))])


@pytest.mark.parametrize(
    ("seats", "fine"), [(2, 0), (3, 0), (4, 1), (5, 0), (6, 1), (9, 0), (10, 1)]
)
def test_partners_need_an_even_number_of_seats_and_four(seats: int, fine: int) -> None:
    options = with_overrides(OFFICIAL, {"teams": True})
    order = tuple(map(Seat, range(seats)))
    if fine:
        assert start_match(options, order, order[0]).partners[0] == seats // 2
    else:
        with pytest.raises(InvalidOptionsError, match=f"here are {seats}"):
            start_match(options, order, order[0])


def test_partners_share_points_wins_and_fate() -> None:
    values = {"teams": True, "match_end": "eliminate", "scoring": "keep_own", "target": 100}
    options = with_overrides(OFFICIAL, values)
    order = tuple(map(Seat, (2, 0, 3, 5, 1, 4)))  # across: 2 and 5, 0 and 1, 3 and 4
    match = start_match(options, order, Seat(2))
    assert match.partners == (1, 0, 5, 4, 3, 2)
    match = score_round(match, ended(0, 20, 20, 100, 50, 50, 100))
    assert match.out == {2, 5}
    assert not match.over
    assert match.start_round().partners == match.partners
    assert match.rounds_won == (1, 1, 0, 0, 0, 0)
    match = score_round(match, ended(3, 90, 90, 0, 0, 0, 0))
    assert set(match.winners) == {3, 4}


def test_decks_are_shuffled_together() -> None:
    options = with_overrides(OFFICIAL, {"decks": 2, "blank_cards": "fox x2: reverse"})
    deck = deck_for(options)
    assert len(deck) == 224
    held = {face: deck.count(face) for face in (Face.R0, Face.R1, Face.W4, Face.WH, Face.WB)}
    assert list(held.values()) == [2, 4, 8, 2, 2]
    assert deck.count(Face.WB1) == 4


def test_options_are_read_from_text() -> None:
    options = with_overrides(
        OFFICIAL,
        {"stacking": "add", "stack_on": "{four_on_two, two_on_two}", "target": "200", "deck": 108},
    )
    assert options.stack_on == ("two_on_two", "four_on_two")
    assert (options.target, options.deck) == (200, "108")


@pytest.mark.parametrize("text", ["16", " 16 ", "+16", "1_6", "0x10", "0X10", "0o20", "0b1_0000"])
def test_a_number_is_read_in_every_way_that_toml_writes_it(text: str) -> None:
    assert with_overrides(OFFICIAL, {"target": text}).target == 16


@pytest.mark.parametrize("text", ["016", "16.0", "1e1", "x10", "", "16\nteams=true", "9" * 5_000])
def test_what_toml_writes_as_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidOptionsError, match="`target` cannot be") as caught:
        with_overrides(OFFICIAL, {"target": text})
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("number", [2**64, -(2**64), 10**4_500], ids=["big", "low", "huge"])
def test_a_number_of_any_length_is_refused_in_a_short_sentence(number: int) -> None:
    with pytest.raises(InvalidOptionsError) as caught:
        with_overrides(OFFICIAL, {"target": number})
    assert str(caught.value) == "`target` cannot be so large a number; it may be: 1 to 5000."


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


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("name", ["official", "hebrew", "romanian"])
def test_every_seat_can_become_the_dealer(name: str, decks: int) -> None:
    options = with_overrides(PRESETS[name], {"decks": decks})
    found = {
        choose_dealer(options, ORDER, mixed(deck_for(options), Random(seed)))[0]
        for seed in range(60)
    }
    assert found == set(ORDER)


def test_a_chosen_dealer_is_who_opened_the_table() -> None:
    options = with_overrides(OFFICIAL, {"dealer_selection": "chosen"})
    assert choose_dealer(options, ORDER, deck_for(options)) == (0, ())


@pytest.mark.parametrize(("name", "dealer"), [("Mia", 1), ("mia", 1), ("nobody", 0)])
def test_a_dealer_is_chosen_by_name(name: str, dealer: int) -> None:
    values = {"dealer_selection": "chosen", "first_dealer": name}
    options = with_overrides(OFFICIAL, values)
    assert options_from_dict(options_to_dict(options)) == options
    found, laps = choose_dealer(options, ORDER, deck_for(options), ("ann", "mia", "bo"))
    assert (found, laps) == (dealer, ())


def test_lots_with_several_decks_are_even() -> None:
    options = with_overrides(PRESETS["romanian"], {"decks": 3})
    deck = list(deck_for(options))
    found = [choose_dealer(options, ORDER, mixed(deck, Random(n)))[0] for n in range(900)]
    # 300 each are expected, with a spread of 14: five of them either way.
    assert all(230 < found.count(seat) < 370 for seat in ORDER)


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


def _told(**overrides: object) -> set[str]:
    return set(describe(with_overrides(OFFICIAL, overrides)))


def test_a_rule_that_another_rule_leaves_without_a_meaning_is_not_told() -> None:
    uncalled = _told(uno_penalty=0, uno_deadline="before_card")
    assert "UNO need not be called." in uncalled
    assert not any("UNO is called" in line or "called late" in line for line in uncalled)
    free = _told(wd4_condition="any_time", wd4_challenge="off")
    assert "A Wild Draw Four may be played any time." in free
    assert not any("unlawful" in line for line in free)


@pytest.mark.parametrize("deck", ["108", "110"])
def test_of_blank_cards_nothing_is_told_where_the_deck_has_none(deck: str) -> None:
    assert not any("blank" in line for line in _told(deck=deck))
    assert any("A blank card is a Wild." in line for line in _told(deck="112_swap"))


@pytest.mark.parametrize("rule", ["choose_color", "reshuffle"])
def test_that_a_first_wild_draw_four_goes_back_is_told_where_it_does(rule: str) -> None:
    (line,) = (line for line in _told(first_wild=rule) if line.startswith("A first Wild"))
    assert "Wild Draw Four or other wild card goes back, and the pile is shuffled again." in line


def test_that_a_first_wild_draw_four_is_buried_is_told_where_it_is() -> None:
    (line,) = (line for line in _told(first_wild="bury_middle") if line.startswith("A first Wild"))
    assert "Wild Draw Four or other wild card goes into the middle" in line


def test_that_a_call_out_of_place_is_fined_is_told_where_there_are_calls() -> None:
    called = "A wrong card, or an UNO call or catch out of place, costs 2 cards."
    assert called in _told(foul_penalty=2)
    assert not any(line.startswith("A wrong card") for line in _told())
    assert "A wrong card costs 2 cards." in _told(foul_penalty=2, uno_penalty=0)
