"""A deal among four seats, told step by step, with nothing but the `deal` room.

Everything that a seat would sign and send is a value here; secrets stay in the seat's own `RoundKeys`.
Run it: `python examples/deal_four_seats.py`.
"""

from dataclasses import replace

from unop2p.deal.coin import coin
from unop2p.deal.entropy import seeded_entropy
from unop2p.deal.group import Point, decode_point, mul, sum_points
from unop2p.deal.keys import (
    RoundKeys,
    commitment,
    derive_round_keys,
    joint_key,
    prove_key,
    verify_key,
)
from unop2p.deal.masking import FaceTable, MaskedCard, open_card, trivial_cards
from unop2p.deal.proved import ProvedShuffle
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.statements import prove_none_of, residual, verify_none_of
from unop2p.deal.transcript import ProofContext
from unop2p.errors import ProofError

NAMES = ("ann", "ben", "cleo", "dan")
DECK = ("R1", "R2", "R3", "G1", "G2", "G3", "B1", "B2", "W", "W4")
"""A small deck, so that the whole takes a second."""
TABLE = b"an example table"
HAND = 2


def tell(step: str, text: str) -> None:
    """Print one line of the story."""
    print(f"{step:<4} {text}")


def context(step: int, seat: int, joint: bytes = b"") -> ProofContext:
    """Return what a seat's proof in a step is bound to."""
    return ProofContext(
        table_id=TABLE,
        round_index=0,
        step=step,
        head=bytes([step]) * 32,
        author=bytes([seat]) * 32,
        joint_key=joint,
    )


def agree_on_keys() -> tuple[tuple[RoundKeys, ...], Point]:
    """Tell steps 1.a to 1.c: commit, reveal, add."""
    keys = tuple(
        derive_round_keys(bytes([seat + 1]) * 32, table_id=TABLE, round_index=0, seat=seat)
        for seat in range(len(NAMES))
    )
    for name, own in zip(NAMES, keys, strict=True):
        tell("1.a", f"{name} commits to a seed and a key: {own.commitment.hex()[:16]}…")
    for seat, (name, own) in enumerate(zip(NAMES, keys, strict=True)):
        again = commitment(own.coin_seed, own.public, own.box_public, b"", TABLE, 0, seat)
        assert again == own.commitment
        chance = seeded_entropy(b"key" + bytes([seat]))
        proof = prove_key(context(1, seat), own.secret, own.public, chance)
        verify_key(context(1, seat), decode_point(own.public.encoded), proof)
        tell("1.b", f"{name} reveals both, and proves to know the secret half of the key")
    joint = joint_key([own.public for own in keys])
    tossed = coin([own.coin_seed for own in keys])
    tell("1.c", f"the joint key is the sum, {joint.encoded.hex()[:16]}…")
    tell("1.d", f"the coin, chosen by nobody, is {tossed.hex()[:16]}…")
    return keys, joint


def shuffle_in_turn(joint: Point, faces: FaceTable) -> tuple[MaskedCard, ...]:
    """Tell steps 2.a and 2.b: mask in the open, then each seat shuffles and proves."""
    cards = trivial_cards([faces.point(label) for label in DECK], joint)
    tell("2.a", f"everybody masks the same {len(DECK)} cards in the open")
    argument = ProvedShuffle()
    for seat, name in enumerate(NAMES):
        place = context(2, seat, joint.encoded)
        chance = seeded_entropy(b"shuffle" + bytes([seat]))
        outputs, proof = argument.shuffle(place, joint, cards, chance)
        cards = argument.verify(place, joint, cards, outputs, proof)
        tell("2.b", f"{name} shuffles; the proof of {len(proof)} bytes holds for all")
    return cards


def deal_hands(
    keys: tuple[RoundKeys, ...], joint: Point, cards: tuple[MaskedCard, ...], faces: FaceTable
) -> dict[int, str]:
    """Tell steps 3.a and 3.b: the others' shares of each card, and what its holder reads."""
    shown: dict[int, str] = {}
    for holder, name in enumerate(NAMES):
        mine = cards[HAND * holder : HAND * (holder + 1)]
        gathered: list[list[Point]] = [[] for _ in mine]
        for seat, own in enumerate(keys):
            if seat == holder:
                continue
            place = context(3, seat, joint.encoded)
            chance = seeded_entropy(b"shares" + bytes([holder, seat]))
            points = verify_shares(
                place, own.public, mine, make_shares(place, own.secret, mine, chance)
            )
            for shares, point in zip(gathered, points, strict=True):
                shares.append(point)
        tell("3.a", f"three seats give their shares of {name}'s cards; none knows what they are")
        read: list[str] = []
        for index, (card, shares) in enumerate(zip(mine, gathered, strict=True)):
            secret = keys[holder].secret.expose()
            label = faces.find(open_card(card, [*shares, mul(secret, card.c1)]))
            assert label is not None
            read.append(label)
            shown[HAND * holder + index] = label
        tell("3.b", f"{name} alone adds the last share, and reads {' '.join(read)}")
    return shown


def cheat_with_a_share(keys: tuple[RoundKeys, ...], joint: Point, card: MaskedCard) -> None:
    """Tell step 4.a: a false share is refused."""
    place = context(4, 1, joint.encoded)
    chance = seeded_entropy(b"cheat")
    false = make_shares(place, keys[2].secret, (card,), chance)
    try:
        verify_shares(place, keys[1].public, (card,), false)
    except ProofError as error:
        tell("4.a", f"ben gives a share made with another key: {error}")
    else:
        message = "a false share was taken"
        raise AssertionError(message)


def answer_a_challenge(
    keys: tuple[RoundKeys, ...],
    joint: Point,
    cards: tuple[MaskedCard, ...],
    shown: dict[int, str],
    faces: FaceTable,
) -> None:
    """Tell step 5.a: ann proves what she does not hold, and shows nothing."""
    held = {shown[index] for index in range(HAND)}
    color = next(letter for letter in "RGB" if not any(face[0] == letter for face in held))
    allowed = tuple(faces.point(face) for face in DECK if face[0] != color)
    rest = tuple(
        residual(card, sum_points(mul(own.secret.expose(), card.c1) for own in keys[1:]))
        for card in cards[:HAND]
    )
    place = replace(context(5, 0, joint.encoded), round_index=0)
    ann = keys[0]
    proof = prove_none_of(place, ann.secret, ann.public, rest, allowed, seeded_entropy(b"none"))
    verify_none_of(place, ann.public, rest, allowed, proof)
    tell("5.a", f"ann proves in {len(proof)} bytes that she holds no {color} card, and shows none")


def main() -> None:
    """Tell the whole deal."""
    faces = FaceTable(DECK)
    keys, joint = agree_on_keys()
    cards = shuffle_in_turn(joint, faces)
    shown = deal_hands(keys, joint, cards, faces)
    cheat_with_a_share(keys, joint, cards[0])
    answer_a_challenge(keys, joint, cards, shown, faces)


if __name__ == "__main__":
    main()
