"""Seats that are away in a round: passed over, spared nothing, and dealt what they owe when back."""

import pytest

from unop2p.ids import Seat
from unop2p.rules import facts
from unop2p.rules.cards import Color, Face
from unop2p.rules.due import AnswerChallenge, DealCards, ShufflePile, TurnDue
from unop2p.rules.match import start_match
from unop2p.rules.moves import Challenge, Draw, NameColor, Play
from unop2p.rules.options import preset
from unop2p.rules.round import Round, TurnPhase, advance

A, B, C = (Seat(index) for index in range(3))


def begun(face: Face = Face.R5) -> Round:
    """Return a round of three; A is to move first, then B, then C."""
    match = start_match(preset("official"), (A, B, C), C)
    return advance(match.start_round(), facts.CardTurned(face=face))


def presence(round_: Round, *away: Seat, pile: int | None = None) -> Round:
    count = round_.pile_count if pile is None else pile
    gone = frozenset(away)
    return advance(round_, facts.PresenceChanged(away=gone, barred=gone, pile_count=count))


def test_who_is_to_move_and_goes_away_is_passed_over() -> None:
    round_ = presence(begun(), A)
    assert round_.due == TurnDue(seat=B)
    after = advance(round_, facts.Acted(seat=B, move=Play(cards=(Face.R7,))))
    after = advance(after, facts.Acted(seat=C, move=Play(cards=(Face.R8,))))
    assert after.due == TurnDue(seat=B), "a full lap later it is still passed over"


def test_who_is_attacked_and_goes_away_owes_the_cards_and_draws_them_when_back() -> None:
    round_ = advance(begun(), facts.Acted(seat=A, move=Play(cards=(Face.RD,))))
    assert round_.due == TurnDue(seat=B)
    round_ = presence(round_, B)
    assert round_.debts == ((B, 2),)
    assert round_.due == TurnDue(seat=C)
    back = presence(round_)
    assert back.due == DealCards(draws=((B, 2),))
    dealt = advance(back, facts.CardsDealt())
    assert dealt.hand_counts[B] == 9
    assert dealt.due == TurnDue(seat=C), "whose turn it is stays"
    assert dealt.debts == ()


def test_who_drew_and_goes_away_owes_that_card() -> None:
    round_ = advance(begun(), facts.Acted(seat=A, move=Draw()))
    away = presence(round_, A, pile=0)
    assert away.debts == ((A, 1),)
    assert away.due == TurnDue(seat=B)


def test_who_has_drawn_and_goes_away_has_passed() -> None:
    round_ = advance(advance(begun(), facts.Acted(seat=A, move=Draw())), facts.CardsDealt())
    assert round_.phase is TurnPhase.AFTER_DRAW
    away = presence(round_, A)
    assert (away.due, away.phase) == (TurnDue(seat=B), TurnPhase.START)


def test_a_color_that_is_due_is_named_by_the_next() -> None:
    round_ = presence(begun(Face.W), A)
    assert (round_.due, round_.phase) == (TurnDue(seat=B), TurnPhase.COLOR)
    named = advance(round_, facts.Acted(seat=B, move=NameColor(color=Color.GREEN)))
    assert named.color is Color.GREEN


def test_who_does_not_answer_a_challenge_is_guilty() -> None:
    round_ = advance(begun(), facts.Acted(seat=A, move=Play(cards=(Face.W4,), color=Color.BLUE)))
    round_ = advance(round_, facts.Acted(seat=B, move=Challenge()))
    assert isinstance(round_.due, AnswerChallenge)
    away = presence(round_, A)
    assert away.debts == ((A, 4),)
    assert away.due == TurnDue(seat=B)
    assert away.hand_counts[B] == 7


def test_with_an_empty_pile_the_discards_are_shuffled_for_who_is_there() -> None:
    round_ = begun()
    for seat, face in ((A, Face.R7), (B, Face.R8), (C, Face.R9)):
        round_ = advance(round_, facts.Acted(seat=seat, move=Play(cards=(face,))))
    away = presence(round_, C, pile=0)
    asked = advance(away, facts.Acted(seat=A, move=Draw()))
    assert asked.due == ShufflePile(first_card=False)
    shuffled = advance(asked, facts.PileShuffled())
    assert shuffled.due == DealCards(draws=((A, 1),))


def test_where_all_players_are_away_nothing_moves() -> None:
    round_ = presence(begun(), A, B, C)
    assert round_.due == TurnDue(seat=A)
    assert presence(round_, A, B).due == TurnDue(seat=C)


@pytest.mark.parametrize(("unopened", "debts"), [(True, ()), (True, ((B, 2),)), (False, ((B, 2),))])
def test_cards_that_nobody_has_seen_count_as_the_dearest(
    unopened: bool,  # noqa: FBT001  # a parameter of the test
    debts: tuple[tuple[Seat, int], ...],
) -> None:
    round_ = begun()
    for name, value in (("hand_counts", (1, 3, 1)), ("debts", debts)):
        object.__setattr__(round_, name, value)
    last = presence(round_, pile=0) if not debts else presence(round_, B, pile=0)
    out = advance(last, facts.Acted(seat=last.turn, move=Play(cards=(Face.R7,))))
    winner = last.turn
    hands = tuple(
        () if seat == winner or (unopened and seat == B) else (Face.G1,) * out.hand_counts[seat]
        for seat in (A, B, C)
    )
    ended = advance(
        out, facts.HandsOpened(hands=hands, unopened=frozenset({B} if unopened else ()))
    )
    owed = 50 * sum(count for _, count in debts)
    held = 50 * 3 if unopened else 3
    assert ended.over
    assert ended.due.outcome.points[winner] == held + owed + 1  # type: ignore[union-attr]  # it is over
