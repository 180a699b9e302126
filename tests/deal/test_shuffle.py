"""The interface that a table plays by: what implements it fits."""

import pytest

from tests.deal.helpers import CONTEXT, chance, party
from unop2p.deal.masking import encode_cards
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shuffle import ShuffleArgument

PARTY = party()


@pytest.mark.parametrize("argument", [ProvedShuffle()])
def test_argument_gives_outputs_and_a_proof_that_it_takes_back(argument: ShuffleArgument) -> None:
    assert argument.name == "proved"
    outputs, proof = argument.shuffle(CONTEXT, PARTY.joint, PARTY.cards, chance("any"))
    cards = argument.verify(CONTEXT, PARTY.joint, PARTY.cards, outputs, proof)
    assert encode_cards(cards) == outputs
