"""Switches: in force while they last, and nowhere left afterwards."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.test_house import ROOT
from unop2p.cli.lab_commands import read_families
from unop2p.edge.arguments import load_argument
from unop2p.sim.lab.defenses import DEFENSES, without
from unop2p.sim.lab.matrix import matrix
from unop2p.sim.lab.run import Plan
from unop2p.table.work import ARGUMENTS

PACKAGE = Path(__file__).parents[3] / "unop2p"


def everything() -> dict[tuple[str, str], object]:
    return {
        (module_name, name): value
        for module_name, module in list(sys.modules.items())
        if module_name.startswith("unop2p.") and not module_name.startswith("unop2p.sim")
        for name, value in vars(module).items()
        if callable(value)
    }


@pytest.mark.parametrize("name", sorted(DEFENSES))
def test_a_switch_changes_something_and_leaves_no_trace(name: str) -> None:
    before = everything()
    from unop2p.deal import group
    from unop2p.table.work import ARGUMENTS

    def picture() -> object:
        # Python makes a class's annotations when they are first asked for.
        kinds = {
            key: {name: part for name, part in vars(value).items() if name != "__annotations__"}
            for key, value in before.items()
            if isinstance(value, type)
        }
        return everything(), kinds, dict(ARGUMENTS), dict(vars(group.backend))

    first = picture()
    with without([name]):
        assert picture() != first
    assert picture() == first


def test_a_switch_is_taken_back_after_an_error() -> None:
    before = everything()
    with pytest.raises(ZeroDivisionError), without(["share-proofs", "scalar-range"]):
        raise ZeroDivisionError
    assert everything() == before


def test_the_product_knows_of_no_switch() -> None:
    for path in PACKAGE.rglob("*.py"):
        if "lab" not in path.name and "sim" not in path.parts:
            assert "sim.lab" not in path.read_text(encoding="utf-8"), path


@pytest.fixture
def own_argument(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let a shuffle argument of one's own be known, the example's."""
    monkeypatch.chdir(ROOT)
    before = dict(ARGUMENTS)
    yield load_argument("examples.cut_and_choose:CutAndChoose")
    ARGUMENTS.clear()
    ARGUMENTS.update(before)


def test_a_defense_is_left_out_of_a_class_of_ones_own_too(own_argument: str) -> None:
    module = sys.modules[type(ARGUMENTS[own_argument]).__module__]
    real = vars(module)["check_fresh"]
    with without(("remask-check",)):
        assert vars(module)["check_fresh"] is not real
    assert vars(module)["check_fresh"] is real


@pytest.mark.slow
def test_a_class_of_ones_own_passes_the_shuffle_cheats_that_apply_to_it(own_argument: str) -> None:
    cheats = read_families(("shuffle",))
    cells = matrix(cheats, [own_argument], Plan(peers=2, group="toy"))
    assert not any(cell.is_bad for cell in cells)
    assert [cell.cheat.name for cell in cells if not cell.reports] == [
        "remask-zero",
        "remask-alike",
        "forge-copies",
        "forge-any-card",
    ]
