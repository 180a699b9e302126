"""What the tests of the masked deck share: a context, a seeded table, and ways to spoil bytes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from unop2p.deal.entropy import Entropy, seeded_entropy
from unop2p.deal.group import BASE, Point, Q, add, encode_scalar, mul, sub, sum_points
from unop2p.deal.keys import RoundKeys, derive_round_keys, joint_key
from unop2p.deal.masking import FaceTable, MaskedCard, remask, trivial_cards
from unop2p.deal.transcript import ProofContext

TABLE = b"T" * 16
CONTEXT = ProofContext(
    table_id=TABLE, round_index=2, step=7, head=b"h" * 32, author=b"a" * 32, joint_key=b"j" * 32
)


def chance(name: str) -> Entropy:
    """Return a seeded source of bytes."""
    return seeded_entropy(name.encode())


def other_contexts() -> Iterator[ProofContext]:
    """Yield contexts that differ from `CONTEXT` in one field each, every field once."""
    yield replace(CONTEXT, table_id=b"U" * 16)
    yield replace(CONTEXT, round_index=3)
    yield replace(CONTEXT, step=8)
    yield replace(CONTEXT, head=b"i" * 32)
    yield replace(CONTEXT, author=b"b" * 32)
    yield replace(CONTEXT, joint_key=b"k" * 32)


def spoil_point(data: bytes, index: int) -> bytes:
    """Return bytes in which the point at a 32-byte place is moved on by G."""
    start = 32 * index
    moved = add(Point(data[start : start + 32]), BASE)
    return data[:start] + moved.encoded + data[start + 32 :]


def spoil_scalar(data: bytes, index: int) -> bytes:
    """Return bytes in which the scalar at a 32-byte place is one more."""
    start = 32 * index
    value = int.from_bytes(data[start : start + 32], "little")
    return data[:start] + encode_scalar(value + 1) + data[start + 32 :]


def unreduce_scalar(data: bytes, index: int) -> bytes:
    """Return bytes in which the scalar at a 32-byte place is the same, but not reduced."""
    start = 32 * index
    value = int.from_bytes(data[start : start + 32], "little") + Q
    return data[:start] + value.to_bytes(32, "little") + data[start + 32 :]


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Three seats with keys, faces, and masked cards of known faces."""

    keys: tuple[RoundKeys, ...]
    joint: Point
    faces: FaceTable
    labels: tuple[str, ...]
    cards: tuple[MaskedCard, ...]
    """Card i shows `labels[i]`; masked with factors that nobody uses otherwise."""

    def residual(self, index: int, seat: int) -> MaskedCard:
        """Return a card with the shares of everybody but one seat removed."""
        card = self.cards[index]
        others = sum_points(
            _share(keys, card) for place, keys in enumerate(self.keys) if place != seat
        )
        return MaskedCard(card.c1, sub(card.c2, others))


def _share(keys: RoundKeys, card: MaskedCard) -> Point:
    return mul(keys.secret.expose(), card.c1)


def party(labels: tuple[str, ...] = ("R1", "R2", "B3", "B3", "W"), seats: int = 3) -> Party:
    """Return seats whose cards show these faces."""
    keys = tuple(
        derive_round_keys(bytes([seat + 1]) * 32, table_id=TABLE, round_index=2, seat=seat)
        for seat in range(seats)
    )
    joint = joint_key([key.public for key in keys])
    faces = FaceTable(tuple(dict.fromkeys(labels)))
    trivial = trivial_cards([faces.point(label) for label in labels], joint)
    cards = tuple(remask(card, 1000 + 17 * index, joint) for index, card in enumerate(trivial))
    return Party(keys=keys, joint=joint, faces=faces, labels=labels, cards=cards)
