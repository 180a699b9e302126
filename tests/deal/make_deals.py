"""Makes `tests/vectors/deals`: whole deals from fixed seeds, every value and secret included.

python -m tests.deal.make_deals
"""

import gzip
import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.deal.helpers import chance
from tests.deal.vectors import FOLDER
from unop2p.deal import commit_reveal, proved
from unop2p.deal.coin import coin
from unop2p.deal.commit_reveal import list_entropy
from unop2p.deal.group import Point, encode_scalar
from unop2p.deal.keys import RoundKeys, derive_round_keys, joint_key, prove_key
from unop2p.deal.masking import FaceTable, MaskedCard, open_card, remask, trivial_cards
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.shuffle import ReplayedArgument
from unop2p.deal.transcript import ProofContext
from unop2p.rules.cards import deck_for
from unop2p.rules.options import preset
from unop2p.table.work import ARGUMENTS

TABLE = b"a deal in public"
ROUND = 0
SMALL = ("R1", "R2", "G3", "G3", "B+2", "W")
DECK = tuple(str(face) for face in deck_for(preset("official")) if str(face) not in {"WH", "WB"})
DEALS: dict[str, tuple[str, int, tuple[str, ...], int]] = {
    # file: argument, seats, cards, cards in a hand
    "proved-3x6.json": ("proved", 3, SMALL, 1),
    "commit-reveal-3x6.json": ("commit-reveal", 3, SMALL, 1),
    "proved-4x108.json.gz": ("proved", 4, DECK, 7),
    "commit-reveal-4x108.json.gz": ("commit-reveal", 4, DECK, 7),
}


def context(step: int, seat: int, joint: bytes = b"") -> ProofContext:
    return ProofContext(
        table_id=TABLE,
        round_index=ROUND,
        step=step,
        head=bytes([step]) * 32,
        author=bytes([seat]) * 32,
        joint_key=joint,
    )


def shuffle(
    argument: str, keys: RoundKeys, seat: int, joint: Point, cards: tuple[MaskedCard, ...]
) -> tuple[dict[str, Any], tuple[MaskedCard, ...]]:
    """Return one seat's shuffle, and the cards after it; see order and factors on the way."""
    seen: dict[str, Any] = {}
    made = ARGUMENTS[argument]
    place = context(2, seat, joint.encoded)
    prove, mask = proved.prove_shuffle, remask
    factors: list[int] = []
    sources: list[int] = []

    def proving(*arguments: Any) -> Any:
        seen["order"], by_source = arguments[3][1], arguments[3][2]
        seen["factors"] = [by_source[source] for source in seen["order"]]
        return prove(*arguments)

    def masking(card: MaskedCard, factor: int, key: Point) -> MaskedCard:
        # Equal faces are equal cards before the first shuffle: which of them, not how they look.
        sources.append(next(index for index, other in enumerate(cards) if other is card))
        factors.append(factor)
        return mask(card, factor, key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proved, "prove_shuffle", proving)
        patch.setattr(commit_reveal, "remask", masking)
        entropy = chance(f"shuffle {seat}")
        if isinstance(made, ReplayedArgument):
            entropy = list_entropy(keys.shuffle_seed, 0, cards)
        outputs, proof = made.shuffle(place, joint, cards, entropy)
    after = made.verify(place, joint, cards, outputs, proof)
    order: Sequence[int] = seen.get("order", sources)
    used: Sequence[int] = seen.get("factors", factors)
    return {
        "seat": seat,
        "context": place.encoded().hex(),
        "order": list(order),
        "factors": b"".join(encode_scalar(factor) for factor in used).hex(),
        "outputs": outputs.hex(),
        "proof": proof.hex(),
    }, after


def batch(
    step: int, seat: int, keys: RoundKeys, joint: Point, cards: Sequence[MaskedCard], due: list[int]
) -> tuple[dict[str, Any], dict[int, Point]]:
    """Return a seat's shares of some positions."""
    place = context(step, seat, joint.encoded)
    wanted = [cards[position] for position in due]
    data = make_shares(place, keys.secret, wanted, chance(f"shares {step} {seat}"))
    points = verify_shares(place, keys.public, wanted, data)
    said = {"seat": seat, "positions": due, "context": place.encoded().hex(), "data": data.hex()}
    return said, dict(zip(due, points, strict=True))


def build(name: str) -> dict[str, Any]:
    """Return one of `DEALS`."""
    argument, seats, labels, hand = DEALS[name]
    keys = [
        derive_round_keys(
            f"{name} seat {seat}".encode().ljust(32, b".")[:32],
            table_id=TABLE,
            round_index=ROUND,
            seat=seat,
        )
        for seat in range(seats)
    ]
    joint = joint_key([key.public for key in keys])
    faces = FaceTable(tuple(dict.fromkeys(labels)))
    deck = trivial_cards([faces.point(label) for label in labels], joint)
    cards: tuple[MaskedCard, ...] = deck
    shuffles = []
    for seat, key in enumerate(keys):
        done, cards = shuffle(argument, key, seat, joint, cards)
        shuffles.append(done)
    holder = {position: position % seats for position in range(seats * hand)}
    shares, points = [], {position: [Point(bytes(32))] * 0 for position in [*holder, seats * hand]}
    for seat, key in enumerate(keys):
        first = [p for p, held in holder.items() if held != seat] + [seats * hand]
        own = [p for p, held in holder.items() if held == seat]
        for step, due in ((3, first), (4, own)):
            said, made = batch(step, seat, key, joint, cards, due)
            shares.append(said)
            for position, point in made.items():
                points[position].append(point)
    opened = [
        [position, faces.find(open_card(cards[position], held))]
        for position, held in points.items()
    ]
    return {
        "argument": argument,
        "table": TABLE.hex(),
        "round": ROUND,
        "labels": list(labels),
        "seats": [
            {
                "x": encode_scalar(key.secret.expose()).hex(),
                "key": key.public.encoded.hex(),
                "coin_seed": key.coin_seed.hex(),
                "box_key": key.box_public.hex(),
                "shuffle_seed": encode_scalar(key.shuffle_seed.expose()).hex(),
                "shuffle_point": key.shuffle_commitment.encoded.hex(),
                "commitment": key.commitment.hex(),
                "key_context": context(1, seat).encoded().hex(),
                "key_proof": prove_key(
                    context(1, seat), key.secret, key.public, chance(f"key {seat}")
                ).hex(),
            }
            for seat, key in enumerate(keys)
        ],
        "joint": joint.encoded.hex(),
        "coin": coin([key.coin_seed for key in keys]).hex(),
        "shuffles": shuffles,
        "shares": shares,
        "opened": opened,
    }


def write(name: str) -> bytes:
    """Return the content of a file, the same wherever it is made."""
    text = (json.dumps(build(name), indent=1) + "\n").encode()
    return gzip.compress(text, mtime=0) if name.endswith(".gz") else text


if __name__ == "__main__":
    for file in DEALS:
        (FOLDER / "deals" / file).write_bytes(write(file))
