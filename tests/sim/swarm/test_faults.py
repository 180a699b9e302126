"""Every kind of fault acts, and is read back from what was written."""

import pytest

from unop2p.errors import LocalError
from unop2p.sim.swarm.cheating import usable
from unop2p.sim.swarm.faults import MODES, Fault, Kind, ScriptError, from_json, to_json
from unop2p.sim.swarm.plan import Plan, Setup
from unop2p.sim.swarm.run import run

CASES = {
    Kind.LOSS: Fault(kind=Kind.LOSS, for_ms=6_000, percent=30),
    Kind.REPEAT: Fault(kind=Kind.REPEAT, for_ms=6_000, percent=30),
    Kind.REORDER: Fault(kind=Kind.REORDER, for_ms=6_000, percent=30),
    Kind.DELAY: Fault(kind=Kind.DELAY, for_ms=6_000, percent=100, amount=400),
    Kind.CUT: Fault(kind=Kind.CUT, step=3, for_ms=25_000, seats=(1,)),
    Kind.ONE_WAY: Fault(kind=Kind.ONE_WAY, step=3, for_ms=25_000, seats=(1, 2)),
    Kind.OUTAGE: Fault(kind=Kind.OUTAGE, step=3, for_ms=12_000),
    Kind.JUNK: Fault(kind=Kind.JUNK, step=1, for_ms=1_000, amount=50),
    Kind.CRASH: Fault(kind=Kind.CRASH, step=4, seats=(1,), amount=3, percent=100),
    Kind.FREEZE: Fault(kind=Kind.FREEZE, step=4, for_ms=45_000, seats=(1,)),
    Kind.GONE: Fault(kind=Kind.GONE, step=4, seats=(1,), amount=1),
    Kind.SLOW_DISK: Fault(kind=Kind.SLOW_DISK, for_ms=6_000, seats=(0, 1), amount=300),
    Kind.SLOW_WORK: Fault(kind=Kind.SLOW_WORK, for_ms=6_000, seats=(0, 1), amount=2_500),
    Kind.CLOCK: Fault(kind=Kind.CLOCK, step=3, seats=(2,), amount=90_000),
    Kind.LEAVE: Fault(kind=Kind.LEAVE, step=10, seats=(1,)),
    Kind.CHEAT: Fault(kind=Kind.CHEAT, seats=(2,), name="duplicate-card"),
}


def plan_with(*faults: Fault, seed: int = 5) -> Plan:
    return Plan(seed=seed, tables=(Setup(seats=3),), faults=faults, steps=16)


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_of_fault_acts_and_the_table_bears_it(kind: Kind) -> None:
    outcome = run(plan_with(CASES[kind]))
    assert outcome.violations == ()
    assert outcome.acted[kind] > 0
    assert kind is Kind.CHEAT or outcome.began[kind] == 1


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Kind.GONE, "SeatAway"),
        (Kind.FREEZE, "SeatBack"),
        (Kind.LEAVE, "SeatLeft"),
        (Kind.CHEAT, "SeatExpelled"),
    ],
)
def test_what_a_fault_brings_about_is_told_to_the_others(kind: Kind, told: str) -> None:
    assert run(plan_with(CASES[kind])).told[told] > 0


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("cheat", ["two-words-in-deal", "two-words-in-commit"])
def test_a_fork_is_found_by_all_and_the_honest_go_on(cheat: str, seats: int) -> None:
    fork = Fault(kind=Kind.CHEAT, seats=(2,), name=cheat)
    outcome = run(Plan(seed=5, tables=(Setup(seats=seats),), faults=(fork,), steps=16))
    assert outcome.violations == ()
    assert outcome.acted["forks"] == seats - 1
    assert outcome.told["SeatExpelled"] == seats - 1


@pytest.mark.parametrize("cheat", ["false-key-share", "false-complaint", "false-part"])
def test_a_cheat_that_needs_others_to_stand_in_is_tried_and_put_out(cheat: str) -> None:
    fault = Fault(kind=Kind.CHEAT, seats=(3,), name=cheat)
    table = Setup(seats=5, resilience=1, think_ms=1_500)
    outcome = run(Plan(seed=5, tables=(table,), faults=(fault,), steps=40, safety_ms=90_000))
    assert outcome.violations == ()
    assert outcome.acted[Kind.CHEAT] == 1
    assert outcome.told["SeatExpelled"] == 4


def test_every_mode_but_none_has_kinds_and_the_swarm_has_all() -> None:
    assert MODES["none"] == ()
    assert all(kinds for name, kinds in MODES.items() if name != "none")
    assert set(MODES["swarm"]) == set(Kind)
    assert {kind for name, kinds in MODES.items() if name != "swarm" for kind in kinds} == set(
        Kind
    ) - {Kind.LEAVE}


@pytest.mark.parametrize("kind", Kind)
def test_a_fault_is_read_back_from_json(kind: Kind) -> None:
    assert from_json(to_json(CASES[kind])) == CASES[kind]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"kind": "rain"},
        {"kind": ["loss"]},
        {"kind": "loss", "percent": 101},
        {"kind": "loss", "percent": True},
        {"kind": "loss", "percent": "30"},
        {"kind": "cut", "seats": [10]},
        {"kind": "cut", "seats": [-1]},
        {"kind": "cut", "seats": ["1"]},
        {"kind": "cut", "seats": 1},
        {"kind": "loss", "for_ms": 10**10},
        {"kind": "loss", "name": 1},
        {"kind": "loss", "more": 1},
    ],
)
def test_what_is_no_fault_is_refused(data: object) -> None:
    with pytest.raises(ScriptError):
        from_json(data)


def test_a_fault_says_itself_in_one_line() -> None:
    assert str(CASES[Kind.CUT]) == "cut, seats 1, from step 3, for 25000 ms"
    assert issubclass(ScriptError, LocalError)


def test_most_of_the_zoo_can_be_tried_at_a_table_as_it_is() -> None:
    assert len(usable(Setup(seats=3))) > 60
    assert "card-that-does-not-fit" not in usable(Setup(seats=3, changes=(("foul_penalty", 2),)))
