"""A record as frames: what each seat saw is seen again."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import pytest

from tests.peer.test_ring import SHORT
from tests.wire.records import fault, proved, replayed
from unop2p.deal.keys import SECRET_BYTES
from unop2p.ids import Seat
from unop2p.repl.replay import Replay, read_replay
from unop2p.rules.cards import Face
from unop2p.rules.options import PRESETS, Options, with_overrides
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table import notices
from unop2p.table.view import Stage

LONG = with_overrides(PRESETS["official"], {"deck": "108", "match_end": "rounds", "target": 2})
SWAPPING = with_overrides(
    PRESETS["official"], {"target": 1, "hand_moves": ["zero_rotates", "seven_swaps"]}
)


@dataclass
class Played:
    """A match among three seats, and what each saw after each step."""

    ring: Ring
    hands: dict[tuple[int, int], tuple[Face, ...]] = field(default_factory=dict)
    """By step that is open, and seat."""

    @property
    def record(self) -> tuple[bytes, ...]:
        return tuple(self.ring.places[0].record)


@cache
def played(options: Options = LONG, seed: int = 5) -> Played:
    """Play a match in the toy group, and look over the shoulders of all seats."""
    with in_toy_group():
        found = Played(Ring(3, options, seed=seed))

        def look(ring: Ring) -> bool:
            for seat, place in enumerate(ring.places):
                chain = place.peer.chain
                if chain is None or (chain.open.step, seat) in found.hands:
                    continue
                view = place.peer.view()
                if view.stage is Stage.PLAYING:
                    found.hands[view.step, seat] = view.hand
            return all(place.stop for place in ring.places)

        found.ring.run(look)
    return found


@pytest.fixture
def toy() -> Iterator[None]:
    """Read in the group in which the matches here are played."""
    with in_toy_group():
        yield


def lines_of(record: tuple[bytes, ...]) -> list[bytes]:
    return [line if line.endswith(b"\n") else line + b"\n" for line in record]


def replay_of(found: Played, **more: object) -> Replay:
    return read_replay(lines_of(found.record), **more)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_every_hand_is_seen_again_as_its_holder_saw_it() -> None:
    found = played()
    replay = replay_of(found)
    assert replay.wrong == ""
    compared = 0
    for place, frame in enumerate(replay.frames):
        for seat in range(3):
            seen = found.hands.get((frame.step + 1, seat))
            if seen is not None and frame.view.stage is Stage.PLAYING:
                assert replay.hand_of(place, Seat(seat)) == seen, (frame.step, seat)
                assert replay.seen_by(place, Seat(seat)).unknown == 0
                compared += 1
    assert compared > 100


@pytest.mark.usefixtures("toy")
def test_a_spectator_sees_no_hand_and_is_told_no_card_that_was_drawn() -> None:
    replay = replay_of(played())
    for place in range(len(replay.frames)):
        seen = replay.seen_by(place, None)
        assert seen.view.hand == ()
        assert not any(n.faces for n in seen.told if isinstance(n, notices.CardsDrawn))


@pytest.mark.usefixtures("toy")
def test_a_seat_is_told_which_cards_it_drew_and_not_what_others_drew() -> None:
    replay = replay_of(played())
    own: list[bool] = []
    others: list[bool] = []
    for place in range(len(replay.frames)):
        for notice in replay.seen_by(place, Seat(1)).told:
            if isinstance(notice, notices.CardsDrawn):
                (own if notice.seat == 1 else others).append(len(notice.faces) == notice.count)
    assert own
    assert all(own)
    assert not any(others)


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_cards_that_were_shuffled_on_stay_unknown_and_are_counted() -> None:
    found = played(SWAPPING, seed=3)
    replay = replay_of(found)
    assert hands_move(replay)
    unknown = 0
    for place, frame in enumerate(replay.frames):
        if frame.view.stage is not Stage.PLAYING:
            continue
        for seat in range(3):
            seen = replay.seen_by(place, Seat(seat))
            held = found.hands.get((frame.step + 1, seat))
            unknown += seen.unknown
            if held is not None:
                assert len(held) == len(seen.view.hand) + seen.unknown
                assert set(seen.view.hand) <= set(held)
    assert unknown > 0


def hands_move(replay: Replay) -> bool:
    told = [notice for frame in replay.frames for notice in frame.told]
    return any(isinstance(notice, notices.HandsMoved) for notice in told)


@pytest.mark.usefixtures("toy")
def test_rounds_begin_where_they_were_told_to() -> None:
    replay = replay_of(played())
    numbers = [replay.frames[place].view.round_number for place in replay.rounds()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 1
    last = replay.frames[-1].view
    assert (last.stage, last.round_number) == (Stage.OVER, len(numbers))


@pytest.mark.usefixtures("toy")
def test_a_record_that_is_cut_or_changed_is_shown_as_far_as_it_holds() -> None:
    whole = lines_of(played().record)
    count = len(read_replay(whole).frames)
    cut = read_replay([*whole[:20], whole[20][:-9]])
    assert (len(cut.frames), cut.wrong) == (19, "")
    spoiled = read_replay([*whole[:20], b"nonsense\n", *whole[20:]])
    assert len(spoiled.frames) == 19
    assert spoiled.wrong
    assert read_replay([]).frames == []
    assert read_replay([b"nonsense\n"]).wrong
    assert count > 19


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_own_cards_of_a_round_that_goes_on_are_read_with_its_secret() -> None:
    ring = Ring(3, LONG, seed=5)
    ring.run(lambda r: r.places[1].peer.view().step >= 8)
    view = ring.places[1].peer.view()
    assert view.stage is Stage.PLAYING
    secrets = list(ring.places[1].secrets.values())
    record = lines_of(tuple(ring.places[1].record))
    key = view_key(ring, 1)
    without = read_replay(record, own_key=key)
    last = len(without.frames) - 1
    assert without.seen_by(last, Seat(1)).unknown > 0
    wrong = [bytes(SECRET_BYTES), b"short", *secrets]
    replay = read_replay(record, own_key=key, secrets=wrong)
    seen = replay.seen_by(last, Seat(1))
    assert seen.unknown == 0
    assert len(seen.view.hand) == seen.view.seats[1].hand_count
    # Nobody else's hand is shown by it.
    assert replay.seen_by(last, Seat(0)).unknown == without.seen_by(last, Seat(0)).unknown
    other = read_replay(record, own_key=view_key(ring, 0), secrets=secrets)
    assert other.seen_by(last, Seat(0)).unknown > 0


def view_key(ring: Ring, index: int) -> bytes:
    table = ring.places[index].peer.lobby.table
    assert table is not None
    return table.keys[index]


@pytest.mark.slow
def test_hands_are_known_where_shuffles_are_replayed_after_the_round_too() -> None:
    replay = read_replay(lines_of(replayed()))
    assert replay.wrong == ""
    moved = next(
        place
        for place, frame in enumerate(replay.frames)
        if any(isinstance(notice, notices.HandsMoved) for notice in frame.told)
    )
    for place in range(moved, len(replay.frames)):
        assert replay.seen_by(place, Seat(0)).unknown == replay.seen_by(place, Seat(1)).unknown == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one", "doubt"])
def test_a_record_that_ends_with_evidence_says_against_whom(name: str) -> None:
    replay = read_replay(lines_of(fault(name)))
    assert replay.fault is not None
    assert replay.fault[0] in replay.names
    assert replay.frames


@pytest.mark.slow
def test_a_record_of_the_real_group_reads_the_same() -> None:
    replay = read_replay(lines_of(proved()))
    assert replay.wrong == ""
    assert replay.frames[-1].view.stage is Stage.OVER
    assert SHORT.target == replay.frames[0].view.options.target
