"""The switch to the toy group; the group itself: tests/deal/test_toy_group.py."""

from unop2p.deal.group import Point, base_mul
from unop2p.sim.toy import in_toy_group


def test_points_of_the_two_groups_are_different() -> None:
    def some() -> list[Point]:
        return [base_mul(number) for number in range(1, 9)]

    with in_toy_group():
        toys = some()
        with in_toy_group():
            assert some() == toys
        assert some() == toys
    assert not set(toys) & set(some())
