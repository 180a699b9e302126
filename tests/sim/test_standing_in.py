"""Others stand in for a seat that is not there: whatever the step, and without seeing its hand.

Real peers in the toy group, which has every line of the proofs and no secrecy: what is tested of secrecy
here is what anybody could put together from what was said and held, not what logarithms would tell.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import combinations

import pytest

from tests.peer.test_faults import peer_with
from tests.peer.test_restart import KillAfterPersist
from tests.sim.standing import ONE_ROUND, at, chain_of, kind_of, seat_of, table
from tests.sim.test_absence import assert_well, long, told, words_of
from tests.wire.records import FalseKeyShare
from unop2p.deal.group import encode_scalar, mul, sub, sum_points
from unop2p.deal.keys import RoundKeys
from unop2p.deal.sealed import open_share
from unop2p.deal.standin import combine
from unop2p.ids import Seat
from unop2p.rules.due import AnswerChallenge
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import notices
from unop2p.table.checks import held_share
from unop2p.table.commands import LeaveTable
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.wire import codec
from unop2p.wire.audit import Finding, audit

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with in_toy_group():
        yield


def keys_of(ring: Ring, index: int) -> RoundKeys:
    keys = chain_of(ring, index).keys
    assert keys is not None
    return keys


def some_other(ring: Ring, index: int) -> int:
    return (index + 1) % len(ring.places)


def assert_scored_whole(ring: Ring, index: int) -> None:
    """Check that the first round was neither void nor scored without a hand."""
    assert not told(ring, index, notices.RoundVoid)
    (ended,) = told(ring, index, notices.RoundEnded)
    assert isinstance(ended, notices.RoundEnded)
    assert ended.unopened == ()


KINDS = [
    (4, 1, 1, "shuffle"),
    (4, 1, 1, "first deal"),
    (4, 1, 3, "draw"),
    (4, 1, 3, "penalty 2"),
    (4, 1, 1, "penalty 4"),
    (4, 1, 1, "answer"),
    (4, 1, 3, "PassHands"),
    (4, 1, 3, "move"),
    (4, 1, 1, "hands"),
]
LONG = [
    (4, 1, 3, "penalty 6"),
    (4, 1, 3, "reaction"),
    (4, 1, 5, "ShuffleHands"),
    (5, 2, 1, "ShufflePile"),
    (5, 2, 1, "ShuffleHands"),
    (5, 2, 2, "PassHands"),
    (10, 1, 1, "draw"),
    (10, 1, 1, "hands"),
]


@pytest.mark.parametrize(
    ("seats", "resilience", "seed", "kind"),
    [
        *KINDS,
        *(pytest.param(*case, marks=[pytest.mark.soak, pytest.mark.timeout(900)]) for case in LONG),
    ],
)
def test_a_seat_that_falls_silent_at_any_step_is_stood_in_for_to_the_end(
    seats: int, resilience: int, seed: int, kind: str
) -> None:
    ring = table(seats, resilience, seed)
    ring.run(at(kind))
    silent = 2
    other = some_other(ring, silent)
    assert not told(ring, other, notices.RoundEnded), "no occasion"
    ring.stop(silent)
    ring.run()
    assert_well(ring)
    assert told(ring, other, notices.SeatAway)
    assert_scored_whole(ring, other)


@pytest.mark.parametrize("kind", ["first deal", *long("shuffle", "PassHands", "move")])
@pytest.mark.parametrize("restarted", [True, False], ids=["restarted", "woken"])
def test_a_seat_that_is_back_takes_up_its_hand_and_gives_its_own_shares(
    kind: str, *, restarted: bool
) -> None:
    ring = table(4, 1, 3)
    ring.run(at(kind))
    ring.stop(2)
    seat = seat_of(ring, 2)
    ring.run(lambda r: seat in chain_of(r, 0).state.away)
    ring.run(lambda r: len(told(r, 0, notices.MoveMade)) > 4)
    (ring.crash if restarted else ring.wake)(2)
    ring.run(lambda r: bool(told(r, 0, notices.SeatBack)))
    ring.run(lambda r: chain_of(r, 2).state.plan.phase is Phase.TURN)
    chain = chain_of(ring, 2)
    assert chain.own is not None
    assert len(chain.own.hand(chain.state)) == len(chain.state.hands[seat]) > 0
    ring.run()
    assert_well(ring)
    assert_scored_whole(ring, 0)


def test_all_that_moves_cards_goes_on_while_a_seat_is_away_all_a_round_long() -> None:
    ring = table(4, 1, 2)
    ring.run(at("turn"))
    ring.stop(2)
    seat = seat_of(ring, 2)
    seen: set[str] = set()

    def look(running: Ring) -> bool:
        state = chain_of(running, 0).state
        if seat in state.away:
            seen.add(kind_of(state))
        return False

    ring.run(look)
    assert seen >= {"answer", "PassHands", "ShuffleHands", "move", "penalty 2", "draw", "hands"}
    assert_well(ring)
    assert_scored_whole(ring, 0)


def test_a_pile_is_shuffled_anew_and_drawn_from_while_a_seat_is_away() -> None:
    ring = table(4, 1, 1, draws=True)
    ring.run(at("turn"))
    ring.stop(2)
    seat = seat_of(ring, 2)
    ring.run(lambda r: kind_of(chain_of(r, 0).state) == "ShufflePile")
    assert seat in chain_of(ring, 0).state.away
    old = max(chain_of(ring, 0).state.cards)
    ring.run(lambda r: kind_of(chain_of(r, 0).state) == "turn")
    state = chain_of(ring, 0).state
    assert state.pile, "there is one again"
    assert min(state.pile) > old
    assert set(state.masks[state.pile[0]]) == set(state.members), "under the keys of all"
    first = state.pile[0]
    ring.run(lambda r: first not in chain_of(r, 0).state.pile)
    ring.run(lambda r: kind_of(chain_of(r, 0).state) == "turn")
    state = chain_of(ring, 0).state
    (holder,) = [other for other, hand in state.hands.items() if first in hand]
    assert seat in state.shares[first]
    assert holder not in state.shares[first], "its holder alone can open it"
    assert audit(ring.places[0].record).finding is Finding.INCOMPLETE


def test_who_is_challenged_and_goes_away_is_guilty_and_gets_its_cards() -> None:
    ring = table(4, 1, 3)
    ring.run(at("answer"))
    state = chain_of(ring, 0).state
    assert state.round is not None
    assert isinstance(state.round.due, AnswerChallenge)
    accused = state.round.due.accused
    place = next(index for index in range(4) if seat_of(ring, index) == accused)
    other = some_other(ring, place)
    before = len(state.hands[accused])
    ring.stop(place)
    ring.run(lambda r: bool(told(r, other, notices.ChallengeSettled)))
    (settled,) = told(ring, other, notices.ChallengeSettled)
    assert settled == notices.ChallengeSettled(accused=accused, shown=None, silent=True)
    ring.run(lambda r: kind_of(chain_of(r, other).state) == "turn")
    assert len(chain_of(ring, other).state.hands[accused]) == before + 4
    ring.run()
    assert_well(ring)
    assert_scored_whole(ring, other)


# -- secrecy -----------------------------------------------------------------------------------


def without_a_seat() -> tuple[Ring, Seat]:
    """Return a table of four that has stood in for a seat for a while, which holds cards unseen."""
    ring = table(4, 1, 3)
    ring.run(at("turn"))
    ring.stop(2)
    seat = seat_of(ring, 2)
    ring.run(lambda r: seat in chain_of(r, 0).state.away)
    ring.run(lambda r: kind_of(chain_of(r, 0).state) == "hands")
    return ring, seat


def opened_by(ring: Ring, state: TableState, seat: Seat, coalition: tuple[int, ...]) -> set[int]:
    """Return which cards of an away seat's hand some seats open with the shares that they hold."""
    assert state.standing is not None
    found: set[int] = set()
    for position in state.hands[seat]:
        card = state.cards[position]
        parts = {}
        for index in coalition:
            member = seat_of(ring, index)
            held = held_share(state, seat, member)
            keys = keys_of(ring, index)
            share = open_share(held.sealed, held.route, held.commitments, keys.box_secret)
            parts[int(member)] = mul(share.expose(), card.c1)
        own = combine(parts, len(parts))
        others = sum_points(state.residual_shares(position, seat))
        if state.faces.find(sub(card.c2, sum_points([own, others]))) is not None:
            found.add(position)
    return found


def test_fewer_than_the_threshold_cannot_open_the_hand_of_who_is_away_and_the_threshold_can() -> (
    None
):
    ring, seat = without_a_seat()
    state = chain_of(ring, 0).state
    assert state.threshold == 3
    hand = set(state.hands[seat])
    assert hand
    there = [index for index in range(4) if index != 2]
    for few in [*combinations(there, 1), *combinations(there, 2)]:
        assert opened_by(ring, state, seat, few) == set()
    assert opened_by(ring, state, seat, tuple(there)) == hand


def test_no_step_before_the_end_asks_for_a_share_of_a_card_in_the_hand_of_who_is_away() -> None:
    ring = table(4, 1, 3)
    ring.run(at("turn"))
    ring.stop(2)
    seat = seat_of(ring, 2)
    looked = 0

    def look(running: Ring) -> bool:
        nonlocal looked
        state = chain_of(running, 0).state
        for part in state.plan.standins:
            if state.plan.phase is Phase.DEAL:
                looked += 1
                assert part.seat == seat
                assert not set(part.positions) & set(state.hands[seat])
                dealt = {p for p, receiver in state.plan.dealt if receiver == seat}
                assert not set(part.positions) & dealt
        if state.plan.phase is not Phase.HANDS:
            for position in state.hands.get(seat, ()):
                assert seat not in state.shares.get(position, {}) or position in state.known
        return state.over

    ring.run(look)
    assert looked > 10


def bytes_in(payload: bytes) -> list[bytes]:
    """Return every byte string of a message, decoded."""
    found: list[bytes] = []

    def walk(value: object) -> None:
        if isinstance(value, bytes):
            found.append(value)
        elif isinstance(value, tuple):
            for item in value:
                walk(item)
        elif is_dataclass(value):
            for field in fields(value):
                walk(getattr(value, field.name))

    walk(codec.decode(payload))
    return found


def test_no_share_of_a_key_is_in_anything_that_was_said() -> None:
    ring, _ = without_a_seat()
    written = b"".join(
        raw for place in ring.places for signed in place.said for raw in bytes_in(signed.payload)
    )
    for index in range(4):
        keys = keys_of(ring, index)
        assert keys.sharing is not None
        for share in (*keys.sharing.shares, keys.secret, keys.box_secret):
            raw = encode_scalar(share.expose())
            assert raw not in written
        assert keys.sharing.commitments[1].encoded in written, "it is looked for rightly"


# -- false shares ------------------------------------------------------------------------------


def test_who_gives_out_a_false_share_is_put_out_and_the_round_is_dealt_anew() -> None:
    options = with_overrides(preset("official"), ONE_ROUND)
    ring = Ring(4, options, seed=1, resilience=1, peers={3: peer_with(FalseKeyShare)})
    ring.run(lambda r: all(place.stop for place in r.places))
    assert [n.seat for n in told(ring, 0, notices.SeatExpelled)] == [3]  # type: ignore[union-attr]
    (void,) = told(ring, 0, notices.RoundVoid)
    assert isinstance(void, notices.RoundVoid)
    assert "p3" in void.reason
    assert told(ring, 0, notices.RoundEnded), "the others play on"
    for index in range(3):
        report = audit(ring.places[index].record)
        assert (report.finding, report.author) == (Finding.FAULT, "p3"), report.reason
        assert "false share" in report.reason


def test_a_complaint_of_who_was_left_out_expels_the_liar_and_no_more() -> None:
    options = with_overrides(preset("official"), ONE_ROUND)
    ring = Ring(5, options, seed=2, think_ms=500, resilience=2, peers={4: peer_with(FalseKeyShare)})
    ring.run(lambda r: r.places[0].peer.chain is not None and chain_of(r, 0).state.stands)
    assert 0 not in chain_of(ring, 0).open.statements
    ring.stop(0)
    ring.run(lambda r: bool(told(r, 1, notices.SeatAway)))
    assert not told(ring, 1, notices.SeatExpelled)
    ring.wake(0)
    ring.run(lambda r: bool(told(r, 1, notices.SeatExpelled)))
    state = chain_of(ring, 1).state
    assert state.gone == {4: "expelled"}
    assert state.standing is not None
    assert state.standing.unable == {(4, 0)}
    assert not told(ring, 1, notices.RoundVoid)
    ring.run(lambda r: all(place.stop for place in r.places))
    assert_scored_whole(ring, 1)
    assert audit(ring.places[1].record).author == "p4"


# -- too few, and gone for good ----------------------------------------------------------------


def test_who_leaves_shows_no_hand_and_the_others_open_it_at_the_end() -> None:
    ring = table(4, 1, 3)
    ring.run(lambda r: len(told(r, 0, notices.MoveMade)) > 4)
    ring.submit(1, LeaveTable())
    ring.run(lambda r: bool(told(r, 0, notices.SeatLeft)))
    state = chain_of(ring, 0).state
    leaver = next(iter(state.gone))
    assert state.hands[leaver]
    assert not state.left_hands
    assert not any(position in state.known for position in state.hands[leaver])
    ring.run()
    (ended,) = told(ring, 0, notices.RoundEnded)
    assert isinstance(ended, notices.RoundEnded)
    assert ended.hands[leaver], "it is scored like any other"
    assert_scored_whole(ring, 0)
    assert audit(ring.places[0].record).finding is Finding.COMPLETE


def test_with_fewer_than_the_threshold_the_round_waits_and_goes_on_when_one_is_back() -> None:
    ring = table(5, 1, 2)
    ring.run(at("turn"))
    ring.stop(3)
    ring.stop(4)
    ring.run(lambda r: chain_of(r, 0).state.plan.phase is Phase.WAIT)
    step = chain_of(ring, 0).open.step
    ring.run(lambda r: chain_of(r, 0).open.step > step + 1)
    assert chain_of(ring, 0).state.plan.phase is Phase.WAIT
    ring.crash(4)
    ring.run(lambda r: chain_of(r, 0).state.plan.phase is Phase.DEAL)
    ring.run()
    assert_well(ring)
    assert_scored_whole(ring, 0)


def test_with_too_few_left_for_good_the_round_is_void_and_the_next_is_played() -> None:
    ring = table(5, 1, 2)
    ring.run(lambda r: len(told(r, 0, notices.MoveMade)) > 2)
    ring.submit(3, LeaveTable())
    ring.submit(4, LeaveTable())
    ring.run()
    (void,) = told(ring, 0, notices.RoundVoid)
    assert isinstance(void, notices.RoundVoid)
    assert "too few" in void.reason
    assert told(ring, 0, notices.RoundEnded)
    assert audit(ring.places[0].record).finding is Finding.COMPLETE


# -- crashes -----------------------------------------------------------------------------------


def test_killed_between_disk_and_network_who_stands_in_says_the_same_again() -> None:
    crash = KillAfterPersist(0)
    options = with_overrides(preset("official"), ONE_ROUND)
    ring = Ring(4, options, seed=1, think_ms=500, crash=crash, resilience=1)
    ring.run(at("turn"))
    ring.stop(2)
    ring.run()
    assert crash.kills > 20
    assert all(len(said) == 1 for said in words_of(ring, 0).values())
    assert_well(ring)
