"""Seats that fall silent: the others go on without them, and with them again once they are back.

Real peers in the toy group, which has every line of the proofs and no secrecy.
"""

import random
from collections.abc import Callable, Iterator

import pytest

from tests.peer.test_restart import KillAfterPersist
from tests.sim.waiting import played_on, waiting_round
from unop2p.errors import IllegalMoveError
from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Statement, Try
from unop2p.peer.chain import Chain
from unop2p.peer.patience import SHORT_MS
from unop2p.peer.voter import IDLE_STEP_MS
from unop2p.rules.options import preset, with_overrides
from unop2p.sim.ring import Network, Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import notices
from unop2p.table.commands import GiveUpRound, LeaveTable
from unop2p.table.genesis import Timers
from unop2p.table.phases import Phase
from unop2p.wire import codec
from unop2p.wire.audit import Finding, audit

pytestmark = pytest.mark.slow

PATIENCE_MS = Timers().patience_ms
ONE_ROUND = {"match_end": "rounds", "target": 1}


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with in_toy_group():
        yield


def table(seats: int, seed: int, *, rules: str = "official", argument: str = "proved") -> Ring:
    options = with_overrides(preset(rules), ONE_ROUND)
    return Ring(seats, options, seed=seed, argument=argument, think_ms=500)


def long(*values: object) -> list[object]:
    """Return cases of a kind that another one stands for where tests have to be quick."""
    return [pytest.param(value, marks=pytest.mark.soak) for value in values]


def chain_of(ring: Ring, index: int) -> Chain:
    chain = ring.places[index].peer.chain
    assert chain is not None
    return chain


def due_in(phase: Phase, index: int) -> Callable[[Ring], bool]:
    """Return whether a seat owes a piece of its own in a phase, and has not said it."""

    def due(ring: Ring) -> bool:
        chain = ring.places[index].peer.chain
        return (
            chain is not None
            and chain.state.plan.phase is phase
            and chain.seat in chain.state.plan.speakers
            and chain.seat not in chain.open.statements
        )

    return due


def told(ring: Ring, index: int, kind: type[notices.Notice]) -> list[notices.Notice]:
    return [notice for notice in ring.places[index].notices if isinstance(notice, kind)]


def assert_well(ring: Ring) -> None:
    """Check that all that still run have ended alike, that records audit, and nobody is blamed."""
    running = [place for index, place in enumerate(ring.places) if index not in ring.down]
    heads = {place.peer.chain.state.head for place in running if place.peer.chain is not None}
    assert len(heads) == 1
    for place in running:
        assert place.stop is not None
        assert place.stop.exit_code == 0, place.stop.reason
        assert place.peer.chain is not None
        assert place.peer.chain.fault is None
        report = audit(place.record)
        assert report.finding is Finding.COMPLETE, report.reason


@pytest.mark.parametrize(
    "phase", [Phase.REVEAL, Phase.SHUFFLE, *long(Phase.DEAL), Phase.TURN, Phase.HANDS]
)
def test_the_match_ends_without_a_seat_that_falls_silent_for_good(phase: Phase) -> None:
    ring = table(4, 1 if phase is not Phase.HANDS else 4)
    ring.run(due_in(phase, 2))
    step, at_ms = chain_of(ring, 2).open.step, ring.now_ms
    ring.stop(2)
    ring.run(lambda r: bool(told(r, 0, notices.SeatAway)))
    (away,) = told(ring, 0, notices.SeatAway)
    assert away == notices.SeatAway(seat=chain_of(ring, 0).state.seats[2], step=step)
    assert ring.now_ms - at_ms <= PATIENCE_MS + 2_000
    ring.run()
    assert_well(ring)


def test_a_seat_that_does_not_hear_the_table_begin_sits_a_round_out_and_plays_the_next() -> None:
    options = with_overrides(preset("official"), {"match_end": "rounds", "target": 2})
    ring = Ring(4, options, seed=1, think_ms=500)
    ring.run(lambda r: r.places[0].peer.chain is not None)
    ring.stop(2)
    ring.run(lambda r: bool(told(r, 0, notices.SeatAway)))
    assert chain_of(ring, 0).state.members == (0, 1, 3)
    ring.crash(2)
    ring.run(lambda r: chain_of(r, 0).state.round_index == 1 and bool(chain_of(r, 0).state.members))
    assert chain_of(ring, 0).state.members == (0, 1, 2, 3)
    ring.run()
    assert_well(ring)


@pytest.mark.parametrize("phase", [*long(Phase.REVEAL, Phase.DEAL), Phase.TURN])
@pytest.mark.parametrize("restarted", [True, False], ids=["restarted", "woken"])
def test_a_seat_that_was_left_out_comes_back_and_plays(phase: Phase, *, restarted: bool) -> None:
    ring = table(4, 1)
    ring.run(due_in(phase, 2))
    ring.stop(2)
    ring.run(lambda r: bool(told(r, 0, notices.SeatAway)) and r.now_ms > PATIENCE_MS + 3_000)
    at_ms = ring.now_ms
    (ring.crash if restarted else ring.wake)(2)
    ring.run(lambda r: bool(told(r, 0, notices.SeatBack)))
    assert 2 in chain_of(ring, 0).state.active
    assert ring.now_ms - at_ms <= 5_000
    ring.run()
    assert_well(ring)


def test_a_seat_that_is_back_has_its_hand_and_the_old_pile_is_used_again() -> None:
    ring = table(4, 1)
    ring.run(due_in(Phase.TURN, 2))
    hand = tuple(chain_of(ring, 2).state.hands[Seat(2)])
    ring.stop(2)
    ring.run(lambda r: bool(told(r, 0, notices.SeatAway)))
    others = chain_of(ring, 0).state
    whole = chain_of(ring, 0).state.seats
    assert others.pile == []
    aside = list(others.aside[whole])
    ring.run(lambda r: bool(chain_of(r, 0).state.pile))
    fresh = chain_of(ring, 0).state
    assert {fresh.masks[position] for position in fresh.pile} == {(0, 1, 3)}
    ring.crash(2)
    ring.run(lambda r: bool(told(r, 0, notices.SeatBack)))
    state = chain_of(ring, 0).state
    assert state.pile == aside[: len(state.pile)] or state.pile[0] in aside
    assert set(hand) <= set(state.hands[Seat(2)])
    ring.run()
    assert_well(ring)


def test_a_hand_that_its_holder_does_not_open_counts_as_all_fifties() -> None:
    ring = table(3, 6)
    ring.run(lambda r: bool(told(r, 0, notices.MoveMade)) and len(told(r, 0, notices.MoveMade)) > 6)
    ring.stop(1)
    ring.run()
    (ended,) = told(ring, 0, notices.RoundEnded)
    assert isinstance(ended, notices.RoundEnded)
    assert ended.unopened == (1,)
    assert ended.hands[1] == ()
    winner = ended.outcome.winner
    assert winner is not None
    assert ended.outcome.points[winner] >= 50
    assert_well(ring)


def test_two_of_four_wait_and_go_on_at_once_when_a_third_is_back() -> None:
    ring = table(4, 3)
    ring.run(due_in(Phase.TURN, 2))
    ring.stop(2)
    ring.stop(3)
    step = chain_of(ring, 0).open.step
    ring.run(lambda r: r.now_ms > 200_000)
    assert chain_of(ring, 0).open.step <= step + 1, "half of the table is no majority"
    assert not told(ring, 0, notices.SeatAway)
    assert told(ring, 0, notices.Waiting)
    at_ms = ring.now_ms
    ring.crash(3)
    ring.run(lambda r: bool(told(r, 0, notices.SeatAway)))
    assert ring.now_ms - at_ms <= PATIENCE_MS
    ring.run()
    assert_well(ring)


def test_two_seats_wait_for_each_other_and_lose_no_time_by_it() -> None:
    ring = table(2, 3)
    ring.run(due_in(Phase.TURN, 1))
    ring.stop(1)
    ring.run(lambda r: r.now_ms > 100_000)
    at_ms, step = ring.now_ms, chain_of(ring, 0).open.step
    ring.wake(1)
    ring.run(lambda r: chain_of(r, 0).open.step > step)
    assert ring.now_ms - at_ms <= 6_000
    ring.run()
    assert_well(ring)


def test_a_seat_that_often_lets_others_wait_is_waited_for_shortly() -> None:
    ring = table(3, 6)
    ring.run(due_in(Phase.TURN, 1))
    for _ in range(3):
        chain_of(ring, 0).voter.patience.note(0, Seat(1), 20_000)
        chain_of(ring, 2).voter.patience.note(0, Seat(1), 20_000)
    at_ms = ring.now_ms
    ring.stop(1)
    ring.run(lambda r: bool(told(r, 0, notices.SeatAway)))
    assert ring.now_ms - at_ms <= SHORT_MS + 1_000


def test_a_seat_that_cannot_shuffle_for_another_is_not_left_out_with_it() -> None:
    ring = table(4, 1)
    ring.run(lambda r: all(p.peer.chain and p.peer.chain.state.match for p in r.places))
    first = chain_of(ring, 0).state.shuffle_order()[0]
    ring.stop(first)
    other = next(index for index in range(4) if index != first)
    ring.run(lambda r: bool(told(r, other, notices.RoundVoid)))
    assert [n.seat for n in told(ring, other, notices.SeatAway)] == [first]  # type: ignore[union-attr]
    ring.run()
    assert_well(ring)


def test_who_does_not_show_the_seed_of_its_shuffles_is_put_out_and_the_round_does_not_count() -> (
    None
):
    ring = table(4, 1, argument="commit-reveal")
    ring.run(due_in(Phase.SEEDS, 2))
    ring.stop(2)
    ring.run(lambda r: bool(told(r, 0, notices.RoundVoid)))
    assert chain_of(ring, 0).state.gone == {2: "silent"}
    assert not told(ring, 0, notices.RoundEnded)
    ring.run()
    assert_well(ring)


@pytest.mark.parametrize("rules", ["greek", *long("hebrew", "ukrainian", "romanian")])
def test_every_preset_is_played_on_without_a_seat(rules: str) -> None:
    ring = table(4, 2, rules=rules)
    ring.run(due_in(Phase.TURN, 1))
    ring.stop(1)
    ring.run(lambda r: len(told(r, 0, notices.MoveMade)) > 30)
    ring.crash(1)
    ring.run()
    assert_well(ring)


@pytest.mark.parametrize("seed", [0, *long(1, 2, 3)])
def test_seats_come_and_go_at_random_on_a_bad_network(seed: int) -> None:
    rng = random.Random(seed)
    ring = Ring(
        4,
        with_overrides(preset("official"), ONE_ROUND),
        seed=seed,
        network=Network(loss=5, reorder=20),
        think_ms=500,
    )
    until: dict[int, int] = {}

    def come_and_go(running: Ring) -> bool:
        for index, at_ms in list(until.items()):
            if running.now_ms >= at_ms:
                del until[index]
                (running.crash if rng.random() < 0.5 else running.wake)(index)
        if not until and rng.random() < 0.004:
            index = rng.randrange(4)
            place = running.places[index]
            if place.stop is None and place.peer.chain is not None:
                until[index] = running.now_ms + rng.choice([2_000, 25_000, 40_000])
                running.stop(index)
        return False

    ring.run(come_and_go)
    assert_well(ring)


# -- leaving, giving up ------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (4, 3)])
def test_who_leaves_opens_its_hand_and_the_others_play_on(seats: int, seed: int) -> None:
    ring = table(seats, seed)
    ring.run(lambda r: len(told(r, 0, notices.MoveMade)) > 4)
    ring.submit(1, LeaveTable())
    ring.run(lambda r: bool(told(r, 0, notices.SeatLeft)))
    state = chain_of(ring, 0).state
    assert state.gone == {1: "left"}
    assert len(state.left_hands[Seat(1)]) == len(state.hands[Seat(1)]) > 0
    ring.run()
    place = ring.places[1]
    assert place.stop is not None
    assert place.stop.exit_code == 0
    (ended,) = told(ring, 0, notices.RoundEnded)
    assert isinstance(ended, notices.RoundEnded)
    assert ended.hands[1], "it is scored like any other"
    assert ended.unopened == ()
    for index in (0, 2):
        assert audit(ring.places[index].record).finding is Finding.COMPLETE


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_who_leaves_with_its_own_move_is_scored_for_what_it_then_has(seed: int) -> None:
    ring = table(3, seed)
    its_turn = due_in(Phase.TURN, 1)
    # It proves the card that it plays when its player wants to leave.
    ring.run(lambda r: its_turn(r) and chain_of(r, 1).making)
    ring.submit(1, LeaveTable())
    ring.run()
    (ended,) = told(ring, 0, notices.RoundEnded)
    assert isinstance(ended, notices.RoundEnded)
    assert ended.unopened == ()
    assert audit(ring.places[0].record).finding is Finding.COMPLETE


def test_of_two_the_one_who_stays_wins() -> None:
    ring = table(2, 1)
    ring.run(lambda r: len(told(r, 0, notices.MoveMade)) > 4)
    ring.submit(1, LeaveTable())
    ring.run()
    (ended,) = told(ring, 0, notices.MatchEnded)
    assert isinstance(ended, notices.MatchEnded)
    assert ended.winners == (0,)
    assert audit(ring.places[0].record).finding is Finding.COMPLETE


def test_a_round_with_one_player_there_waits_unhurried_and_goes_on_when_others_are_back() -> None:
    ring = waiting_round()
    step, at_ms = chain_of(ring, 0).open.step, ring.now_ms
    ring.run(lambda r: chain_of(r, 0).open.step >= step + 3)
    assert ring.now_ms - at_ms >= 3 * IDLE_STEP_MS - 1_000
    ring.network = Network()
    ring.run()
    assert told(ring, 0, notices.SeatBack)
    assert_well(ring)


def test_only_a_round_that_waits_can_be_given_up() -> None:
    ring = table(3, 1)
    ring.run(lambda r: len(told(r, 0, notices.MoveMade)) > 2)
    with pytest.raises(IllegalMoveError, match="can go on"):
        ring.submit(0, GiveUpRound())


def test_what_was_waited_for_given_up_and_left_is_in_the_record() -> None:
    ring = played_on()
    lines = ring.places[0].record
    assert audit(lines).finding is Finding.COMPLETE
    text = b"".join(lines)
    for word in (b"wait", b"void", b"carried", b"leave", b"try"):
        assert b'kind\\":\\"' + word in text, word


# -- crashes -----------------------------------------------------------------------------------


def words_of(ring: Ring, index: int) -> dict[tuple[str, int, int, bytes], set[bytes]]:
    """Return by kind, step, attempt and head what a peer has ever said there."""
    found: dict[tuple[str, int, int, bytes], set[bytes]] = {}
    public = ring.places[index].key.public_key().public_bytes_raw()
    for signed in ring.places[index].said:
        message = codec.decode(signed.payload)
        if isinstance(message, Statement | Try | Adopt) and signed.author == public:
            attempt = 0 if isinstance(message, Statement) else message.attempt
            place = (type(message).__name__, message.step, attempt, message.head)
            found.setdefault(place, set()).add(signed.payload)
    return found


def test_killed_between_disk_and_network_a_voter_says_the_same_again_in_attempts_too() -> None:
    crash = KillAfterPersist(0)
    options = with_overrides(preset("official"), ONE_ROUND)
    ring = Ring(4, options, seed=1, think_ms=500, crash=crash)
    ring.run(due_in(Phase.TURN, 2))
    ring.stop(2)
    ring.run()
    assert crash.kills > 20
    words = words_of(ring, 0)
    assert any(kind == "Try" for kind, *_ in words)
    assert all(len(said) == 1 for said in words.values())
    assert_well(ring)
