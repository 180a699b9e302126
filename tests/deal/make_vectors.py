"""Makes `tests/vectors/deal.json`: a small deal from fixed seeds, secrets included."""

import json

from tests.deal.helpers import CONTEXT, chance, party
from tests.deal.vectors import FOLDER
from unop2p.deal.coin import coin, permutation
from unop2p.deal.group import encode_scalar, mul
from unop2p.deal.keys import prove_key
from unop2p.deal.masking import encode_cards, open_card
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.statements import prove_none_of

LABELS = ("R1", "R2", "B3", "B3", "W", "G5", "Y+2", "W4")


def build() -> dict[str, object]:
    """Return everything that a second implementation needs to compare itself, as hex."""
    table = party(LABELS)
    shuffle = ProvedShuffle()
    outputs, proof = shuffle.shuffle(CONTEXT, table.joint, table.cards, chance("shuffle"))
    cards = shuffle.verify(CONTEXT, table.joint, table.cards, outputs, proof)
    batches = [
        make_shares(CONTEXT, keys.secret, cards[:3], chance(f"shares {seat}"))
        for seat, keys in enumerate(table.keys)
    ]
    points = [
        verify_shares(CONTEXT, keys.public, cards[:3], batch)
        for keys, batch in zip(table.keys, batches, strict=True)
    ]
    opened = [
        table.faces.find(open_card(card, [batch[index] for batch in points]))
        for index, card in enumerate(cards[:3])
    ]
    allowed = [table.faces.point(label) for label in ("R1", "R2", "B3")]
    hand = [table.residual(index, 0) for index in (0, 2)]
    tossed = coin([keys.coin_seed for keys in table.keys])
    first = table.keys[0]
    return {
        "context": CONTEXT.encoded().hex(),
        "keys": [
            {
                "round_secret": (bytes([seat + 1]) * 32).hex(),
                "secret": encode_scalar(keys.secret.expose()).hex(),
                "public": keys.public.encoded.hex(),
                "coin_seed": keys.coin_seed.hex(),
                "box_public": keys.box_public.hex(),
                "commitment": keys.commitment.hex(),
                "proof": prove_key(CONTEXT, keys.secret, keys.public, chance(f"key {seat}")).hex(),
            }
            for seat, keys in enumerate(table.keys)
        ],
        "joint_key": table.joint.encoded.hex(),
        "coin": tossed.hex(),
        "permutation_of_10": list(permutation(tossed, "order", 10)),
        "faces": {label: table.faces.point(label).encoded.hex() for label in dict.fromkeys(LABELS)},
        "inputs": encode_cards(table.cards).hex(),
        "outputs": outputs.hex(),
        "shuffle_proof": proof.hex(),
        "shares_of_first_three": [batch.hex() for batch in batches],
        "first_three": opened,
        "share_of_seat_0_of_input_0": mul(first.secret.expose(), table.cards[0].c1).encoded.hex(),
        "none_but_R1_R2_B3": prove_none_of(
            CONTEXT, first.secret, first.public, hand, allowed, chance("hand")
        ).hex(),
    }


if __name__ == "__main__":
    (FOLDER / "deal.json").write_text(json.dumps(build(), indent=1) + "\n", encoding="utf-8")
