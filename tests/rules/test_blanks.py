"""Blank cards with a meaning: how they are written, and what they do."""

import pytest

from unop2p.errors import InvalidOptionsError
from unop2p.rules.blanks import BlankCard, blank_card, card_text, read_card


def test_a_card_comes_back_from_its_line() -> None:
    card = blank_card("gift", ["draw 1 chosen", "swap hands"], 3)
    assert card.effects == ("swap hands", "draw 1 chosen")
    assert read_card(card_text(card)) == card
    assert read_card("gift: draw 1 chosen").count == 1
    for text in ("gift", "gift x9: reverse", "", ": reverse", 3):
        with pytest.raises(InvalidOptionsError):
            read_card(text)


def test_effects_out_of_order_are_refused_in_a_card_itself() -> None:
    with pytest.raises(InvalidOptionsError, match="out of order"):
        BlankCard(name="abc", effects=("skip next", "reverse"))
