"""The bytes on the wire stay what they are."""

from tests.deal.helpers import CONTEXT, party
from tests.deal.make_vectors import LABELS, build
from tests.deal.vectors import load
from unop2p.deal.group import decode_point
from unop2p.deal.keys import verify_key
from unop2p.deal.masking import decode_cards
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shares import verify_shares
from unop2p.deal.statements import verify_none_of

STORED = load("deal.json")


def test_deal_from_the_same_seeds_is_the_stored_one() -> None:
    assert build() == STORED


def test_stored_proofs_hold() -> None:
    table = party(LABELS)
    joint = decode_point(bytes.fromhex(STORED["joint_key"]))
    cards = ProvedShuffle().verify(
        CONTEXT,
        joint,
        decode_cards(bytes.fromhex(STORED["inputs"]), len(LABELS)),
        bytes.fromhex(STORED["outputs"]),
        bytes.fromhex(STORED["shuffle_proof"]),
    )
    for keys, batch in zip(STORED["keys"], STORED["shares_of_first_three"], strict=True):
        public = decode_point(bytes.fromhex(keys["public"]))
        verify_key(CONTEXT, public, bytes.fromhex(keys["proof"]))
        verify_shares(CONTEXT, public, cards[:3], bytes.fromhex(batch))
    verify_none_of(
        CONTEXT,
        table.keys[0].public,
        [table.residual(index, 0) for index in (0, 2)],
        [table.faces.point(label) for label in ("R1", "R2", "B3")],
        bytes.fromhex(STORED["none_but_R1_R2_B3"]),
    )
