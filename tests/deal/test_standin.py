"""Others stand in for a seat that is away, and it is the same share that it would give itself."""

from itertools import combinations

import pytest

from tests.deal.helpers import CONTEXT, TABLE, chance, party
from unop2p.deal.group import BASE, add, base_mul, encode_scalar, mul
from unop2p.deal.secret import Secret
from unop2p.deal.shares import make_shares, verify_shares
from unop2p.deal.standin import (
    Sharing,
    combine,
    decode_commitments,
    derive_sharing,
    share_out,
    share_public,
    verify_share,
)
from unop2p.errors import MalformedError, ProofError

PARTY = party(seats=4)
AWAY = PARTY.keys[1]


def share_away(threshold: int = 3, seats: int = 4, secret: bytes = b"s" * 32) -> Sharing:
    """Share the key of the seat that is away."""
    return derive_sharing(
        AWAY.secret, secret, place=(TABLE, b"1"), threshold=threshold, seats=seats
    )


SHARING = share_away()
ENCODED = b"".join(point.encoded for point in SHARING.commitments)


def test_shares_of_rfc_9591_come_out() -> None:
    constant = "1b25a55e463cfd15cf14a5d3acc3d15053f08da49c8afcf3ab265f2ebc4f970b"
    slope = "410f8b744b19325891d73736923525a4f596c805d060dfb9c98009d34e3fec02"
    numbers = [int.from_bytes(bytes.fromhex(text), "little") for text in (constant, slope)]
    sharing = share_out(numbers, 3)
    assert [encode_scalar(share.expose()).hex() for share in sharing.shares] == [
        "5c3430d391552f6e60ecdc093ff9f6f4488756aa6cebdbad75a768010b8f830e",
        "b06fc5eac20b4f6e1b271d9df2343d843e1e1fb03c4cbb673f2872d459ce6f01",
        "f17e505f0e2581c6acfe54d3846a622834b5e7b50cad9a2109a97ba7a80d5c04",
    ]
    public = "e2a62f39eede11269e3bd5a7d97554f5ca384f9f6d3dd9c3c0d05083c7254f57"
    assert sharing.commitments[0].encoded.hex() == public


@pytest.mark.parametrize("threshold", [1, 2, 3, 4])
def test_any_threshold_many_give_the_share_of_the_away_seat(threshold: int) -> None:
    sharing = share_away(threshold)
    card = PARTY.cards[0]
    own = mul(AWAY.secret.expose(), card.c1)
    for seats in combinations(range(4), threshold):
        partials = {seat: mul(sharing.shares[seat].expose(), card.c1) for seat in seats}
        assert combine(partials, threshold) == own


def test_more_than_needed_give_the_same() -> None:
    card = PARTY.cards[0]
    partials = {seat: mul(share.expose(), card.c1) for seat, share in enumerate(SHARING.shares)}
    assert combine(partials, 3) == mul(AWAY.secret.expose(), card.c1)


def test_too_few_are_our_own_bug_and_give_nothing() -> None:
    card = PARTY.cards[0]
    partials = {seat: mul(SHARING.shares[seat].expose(), card.c1) for seat in (0, 2)}
    with pytest.raises(AssertionError):
        combine(partials, 3)
    assert combine(partials, 2) != mul(AWAY.secret.expose(), card.c1)


def test_partial_shares_are_proved_like_shares() -> None:
    for seat in (0, 2, 3):
        public = share_public(SHARING.commitments, seat)
        data = make_shares(CONTEXT, SHARING.shares[seat], PARTY.cards, chance(f"{seat}"))
        points = verify_shares(CONTEXT, public, PARTY.cards, data)
        assert points[0] == mul(SHARING.shares[seat].expose(), PARTY.cards[0].c1)
        with pytest.raises(ProofError):
            verify_shares(CONTEXT, share_public(SHARING.commitments, seat + 1), PARTY.cards, data)


@pytest.mark.parametrize("seat", range(4))
def test_true_share_is_taken_and_false_one_refused(seat: int) -> None:
    share = SHARING.shares[seat]
    verify_share(SHARING.commitments, seat, share)
    with pytest.raises(ProofError, match=f"seat {seat}"):
        verify_share(SHARING.commitments, seat, Secret(share.expose() + 1))
    with pytest.raises(ProofError):
        verify_share(SHARING.commitments, (seat + 1) % 4, share)


def test_no_seat_holds_the_key_itself() -> None:
    assert AWAY.secret not in SHARING.shares
    assert all(str(share.expose()) not in repr(SHARING) for share in SHARING.shares)


def test_commitments_are_read_back() -> None:
    assert decode_commitments(ENCODED, 3, AWAY.public) == SHARING.commitments


@pytest.mark.parametrize("threshold", [2, 4])
def test_commitments_to_another_degree_are_refused(threshold: int) -> None:
    with pytest.raises(MalformedError):
        decode_commitments(ENCODED, threshold, AWAY.public)


def test_sharing_of_another_key_is_refused() -> None:
    with pytest.raises(ProofError):
        decode_commitments(ENCODED, 3, PARTY.keys[0].public)
    moved = add(SHARING.commitments[0], BASE).encoded + ENCODED[32:]
    with pytest.raises(ProofError):
        decode_commitments(moved, 3, AWAY.public)


def test_same_secret_gives_the_same_polynomial_and_all_else_another() -> None:
    assert share_away() == SHARING
    others = [share_away(2), share_away(3, 5), share_away(secret=b"t" * 32)]
    seconds = {sharing.commitments[1] for sharing in (SHARING, *others)}
    assert len(seconds) == 4
    assert {sharing.commitments[0] for sharing in others} == {base_mul(AWAY.secret.expose())}
