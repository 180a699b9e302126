"""Seeds of the long run that have found something: each is well now."""

import pytest

from unop2p.sim.swarm.plan import draw
from unop2p.sim.swarm.run import run

pytestmark = pytest.mark.slow

FOUND = {
    "the others end in the moment in which one is started again": 733,
    "a peer that only catches up is killed twice after its round was void": 1552,
    "a seat says that it is back before the others know that it went": 4190,
    "a cheat wants to use a proof of a round that it sat out": 2645,
    "a cheat looks for a card in the hand of who sits the round out": 5267,
    "a seat leaves with the statement that is its move": 6073,
    "a seat goes, is back and goes again, and its old word is still held": 6785,
    "who drew a card leaves, and others stand in for the deal of it": 7102,
    "two of eight are cut off until the others have ended and gone": 7540,
    "who draws until a card fits leaves at its second card": 8134,
    "evidence is on its way to who has just come back": 6616,
}


@pytest.mark.parametrize("seed", FOUND.values(), ids=FOUND)
def test_it_goes_on(seed: int) -> None:
    outcome = run(draw(seed))
    assert not outcome.violations, [str(found) for found in outcome.violations]
