"""What is replayed after a round, and which cards cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.deal.helpers import party
from unop2p.deal.commit_reveal import CommitRevealShuffle, list_entropy
from unop2p.deal.group import BASE, encode_scalar
from unop2p.deal.masking import decode_cards
from unop2p.errors import MalformedError, ProofError
from unop2p.ids import Seat
from unop2p.rules.cards import Face, deck_for
from unop2p.rules.options import preset
from unop2p.table.replay import (
    Lists,
    SeedTask,
    SettledShuffle,
    is_replayed,
    surplus,
    take_commitment,
)
from unop2p.table.work import Nothing

DECK = deck_for(preset("official"))
PARTY = party()


def shuffle_step(first: int) -> SettledShuffle:
    """Return a step in which all three seats shuffle two lists honestly."""
    lists: Lists = (PARTY.cards[:3], PARTY.cards[3:])
    outputs = []
    before = lists
    for seat, keys in enumerate(PARTY.keys):
        after = tuple(
            decode_cards(
                CommitRevealShuffle().replay(
                    PARTY.joint, cards, list_entropy(keys.shuffle_seed, first + index, cards)
                ),
                len(cards),
            )
            for index, cards in enumerate(before)
        )
        outputs.append((Seat(seat), after))
        before = after
    return SettledShuffle(step=9, first=first, inputs=lists, outputs=tuple(outputs))


def task(seat: int, *shuffles: SettledShuffle) -> SeedTask:
    return SeedTask(
        argument="commit-reveal",
        seat=Seat(seat),
        joints={(): PARTY.joint},
        commitment=PARTY.keys[seat].shuffle_commitment,
        shuffles=shuffles,
    )


@pytest.mark.parametrize("seat", range(3))
def test_honest_shuffles_are_what_their_seed_gives(seat: int) -> None:
    data = encode_scalar(PARTY.keys[seat].shuffle_seed.expose())
    assert task(seat, shuffle_step(0), shuffle_step(2)).check(data, trusted=False) == Nothing()
    assert SeedTask.make(PARTY.keys[seat])[0].seed == data


def test_a_list_under_another_number_than_its_own_is_false() -> None:
    data = encode_scalar(PARTY.keys[0].shuffle_seed.expose())
    step = shuffle_step(0)
    moved = SettledShuffle(step=9, first=1, inputs=step.inputs, outputs=step.outputs)
    with pytest.raises(ProofError, match="step 9"):
        task(0, moved).check(data, trusted=False)


def test_only_the_seats_own_shuffle_is_held_against_it() -> None:
    step = shuffle_step(0)
    seat, lists = step.outputs[1]
    swapped = (tuple(reversed(lists[0])), lists[1])
    false = SettledShuffle(
        step=9,
        first=0,
        inputs=step.inputs,
        outputs=(step.outputs[0], (seat, swapped)),
    )
    for index in (0, 1):
        data = encode_scalar(PARTY.keys[index].shuffle_seed.expose())
        if index == 1:
            with pytest.raises(ProofError, match="its seed gives"):
                task(index, false).check(data, trusted=False)
        else:
            task(index, false).check(data, trusted=False)


def test_another_seats_seed_or_none_is_false() -> None:
    with pytest.raises(ProofError, match="committed"):
        task(0).check(encode_scalar(PARTY.keys[1].shuffle_seed.expose()), trusted=False)
    with pytest.raises(MalformedError):
        task(0).check(b"", trusted=False)


def test_a_commitment_is_due_where_shuffles_are_replayed_and_nowhere_else() -> None:
    assert is_replayed("commit-reveal")
    assert not is_replayed("proved")
    assert take_commitment(BASE.encoded, replayed=True) == BASE
    assert take_commitment(b"", replayed=False) is None
    with pytest.raises(MalformedError):
        take_commitment(b"", replayed=True)
    with pytest.raises(MalformedError, match="identity"):
        take_commitment(bytes(32), replayed=True)
    with pytest.raises(ProofError):
        take_commitment(BASE.encoded, replayed=False)


@given(st.lists(st.sampled_from(range(len(DECK))), unique=True))
def test_cards_of_the_deck_are_never_too_many(places: list[int]) -> None:
    assert surplus([DECK[place] for place in places], DECK) is None


@given(st.sampled_from(DECK), st.lists(st.sampled_from(DECK), max_size=5))
def test_one_card_more_than_the_deck_has_is_seen(face: Face, others: list[Face]) -> None:
    seen = [*others, *[face] * (DECK.count(face) + 1)]
    assert surplus(seen, DECK) is not None
