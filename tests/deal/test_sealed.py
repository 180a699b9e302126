"""Shares on their way: each opens for its own seat alone, and a false one for everybody who is shown."""

from dataclasses import replace

import pytest

from tests.deal.helpers import CONTEXT, chance, party
from unop2p.deal.group import BASE, base_mul, encode_scalar
from unop2p.deal.keys import derive_round_keys
from unop2p.deal.sealed import (
    SEALED_BYTES,
    Route,
    SealedShares,
    check_complaint,
    complain,
    open_share,
    read_sealed,
    seal_shares,
)
from unop2p.deal.secret import Secret
from unop2p.deal.standin import Sharing, derive_sharing, share_public
from unop2p.errors import MalformedError, ProofError

SEATS = 4
THRESHOLD = 3
DEALER = 1
OTHERS = (0, 2, 3)
KEYS = [
    derive_round_keys(
        bytes([seat]) * 32,
        table_id=CONTEXT.table_id,
        round_index=CONTEXT.round_index,
        seat=seat,
        threshold=THRESHOLD,
        seats=SEATS,
    )
    for seat in range(SEATS)
]


def sharing_of(seat: int) -> Sharing:
    sharing = KEYS[seat].sharing
    assert sharing is not None
    return sharing


SHARING = sharing_of(DEALER)
BOX_KEYS = {seat: base_mul(KEYS[seat].box_secret.expose()) for seat in OTHERS}
EPHEMERAL, PROOF, BOXES = seal_shares(CONTEXT, DEALER, SHARING, BOX_KEYS, chance("seal"))


def route(seat: int, dealer: int = DEALER) -> Route:
    return Route(
        table_id=CONTEXT.table_id, round_index=CONTEXT.round_index, dealer=dealer, seat=seat
    )


def sealed(boxes: bytes = BOXES) -> SealedShares:
    return read_sealed(CONTEXT, EPHEMERAL, PROOF, boxes, OTHERS)


def spoiled(seat: int) -> SealedShares:
    place = SEALED_BYTES * OTHERS.index(seat)
    return sealed(BOXES[:place] + bytes([BOXES[place] ^ 1]) + BOXES[place + 1 :])


def test_each_seat_opens_its_own_share() -> None:
    for seat in OTHERS:
        share = open_share(sealed(), route(seat), SHARING.commitments, KEYS[seat].box_secret)
        assert share == SHARING.shares[seat]
        assert base_mul(share.expose()) == share_public(SHARING.commitments, seat)


def test_no_seat_opens_the_share_of_another() -> None:
    for seat in OTHERS:
        for other in OTHERS:
            if other != seat:
                with pytest.raises((ProofError, MalformedError)):
                    open_share(sealed(), route(seat), SHARING.commitments, KEYS[other].box_secret)


def test_a_share_that_was_sealed_for_another_round_seat_or_dealer_does_not_open() -> None:
    secret = KEYS[0].box_secret
    for other in (
        replace(route(0), round_index=CONTEXT.round_index + 1),
        replace(route(0), dealer=2),
        replace(route(0), table_id=bytes(16)),
    ):
        with pytest.raises((ProofError, MalformedError)):
            open_share(sealed(), other, SHARING.commitments, secret)


def test_a_share_is_not_in_what_is_said_and_two_sealings_differ() -> None:
    again = seal_shares(CONTEXT, DEALER, SHARING, BOX_KEYS, chance("again"))
    said = EPHEMERAL + PROOF + BOXES
    for share in SHARING.shares:
        assert encode_scalar(share.expose()) not in said
    assert again[0] != EPHEMERAL
    assert again[2] != BOXES


def test_nothing_secret_is_shown() -> None:
    shown = repr(KEYS[DEALER]) + repr(sealed()) + repr(SHARING)
    for share in SHARING.shares:
        assert str(share.expose()) not in shown
        assert encode_scalar(share.expose()).hex() not in shown
    assert BOXES[:32].hex() not in shown


def test_who_does_not_know_what_it_seals_with_is_refused() -> None:
    elsewhere = replace(CONTEXT, author=b"another author of this".ljust(32, b"."))
    with pytest.raises(ProofError):
        read_sealed(elsewhere, EPHEMERAL, PROOF, BOXES, OTHERS)
    with pytest.raises(ProofError):
        read_sealed(CONTEXT, BASE.encoded, PROOF, BOXES, OTHERS)


@pytest.mark.parametrize("boxes", [b"", BOXES[:-1], BOXES + b"\0", BOXES + BOXES[:32]])
def test_another_number_of_shares_is_refused(boxes: bytes) -> None:
    with pytest.raises(MalformedError):
        read_sealed(CONTEXT, EPHEMERAL, PROOF, boxes, OTHERS)


def test_a_false_share_is_seen_by_its_seat_and_shown_to_everybody() -> None:
    for seat in OTHERS:
        bad, secret = spoiled(seat), KEYS[seat].box_secret
        with pytest.raises((ProofError, MalformedError)):
            open_share(bad, route(seat), SHARING.commitments, secret)
        shown = complain(CONTEXT, bad, secret, chance(f"complain {seat}"))
        check_complaint(CONTEXT, bad, route(seat), SHARING.commitments, BOX_KEYS[seat], shown)


def test_a_complaint_about_a_share_that_is_right_is_refused() -> None:
    shown = complain(CONTEXT, sealed(), KEYS[0].box_secret, chance("lie"))
    with pytest.raises(ProofError, match="as it should be"):
        check_complaint(CONTEXT, sealed(), route(0), SHARING.commitments, BOX_KEYS[0], shown)


def test_a_complaint_with_another_key_than_its_seats_own_is_refused() -> None:
    shown = complain(CONTEXT, sealed(), Secret(12345), chance("other key"))
    with pytest.raises(ProofError, match="does not hold"):
        check_complaint(CONTEXT, sealed(), route(0), SHARING.commitments, BOX_KEYS[0], shown)


def test_a_complaint_is_good_in_its_own_statement_alone() -> None:
    bad = spoiled(2)
    shown = complain(CONTEXT, bad, KEYS[2].box_secret, chance("there"))
    elsewhere = replace(CONTEXT, step=CONTEXT.step + 1)
    with pytest.raises(ProofError, match="does not hold"):
        check_complaint(elsewhere, bad, route(2), SHARING.commitments, BOX_KEYS[2], shown)


def test_a_complaint_opens_that_one_share_and_no_other() -> None:
    bad = spoiled(2)
    shown = complain(CONTEXT, bad, KEYS[2].box_secret, chance("one"))
    for seat in (0, 3):
        with pytest.raises((ProofError, MalformedError)):
            check_complaint(CONTEXT, bad, route(seat), SHARING.commitments, BOX_KEYS[seat], shown)


def test_keys_of_a_round_commit_to_the_sharing_too() -> None:
    def keys(threshold: int) -> bytes:
        return derive_round_keys(
            b"r" * 32, table_id=bytes(16), round_index=0, seat=0, threshold=threshold, seats=5
        ).commitment

    assert len({keys(threshold) for threshold in (0, 3, 4)}) == 3


def test_sharing_of_a_derived_key_is_of_that_key() -> None:
    keys = party(seats=2).keys[0]
    sharing = derive_sharing(keys.secret, b"s" * 32, place=(b"t",), threshold=2, seats=2)
    assert sharing.commitments[0] == keys.public
