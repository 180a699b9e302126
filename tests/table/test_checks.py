"""Whatever a seat says: it stands, it is a fault of its author, or it cannot be judged yet.

Nothing else may come of it: a statement comes from the network, and an error that is no `RemoteError`
would end the program of everybody who reads it.
"""

import copy
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table.positions import Position, positions
from tests.wire.records import BODY_KINDS, rigged_audit
from unop2p.deal.group import BASE, Point
from unop2p.errors import MalformedError, ProofError, RemoteError
from unop2p.ids import Seat
from unop2p.rules.cards import Color, Face
from unop2p.rules.moves import Play
from unop2p.rules.public import problem
from unop2p.table import bodies
from unop2p.table.checks import FaultError, Said, check_for, is_small, unfounded
from unop2p.table.moves import move_of
from unop2p.table.phases import SPEAKER_BODIES, Phase
from unop2p.table.state import TableState
from unop2p.table.work import Checked

pytestmark = pytest.mark.slow

IDENTITY = bytes(32)
NOT_CANONICAL = b"\xff" * 32
HUGE = 10**30


def judged(state: TableState, seat: Seat, said: dict[Seat, Said]) -> Checked | None:
    """Check a statement to its end.

    Raises:
        RemoteError: it does not stand.
    """
    check = check_for(state, seat, said, trusted=False)
    return check() if callable(check) else check


def snapshot(state: TableState) -> tuple[object, ...]:
    return tuple(
        repr(getattr(state, field.name)) for field in fields(state) if field.name != "faces"
    )


def with_body(position: Position, seat: Seat, body: bodies.Body) -> dict[Seat, Said]:
    return {**position.said, seat: Said(hash=b"h" * 32, body=body)}


@cache
def honest() -> dict[str, bodies.Body]:
    """Return one honest body of each kind."""
    return {item.body.kind: item.body for place in positions() for item in place.said.values()}


def test_what_was_said_honestly_stands() -> None:
    with rigged_audit():
        for place in positions():
            for seat in place.said:
                assert judged(place.state, seat, place.said) is not None, place.name


def test_there_is_a_position_of_every_phase() -> None:
    assert {place.state.plan.phase for place in positions()} == set(Phase)
    assert BODY_KINDS - honest().keys() <= {"doubt"}  # no honest seat has a reason to doubt


def test_a_body_of_another_phase_is_a_fault_of_who_says_it_and_changes_nothing() -> None:
    for place in positions():
        state, before = place.state, snapshot(place.state)
        for seat in state.seats:
            speaks = seat in state.plan.speakers
            wanted = SPEAKER_BODIES[state.plan.phase] if speaks else (bodies.Assent,)
            for body in honest().values():
                if isinstance(body, wanted):
                    continue
                with pytest.raises(FaultError, match=body.kind):
                    check_for(state, seat, with_body(place, seat, body), trusted=False)
        assert snapshot(state) == before


def variants(value: Any) -> Iterator[Any]:
    """Yield other values of a field, most of them such as no honest peer writes."""
    match value:
        case bool():
            yield not value
        case bytes():
            yield from (b"", value[:-1], value + b"\0", bytes(len(value)), b"\xff" * len(value))
            yield from (value * 2, value[32:], IDENTITY + value[32:], NOT_CANONICAL + value[32:])
            yield BASE.encoded + value[32:]
            for place in {0, len(value) // 2, len(value) - 1} if value else ():
                yield value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]
        case Face():
            yield from (face for face in Face if face != value)
        case Color():
            yield from (color for color in Color if color != value)
        case int():
            yield from (-1, value + 1, value - 1, HUGE, -HUGE, 1 << 64)
        case tuple():
            yield from ((), value * 2, value[:-1], value[::-1])
            for index, item in enumerate(value):
                for other in variants(item):
                    yield (*value[:index], other, *value[index + 1 :])
        case bodies.ShuffledPart() | bodies.Part():
            for field in fields(value):
                for other in variants(getattr(value, field.name)):
                    yield replace(value, **{field.name: other})
        case None:
            yield from (Seat(0), Seat(-1), Seat(99), Color.RED)


LAWFUL = {
    # A player may call UNO or not, and name another color; a committed value shows when revealed; what
    # is in the box for shares is not used while resilience is 0, but for the commitment to it.
    "played.uno",
    "played.color",
    "color.color",
    "commit.digest",
    "commit.shuffle_seed",
    # Whether a sealed share fits its seat alone can see; it says so in the next step.
    "sealed.boxes",
}


def test_every_field_of_every_body_is_looked_at() -> None:
    """Each honest body with one field changed: refused by a `RemoteError`, or lawful as listed."""
    lawful: set[str] = set()
    refused: set[str] = set()
    with rigged_audit():
        for place in positions():
            if place.name.startswith("fault"):
                continue
            unproved = place.state.table.offer.argument != "proved"
            for seat in place.state.plan.speakers:
                if seat not in place.said:
                    continue  # it was left out
                body: Any = place.said[seat].body
                for field in fields(body):
                    if field.name == "kind" or (unproved and body.kind == "shuffled"):
                        continue
                    for other in variants(getattr(body, field.name)):
                        if other == getattr(body, field.name):
                            continue
                        name = f"{body.kind}.{field.name}"
                        changed = replace(body, **{field.name: other})
                        try:
                            result = judged(place.state, seat, with_body(place, seat, changed))
                        except RemoteError as error:
                            assert error.sentence()
                            refused.add(name)
                        else:
                            if result is None:
                                assert name == "shuffled.base"
                                refused.add(name)
                            else:
                                lawful.add(name)
                                assert name in LAWFUL, (name, place.name, other)
    every = {
        f"{body.kind}.{field.name}"
        for body in honest().values()
        for field in fields(body)
        if field.name != "kind"
    }
    assert refused | lawful == every
    assert lawful <= LAWFUL


BYTES = st.binary(max_size=200) | st.sampled_from(
    [b"", IDENTITY, NOT_CANONICAL, BASE.encoded, BASE.encoded + bytes(64), bytes(96), bytes(64)]
)
INTS = st.integers(-3, 130) | st.sampled_from([HUGE, -HUGE, 1 << 63])
SEATS = st.integers(-2, 11).map(Seat)
POSITIONS = st.lists(INTS, max_size=4).map(tuple)
BODIES: dict[type, st.SearchStrategy[Any]] = {
    bodies.Commit: st.builds(bodies.Commit, digest=BYTES, shuffle_seed=BYTES),
    bodies.Reveal: st.builds(
        bodies.Reveal, seed=BYTES, key=BYTES, box_key=BYTES, sharing=BYTES, proof=BYTES
    ),
    bodies.Shuffled: st.builds(
        bodies.Shuffled,
        base=BYTES,
        parts=st.lists(st.builds(bodies.ShuffledPart, cards=BYTES, proof=BYTES), max_size=3).map(
            tuple
        ),
    ),
    bodies.Sealed: st.builds(bodies.Sealed, ephemeral=BYTES, proof=BYTES, boxes=BYTES),
    bodies.Shares: st.builds(bodies.Shares, data=BYTES),
    bodies.StoodIn: st.builds(
        bodies.StoodIn,
        own=BYTES,
        parts=st.lists(st.builds(bodies.Part, seat=SEATS, data=BYTES), max_size=3).map(tuple),
    ),
    bodies.Played: st.builds(
        bodies.Played,
        cards=st.lists(st.sampled_from(Face), max_size=4).map(tuple),
        positions=POSITIONS,
        opening=BYTES,
        color=st.none() | st.sampled_from(Color),
        target=st.none() | SEATS,
        uno=st.booleans(),
    ),
    bodies.Drew: st.just(bodies.Drew()),
    bodies.Kept: st.just(bodies.Kept()),
    bodies.CalledUNO: st.just(bodies.CalledUNO()),
    bodies.Caught: st.builds(bodies.Caught, seat=SEATS),
    bodies.Challenged: st.just(bodies.Challenged()),
    bodies.Accepted: st.just(bodies.Accepted()),
    bodies.NamedColor: st.builds(bodies.NamedColor, color=st.sampled_from(Color)),
    bodies.Innocent: st.builds(bodies.Innocent, proof=BYTES),
    bodies.Guilty: st.builds(bodies.Guilty, position=INTS, opening=BYTES),
    bodies.OpenedHand: st.builds(bodies.OpenedHand, opening=BYTES),
    bodies.ShownSeed: st.builds(bodies.ShownSeed, seed=BYTES),
    bodies.Doubted: st.builds(bodies.Doubted, positions=POSITIONS, opening=BYTES),
    bodies.Waits: st.just(bodies.Waits()),
    bodies.GivesUp: st.just(bodies.GivesUp()),
    bodies.Assent: st.just(bodies.Assent()),
}


def test_the_strategies_know_every_body() -> None:
    assert BODIES.keys() == set(get_args(bodies.Body))


@given(st.data())
def test_no_statement_ever_does_more_than_to_be_refused(data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(positions()), "position")
    state = place.state
    seat = data.draw(st.sampled_from(state.seats), "seat")
    if data.draw(st.booleans(), "of the right kind") and seat in state.plan.speakers:
        body = data.draw(
            st.sampled_from(SPEAKER_BODIES[state.plan.phase]).flatmap(BODIES.__getitem__)
        )
    else:
        body = data.draw(st.one_of(*BODIES.values()))
    before = snapshot(state)
    said = with_body(place, seat, body)
    if data.draw(st.booleans(), "alone"):
        said = {seat: said[seat]}
    with rigged_audit():
        for trusted in (False, True):
            try:
                check = check_for(state, seat, said, trusted=trusted)
                if callable(check):
                    check()
            except RemoteError as error:
                assert str(error) or error.sentence()
        unfounded(state, said)
        assert is_small(state, seat, body) in {True, False}
        move_of(body)
    assert snapshot(state) == before


def test_shares_of_other_keys_cards_or_contexts_do_not_hold() -> None:
    place = next(p for p in positions() if p.name.startswith("proved: deal"))
    for seat in place.state.plan.speakers:
        for what in ("step", "round_index", "head"):
            state = copy.deepcopy(place.state)
            value = getattr(state, what)
            setattr(state, what, bytes(32) if isinstance(value, bytes) else value + 1)
            with pytest.raises((ProofError, MalformedError)):
                judged(state, seat, place.said)
        other = Seat(1 - seat)
        with pytest.raises((ProofError, MalformedError)):
            judged(place.state, seat, {**place.said, seat: place.said[other]})


def test_a_point_is_shown_short_and_never_whole() -> None:
    assert isinstance(BASE, Point)
    assert BASE.encoded.hex() not in repr(BASE)


def test_a_play_without_a_card_is_against_the_rules_whoever_asks() -> None:
    place = next(p for p in positions() if p.state.plan.phase is Phase.TURN)
    (seat,) = place.state.plan.speakers
    assert place.state.round is not None
    assert problem(place.state.round, seat, Play(cards=())) is not None
    play = bodies.Played(cards=(), positions=(), opening=b"")
    is_small(place.state, seat, play)
    with pytest.raises(FaultError):
        judged(place.state, seat, with_body(place, seat, play))
