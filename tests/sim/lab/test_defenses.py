"""Switches: in force while they last, and nowhere left afterwards."""

import sys
from pathlib import Path

import pytest

from unop2p.sim.lab.defenses import DEFENSES, without

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
        kinds = {key: dict(vars(value)) for key, value in before.items() if isinstance(value, type)}
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
