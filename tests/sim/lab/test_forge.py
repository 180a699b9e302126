"""Square roots, by which forgeries are solved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.deal.group import Q
from unop2p.sim.lab.forge import square_root


@given(st.integers(1, Q - 1))
def test_a_square_has_a_root(value: int) -> None:
    root = square_root(value * value)
    assert root in {value, Q - value}


@pytest.mark.parametrize("value", [2, 11])
def test_what_is_no_square_has_none(value: int) -> None:
    roots = {square_root(value * pow(k, 2, Q)) is None for k in range(1, 5)}
    assert len(roots) == 1
    assert square_root(2) is None
