"""Round keys: derived, committed to, proved, added up."""

from dataclasses import replace

import pytest

from tests.deal.helpers import (
    CONTEXT,
    TABLE,
    chance,
    other_contexts,
    party,
    spoil_scalar,
    unreduce_scalar,
)
from unop2p.deal.group import BASE, IDENTITY, base_mul, encode_scalar, mul, sub, sum_points
from unop2p.deal.keys import commitment, derive_round_keys, joint_key, prove_key, verify_key
from unop2p.deal.secret import Secret
from unop2p.errors import MalformedError, ProofError

KEYS = party().keys
X, PUBLIC = KEYS[0].secret, KEYS[0].public
PROOF = prove_key(CONTEXT, X, PUBLIC, chance("key"))


def test_keys_fit_together_and_differ_by_secret_table_round_and_seat() -> None:
    keys = derive_round_keys(b"s" * 32, table_id=TABLE, round_index=0, seat=0)
    assert base_mul(keys.secret.expose()) == keys.public
    assert base_mul(keys.box_secret.expose()).encoded == keys.box_public
    assert len(keys.coin_seed) == len(keys.commitment) == len(keys.box_public) == 32
    others = [
        keys,
        derive_round_keys(b"t" * 32, table_id=TABLE, round_index=0, seat=0),
        derive_round_keys(b"s" * 32, table_id=b"U" * 16, round_index=0, seat=0),
        derive_round_keys(b"s" * 32, table_id=TABLE, round_index=1, seat=0),
        derive_round_keys(b"s" * 32, table_id=TABLE, round_index=0, seat=1),
    ]
    found = [part for k in others for part in (k.public, k.coin_seed, k.box_public, k.commitment)]
    assert len(set(found)) == 4 * len(others)


def test_same_secret_gives_the_same_keys_after_a_crash() -> None:
    again = derive_round_keys(bytes([1]) * 32, table_id=TABLE, round_index=2, seat=0)
    assert again.public == PUBLIC
    assert again.secret == X
    assert again.commitment == KEYS[0].commitment


def test_round_secret_of_another_length_is_our_own_bug() -> None:
    with pytest.raises(AssertionError):
        derive_round_keys(b"short", table_id=TABLE, round_index=0, seat=0)


def test_commitment_binds_every_field() -> None:
    found = {
        commitment(b"s" * 32, PUBLIC, b"b" * 32, b"", TABLE, 2, 0),
        commitment(b"t" * 32, PUBLIC, b"b" * 32, b"", TABLE, 2, 0),
        commitment(b"s" * 32, BASE, b"b" * 32, b"", TABLE, 2, 0),
        commitment(b"s" * 32, PUBLIC, b"c" * 32, b"", TABLE, 2, 0),
        commitment(b"s" * 32, PUBLIC, b"b" * 32, b"x", TABLE, 2, 0),
        commitment(b"s" * 32, PUBLIC, b"b" * 32, b"", b"U" * 16, 2, 0),
        commitment(b"s" * 32, PUBLIC, b"b" * 32, b"", TABLE, 3, 0),
        commitment(b"s" * 32, PUBLIC, b"b" * 32, b"", TABLE, 2, 1),
    }
    assert len(found) == 8


def test_derived_commitment_is_the_one_that_others_compute() -> None:
    for seat, keys in enumerate(KEYS):
        expected = commitment(keys.coin_seed, keys.public, keys.box_public, b"", TABLE, 2, seat)
        assert keys.commitment == expected


def test_honest_key_is_taken() -> None:
    verify_key(CONTEXT, PUBLIC, PROOF)
    before_joint = replace(CONTEXT, joint_key=b"")
    verify_key(before_joint, PUBLIC, prove_key(before_joint, X, PUBLIC, chance("other")))


@pytest.mark.parametrize("context", list(other_contexts()), ids=range(6))
def test_key_proof_holds_in_its_own_context_only(context: object) -> None:
    with pytest.raises(ProofError):
        verify_key(context, PUBLIC, PROOF)  # type: ignore[arg-type]  # a parameter of pytest


@pytest.mark.parametrize("index", [0, 1])
def test_spoiled_key_proof_is_refused(index: int) -> None:
    with pytest.raises(ProofError):
        verify_key(CONTEXT, PUBLIC, spoil_scalar(PROOF, index))
    with pytest.raises(MalformedError):
        verify_key(CONTEXT, PUBLIC, unreduce_scalar(PROOF, index))


@pytest.mark.parametrize("data", [b"", PROOF[:-1], PROOF + b"\0"])
def test_key_proof_of_another_length_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        verify_key(CONTEXT, PUBLIC, data)


def test_proof_of_one_key_is_none_of_another() -> None:
    with pytest.raises(ProofError):
        verify_key(CONTEXT, KEYS[1].public, PROOF)


def test_rogue_key_cannot_be_proved() -> None:
    # The last to speak picks X' = yG - the others: the sum is yG, and it alone would read the deck.
    others = sum_points([KEYS[0].public, KEYS[1].public])
    rogue = sub(base_mul(5), others)
    assert joint_key([KEYS[0].public, KEYS[1].public, rogue]) == base_mul(5)
    for guess in (5, 1, X.expose()):
        proof = prove_key(CONTEXT, Secret(guess), rogue, chance("rogue"))
        with pytest.raises(ProofError):
            verify_key(CONTEXT, rogue, proof)


def test_simulated_proof_is_refused() -> None:
    # Challenge and response chosen first: the announcement fits, the hash does not.
    with pytest.raises(ProofError):
        verify_key(CONTEXT, PUBLIC, encode_scalar(3) + encode_scalar(4))


def test_joint_key_is_the_sum() -> None:
    publics = [keys.public for keys in KEYS]
    assert joint_key(publics) == base_mul(sum(keys.secret.expose() for keys in KEYS))


def test_equal_keys_and_a_pair_that_cancels_out_leave_the_sum_to_the_others() -> None:
    twice = [KEYS[0].public, KEYS[1].public, KEYS[0].public]
    assert joint_key(twice) == base_mul(
        2 * KEYS[0].secret.expose() + KEYS[1].secret.expose(),
    )
    assert joint_key([PUBLIC, mul(-1, PUBLIC), KEYS[1].public]) == KEYS[1].public


def test_keys_that_all_cancel_out_are_refused() -> None:
    with pytest.raises(ProofError, match="cancel"):
        joint_key([PUBLIC, mul(-1, PUBLIC)])


def test_identity_as_a_key_is_refused_by_name() -> None:
    with pytest.raises(ProofError, match="seat 1"):
        joint_key([PUBLIC, IDENTITY])
    with pytest.raises(AssertionError):
        joint_key([])
