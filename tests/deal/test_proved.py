"""The proof of shuffle, and every way in which a shuffle or its proof can be wrong."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.deal.helpers import (
    CONTEXT,
    chance,
    other_contexts,
    party,
    spoil_point,
    spoil_scalar,
    unreduce_scalar,
)
from unop2p.deal import group, proved, reference_group
from unop2p.deal.commit_reveal import CommitRevealShuffle
from unop2p.deal.group import (
    BASE,
    IDENTITY,
    POINT_BYTES,
    Point,
    add,
    base_mul,
    hash_to_point,
    mul,
    sub,
)
from unop2p.deal.masking import (
    MaskedCard,
    decode_cards,
    encode_cards,
    open_card,
    remask,
    trivial_cards,
)
from unop2p.deal.proved import (
    ProvedShuffle,
    decode_proof,
    generators,
    proof_bytes,
    prove_shuffle,
    verify_shuffle,
)
from unop2p.deal.shuffle import CARDS_MAX, PreparedArgument
from unop2p.deal.transcript import HedgedNonces
from unop2p.errors import MalformedError, ProofError

PARTY = party()
CARDS = PARTY.cards
COUNT = len(CARDS)
SHUFFLE = ProvedShuffle()
OUTPUTS, PROOF = SHUFFLE.shuffle(CONTEXT, PARTY.joint, CARDS, chance("shuffle"))
SHUFFLED = decode_cards(OUTPUTS, COUNT)
POINTS_IN_PROOF = range(2 * COUNT)
SCALARS_IN_PROOF = range(2 * COUNT, 4 * COUNT + 5)


def labels(cards: Sequence[MaskedCard]) -> list[str | None]:
    """Return the faces that cards show to all seats together."""
    return [
        PARTY.faces.find(
            open_card(card, [mul(keys.secret.expose(), card.c1) for keys in PARTY.keys])
        )
        for card in cards
    ]


def refuse(
    outputs: bytes, proof: bytes, error: type[Exception] = ProofError, match: str = "."
) -> None:
    """Assert that a shuffle is refused."""
    with pytest.raises(error, match=match):
        SHUFFLE.verify(CONTEXT, PARTY.joint, CARDS, outputs, proof)


def prove(
    outputs: Sequence[MaskedCard],
    order: Sequence[int],
    factors: Sequence[int],
    cards: Sequence[MaskedCard] = CARDS,
) -> bytes:
    """Run the prover on outputs that need not follow from the order and the factors."""
    encoded = encode_cards(cards), encode_cards(outputs)
    nonces = HedgedNonces(b"cheat", CONTEXT, encoded[0], chance("cheat"))
    secret = (outputs, order, factors)
    return prove_shuffle(CONTEXT, PARTY.joint, encoded, secret, nonces).encoded()


def masked(order: Sequence[int], factors: Sequence[int]) -> list[MaskedCard]:
    """Return the inputs masked again, in this order."""
    return [remask(CARDS[source], factors[source], PARTY.joint) for source in order]


def test_honest_shuffle_is_taken_and_keeps_the_faces() -> None:
    assert len(PROOF) == proof_bytes(COUNT) == 32 * (4 * COUNT + 5)
    outputs = SHUFFLE.verify(CONTEXT, PARTY.joint, CARDS, OUTPUTS, PROOF)
    assert outputs == SHUFFLED
    assert sorted(map(str, labels(outputs))) == sorted(PARTY.labels)
    assert not {card.c1 for card in outputs} & {card.c1 for card in CARDS}


@pytest.mark.parametrize("count", [1, 2])
def test_few_cards_are_shuffled_too(count: int) -> None:
    outputs, proof = SHUFFLE.shuffle(CONTEXT, PARTY.joint, CARDS[:count], chance("few"))
    taken = SHUFFLE.verify(CONTEXT, PARTY.joint, CARDS[:count], outputs, proof)
    assert sorted(map(str, labels(taken))) == sorted(PARTY.labels[:count])


def test_whole_deck_is_shuffled_by_all_seats_in_turn() -> None:
    faces = [PARTY.faces.point(PARTY.labels[index % COUNT]) for index in range(20)]
    cards = trivial_cards(faces, PARTY.joint)
    for seat in range(3):
        outputs, proof = SHUFFLE.shuffle(CONTEXT, PARTY.joint, cards, chance(f"seat {seat}"))
        cards = SHUFFLE.verify(CONTEXT, PARTY.joint, cards, outputs, proof)
    expected = sorted(PARTY.labels[index % COUNT] for index in range(20))
    assert sorted(map(str, labels(cards))) == expected


def test_no_cards_and_too_many_are_refused() -> None:
    with pytest.raises(MalformedError):
        SHUFFLE.verify(CONTEXT, PARTY.joint, (), b"", bytes(32 * 5))
    many = [CARDS[0]] * (CARDS_MAX + 1)
    with pytest.raises(MalformedError):
        SHUFFLE.verify(CONTEXT, PARTY.joint, many, b"", b"")
    for cards in ([], many):
        with pytest.raises(AssertionError):
            SHUFFLE.shuffle(CONTEXT, PARTY.joint, cards, chance("none"))


def test_same_chance_gives_the_same_shuffle_and_other_chance_another() -> None:
    again = SHUFFLE.shuffle(CONTEXT, PARTY.joint, CARDS, chance("shuffle"))
    assert again == (OUTPUTS, PROOF)
    other, _ = SHUFFLE.shuffle(CONTEXT, PARTY.joint, CARDS, chance("other"))
    assert other != OUTPUTS


def test_order_of_shuffles_is_uniform_by_chi_square(monkeypatch: pytest.MonkeyPatch) -> None:
    # The proof is left out: only the order is looked at.
    orders: list[tuple[int, ...]] = []

    def take(*args: object) -> object:
        orders.append(args[3][1])  # type: ignore[index]  # the secret part: outputs, order, factors
        return replace(decode_proof(PROOF, COUNT), commitments=(), chain=())

    monkeypatch.setattr(proved, "prove_shuffle", take)
    draws = 300
    for number in range(draws):
        SHUFFLE.shuffle(CONTEXT, PARTY.joint, CARDS[:3], chance(f"draw {number}"))
    counts = {order: orders.count(order) for order in set(orders)}
    assert len(counts) == 6
    statistic = sum((count - draws / 6) ** 2 / (draws / 6) for count in counts.values())
    # 99.9 % of uniform draws stay below, at 5 degrees of freedom; the seeds are fixed.
    assert statistic < 20.52


def test_generators_are_distinct_and_hashed() -> None:
    h, hs = generators(CARDS_MAX)
    every = {h, BASE, *hs}
    assert len(every) == CARDS_MAX + 2
    assert hs[0] == hash_to_point("generator", (1).to_bytes(4, "big"))
    assert generators(3)[1] == hs[:3]


@pytest.mark.parametrize("context", list(other_contexts()), ids=range(6))
def test_shuffle_holds_in_its_own_context_only(context: object) -> None:
    with pytest.raises(ProofError):
        SHUFFLE.verify(context, PARTY.joint, CARDS, OUTPUTS, PROOF)  # type: ignore[arg-type]  # a parameter of pytest


def test_another_joint_key_or_other_inputs_are_refused() -> None:
    with pytest.raises(ProofError):
        SHUFFLE.verify(CONTEXT, add(PARTY.joint, BASE), CARDS, OUTPUTS, PROOF)
    swapped = (CARDS[1], CARDS[0], *CARDS[2:])
    with pytest.raises(ProofError):
        SHUFFLE.verify(CONTEXT, PARTY.joint, swapped, OUTPUTS, PROOF)


@pytest.mark.parametrize("index", POINTS_IN_PROOF)
def test_each_point_of_the_proof_counts(index: int) -> None:
    refuse(OUTPUTS, spoil_point(PROOF, index))


@pytest.mark.parametrize("index", SCALARS_IN_PROOF)
def test_each_scalar_of_the_proof_counts(index: int) -> None:
    refuse(OUTPUTS, spoil_scalar(PROOF, index))
    refuse(OUTPUTS, unreduce_scalar(PROOF, index), MalformedError)


@pytest.mark.parametrize("index", range(2 * COUNT))
def test_each_point_of_the_outputs_counts(index: int) -> None:
    refuse(spoil_point(OUTPUTS, index), PROOF)


@pytest.mark.parametrize("index", [0, COUNT - 1, COUNT, 2 * COUNT - 1])
def test_identity_in_proof_or_outputs_is_refused(index: int) -> None:
    start, stop = POINT_BYTES * index, POINT_BYTES * (index + 1)
    refuse(OUTPUTS, PROOF[:start] + bytes(32) + PROOF[stop:], MalformedError, "identity")
    refuse(OUTPUTS[:start] + bytes(32) + OUTPUTS[stop:], PROOF, MalformedError, "identity")


@pytest.mark.parametrize(
    ("outputs", "proof"),
    [
        (OUTPUTS[:-1], PROOF),
        (OUTPUTS[:-64], PROOF),
        (OUTPUTS + OUTPUTS[:64], PROOF),
        (OUTPUTS, PROOF[:-1]),
        (OUTPUTS, PROOF[:-32]),
        (OUTPUTS, PROOF + bytes(32)),
        (OUTPUTS, b""),
    ],
)
def test_another_length_is_refused(outputs: bytes, proof: bytes) -> None:
    refuse(outputs, proof, MalformedError)


def test_swapped_outputs_under_the_same_proof_are_refused() -> None:
    refuse(OUTPUTS[64:128] + OUTPUTS[:64] + OUTPUTS[128:], PROOF)


ORDER = [3, 0, 4, 1, 2]
FACTORS = [11, 12, 13, 14, 15]


def test_prover_on_a_true_shuffle_is_taken() -> None:
    outputs = masked(ORDER, FACTORS)
    SHUFFLE.verify(
        CONTEXT, PARTY.joint, CARDS, encode_cards(outputs), prove(outputs, ORDER, FACTORS)
    )


def test_duplicated_card_is_refused_however_it_is_proved() -> None:
    # Card 3 comes out twice, card 0 not at all; factors differ, so that no c1 gives it away.
    outputs = masked(ORDER, FACTORS)
    outputs[1] = remask(CARDS[3], 99, PARTY.joint)
    for order in (ORDER, [3, 3, 4, 1, 2]):
        refuse(encode_cards(outputs), prove(outputs, order, FACTORS), match="does not hold")


def test_replaced_card_is_refused() -> None:
    outputs = masked(ORDER, FACTORS)
    outputs[0] = remask(trivial_cards([PARTY.faces.point("W")], PARTY.joint)[0], 5, PARTY.joint)
    refuse(encode_cards(outputs), prove(outputs, ORDER, FACTORS), match="does not hold")


@pytest.mark.parametrize("shift", [(BASE, IDENTITY), (IDENTITY, BASE), (BASE, BASE)])
def test_shifted_card_proved_again_is_refused(shift: tuple[Point, Point]) -> None:
    outputs = masked(ORDER, FACTORS)
    outputs[2] = MaskedCard(add(outputs[2].c1, shift[0]), add(outputs[2].c2, shift[1]))
    refuse(encode_cards(outputs), prove(outputs, ORDER, FACTORS), match="does not hold")


def test_shifts_that_cancel_out_are_refused() -> None:
    outputs = masked(ORDER, FACTORS)
    outputs[0] = MaskedCard(outputs[0].c1, add(outputs[0].c2, BASE))
    outputs[1] = MaskedCard(outputs[1].c1, sub(outputs[1].c2, BASE))
    refuse(encode_cards(outputs), prove(outputs, ORDER, FACTORS), match="does not hold")


def test_scaled_card_proved_again_is_refused() -> None:
    outputs = masked(ORDER, FACTORS)
    outputs[4] = MaskedCard(mul(2, outputs[4].c1), mul(2, outputs[4].c2))
    refuse(encode_cards(outputs), prove(outputs, ORDER, FACTORS), match="does not hold")


def test_card_masked_with_zero_is_refused_though_its_proof_holds() -> None:
    factors = [0, *FACTORS[1:]]
    outputs = masked(ORDER, factors)
    proof = prove(outputs, ORDER, factors)
    verify_shuffle(CONTEXT, PARTY.joint, CARDS, outputs, decode_proof(proof, COUNT))
    refuse(encode_cards(outputs), proof, match="as it was")


def test_two_cards_masked_alike_are_refused_though_their_proof_holds() -> None:
    # Whoever knows the factors of both inputs can do this; a share of one card opens the other.
    cards = trivial_cards([PARTY.faces.point("R1"), PARTY.faces.point("W")], PARTY.joint)
    outputs = [remask(card, 5, PARTY.joint) for card in cards]
    proof = prove(outputs, [0, 1], [5, 5], cards)
    verify_shuffle(CONTEXT, PARTY.joint, cards, outputs, decode_proof(proof, 2))
    with pytest.raises(ProofError, match="alike"):
        SHUFFLE.verify(CONTEXT, PARTY.joint, cards, encode_cards(outputs), proof)


def test_wrong_order_or_factors_give_no_proof() -> None:
    outputs = masked(ORDER, FACTORS)
    refuse(encode_cards(outputs), prove(outputs, [0, 1, 2, 3, 4], FACTORS))
    refuse(encode_cards(outputs), prove(outputs, ORDER, [*FACTORS[:4], 16]))


def test_proof_made_with_libsodium_holds_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs, proof = SHUFFLE.shuffle(CONTEXT, PARTY.joint, CARDS[:2], chance("two"))
    monkeypatch.setattr(group, "backend", reference_group)
    SHUFFLE.verify(CONTEXT, PARTY.joint, CARDS[:2], outputs, proof)
    with pytest.raises(ProofError):
        SHUFFLE.verify(CONTEXT, PARTY.joint, CARDS[:2], outputs, spoil_scalar(proof, 5))


def test_linker_finds_no_difference_of_cards_among_the_public_points() -> None:
    # A published difference out - in names the input of an output (a proof that leaks it exists).
    public = {PROOF[32 * i : 32 * i + 32] for i in range(len(PROOF) // 32)}
    public |= {OUTPUTS[32 * i : 32 * i + 32] for i in range(len(OUTPUTS) // 32)}
    scalars = [int.from_bytes(PROOF[32 * i : 32 * i + 32], "little") for i in SCALARS_IN_PROOF]
    known = {base_mul(s).encoded for s in scalars} | {mul(s, PARTY.joint).encoded for s in scalars}
    for before in CARDS:
        for after in SHUFFLED:
            differences = {sub(after.c1, before.c1).encoded, sub(after.c2, before.c2).encoded}
            assert not differences & public
            assert not differences & known


def test_linker_that_decrypts_differences_without_the_key_is_blind() -> None:
    # Equal faces: out.c2 - in.c2 = rX only for the true pair; without x or r all pairs look alike.
    reads = [PARTY.faces.find(sub(after.c2, before.c2)) for before in CARDS for after in SHUFFLED]
    assert set(reads) == {None}


def test_a_prepared_shuffle_holds_and_is_another_than_one_made_at_once() -> None:
    prepared = SHUFFLE.prepare(CONTEXT, PARTY.joint, COUNT, chance("shuffle"))
    outputs, proof = SHUFFLE.shuffle_prepared(CONTEXT, PARTY.joint, CARDS, prepared)
    cards = SHUFFLE.verify(CONTEXT, PARTY.joint, CARDS, outputs, proof)
    assert sorted(map(str, labels(cards))) == sorted(PARTY.labels)
    # Its nonces are hashed from another statement, so a source that repeats itself does no harm.
    assert outputs != OUTPUTS
    assert proof[: 32 * COUNT] != PROOF[: 32 * COUNT]


def test_what_was_prepared_shows_no_secret() -> None:
    prepared = SHUFFLE.prepare(CONTEXT, PARTY.joint, COUNT, chance("prepared"))
    shown = repr(prepared) + repr(prepared.proof) + repr(prepared.proof.openings)
    openings = prepared.proof.openings
    secrets = (*prepared.factors, *prepared.proof.r, *openings.chain_r, *openings.omega)
    assert not any(str(value) in shown for value in (*secrets, *openings.omega_prime))
    assert str(prepared.order) not in shown


def test_only_arguments_with_something_to_prepare_are_asked_to() -> None:
    assert isinstance(SHUFFLE, PreparedArgument)
    assert not isinstance(CommitRevealShuffle(), PreparedArgument)
