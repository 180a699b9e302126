"""A record that was changed anywhere is never found complete, and one that was cut is incomplete."""

import copy
import random
from functools import cache

import pytest

from tests.peer.test_ring import SHORT
from unop2p.sim.ring import Ring
from unop2p.wire.audit import Audit, Finding, _WrongError, audit


@cache
def record() -> tuple[bytes, ...]:
    ring = Ring(2, SHORT, seed=8)
    ring.run()
    return tuple(ring.places[0].record)


@pytest.mark.slow
def test_a_byte_flipped_in_any_of_500_places_is_never_complete() -> None:
    rng = random.Random(500)
    lines = record()
    assert audit(lines).finding is Finding.COMPLETE
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    places = sorted(rng.randrange(starts[-1]) for _ in range(500))
    work = Audit()
    for number, line in enumerate(lines):
        for place in (
            p - starts[number] for p in places if starts[number] <= p < starts[number + 1]
        ):
            if place == len(line) - 1:
                continue  # The newline: the next test cuts there.
            changed = bytearray(line)
            changed[place] ^= 1 << rng.randrange(8)
            with pytest.raises(_WrongError):
                copy.deepcopy(work).take(bytes(changed).removesuffix(b"\n"))
        work.take(line.removesuffix(b"\n"))


@pytest.mark.slow
def test_a_record_whose_tail_is_cut_is_incomplete() -> None:
    lines = record()
    for keep in (0, 1, 2, len(lines) // 2, len(lines) - 1):
        assert audit(lines[:keep]).finding is Finding.INCOMPLETE
    whole = [*lines[:-1], lines[-1][:-1]]
    assert audit(whole).finding is Finding.INCOMPLETE


@pytest.mark.slow
def test_lines_that_are_left_out_swapped_or_said_twice_are_broken() -> None:
    lines = list(record())
    assert audit(lines[:3] + lines[4:]).finding is Finding.BROKEN
    assert audit([*lines[:3], lines[4], lines[3], *lines[5:]]).finding is Finding.BROKEN
    assert audit([*lines[:3], lines[2], *lines[3:]]).finding is Finding.BROKEN
    assert audit([*lines, lines[-1]]).finding is Finding.BROKEN
