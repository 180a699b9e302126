"""The shuffle without a proof: what is checked at once, and what the replay finds."""

from dataclasses import replace

import pytest

from tests.deal.helpers import CONTEXT, other_contexts, party, spoil_point
from unop2p.deal.commit_reveal import CommitRevealShuffle, list_entropy, open_seed
from unop2p.deal.group import Q, encode_scalar, mul
from unop2p.deal.keys import derive_round_keys
from unop2p.deal.masking import decode_cards, encode_cards, open_card, remask
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.secret import Secret
from unop2p.deal.shuffle import ReplayedArgument
from unop2p.errors import MalformedError, ProofError

PARTY = party()
ARGUMENT = CommitRevealShuffle()
SEED = PARTY.keys[0].shuffle_seed


def shuffled() -> bytes:
    outputs, proof = ARGUMENT.shuffle(
        CONTEXT, PARTY.joint, PARTY.cards, list_entropy(SEED, 0, PARTY.cards)
    )
    assert proof == b""
    return outputs


def test_only_this_argument_is_replayed() -> None:
    assert isinstance(ARGUMENT, ReplayedArgument)
    assert not isinstance(ProvedShuffle(), ReplayedArgument)


def test_outputs_are_the_inputs_in_another_order_and_under_other_masks() -> None:
    cards = ARGUMENT.verify(CONTEXT, PARTY.joint, PARTY.cards, shuffled(), b"")
    labels = [
        PARTY.faces.find(
            open_card(card, [mul(keys.secret.expose(), card.c1) for keys in PARTY.keys])
        )
        for card in cards
    ]
    assert sorted(map(str, labels)) == sorted(PARTY.labels)
    assert not {card.c1 for card in cards} & {card.c1 for card in PARTY.cards}


def test_replay_with_the_same_seed_gives_the_same_outputs_wherever_it_is_made() -> None:
    for context in other_contexts():
        again, _ = ARGUMENT.shuffle(
            context, PARTY.joint, PARTY.cards, list_entropy(SEED, 0, PARTY.cards)
        )
        assert again == shuffled()
    replayed = ARGUMENT.replay(PARTY.joint, PARTY.cards, list_entropy(SEED, 0, PARTY.cards))
    assert replayed == shuffled()


def test_another_seed_number_or_list_gives_other_factors() -> None:
    other = tuple(remask(card, 7, PARTY.joint) for card in PARTY.cards)
    seen = {
        list_entropy(seed, number, cards)(32)
        for seed in (SEED, PARTY.keys[1].shuffle_seed)
        for number in (0, 1)
        for cards in (PARTY.cards, other)
    }
    assert len(seen) == 8


@pytest.mark.parametrize("index", range(10))
def test_replay_finds_every_changed_point(index: int) -> None:
    spoiled = spoil_point(shuffled(), index)
    ARGUMENT.verify(CONTEXT, PARTY.joint, PARTY.cards, spoiled, b"")  # nothing shows it yet
    replayed = ARGUMENT.replay(PARTY.joint, PARTY.cards, list_entropy(SEED, 0, PARTY.cards))
    assert replayed != spoiled


def test_a_proof_or_another_number_of_cards_is_refused() -> None:
    with pytest.raises(MalformedError, match="none is due"):
        ARGUMENT.verify(CONTEXT, PARTY.joint, PARTY.cards, shuffled(), b"x")
    with pytest.raises(MalformedError):
        ARGUMENT.verify(CONTEXT, PARTY.joint, PARTY.cards, shuffled()[:-64], b"")
    with pytest.raises(MalformedError, match="0 cards"):
        ARGUMENT.verify(CONTEXT, PARTY.joint, (), b"", b"")


def test_a_card_that_is_left_as_it_was_or_stands_twice_is_refused_at_once() -> None:
    same = encode_cards(PARTY.cards[:1]) + shuffled()[64:]
    with pytest.raises(ProofError, match="leaves a card"):
        ARGUMENT.verify(CONTEXT, PARTY.joint, PARTY.cards, same, b"")
    twice = shuffled()[:64] + shuffled()[:64] + shuffled()[128:]
    with pytest.raises(ProofError, match="alike"):
        ARGUMENT.verify(CONTEXT, PARTY.joint, PARTY.cards, twice, b"")
    assert len(decode_cards(twice, len(PARTY.cards))) == len(PARTY.cards)


def test_seed_opens_its_own_commitment_and_no_other() -> None:
    data = encode_scalar(SEED.expose())
    assert open_seed(data, PARTY.keys[0].shuffle_commitment) == SEED
    with pytest.raises(ProofError, match="committed"):
        open_seed(data, PARTY.keys[1].shuffle_commitment)
    with pytest.raises(ProofError, match="committed"):
        open_seed(encode_scalar(SEED.expose() + 1), PARTY.keys[0].shuffle_commitment)


def test_seed_that_is_not_reduced_is_refused() -> None:
    value = SEED.expose() + Q
    with pytest.raises(MalformedError):
        open_seed(value.to_bytes(32, "little"), PARTY.keys[0].shuffle_commitment)
    with pytest.raises(MalformedError):
        open_seed(b"", PARTY.keys[0].shuffle_commitment)


def test_seed_is_a_secret_of_its_own_for_each_round_table_and_seat() -> None:
    places = [
        {"table_id": b"T" * 16, "round_index": 0, "seat": 0},
        {"table_id": b"U" * 16, "round_index": 0, "seat": 0},
        {"table_id": b"T" * 16, "round_index": 1, "seat": 0},
        {"table_id": b"T" * 16, "round_index": 0, "seat": 1},
    ]
    keys = [derive_round_keys(b"s" * 32, **place) for place in places]  # type: ignore[arg-type]
    seeds = {key.shuffle_seed.expose() for key in keys}
    assert len(seeds) == len(places)
    for key in keys:
        others = {key.secret.expose(), key.box_secret.expose()}
        assert key.shuffle_seed.expose() not in others
        assert str(key.shuffle_seed.expose()) not in repr(key)
    assert replace(keys[0], shuffle_seed=Secret(5)).shuffle_commitment.encoded.hex() not in repr(
        keys[0]
    )
