"""Seeds 0 to 149 of the swarm: nothing happens that must not, and everything goes on.

300 seeds are played at each change, in two files, so that two cores share them.
"""

import pytest

from tests.sim.swarm.seeds import assert_well

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("first", range(0, 150, 25))
def test_the_swarm_finds_nothing(first: int) -> None:
    assert_well(range(first, first + 25))
