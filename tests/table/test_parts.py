"""Partial shares: what t others give is the share that a seat would give, and nothing else passes."""

from dataclasses import replace

import pytest

from tests.deal.helpers import CONTEXT, chance, party
from unop2p.deal.group import base_mul, mul
from unop2p.deal.keys import RoundKeys, derive_round_keys
from unop2p.deal.masking import FaceTable, MaskedCard, trivial_cards
from unop2p.deal.shares import make_shares
from unop2p.errors import MalformedError, ProofError
from unop2p.ids import Seat
from unop2p.table import bodies
from unop2p.table.parts import (
    HeldShare,
    PartTask,
    SealTask,
    StandInTask,
    combined,
    opened_face,
)
from unop2p.table.standing import route
from unop2p.table.work import CheckedShares, SharesTask

SEATS, THRESHOLD = 4, 3
AWAY = Seat(3)
CARDS = party(seats=4).cards[:2]


def keys_of(seat: int) -> RoundKeys:
    return derive_round_keys(
        bytes([seat + 1]) * 32,
        table_id=CONTEXT.table_id,
        round_index=CONTEXT.round_index,
        seat=seat,
        threshold=THRESHOLD,
        seats=SEATS,
    )


KEYS = [keys_of(seat) for seat in range(SEATS)]
SEAL = SealTask(
    context=CONTEXT,
    dealer=AWAY,
    box_keys={Seat(s): base_mul(KEYS[s].box_secret.expose()) for s in range(SEATS) if s != AWAY},
)
SAID, CHECKED = SEAL.make(KEYS[AWAY], b"seed" * 8)


def held(seat: int) -> HeldShare:
    sharing = KEYS[AWAY].sharing
    assert sharing is not None
    return HeldShare(
        route=route(CONTEXT.table_id, CONTEXT.round_index, AWAY, Seat(seat)),
        sealed=CHECKED.sealed,
        commitments=sharing.commitments,
    )


def task(seat: int, cards: tuple[MaskedCard, ...] = CARDS) -> StandInTask:
    part = PartTask(seat=AWAY, held=held(seat), positions=(4, 9), cards=cards)
    own = SharesTask(context=CONTEXT, key=KEYS[seat].public, positions=(4, 9), cards=cards)
    return StandInTask(context=CONTEXT, own=own, parts=(part,))


def test_what_was_sealed_passes_its_check_and_is_right_for_each_seat() -> None:
    assert SEAL.check(SAID, trusted=False) == CHECKED
    assert all(held(seat).is_right(KEYS[seat]) for seat in range(SEATS) if seat != AWAY)
    assert not held(0).is_right(KEYS[1])


def test_partial_shares_together_are_the_share_of_who_is_away() -> None:
    given = {}
    for seat in range(THRESHOLD):
        body, _ = task(seat).make(KEYS[seat], b"part" * 8)
        checked = task(seat).check(body, trusted=False)
        assert isinstance(checked.own, CheckedShares)
        given[Seat(seat)] = checked.parts[0]
    own = tuple(mul(KEYS[AWAY].secret.expose(), card.c1) for card in CARDS)
    assert combined(given, THRESHOLD) == own


def test_a_part_of_another_seat_card_or_step_does_not_hold() -> None:
    body, _ = task(0).make(KEYS[0], b"part" * 8)
    for other in (
        task(1),
        task(0, (CARDS[1], CARDS[0])),
        replace(task(0), context=replace(CONTEXT, step=99)),
    ):
        with pytest.raises(ProofError):
            other.check(body, trusted=False)


def test_an_own_share_does_not_pass_for_a_part() -> None:
    body, _ = task(0).make(KEYS[0], b"part" * 8)
    own = make_shares(CONTEXT, KEYS[0].secret, CARDS, chance("own"))
    false = replace(body, parts=(bodies.Part(seat=AWAY, data=own),))
    with pytest.raises(ProofError):
        task(0).check(false, trusted=False)


def test_parts_that_are_not_due_or_lack_are_refused() -> None:
    body, _ = task(0).make(KEYS[0], b"part" * 8)
    (part,) = body.parts
    for parts in ((), (part, part), (replace(part, seat=Seat(2)),)):
        with pytest.raises(MalformedError):
            task(0).check(replace(body, parts=parts), trusted=False)
    with pytest.raises(MalformedError, match="none are due"):
        replace(task(0), own=None).check(body, trusted=False)
    with pytest.raises(MalformedError):
        task(0).check(replace(body, own=b""), trusted=False)


def test_a_seat_that_stands_in_and_owes_nothing_itself_gives_parts_alone() -> None:
    alone = replace(task(1), own=None)
    body, _ = alone.make(KEYS[1], b"alone" * 8)
    assert body.own == b""
    assert alone.check(body, trusted=False).own is None


def test_who_got_a_false_share_cannot_give_a_part() -> None:
    spoiled = {**CHECKED.sealed.boxes, 0: bytes(32)}
    bad = replace(held(0), sealed=replace(CHECKED.sealed, boxes=spoiled))
    assert not bad.is_right(KEYS[0])
    part = PartTask(seat=AWAY, held=bad, positions=(4, 9), cards=CARDS)
    with pytest.raises((ProofError, MalformedError)):
        part.make(CONTEXT, KEYS[0], chance("part"))


def test_a_complaint_about_a_false_share_holds_and_one_about_a_right_share_does_not() -> None:
    spoiled = {**CHECKED.sealed.boxes, 0: bytes(32)}
    bad = replace(held(0), sealed=replace(CHECKED.sealed, boxes=spoiled))
    box_key = base_mul(KEYS[0].box_secret.expose())
    complaint = bad.complain(CONTEXT, KEYS[0], chance("complain"))
    assert complaint.seat == AWAY
    bad.check_complaint(CONTEXT, box_key, complaint.opening)
    with pytest.raises(ProofError, match="as it should be"):
        held(0).check_complaint(CONTEXT, box_key, complaint.opening)


def test_no_part_or_share_is_shown_where_tasks_are_printed() -> None:
    sharing = KEYS[AWAY].sharing
    assert sharing is not None
    shown = repr(task(0)) + repr(SEAL) + repr(CHECKED)
    assert all(str(share.expose()) not in shown for share in sharing.shares)


def test_a_card_that_opens_to_no_face_is_refused() -> None:
    faces = FaceTable(["R1", "R2"])
    (card,) = trivial_cards([faces.point("R1")], base_mul(5))
    assert opened_face(faces, card, (base_mul(5),)) == "R1"
    with pytest.raises(ProofError, match="no face"):
        opened_face(faces, card, (base_mul(6),))
