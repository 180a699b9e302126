"""What a move claims about hidden cards is what the player's own client asks of it."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.test_play import some_options
from unop2p.ids import Seat
from unop2p.rules import due as dues
from unop2p.rules.cards import Color, Face, deck_for
from unop2p.rules.dealt import DealtGame
from unop2p.rules.hidden import Claim, hidden_claim
from unop2p.rules.legal import refusal
from unop2p.rules.match import start_round
from unop2p.rules.moves import Accept, Challenge, Draw, Move, NameColor, Pass, Play
from unop2p.rules.options import PRESETS, preset, with_overrides
from unop2p.rules.position import Round, TurnPhase
from unop2p.rules.public import problem


def moves() -> tuple[Move, ...]:
    plays = tuple(Play(cards=(face,), color=Color.GREEN if face.is_wild else None) for face in Face)
    pairs = tuple(Play(cards=(face, face)) for face in Face if not face.is_wild)
    along = tuple(
        Play(cards=(blank, *cards), color=color)
        for blank in (Face.WB1, Face.WB2)
        for cards in ((Face.R1,), (Face.R5, Face.R1), (Face.B2,))
        for color in (None, Color.GREEN)
    )
    return (
        *plays,
        *pairs,
        *along,
        Draw(),
        Pass(),
        Accept(),
        Challenge(),
        NameColor(color=Color.RED),
    )


MOVES = moves()


def lawful(round_: Round, move: Move, hand: tuple[Face, ...], drawn: Face) -> bool:
    """Say what the claim says."""
    claim = hidden_claim(round_, move)
    rest = list(hand)
    if isinstance(move, Play):
        for face in move.cards:
            rest.remove(face)
    elif claim is not None and claim.about_drawn:
        rest.remove(drawn)
    return claim is None or claim.holds(drawn, rest)


def agree(round_: Round, hand: tuple[Face, ...]) -> int:
    """Hold every move of a seat with this hand against its own client; return how many claim."""
    seat, drawn, claims = round_.turn, hand[-1], 0
    round_ = replace(
        round_, hand_counts=tuple(len(hand) for _ in range(round_.seat_count)), fouled=False
    )
    for move in MOVES:
        if problem(round_, seat, move) is not None:
            continue
        if isinstance(move, Play):
            if Counter(move.cards) - Counter(hand):
                continue
            if round_.after_draw and move.cards[0] != drawn:
                continue
        claims += hidden_claim(round_, move) is not None
        said = refusal(round_, seat, move, hand, drawn)
        assert (said is None) == lawful(round_, move, hand, drawn), (move, hand, said)
    return claims


def walk(options_seed: int, rng: Random) -> int:
    """Play by chance, and look at each position with hands by chance; return how many claimed."""
    order = tuple(Seat(seat) for seat in range(rng.choice([2, 3, 4])))
    options = some_options(Random(options_seed))
    if options_seed % 2 and options.deck.startswith("112"):
        cards = "sweep: discard color, choose color; broom: discard color"
        options = with_overrides(options, {"blank_cards": cards})
    game = DealtGame.start(options, order, order[-1], rng)
    deck, claims = deck_for(options), 0
    if options.blank_cards:
        deck = (*deck, *[Face.WB1, Face.WB2, Face.R1, Face.R5, Face.B2] * 8)
    for _ in range(60):
        if game.round.over:
            break
        if isinstance(game.round.due, dues.ReactionDue):
            game.react(())
            continue
        for phase in (game.round.phase, TurnPhase.START, TurnPhase.AFTER_DRAW):
            attack = game.round.attack if phase is TurnPhase.ATTACKED else None
            at = replace(game.round, phase=phase, attack=attack)
            for _ in range(3):
                claims += agree(at, tuple(rng.sample(deck, rng.choice([1, 2, 3, 5, 8]))))
        (seat,) = game.asked
        game.act(seat, rng.choice(game.legal(seat)))
    return claims


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_under_any_rules_a_claim_holds_where_the_own_client_lets_a_move_pass(seed: int) -> None:
    walk(seed, Random(seed))


def test_the_walk_does_meet_claims() -> None:
    assert sum(walk(seed, Random(seed)) for seed in range(3)) > 100


def claim_of(name: str, move: Move, phase: TurnPhase = TurnPhase.START, **more: object) -> Claim:
    """Return the claim of a move on a red five."""
    options = with_overrides(preset(name), more)
    base = start_round(options, seat_count=2, players=(Seat(0), Seat(1)), dealer=Seat(1))
    at = replace(
        base,
        discards=(Face.R5,),
        color=Color.RED,
        turn=Seat(0),
        phase=phase,
        due=dues.TurnDue(seat=Seat(0)),
    )
    claim = hidden_claim(at, move)
    assert claim is not None
    return claim


WILD = Play(cards=(Face.W,), color=Color.RED)
FOUR = Play(cards=(Face.W4,), color=Color.RED)
AFTER = TurnPhase.AFTER_DRAW


def test_a_wild_with_a_match_in_hand_breaks_its_claim() -> None:
    claim = claim_of("romanian", WILD)
    assert claim.holds(None, (Face.B1, Face.W4, Face.W))
    assert not claim.holds(None, (Face.B1, Face.G5))
    assert claim.holds(None, ())


@pytest.mark.parametrize(
    ("condition", "fine", "wrong"),
    [
        ("no_color", Face.G5, Face.R1),
        ("no_colored_match", Face.W, Face.G5),
        ("no_other_playable", Face.W4, Face.W),
    ],
)
def test_a_wild_draw_four_without_a_challenge_claims_its_condition(
    condition: str, fine: Face, wrong: Face
) -> None:
    claim = claim_of("official", FOUR, wd4_challenge="off", wd4_condition=condition)
    assert claim.holds(None, (Face.B1, fine))
    assert not claim.holds(None, (Face.B1, wrong))


def test_a_draw_claims_that_nothing_could_be_played() -> None:
    claim = claim_of("greek", Draw())
    assert not claim.about_drawn
    assert claim.holds(None, (Face.B1, Face.G9))
    for held in (Face.R9, Face.G5, Face.W, Face.W4):
        assert not claim.holds(None, (Face.B1, held))


def test_a_drawn_card_that_fits_may_not_be_kept() -> None:
    claim = claim_of("official", Pass(), AFTER, drawn_card="must_play", wd4_condition="no_color")
    assert claim.about_drawn
    assert claim.holds(Face.B1, (Face.R1,))
    assert not claim.holds(Face.R9, (Face.B1,))
    assert not claim.holds(Face.W, (Face.R1,))
    # A drawn Wild Draw Four fits only if the rest of the hand lets it be played.
    assert not claim.holds(Face.W4, (Face.B1,))
    assert claim.holds(Face.W4, (Face.R1,))


def test_who_draws_on_claims_that_the_drawn_card_does_not_fit() -> None:
    claim = claim_of("hebrew", Draw(), AFTER)
    assert claim.holds(Face.B1, ())
    assert not claim.holds(Face.R9, (Face.B1,))
    assert not claim.holds(Face.W4, (Face.B1,))
    assert claim.holds(Face.W4, (Face.B5,))


def test_who_stops_drawing_claims_that_the_drawn_card_fits() -> None:
    claim = claim_of("official", Pass(), AFTER, draw_until_playable="true")
    assert claim.holds(Face.R9, ())
    assert not claim.holds(Face.B1, (Face.R9,))
    assert claim.holds(Face.W4, (Face.G5,))
    assert not claim.holds(Face.W4, (Face.R1,))


def test_a_card_of_the_color_that_a_blank_takes_along_may_not_stay_behind() -> None:
    sweep = Play(cards=(Face.WB1, Face.R1), color=None)
    claim = claim_of("official", sweep, blank_cards="sweep: discard color")
    assert claim.holds(None, (Face.B1, Face.W))
    assert not claim.holds(None, (Face.B1, Face.R9))


def test_where_the_rules_ask_nothing_of_hidden_cards_nothing_is_claimed() -> None:
    base = start_round(preset("official"), seat_count=2, players=(Seat(0), Seat(1)), dealer=Seat(1))
    at = replace(base, discards=(Face.R5,), color=Color.RED, due=dues.TurnDue(seat=Seat(1)))
    for move in (WILD, FOUR, Draw(), Pass(), Accept(), Play(cards=(Face.R1,))):
        assert hidden_claim(at, move) is None
    jump = replace(at, options=PRESETS["greek"], due=dues.ReactionDue(actor=Seat(0)))
    assert hidden_claim(jump, Play(cards=(Face.R5,))) is None
    attacked = replace(at, options=PRESETS["romanian"], phase=TurnPhase.ATTACKED)
    assert hidden_claim(attacked, FOUR) is None


def test_a_blank_that_the_deck_does_not_have_is_refused_and_nothing_is_asked_of_it() -> None:
    base = start_round(preset("official"), seat_count=2, players=(Seat(0), Seat(1)), dealer=Seat(1))
    at = replace(base, discards=(Face.R5,), color=Color.RED, due=dues.TurnDue(seat=base.turn))
    for cards in ((Face.WB1,), (Face.WB1, Face.R1), (Face.WB3, Face.WB3)):
        wrong = problem(at, at.turn, Play(cards=cards, color=Color.RED))
        assert wrong is not None
        assert "not in this deck" in wrong.reason
