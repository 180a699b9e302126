"""Plans are drawn from a seed alone, written down, and read back; what is no script is refused."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.log.closing import majority
from unop2p.sim.swarm.faults import MODES, Fault, Kind, ScriptError
from unop2p.sim.swarm.plan import Plan, Setup, draw, dump, load
from unop2p.table.standing import resilience_max

SIMPLE = Plan(seed=1, tables=(Setup(seats=3),), faults=(Fault(kind=Kind.LOSS, percent=5),))


@given(seed=st.integers(0, 10**9), mode=st.sampled_from(sorted(MODES)))
def test_a_plan_is_the_same_each_time_and_is_read_back(seed: int, mode: str) -> None:
    plan = draw(seed, mode)
    assert plan == draw(seed, mode)
    assert load(dump(plan)) == plan


@given(seed=st.integers(0, 10**6))
def test_those_who_do_not_cheat_or_stay_away_are_a_majority(seed: int) -> None:
    plan = draw(seed)
    for number, setup in enumerate(plan.tables):
        assert setup.seats - len(plan.absent(number)) >= majority(setup.seats)


def test_seeds_differ_in_seats_rules_cards_and_kinds_of_faults() -> None:
    plans = [draw(seed) for seed in range(400)]
    seats = {setup.seats for plan in plans for setup in plan.tables}
    assert seats > {2, 3, 4, 5, 6}
    assert max(seats) > 7
    assert len({setup.rules for plan in plans for setup in plan.tables}) > 5
    assert {setup.argument for plan in plans for setup in plan.tables} == {
        "proved",
        "commit-reveal",
    }
    assert any(dict(setup.changes).get("hidden_checks") for p in plans for setup in p.tables)
    kinds = Counter(kind for plan in plans for kind in {fault.kind for fault in plan.faults})
    assert set(kinds) == set(Kind)
    assert max(kinds.values()) < 250, "no kind is in most of the seeds"
    assert len({frozenset(fault.kind for fault in plan.faults) for plan in plans}) > 300


def test_seeds_differ_in_the_resilience_of_their_tables_and_in_nothing_else_by_it() -> None:
    found = Counter(
        (setup.argument, setup.resilience) for seed in range(400) for setup in draw(seed).tables
    )
    assert found["proved", 1] > 40
    assert found["proved", 2] > 5
    assert {k for argument, k in found if argument == "commit-reveal"} == {0}
    for seed in range(20):
        without = draw(seed, resilience=0)
        setups = tuple(replace(setup, resilience=0) for setup in draw(seed).tables)
        assert replace(draw(seed), tables=setups) == without


def test_resilience_can_be_asked_for_as_far_as_a_table_can_have_it() -> None:
    for seed in range(50):
        for setup in draw(seed, resilience=2).tables:
            most = 0 if setup.argument == "commit-reveal" else resilience_max(setup.seats)
            assert setup.resilience == min(2, most)


def test_tables_seats_and_rounds_can_be_asked_for() -> None:
    plan = draw(3, "none", tables=24, seats=5, rounds=2)
    assert [setup.seats for setup in plan.tables] == [5] * 24
    assert {setup.rounds for setup in plan.tables} == {2}
    assert plan.faults == ()


def test_a_plan_can_keep_some_of_its_faults() -> None:
    plan = next(plan for plan in map(draw, range(50)) if len(plan.faults) > 3)
    assert plan.only((0, 2)).faults == (plan.faults[0], plan.faults[2])


def changed(**values: Any) -> str:
    return json.dumps({**json.loads(dump(SIMPLE)), **values})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "[" * 100_000,
        changed(format="other"),
        changed(tables=[]),
        changed(tables={}),
        changed(tables=[{"seats": 1}]),
        changed(tables=[{"seats": 3, "rules": "martian"}]),
        changed(tables=[{"seats": 3, "argument": "trust"}]),
        changed(tables=[{"seats": 3, "changes": []}]),
        changed(tables=[{"seats": 3, "changes": {"teams": True}}]),
        changed(tables=[{"seats": "3"}]),
        changed(tables=[{"seats": 3, "resilience": 2}]),
        changed(tables=[{"seats": 4, "resilience": True}]),
        changed(tables=[{"seats": 4, "resilience": 1, "argument": "commit-reveal"}]),
        changed(tables=[{"seats": 3}] * 101),
        changed(faults=[{"kind": "loss", "table": 1}]),
        changed(faults=[{"kind": "crash", "seats": [3]}]),
        changed(faults=[{"kind": "cheat", "seats": [1], "name": "no-such-cheat"}]),
        changed(faults={}),
        changed(group="rsa"),
        changed(seed=-1),
        changed(seed="1"),
        changed(audit=1),
        changed(steps=1.5),
        changed(more=None),
        changed(weather="fine"),
    ],
)
def test_what_is_no_script_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ScriptError) as caught:
        load(text)
    assert str(caught.value)
