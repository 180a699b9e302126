"""Masked cards: what opens them, and what is let in."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deal.helpers import CONTEXT, chance, party
from unop2p.deal.commit_reveal import CommitRevealShuffle
from unop2p.deal.group import BASE, IDENTITY, Q, add, base_mul, hash_to_point, mul, sum_points
from unop2p.deal.masking import (
    FaceTable,
    MaskedCard,
    UnverifiedDeck,
    VerifiedDeck,
    decode_cards,
    encode_cards,
    open_card,
    remask,
    trivial_cards,
)
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shuffle import ShuffleArgument
from unop2p.errors import MalformedError

PARTY = party()


def shares_of(card: MaskedCard) -> list[object]:
    """Return every seat's share."""
    return [mul(keys.secret.expose(), card.c1) for keys in PARTY.keys]


def test_faces_are_found_by_point_and_by_label() -> None:
    faces = FaceTable(["R1", "G2"])
    assert faces.point("R1") == hash_to_point("face", b"R1")
    assert faces.find(faces.point("G2")) == "G2"
    assert faces.find(BASE) is None
    assert faces.find(IDENTITY) is None


def test_trivial_cards_are_masked_with_one() -> None:
    face = PARTY.faces.point("W")
    (card,) = trivial_cards([face], PARTY.joint)
    assert card == MaskedCard(BASE, add(face, PARTY.joint))


def test_all_shares_open_a_card() -> None:
    for card, label in zip(PARTY.cards, PARTY.labels, strict=True):
        assert PARTY.faces.find(open_card(card, shares_of(card))) == label  # type: ignore[arg-type]  # points


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_one_missing_share_opens_nothing(missing: int) -> None:
    card = PARTY.cards[0]
    shares = shares_of(card)
    del shares[missing]
    assert PARTY.faces.find(open_card(card, shares)) is None  # type: ignore[arg-type]  # points


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, Q - 1), min_size=1, max_size=4), st.integers(0, 4))
def test_masking_again_and_again_keeps_the_face(factors: list[int], index: int) -> None:
    card = PARTY.cards[index]
    for factor in factors:
        masked = remask(card, factor, PARTY.joint)
        assert masked.c1 != card.c1
        assert masked.c2 != card.c2
        card = masked
    shares = [mul(keys.secret.expose(), card.c1) for keys in PARTY.keys]
    assert PARTY.faces.find(open_card(card, shares)) == PARTY.labels[index]


def test_cards_are_written_and_read_64_bytes_each() -> None:
    data = encode_cards(PARTY.cards)
    assert len(data) == 64 * len(PARTY.cards)
    assert decode_cards(data, len(PARTY.cards)) == PARTY.cards


@pytest.mark.parametrize("count", [4, 6])
def test_another_number_of_cards_is_refused(count: int) -> None:
    with pytest.raises(MalformedError):
        decode_cards(encode_cards(PARTY.cards), count)


@pytest.mark.parametrize("place", range(4))
def test_identity_anywhere_in_cards_is_refused(place: int) -> None:
    data = encode_cards(PARTY.cards[:2])
    data = data[: 32 * place] + bytes(32) + data[32 * (place + 1) :]
    with pytest.raises(MalformedError):
        decode_cards(data, 2)


def test_residual_shows_the_card_to_its_holder_alone() -> None:
    residual = PARTY.residual(1, 0)
    own = mul(PARTY.keys[0].secret.expose(), residual.c1)
    assert PARTY.faces.find(open_card(residual, [own])) == "R2"
    assert PARTY.faces.find(residual.c2) is None
    assert PARTY.faces.find(open_card(residual, [sum_points([own, base_mul(1)])])) is None


def test_cards_that_were_not_checked_are_no_cards_to_deal_from() -> None:
    table = party()
    deck = UnverifiedDeck(table.cards)
    assert not isinstance(deck, Sequence)
    with pytest.raises(TypeError):
        list(deck)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        deck[0]  # type: ignore[index]
    assert deck.as_inputs() == table.cards
    assert not isinstance(deck.as_inputs(), VerifiedDeck)


@pytest.mark.parametrize("argument", [ProvedShuffle(), CommitRevealShuffle()])
def test_what_verifies_gives_cards_to_deal_from(argument: ShuffleArgument) -> None:
    table = party()
    outputs, proof = argument.shuffle(CONTEXT, table.joint, table.cards, chance("typed"))
    taken = argument.verify(CONTEXT, table.joint, table.cards, outputs, proof)
    assert isinstance(taken, VerifiedDeck)
    assert taken == decode_cards(outputs, len(table.cards))
